//! A due date: a day, or a day and a wall-clock time. How it is read, written, and said to a person.
//!
//! Only jiff's civil calendar is used. Its text parser and its spans bring 40 KB (brotli) of time-zone
//! machinery along, more than half of what the whole worker may weigh; see docs/adr/0008-recurrence.md.

use std::fmt;

use jiff::civil::{Date, DateTime, Time};
use serde::{Deserialize, Serialize};

use crate::calendar::days_between;
use crate::iso::{day_month, day_text, read_day, read_time};
use crate::names::{short, weekday_name};

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
            Self::Day(date) => f.write_str(&day_text(*date)),
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

/// The same without surrounding spaces and without an error.
fn parse(text: &str) -> Option<Due> {
    // Before 1970 it is a slip of the pen.
    let day = read_day(text).filter(|day| day.year() >= 1970)?;
    match text.as_bytes().get(10) {
        None => Some(Due::Day(day)),
        Some(b'T' | b't' | b' ') => {
            let time = read_time(text.get(11..)?)?;
            Some(Due::At(day.to_datetime(civil_time(time.hour().into(), time.minute().into())?)))
        }
        Some(_) => None,
    }
}

/// A date of the years 1970 to 9999: others are slips of the pen.
pub(crate) fn civil_date(year: i16, month: i16, day: i16) -> Option<Date> {
    (year >= 1970).then_some(())?;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

pub(crate) fn civil_time(hour: i16, minute: i16) -> Option<Time> {
    Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()
}

/// A due value for a person, as seen from now: "today, 15:00", "Fri 27 Nov", "3 Jan 2028".
#[must_use]
pub fn spoken(due: &str, now: Option<DateTime>) -> String {
    let (day, clock) = due.split_once('T').map_or((due, None), |(d, t)| (d, Some(t.get(..5).unwrap_or(t))));
    let Some(date) = read_day(day) else {
        return due.to_owned();
    };
    let today = now.map(DateTime::date);
    let away = today.map(|today| days_between(today, date));
    let day = match away {
        Some(0) => "today".to_owned(),
        Some(1) => "tomorrow".to_owned(),
        Some(-1) => "yesterday".to_owned(),
        _ if today.is_some_and(|t| t.year() == date.year()) => {
            format!("{} {}", short(weekday_name(date.weekday())), day_month(date))
        }
        _ => format!("{} {} {}", short(weekday_name(date.weekday())), day_month(date), date.year()),
    };
    clock.map_or(day.clone(), |clock| format!("{day}, {clock}"))
}

/// Whether a due value lies in the past.
#[must_use]
pub fn overdue(due: &str, now: Option<DateTime>) -> bool {
    now.zip(parse(due)).is_some_and(|(now, due)| due.is_past(now))
}

/// A text as an error repeats it: in quotes, and only its start where it is long.
#[must_use]
pub fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let start: String = text.chars().take(MOST).collect();
    if start.len() < text.len() { format!("{start:?}…") } else { format!("{start:?}") }
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
