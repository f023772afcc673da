//! Words for what installed tells apart.

use super::Installation;
use ui_kit::words::filled;

/// What there is to say about installing.
#[must_use]
pub fn installation(state: Installation) -> &'static str {
    let words = match state {
        Installation::Done => "{app} is installed and runs in a window of its own.",
        Installation::Offered => "Installed, it has its own icon and window, and other apps can share to it.",
        Installation::Unknown => {
            "Your browser can install {app}: look for “Install” or “Add to Home Screen” in its menu. It works the \
             same without."
        }
    };
    filled(words)
}
