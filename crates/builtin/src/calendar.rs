//! Spans and texts of days: what jiff has too, with its zone database, its parsers and its error texts,
//! which would be a tenth of the page. The calendar itself (lengths of months, weekdays, leap years) is jiff's.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time, Weekday};

/// A day to read words by when none is known.
pub const SOME_DAY: DateTime = jiff::civil::date(2000, 1, 3).at(12, 0, 0, 0);

const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
];

/// A length of time as people say it: months are as long as they are, days have no hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub months: i64,
    pub days: i64,
    pub minutes: i64,
}

impl std::ops::Neg for Span {
    type Output = Self;

    fn neg(self) -> Self {
        Self { months: -self.months, days: -self.days, minutes: -self.minutes }
    }
}

/// `3.days()`, `1.month()`.
pub trait ToSpan {
    fn months(self) -> Span;
    fn days(self) -> Span;
    fn minutes(self) -> Span;
    fn month(self) -> Span
    where
        Self: Sized,
    {
        self.months()
    }
}

impl ToSpan for i64 {
    fn months(self) -> Span {
        Span { months: self, ..Span::default() }
    }

    fn days(self) -> Span {
        Span { days: self, ..Span::default() }
    }

    fn minutes(self) -> Span {
        Span { minutes: self, ..Span::default() }
    }
}

/// The day a span later, without its minutes; the last day of a month that is shorter. None beyond the
/// calendar's end.
pub fn later_day(day: Date, span: Span) -> Option<Date> {
    let month = (i64::from(day.year()) * 12 + i64::from(day.month()) - 1).checked_add(span.months)?;
    let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
    let first = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()?;
    let same = Date::new(first.year(), first.month(), day.day().min(first.days_in_month())).ok()?;
    same.checked_add(SignedDuration::from_secs(span.days.checked_mul(86_400)?)).ok()
}

/// The moment a span later; see [`later_day`].
pub fn later_moment(moment: DateTime, span: Span) -> Option<DateTime> {
    // By hand: adding to a date and time at once links all of what this module is there to avoid.
    let time = moment.time();
    let minute = (i64::from(time.hour()) * 60 + i64::from(time.minute())).checked_add(span.minutes)?;
    let day = later_day(later_day(moment.date(), span)?, minute.div_euclid(1_440).days())?;
    let minute =
        i8::try_from(minute.rem_euclid(60)).ok().zip(i8::try_from(minute.rem_euclid(1_440) / 60).ok());
    let (minute, hour) = minute?;
    Some(day.to_datetime(Time::new(hour, minute, time.second(), 0).ok()?))
}

/// `2026-11-30`.
pub fn day_text(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day())
}

/// `30 November 2026`.
pub fn day_words(day: Date) -> String {
    format!("{} {} {}", day.day(), month_name(day), day.year())
}

/// `30 Nov`.
pub fn day_month(day: Date) -> String {
    format!("{} {}", day.day(), short(month_name(day)))
}

/// The first three letters of a name.
pub fn short(name: &str) -> &str {
    name.get(..3).unwrap_or(name)
}

/// The month's English name.
pub fn month_name(day: Date) -> &'static str {
    usize::try_from(day.month() - 1).ok().and_then(|month| MONTHS.get(month)).copied().unwrap_or_default()
}

/// The weekday's English name.
pub fn weekday_name(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

/// Reads `2026-11-30`, also where a time follows.
pub fn read_day(text: &str) -> Option<Date> {
    let day = text.get(..10)?;
    let mut parts = day.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if (year.len(), month.len(), day.len()) != (4, 2, 2) {
        return None;
    }
    let (month, day) = (i8::try_from(number(month)?).ok()?, i8::try_from(number(day)?).ok()?);
    Date::new(number(year)?, month, day).ok()
}

/// Digits and nothing else: a sign is no part of a date.
fn number(digits: &str) -> Option<i16> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Reads `17:30` or `17:30:59`.
pub fn read_time(text: &str) -> Option<Time> {
    let read = |part: &str| i8::try_from(number(part).filter(|_| part.len() == 2)?).ok();
    let mut parts = text.split(':').map(read);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    Time::new(hour, minute, second, 0).ok()
}

/// Reads `2026-11-30T17:30`.
pub fn read_moment(text: &str) -> Option<DateTime> {
    let (day, time) = text.split_once(['T', ' '])?;
    Some(read_day(day).filter(|_| day.len() == 10)?.to_datetime(read_time(time)?))
}

/// Reads `2026-11-30T17:30+01:00`: the moment on the wall, and its distance from UTC in minutes where it is told.
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
pub fn local_day(utc: &str, offset: i64) -> Option<Date> {
    let moment = read_moment(utc.get(..16)?)?;
    later_moment(moment, offset.minutes()).map(DateTime::date)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn spans_are_as_the_library_has_them() {
        let days =
            [date(2024, 2, 29), date(2026, 1, 31), date(2026, 12, 31), date(2025, 3, 1), date(9999, 12, 30)];
        for day in days {
            for months in [-25, -12, -1, 0, 1, 2, 11, 12, 13] {
                for more in [-400, -1, 0, 1, 2, 31, 365] {
                    let theirs = day.checked_add(jiff::Span::new().months(months));
                    let theirs = theirs.and_then(|day| day.checked_add(jiff::Span::new().days(more))).ok();
                    assert_eq!(
                        later_day(day, Span { months, days: more, minutes: 0 }),
                        theirs,
                        "{day} {months} {more}"
                    );
                }
            }
        }
        let moment = date(2026, 10, 31).at(23, 30, 0, 0);
        assert_eq!(
            later_moment(moment, Span { months: 1, days: 1, minutes: 90 }),
            Some(date(2026, 12, 2).at(1, 0, 0, 0))
        );
        assert_eq!(later_day(date(2026, 1, 1), i64::MAX.days()), None);
        assert_eq!(later_day(date(2026, 1, 1), i64::MAX.months()), None);
    }

    #[test]
    fn texts_are_as_the_library_has_them() {
        for day in [date(2026, 11, 30), date(1987, 1, 2), date(2024, 2, 29)] {
            assert_eq!(day_text(day), day.to_string());
            assert_eq!(read_day(&day.to_string()), Some(day));
            assert_eq!(day_words(day), day.strftime("%-d %B %Y").to_string());
            assert_eq!(weekday_name(day.weekday()), day.strftime("%A").to_string());
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
        for wrong in ["", "5:00", "24:00", "12:60", "12", "+2:00", "12:00:"] {
            assert_eq!(read_time(wrong), None, "{wrong}");
        }
    }
}
