//! Spans, and the days they lead to: what jiff has too, with its zone database, its parsers and its error texts, which
//! would be a tenth of the page. The calendar itself (lengths of months, weekdays, leap years) is jiff's. Weeks begin on
//! Monday.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A day to read words by when none is known.
pub const SOME_DAY: DateTime = jiff::civil::date(2000, 1, 3).at(12, 0, 0, 0);

/// A length of time as people say it: months are as long as they are, days have no hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Months of the calendar.
    pub months: i64,
    /// Days after them.
    pub days: i64,
    /// Minutes on the clock on the wall after them.
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
    /// So many months.
    fn months(self) -> Span;
    /// So many days.
    fn days(self) -> Span;
    /// So many minutes.
    fn minutes(self) -> Span;
    /// One month.
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
#[must_use]
pub fn later_day(day: Date, span: Span) -> Option<Date> {
    let month = (i64::from(day.year()) * 12 + i64::from(day.month()) - 1).checked_add(span.months)?;
    let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
    let first = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()?;
    let same = Date::new(first.year(), first.month(), day.day().min(first.days_in_month())).ok()?;
    days_later(same, span.days)
}

/// The moment a span later; see [`later_day`].
#[must_use]
pub fn later_moment(moment: DateTime, span: Span) -> Option<DateTime> {
    minutes_later(later_day(moment.date(), span)?.to_datetime(moment.time()), span.minutes)
}

/// The moment so many minutes later on the wall, or earlier. None beyond the calendar's end.
#[must_use]
pub fn minutes_later(moment: DateTime, minutes: i64) -> Option<DateTime> {
    // By hand: adding to a date and time at once links jiff's time zones and texts, 70 KB of the worker.
    let time = moment.time();
    let minute = (i64::from(time.hour()) * 60 + i64::from(time.minute())).checked_add(minutes)?;
    let day = days_later(moment.date(), minute.div_euclid(1_440))?;
    let minute = minute.rem_euclid(1_440);
    let (hour, minute) = (i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?);
    Some(day.to_datetime(Time::new(hour, minute, time.second(), 0).ok()?))
}

/// The day so many days later, or earlier. None beyond the calendar's end.
#[must_use]
pub fn days_later(day: Date, days: i64) -> Option<Date> {
    day.checked_add(SignedDuration::from_secs(days.checked_mul(86_400)?)).ok()
}

/// The days from one date to another; negative when the other one is before it.
#[must_use]
pub fn days_between(from: Date, to: Date) -> i64 {
    from.duration_until(to).as_secs() / 86_400
}

/// The minutes from one moment on the wall to another; negative when the other one is before it.
#[must_use]
pub fn minutes_between(from: DateTime, to: DateTime) -> i64 {
    let minute = |moment: DateTime| i64::from(moment.hour()) * 60 + i64::from(moment.minute());
    days_between(from.date(), to.date()) * 1_440 + minute(to) - minute(from)
}

/// What a clock in UTC shows at a moment, in milliseconds since 1970. A moment outside of what a calendar holds is a broken
/// clock's: it shows 1970.
#[must_use]
pub fn utc(at_ms: i64) -> DateTime {
    TimeZone::UTC.to_datetime(Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// The day after today.
#[must_use]
pub fn tomorrow(now: DateTime) -> Date {
    now.date().tomorrow().unwrap_or(now.date())
}

/// The day a span later, or the same at the calendar's end.
#[must_use]
pub fn plus(day: Date, span: Span) -> Date {
    later_day(day, span).unwrap_or(day)
}

/// The Monday of a day's week.
#[must_use]
pub fn monday(day: Date) -> Date {
    plus(day, -i64::from(day.weekday().to_monday_zero_offset()).days())
}

/// The next such weekday after a day.
#[must_use]
pub fn next_weekday(day: Date, weekday: Weekday) -> Date {
    let ahead = i64::from(day.weekday().until(weekday));
    plus(day, (if ahead == 0 { 7 } else { ahead }).days())
}

/// Saturday, or today on a weekend.
#[must_use]
pub fn weekend(today: Date) -> Date {
    match today.weekday() {
        Weekday::Saturday | Weekday::Sunday => today,
        _ => next_weekday(today, Weekday::Saturday),
    }
}

/// This year's such day, or next year's when it has passed.
#[must_use]
pub fn coming(today: Date, month: i8, day: i8) -> Option<Date> {
    (0..=8).filter_map(|ahead| Date::new(today.year() + ahead, month, day).ok()).find(|date| *date >= today)
}

/// The next such day of a month, today included.
#[must_use]
pub fn next_day_of_month(today: Date, day: i8) -> Option<Date> {
    (0..12)
        .filter_map(|ahead| {
            let month = plus(today.first_of_month(), ahead.months());
            Date::new(month.year(), month.month(), day).ok()
        })
        .find(|date| *date >= today)
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
}
