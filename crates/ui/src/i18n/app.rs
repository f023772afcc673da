//! The words around the app itself: installing it, and what other apps share with it.

use ui_kit::words::filled;

#[must_use]
pub fn install() -> &'static str {
    filled("Install {app}")
}

pub const INSTALLATION: &str = "Installation";
