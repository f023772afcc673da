//! The words around the choice of a model's window.

include!(concat!(env!("OUT_DIR"), "/context.rs"));

/// How much an Ollama gives its model: what it said, or that it is assumed.
#[must_use]
pub fn ollama_window(said: Option<u64>, assumed: u64) -> String {
    match said {
        Some(tokens) => ollama_gives(super::whole(tokens)),
        None => ollama_assumed(super::whole(assumed)),
    }
}
