//! Words for what memory tells apart.

use super::model::Kind;
use crate::i18n;

/// A kind's name.
#[must_use]
pub fn memory_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Fact => i18n::memory_fact(),
        Kind::Preference => i18n::memory_preference(),
    }
}
