//! The words around the browser's own model.

pub const BROWSER_MODEL: &str = "Your browser’s own";
pub const BROWSER_MODEL_HERE: &str = "It is on this device.";
pub const BROWSER_MODEL_FETCH: &str = "Fetch it";
pub const BROWSER_MODEL_FOLLOW: &str = "Show how far it is";
pub const BROWSER_MODEL_FETCHING: &str = "Fetching the browser’s model";
pub const BROWSER_MODEL_FETCHABLE: &str =
    "It is not on this device yet. Your browser fetches it once, several gigabytes, for all pages.";
pub const BROWSER_MODEL_UNDER_WAY: &str = "Your browser is fetching it.";

/// How much of the model is there.
#[must_use]
pub fn browser_model_fetched(share: f64) -> String {
    format!("{} %", (share * 100.0).floor())
}

/// It could not be fetched.
#[must_use]
pub fn browser_model_not_fetched(why: &str) -> String {
    format!("Your browser could not fetch its model ({why}). Try again later.")
}
