//! Words for what privacy tells apart.

use crate::settings::Hiding;

/// A choice of [`Hiding`].
#[must_use]
pub fn hiding_name(hiding: Hiding) -> &'static str {
    match hiding {
        Hiding::Off => "Off",
        Hiding::Ask => "Ask me",
        Hiding::Always => "Always",
    }
}
