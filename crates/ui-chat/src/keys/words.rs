//! Words for what keys tells apart.

use super::Held;
use crate::i18n;

/// What is known about the key.
#[must_use]
pub fn key_state(held: Held) -> &'static str {
    match held {
        Held::None => "",
        Held::Kept => i18n::key_kept(),
        Held::Locked => i18n::key_locked(),
        Held::ForNow => i18n::key_for_now(),
    }
}
