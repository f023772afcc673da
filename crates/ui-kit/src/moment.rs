//! Moments in the page's words.

use web::clock::{civil_at, civil_now, local_day, now_ms};

use crate::dates;

/// A time of day as the browser's language writes it, for an entry of a list.
#[must_use]
pub fn ago(at_ms: i64) -> String {
    let now_ms = now_ms();
    let minutes = (now_ms - at_ms).max(0) / 60_000;
    dates::ago(minutes, local_day(now_ms) - local_day(at_ms))
}

/// What a tool says it did, with its date in words.
#[must_use]
pub fn summary(said: &str) -> String {
    dates::summary_in_words(said, &civil_now())
}

/// A moment as people say it: `Today, 14:05`.
#[must_use]
pub fn said(at_ms: i64) -> String {
    dates::due_label(&civil_at(at_ms), &civil_now())
}
