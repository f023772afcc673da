//! Words for what conversations tells apart.

use super::Age;
use crate::i18n;

/// A heading of the list of conversations.
#[must_use]
pub fn age_name(age: Age) -> &'static str {
    match age {
        Age::Pinned => i18n::age_pinned(),
        Age::Today => i18n::age_today(),
        Age::Yesterday => i18n::age_yesterday(),
        Age::Week => i18n::age_week(),
        Age::Month => i18n::age_month(),
        Age::Older => i18n::age_older(),
    }
}
