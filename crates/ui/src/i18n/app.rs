//! The words around the app itself: installing it, and what other apps share with it.

pub const INSTALL: &str = "Install Satchel";
pub const INSTALLATION: &str = "On this device";
