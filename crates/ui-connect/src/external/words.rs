//! Words for what outside tells apart.

use super::Who;

/// What somebody wants.
#[must_use]
pub fn external_asks(who: Who, title: &str) -> String {
    match who {
        Who::Program => format!("Another program asks. {title}?"),
        Who::Browser => format!("Your browser’s agent asks. {title}?"),
    }
}
