//! Words for what host tells apart.

use super::Replayed;
use crate::i18n;

/// How a replay stands.
#[must_use]
pub fn replayed(replayed: &Replayed) -> String {
    match replayed {
        Replayed::Playing(at, all) => i18n::replaying(*at, *all),
        Replayed::Same(all) => i18n::replayed_the_same(*all),
        Replayed::Different(how) => how.clone(),
    }
}
