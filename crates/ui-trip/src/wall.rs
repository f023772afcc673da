//! When something is, in words: what the clock on the wall there shows, and never what the browser's would.

use ui_kit::dates::{day_in_full, time_written};

use crate::model::When;

/// A day or a time: `Mon, 15 Jun 2026, 10:45`. What is no date is shown as it is.
#[must_use]
pub fn said(when: &When) -> String {
    let day = day(when.day());
    match when.time() {
        Some(time) => format!("{day}, {}", time_written(time)),
        None => day,
    }
}

/// A day alone: `Mon, 15 Jun 2026`.
#[must_use]
pub fn day(day: &str) -> String {
    day_in_full(day).unwrap_or_else(|| day.to_owned())
}

/// From one day to another, as far as they are known; empty where neither is.
#[must_use]
pub fn span(start: Option<&str>, end: Option<&str>) -> String {
    let days: Vec<String> = [start, end].into_iter().flatten().filter(|day| !day.is_empty()).map(day).collect();
    days.join(" – ")
}
