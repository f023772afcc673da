//! Words for what conversations tells apart.

use super::Age;
use crate::i18n;

/// A heading of the list of conversations.
#[must_use]
pub fn age_name(age: Age) -> &'static str {
    match age {
        Age::Pinned => i18n::age_pinned(),
        Age::Today => ui_kit::dates::today(),
        Age::Yesterday => ui_kit::dates::yesterday(),
        Age::Week => i18n::age_week(),
        Age::Month => i18n::age_month(),
        Age::Older => i18n::age_older(),
    }
}
