//! Dates and times as a person says them: a day, or a day and a wall-clock time.
//!
//! Only jiff's civil calendar is used. Its text parser and its spans bring 40 KB (brotli) of time-zone
//! machinery along, more than half of what the whole worker may weigh; see docs/adr/0008-recurrence.md.

use std::fmt;

use jiff::civil::{Date, DateTime, Time};
use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};
use store::Moment;

use crate::text::shown;

/// When something is due: on a day, or at a wall-clock time where the person is.
///
/// As JSON it is text: `2026-11-22` or `2026-11-22T15:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Due {
    /// All day.
    Day(Date),
    /// At a time; to the minute.
    At(DateTime),
}

impl Due {
    /// The day.
    #[must_use]
    pub fn date(self) -> Date {
        match self {
            Self::Day(date) => date,
            Self::At(time) => time.date(),
        }
    }

    /// The same time of day (if any) on another day.
    #[must_use]
    pub fn on(self, date: Date) -> Self {
        match self {
            Self::Day(_) => Self::Day(date),
            Self::At(time) => Self::At(date.to_datetime(time.time())),
        }
    }

    /// Whether this is before `other`. A day and a time on that day are not before each other: where
    /// one says no time, only the days are compared.
    #[must_use]
    pub fn is_before(self, other: Self) -> bool {
        match (self, other) {
            (Self::At(this), Self::At(that)) => this < that,
            (this, that) => this.date() < that.date(),
        }
    }

    /// Whether it is over: the day is gone, or the time is.
    #[must_use]
    pub fn is_past(self, now: DateTime) -> bool {
        self.is_before(Self::At(now))
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(date) => write!(f, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day()),
            Self::At(time) => write!(f, "{}T{:02}:{:02}", Self::Day(time.date()), time.hour(), time.minute()),
        }
    }
}

impl From<Due> for String {
    fn from(due: Due) -> Self {
        due.to_string()
    }
}

impl TryFrom<String> for Due {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::str::FromStr for Due {
    type Err = String;

    /// Reads `2026-11-22`, `2026-11-22T15:00` and `2026-11-22T15:00:00` (seconds are dropped). A zone or
    /// an offset is refused: guessing what it was meant to say would move the time.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        parse(text).ok_or_else(|| {
            format!(
                "{} is no date: write 2026-11-22, or 2026-11-22T15:00 for a time where the person is \
                 (no Z, no offset)",
                shown(text)
            )
        })
    }
}

fn parse(text: &str) -> Option<Due> {
    let (day, time) = match text.split_once(['T', 't', ' ']) {
        None => (text, None),
        Some((day, time)) => (day, Some(time)),
    };
    let [year, month, day] = numbers(day, '-', [4, 2, 2])?;
    let date = civil_date(year, month, day)?;
    let Some(time) = time else { return Some(Due::Day(date)) };
    let [hour, minute] = match time.matches(':').count() {
        1 => numbers(time, ':', [2, 2])?,
        _ => {
            let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
            (second < 60).then_some([hour, minute])?
        }
    };
    Some(Due::At(date.to_datetime(civil_time(hour, minute)?)))
}

/// A date of the years 1970 to 9999: others are slips of the pen.
pub(crate) fn civil_date(year: i16, month: i16, day: i16) -> Option<Date> {
    (year >= 1970).then_some(())?;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

pub(crate) fn civil_time(hour: i16, minute: i16) -> Option<Time> {
    Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()
}

/// The numbers of a text like `2026-11-22`, each of exactly so many digits.
fn numbers<const N: usize>(text: &str, separator: char, digits: [usize; N]) -> Option<[i16; N]> {
    let mut found = [0; N];
    let mut parts = text.split(separator);
    for (number, digits) in found.iter_mut().zip(digits) {
        let part = parts.next()?;
        (part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())).then_some(())?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

/// What the clock on the wall shows where the person is.
#[must_use]
pub fn civil_now(moment: &Moment) -> DateTime {
    at_offset(moment.at_ms, i64::from(moment.offset_s) * 1000)
}

/// A clock outside of what a calendar holds is a broken clock: it shows 1970.
fn at_offset(at_ms: i64, offset_ms: i64) -> DateTime {
    let timestamp =
        Timestamp::from_millisecond(at_ms.saturating_add(offset_ms)).unwrap_or(Timestamp::UNIX_EPOCH);
    TimeZone::UTC.to_datetime(timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_the_same_way() {
        for (text, written) in [
            ("2026-11-22", "2026-11-22"),
            (" 2028-02-29 ", "2028-02-29"),
            ("2026-11-22T15:00", "2026-11-22T15:00"),
            ("2026-11-22 07:05", "2026-11-22T07:05"),
            ("2026-11-22T15:00:59", "2026-11-22T15:00"),
            ("1970-01-01T00:00", "1970-01-01T00:00"),
            ("9999-12-31", "9999-12-31"),
        ] {
            assert_eq!(text.parse::<Due>().unwrap().to_string(), written);
        }
    }

    #[test]
    fn what_is_no_date_is_refused_with_the_form_that_works() {
        for text in [
            "", "tomorrow", "2026-11-31", "2026-02-29", "2026-13-01", "26-11-22", "2026-1-2", "+026-11-22",
            "2026-11-22T24:00", "2026-11-22T15:60", "2026-11-22T15", "2026-11-22T15:00Z",
            "2026-11-22T15:00:00+01:00", "2026-11-22T15:00:61", "2026-11-22T", "1969-12-31", "2026-11-22-01",
        ] {
            let error = text.parse::<Due>().unwrap_err();
            assert!(error.contains("write 2026-11-22"), "{text}: {error}");
        }
    }

    #[test]
    fn the_wall_clock_is_the_moment_moved_by_the_offset() {
        let moment = Moment { at_ms: 1_795_300_200_000, zone: "Europe/Berlin".into(), offset_s: 3600 };
        assert_eq!(domain::utc_text(moment.at_ms), "2026-11-21T22:30:00Z");
        assert_eq!(Due::At(civil_now(&moment)).to_string(), "2026-11-21T23:30");
        let ahead = Moment { offset_s: 2 * 3600, ..moment };
        assert_eq!(Due::At(civil_now(&ahead)).to_string(), "2026-11-22T00:30");
        assert_eq!(domain::utc_text(i64::MAX), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn a_day_is_past_when_it_is_over_and_a_time_when_it_is_gone() {
        let due = |text: &str| text.parse::<Due>().unwrap();
        let Due::At(now) = due("2026-11-21T22:30") else { panic!() };
        for (text, past) in [
            ("2026-11-20", true),
            ("2026-11-21", false),
            ("2026-11-21T22:29", true),
            ("2026-11-21T22:30", false),
            ("2026-11-22T00:00", false),
        ] {
            assert_eq!(due(text).is_past(now), past, "{text}");
        }
    }
}
