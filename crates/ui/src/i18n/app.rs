//! The words around the app itself: installing it, and what other apps share with it.

use crate::installed::Installation;

pub const SHARE_TITLE: &str = "Keep this as a to-do?";
pub const INSTALL: &str = "Install Satchel";
pub const INSTALLATION: &str = "On this device";

/// What there is to say about installing.
#[must_use]
pub fn installation(state: Installation) -> &'static str {
    match state {
        Installation::Done => "Satchel is installed and runs in a window of its own.",
        Installation::Offered => "Installed, it has its own icon and window, and other apps can share to it.",
        Installation::Unknown => {
            "Your browser can install Satchel: look for “Install” or “Add to Home Screen” in its menu. It works the \
             same without."
        }
    }
}

/// A part of the page could not be had.
pub const PART_NOT_LOADED: &str = "This part of Satchel could not be loaded. It needs the network once.";

/// A part of the page could not be had, and the page is older than what a reload brings.
pub const PART_OF_ANOTHER_BUILD: &str =
    "Satchel was updated, and this page is still the old one. Reload it to open this; everything is kept.";
