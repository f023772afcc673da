//! When somebody is reminded of something: at a time on the wall, or so long before it is due. How it is read, written, and
//! which moment it is.

use std::fmt;

use jiff::civil::{DateTime, Time};
use serde::{Deserialize, Serialize};

use crate::calendar::{days_between, minutes_between, minutes_later};
use crate::due::Due;

/// When one is reminded of what is due on a day without a time, and of what to be reminded of was said of a day.
pub const MORNING: Time = Time::constant(9, 0, 0, 0);

/// The most minutes before: a year.
const MOST: i64 = 366 * 1_440;

/// When one is reminded.
///
/// As JSON it is text, as the trigger of an alarm in iCalendar (RFC 5545, 3.8.6.3): `-PT30M` is half an hour before, `PT0S` when it
/// is due, `-P1D` a day before; or a time on the wall, `2026-11-22T15:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Remind {
    /// At a time; to the minute.
    At(DateTime),
    /// So many minutes before it is due.
    Before(i64),
}

impl Remind {
    /// The moment on the wall. A day counts from its morning ([`MORNING`]). None without what it is before, or past the calendar's end.
    #[must_use]
    pub fn moment(self, due: Option<Due>) -> Option<DateTime> {
        match self {
            Self::At(moment) => Some(moment),
            Self::Before(minutes) => minutes_later(counted_from(due?), -minutes),
        }
    }

    /// The one that is at a moment: so long before what is due, where it is before that.
    #[must_use]
    pub fn of(moment: DateTime, due: Option<Due>) -> Self {
        let minutes = due.map(|due| minutes_between(moment, counted_from(due)));
        minutes.filter(|minutes| (0..=MOST).contains(minutes)).map_or(Self::At(moment), Self::Before)
    }

    /// The same where what is due moves to another day, as with the next turn of what repeats.
    #[must_use]
    pub fn moved(self, from: Due, to: Due) -> Self {
        match self {
            Self::At(moment) => {
                let minutes = days_between(from.date(), to.date()) * 1_440;
                Self::At(minutes_later(moment, minutes).unwrap_or(moment))
            }
            Self::Before(_) => self,
        }
    }
}

/// What "before it is due" counts from.
fn counted_from(due: Due) -> DateTime {
    match due {
        Due::Day(day) => day.to_datetime(MORNING),
        Due::At(time) => time,
    }
}

impl fmt::Display for Remind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::At(time) => Due::At(time).fmt(f),
            Self::Before(minutes) => f.write_str(&duration_text(-minutes)),
        }
    }
}

/// A reminder for a person, as seen from now: "30 minutes before", "when it is due", "today, 15:00".
#[must_use]
pub fn spoken(remind: Remind, now: Option<DateTime>) -> String {
    let minutes = match remind {
        Remind::At(time) => return crate::due::spoken(&Due::At(time).to_string(), now),
        Remind::Before(0) => return "when it is due".to_owned(),
        Remind::Before(minutes) => minutes,
    };
    let parts = [(minutes / 1_440, "day"), (minutes % 1_440 / 60, "hour"), (minutes % 60, "minute")];
    let said = parts
        .iter()
        .filter(|(count, _)| *count != 0)
        .map(|(count, of)| format!("{count} {of}{}", if *count == 1 { "" } else { "s" }));
    format!("{} before", said.collect::<Vec<_>>().join(" "))
}

/// So many minutes as a duration of RFC 5545 (3.3.6): `-PT1H30M`, `PT9H`, `PT0S`.
#[must_use]
pub fn duration_text(minutes: i64) -> String {
    let mut text = String::from(if minutes < 0 { "-P" } else { "P" });
    let minutes = minutes.unsigned_abs();
    for (of, mark) in [(minutes / 1_440, "D"), (minutes % 1_440 / 60, "H"), (minutes % 60, "M")] {
        if mark == "H" && (!minutes.is_multiple_of(1_440) || minutes == 0) {
            text.push('T');
        }
        if of != 0 {
            text.push_str(&of.to_string());
            text.push_str(mark);
        }
    }
    if minutes == 0 {
        text.push_str("0S");
    }
    text
}

impl From<Remind> for String {
    fn from(remind: Remind) -> Self {
        remind.to_string()
    }
}

