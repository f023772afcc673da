//! Words for what privacy tells apart.

use crate::i18n;
use crate::settings::Hiding;

/// A choice of [`Hiding`].
#[must_use]
pub fn hiding_name(hiding: Hiding) -> &'static str {
    match hiding {
        Hiding::Off => i18n::hiding_off(),
        Hiding::Ask => i18n::hiding_ask(),
        Hiding::Always => i18n::hiding_always(),
    }
}
