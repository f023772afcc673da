//! Words for what metrics tells apart.

use super::Reach;
use crate::i18n;

/// How far back is counted.
#[must_use]
pub fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::Day => i18n::reach_day(),
        Reach::Week => i18n::reach_week(),
        Reach::Month => i18n::reach_month(),
        Reach::All => i18n::reach_all(),
    }
}
