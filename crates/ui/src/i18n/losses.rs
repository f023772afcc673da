//! Words for data that was damaged, lost or brought back.

use ui_kit::words::filled;

/// Over the sentences that say what happened.
#[must_use]
pub fn loss_title() -> &'static str {
    filled("Something happened to your stored {many}")
}

/// The button that puts the note away.
pub const LOSS_SEEN: &str = "OK";