impl TryFrom<String> for Remind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::str::FromStr for Remind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let said = match read_duration(text) {
            Some(later) => later.checked_neg().filter(|before| (0..=MOST).contains(before)).map(Self::Before),
            None => match text.parse() {
                Ok(Due::At(time)) => Some(Self::At(time)),
                Ok(Due::Day(_)) | Err(_) => None,
            },
        };
        said.ok_or_else(|| {
            format!("{text:?} is no reminder; say a time like 2026-11-22T15:00, or how long before it is due, at most a year: -PT30M, PT0S.")
        })
    }
}

/// `-PT30M`, `P1DT2H`, `-P1W` in minutes; seconds are dropped. None for what is no duration of RFC 5545.
#[must_use]
pub fn read_duration(text: &str) -> Option<i64> {
    let (sign, parts) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let parts = parts.strip_prefix('P')?;
    let (mut minutes, mut number, mut is_time, mut any) = (0_i64, None, false, false);
    for letter in parts.bytes() {
        if letter.is_ascii_digit() {
            let before: i64 = number.unwrap_or(0);
            number = Some(before.checked_mul(10)?.checked_add(i64::from(letter - b'0'))?);
            continue;
        }
        if letter == b'T' && !is_time && number.is_none() {
            is_time = true;
            continue;
        }
        let each = match (letter, is_time) {
            (b'W', false) => 7 * 1_440,
            (b'D', false) => 1_440,
            (b'H', true) => 60,
            (b'M', true) => 1,
            (b'S', true) => 0,
            _ => return None,
        };
        minutes = minutes.checked_add(number.take()?.checked_mul(each)?)?;
        any = true;
    }
    (any && number.is_none()).then_some(sign * minutes)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn what_is_said_is_written_as_calendars_do() {
        for (said, written, minutes) in [
            ("-PT30M", "-PT30M", 30),
            ("-PT90M", "-PT1H30M", 90),
            ("PT0S", "PT0S", 0),
            ("-PT0S", "PT0S", 0),
            ("P0D", "PT0S", 0),
            ("-P1D", "-P1D", 1_440),
            ("-P1W", "-P7D", 10_080),
            (" -P1DT2H ", "-P1DT2H", 1_560),
            ("-PT24H", "-P1D", 1_440),
            ("-P1DT1M", "-P1DT1M", 1_441),
        ] {
            let remind: Remind = said.parse().unwrap();
            assert_eq!((remind, remind.to_string().as_str()), (Remind::Before(minutes), written), "{said}");
        }
        let at: Remind = "2026-11-22T15:00:30".parse().unwrap();
        assert_eq!(at.to_string(), "2026-11-22T15:00");
        for wrong in [
            "", "P", "-P", "-PT", "PT30M", "-30M", "-PT30", "-P30M", "-PT1D", "-PTT1H", "-P400D",
            "2026-11-22", "soon", "-P99999999999999999999D",
        ] {
            assert!(wrong.parse::<Remind>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_person_reads_it_in_words() {
        let now = date(2026, 11, 22).at(10, 0, 0, 0);
        for (remind, said) in [
            (Remind::Before(0), "when it is due"),
            (Remind::Before(1), "1 minute before"),
            (Remind::Before(90), "1 hour 30 minutes before"),
            (Remind::Before(2 * 1_440), "2 days before"),
            (Remind::At(date(2026, 11, 22).at(15, 5, 0, 0)), "today, 15:05"),
        ] {
            assert_eq!(spoken(remind, Some(now)), said);
        }
    }

    #[test]
    fn the_moment_is_counted_from_what_is_due() {
        let day = date(2026, 3, 1);
        let time = Due::At(day.at(0, 10, 0, 0));
        assert_eq!(Remind::Before(30).moment(Some(time)), Some(date(2026, 2, 28).at(23, 40, 0, 0)));
        assert_eq!(Remind::Before(0).moment(Some(Due::Day(day))), Some(day.at(9, 0, 0, 0)));
        assert_eq!(Remind::Before(1_440).moment(Some(Due::Day(day))), Some(date(2026, 2, 28).at(9, 0, 0, 0)));
        assert_eq!(Remind::Before(0).moment(None), None);
        let at = Remind::At(day.at(7, 0, 0, 0));
        assert_eq!(at.moment(None), Some(day.at(7, 0, 0, 0)));
        // A week later it is on the same weekday.
        assert_eq!(
            at.moved(Due::Day(day), Due::Day(date(2026, 3, 8))),
            Remind::At(date(2026, 3, 8).at(7, 0, 0, 0))
        );
    }
}
