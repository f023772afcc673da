//! Words for what installed tells apart.

use super::Installation;
use crate::i18n;

/// What there is to say about installing.
#[must_use]
pub fn installation(state: Installation) -> &'static str {
    match state {
        Installation::Done => i18n::installation_done(),
        Installation::Offered => i18n::installation_offered(),
        Installation::Unknown => i18n::installation_unknown(),
    }
}
