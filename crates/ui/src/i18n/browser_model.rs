//! The words around the browser's own model.

include!(concat!(env!("OUT_DIR"), "/browser-model.rs"));

/// How much of the model is there.
#[must_use]
pub fn browser_model_fetched(share: f64) -> String {
    super::percent(&(share * 100.0).floor().to_string())
}
