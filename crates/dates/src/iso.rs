//! Dates and times in the form that programs write: `2026-11-30`, `17:30`, `2026-11-30T17:30+01:00`; and days in words for
//! people. Read by hand and without a word of what is wrong: jiff's parser links 143 kB of texts of errors.

use jiff::civil::{Date, DateTime, Time};

use crate::calendar::minutes_later;
use crate::names::{month_name, short};

/// `2026-11-30`.
#[must_use]
pub fn day_text(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day())
}

/// `30 November 2026`.
#[must_use]
pub fn day_words(day: Date) -> String {
    format!("{} {} {}", day.day(), month_name(day.month()), day.year())
}

/// `30 Nov`.
#[must_use]
pub fn day_month(day: Date) -> String {
    format!("{} {}", day.day(), short(month_name(day.month())))
}

/// Two digits at a place, as a number.
#[must_use]
pub fn two(bytes: &[u8], at: usize) -> Option<i8> {
    match bytes.get(at..at.checked_add(2)?)? {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => i8::try_from((a - b'0') * 10 + (b - b'0')).ok(),
        _ => None,
    }
}

/// The day that a text begins with, in ten bytes with this mark between its numbers: `2026-11-30`, `2026/11/30`.
#[must_use]
pub fn day_at_start(text: &str, mark: u8) -> Option<Date> {
    let bytes = text.as_bytes();
    if bytes.get(4) != Some(&mark) || bytes.get(7) != Some(&mark) {
        return None;
    }
    let year = i16::from(two(bytes, 0)?) * 100 + i16::from(two(bytes, 2)?);
    Date::new(year, two(bytes, 5)?, two(bytes, 8)?).ok()
}

/// Reads `2026-11-30`, also where something follows.
#[must_use]
pub fn read_day(text: &str) -> Option<Date> {
    day_at_start(text, b'-')
}

/// Reads `17:30` or `17:30:59`.
#[must_use]
pub fn read_time(text: &str) -> Option<Time> {
    let bytes = text.as_bytes();
    let mark = |at: usize| bytes.get(at) == Some(&b':');
    let second = match bytes.len() {
        5 => 0,
        8 if mark(5) => two(bytes, 6)?,
        _ => return None,
    };
    Time::new(two(bytes, 0)?, two(bytes, 3).filter(|_| mark(2))?, second, 0).ok()
}

/// Reads `2026-11-30T17:30`.
#[must_use]
pub fn read_moment(text: &str) -> Option<DateTime> {
    let (day, time) = text.split_once(['T', ' '])?;
    Some(read_day(day).filter(|_| day.len() == 10)?.to_datetime(read_time(time)?))
}

/// Reads `2026-11-30T17:30+01:00`: the moment on the wall, and its distance from UTC in minutes where it is told.
#[must_use]
pub fn read_local(text: &str) -> Option<(DateTime, Option<i64>)> {
    // A date has hyphens too, a time of day has none.
    let from = text.find(['T', ' '])?;
    let Some(at) = text[from..].find(['+', '-']).map(|at| from + at) else {
        return Some((read_moment(text)?, None));
    };
    let (moment, away) = text.split_at(at);
    let away_from = read_time(away.get(1..)?)?;
    let minutes = i64::from(away_from.hour()) * 60 + i64::from(away_from.minute());
    Some((read_moment(moment)?, Some(if away.starts_with('-') { -minutes } else { minutes })))
}

/// The day a moment in UTC is on, so many minutes away.
#[must_use]
pub fn local_day(utc: &str, offset: i64) -> Option<Date> {
    let moment = read_moment(utc.get(..16)?)?;
    minutes_later(moment, offset).map(DateTime::date)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn texts_are_as_the_library_has_them() {
        for day in [date(2026, 11, 30), date(1987, 1, 2), date(2024, 2, 29)] {
            assert_eq!(day_text(day), day.to_string());
            assert_eq!(read_day(&day.to_string()), Some(day));
            assert_eq!(day_words(day), day.strftime("%-d %B %Y").to_string());
            assert_eq!(crate::names::weekday_name(day.weekday()), day.strftime("%A").to_string());
        }
        assert_eq!(read_moment("2026-11-30T17:05"), Some(date(2026, 11, 30).at(17, 5, 0, 0)));
        assert_eq!(read_moment("2026-11-30T17:05:09"), Some(date(2026, 11, 30).at(17, 5, 9, 0)));
        let moment = date(2026, 11, 30).at(17, 5, 0, 0);
        for (text, offset) in [
            ("", None),
            ("+01:00", Some(60)),
            ("-03:30", Some(-210)),
            ("+00:00", Some(0)),
            ("+14:00", Some(840)),
        ] {
            assert_eq!(read_local(&format!("2026-11-30T17:05{text}")), Some((moment, offset)));
        }
        for wrong in ["", "2026-11-30", "2026-11-30T17:05+", "2026-11-30T17:05+1", "2026-11-30T17:05+25:00"] {
            assert_eq!(read_local(wrong), None, "{wrong}");
        }
        assert_eq!(local_day("2026-11-21T23:30:00Z", 60), Some(date(2026, 11, 22)));
        assert_eq!(local_day("2026-11-22T03:00:00.000Z", -210), Some(date(2026, 11, 21)));
        assert_eq!(local_day("2026-11-22", 0), None);
        for wrong in ["", "2026-11-31", "2026-1-3", "26-11-30", "2026-11-3x", "+026-11-30", "äöüäöüäöü"]
        {
            assert_eq!(read_day(wrong), None, "{wrong}");
        }
        for wrong in
            ["", "5:00", "24:00", "12:60", "12", "+2:00", "12:00:", "12:00:60", "12.00", "12:00:00:0"]
        {
            assert_eq!(read_time(wrong), None, "{wrong}");
        }
    }
}
