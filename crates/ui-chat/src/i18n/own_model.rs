//! The words around what is in the way of a person's own model, or of the browser's.

/// Why the browser's own model cannot be asked.
pub const BROWSER_MODEL_MISSING: &str =
    "This browser has no model of its own that this device can run. Choose another model in the settings.";
pub const BROWSER_MODEL_NOT_YET: &str =
    "Your browser’s model is not on this device yet. Fetch it in the settings, or choose another model.";

/// It broke while it answered.
#[must_use]
pub fn browser_model_failed(why: &str) -> String {
    format!("Your browser’s model failed ({why}). Try again, or choose another model.")
}

pub const KEY_IS_LOCKED: &str =
    "Your key is locked. Say your passphrase to use your own model, or choose the built-in one.";
pub const WRONG_PASSPHRASE: &str = "That is not the passphrase.";
pub const KEY_UNREADABLE: &str = "The saved key can’t be opened any more. Enter it again in the settings.";

/// The key could not be kept.
#[must_use]
pub fn key_not_kept(why: &str) -> String {
    format!("The key could not be kept ({why}).")
}
