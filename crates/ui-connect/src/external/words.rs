//! Words for what outside tells apart.

use super::Who;
use crate::i18n;

/// What somebody wants.
#[must_use]
pub fn external_asks(who: Who, title: &str) -> String {
    match who {
        Who::Program => i18n::program_asks(title),
        Who::Browser => i18n::browser_asks(title),
    }
}
