//! Words for what memory tells apart.

use super::model::Kind;

/// A kind's name.
#[must_use]
pub fn memory_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Fact => "About me",
        Kind::Preference => "Preference",
    }
}
