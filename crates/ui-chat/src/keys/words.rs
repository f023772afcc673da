//! Words for what keys tells apart.

use super::Held;

/// What is known about the key.
#[must_use]
pub fn key_state(held: Held) -> &'static str {
    match held {
        Held::None => "",
        Held::Kept => "Saved, encrypted on this device",
        Held::Locked => "Saved, locked with your passphrase",
        Held::ForNow => "Kept until this page closes: it can’t be encrypted here",
    }
}
