//! Days of a trip in words.

use ui_kit::dates::day_in_full;

use crate::words;

/// A day alone: `Mon, 15 Jun 2026`. What is no day is shown as it is.
#[must_use]
pub fn day(day: &str) -> String {
    day_in_full(day).unwrap_or_else(|| day.to_owned())
}

/// From one day to another, as far as they are known; empty where neither is.
#[must_use]
pub fn span(start: &str, end: &str) -> String {
    match (start.is_empty(), end.is_empty()) {
        (false, false) => words::from_to(&day(start), &day(end)),
        (false, true) => day(start),
        (true, _) if end.is_empty() => String::new(),
        (true, _) => day(end),
    }
}
