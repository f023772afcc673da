//! Words for what conversations tells apart.

use super::Age;

/// A heading of the list of conversations.
#[must_use]
pub fn age_name(age: Age) -> &'static str {
    match age {
        Age::Pinned => "Pinned",
        Age::Today => "Today",
        Age::Yesterday => "Yesterday",
        Age::Week => "Last 7 days",
        Age::Month => "Last 30 days",
        Age::Older => "Older",
    }
}
