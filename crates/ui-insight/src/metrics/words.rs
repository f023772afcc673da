//! Words for what metrics tells apart.

use super::Reach;

/// How far back is counted.
#[must_use]
pub fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::Day => "the last 24 hours",
        Reach::Week => "the last 7 days",
        Reach::Month => "the last 30 days",
        Reach::All => "all time",
    }
}
