//! Words for what installed tells apart.

use super::Installation;

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
