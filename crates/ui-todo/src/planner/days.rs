//! Days of the calendar. Pure: a day is its place after 1970-01-01, and its text is what the tools take (`2026-11-22`).

use ui_kit::dates::{date_of, day_number, day_text, days};

use crate::live::Span;

/// Days in a week.
const WEEK: i64 = 7;

/// A day, counted from 1970-01-01.
pub type Day = i64;

/// The day of a date, or of a time on it; none where it is neither.
#[must_use]
pub fn day_of(due: &str) -> Option<Day> {
    day_number(due.split('T').next()?)
}

/// The days that are shown around one: its week, or the whole weeks of its month. `first` is the day that a week begins with, from 1
/// for Monday to 7 for Sunday.
#[must_use]
pub fn days_around(day: Day, span: Span, first: i64) -> std::ops::Range<Day> {
    match span {
        Span::Week => {
            let begin = week_of(day, first);
            begin..begin + WEEK
        }
        Span::Month => {
            let (year, month, _) = date_of(day);
            let next = if month == 12 { days((year + 1, 1, 1)) } else { days((year, month + 1, 1)) };
            week_of(days((year, month, 1)), first)..week_of(next - 1, first) + WEEK
        }
    }
}

/// The same day of the next stretch, or of the one before; in a shorter month its last day.
#[must_use]
pub fn beyond(day: Day, span: Span, by: i64) -> Day {
    match span {
        Span::Week => day + by * WEEK,
        Span::Month => {
            let (year, month, of_month) = date_of(day);
            let months = year * 12 + (month - 1) + by;
            let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
            let begin = days((year, month, 1));
            let next = if month == 12 { days((year + 1, 1, 1)) } else { days((year, month + 1, 1)) };
            (begin + of_month - 1).min(next - 1)
        }
    }
}

/// Whether two days are of one month.
#[must_use]
pub fn same_month(one: Day, other: Day) -> bool {
    let (year, month, _) = date_of(one);
    let (of_year, of_month, _) = date_of(other);
    (year, month) == (of_year, of_month)
}

/// A to-do's date on another day: at the same time, where it has one.
#[must_use]
pub fn moved(due: Option<&str>, to: Day) -> String {
    match due.and_then(|due| due.split_once('T')) {
        Some((_, time)) => format!("{}T{time}", day_text(to)),
        None => day_text(to),
    }
}

/// The first day of a day's week.
fn week_of(day: Day, first: i64) -> Day {
    // 1970-01-01 was a Thursday, the fourth day.
    let weekday = (day + 3).rem_euclid(WEEK) + 1;
    day - (weekday - first).rem_euclid(WEEK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        day_of(text).unwrap()
    }

    #[test]
    fn days_are_what_their_text_says_over_four_centuries() {
        assert_eq!(day("1970-01-01"), 0);
        assert_eq!(day("2026-11-26T15:00"), 20_783);
        let (mut year, mut month, mut of_month) = (1900, 1, 1);
        for number in day("1900-01-01")..day("2300-01-01") {
            assert_eq!(day_text(number), format!("{year:04}-{month:02}-{of_month:02}"));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u32::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            of_month += 1;
            if of_month > length {
                (month, of_month) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        for wrong in ["", "x", "2026-13-01", "2026-01-32", "2026-1", "tomorrow"] {
            assert_eq!(day_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn weeks_and_months_are_whole_weeks_from_the_day_they_begin_with() {
        let rows = [
            ("2026-11-26", Span::Week, 1, "2026-11-23", "2026-11-29"),
            ("2026-11-26", Span::Week, 7, "2026-11-22", "2026-11-28"),
            ("2026-11-26", Span::Week, 6, "2026-11-21", "2026-11-27"),
            ("2026-11-22", Span::Week, 7, "2026-11-22", "2026-11-28"),
            ("2026-11-26", Span::Month, 1, "2026-10-26", "2026-12-06"),
            ("2026-02-10", Span::Month, 7, "2026-02-01", "2026-02-28"),
            ("2026-12-31", Span::Month, 1, "2026-11-30", "2027-01-03"),
        ];
        for (of, span, first, from, to) in rows {
            let days = days_around(day(of), span, first);
            assert_eq!((day_text(days.start), day_text(days.end - 1)), (from.into(), to.into()), "{of}");
            assert_eq!((days.end - days.start) % 7, 0);
        }
    }

    #[test]
    fn one_goes_on_by_weeks_and_months_and_keeps_the_time() {
        let rows = [
            ("2026-01-31", Span::Month, 1, "2026-02-28"),
            ("2026-01-31", Span::Month, -2, "2025-11-30"),
            ("2026-11-26", Span::Month, 2, "2027-01-26"),
            ("2026-11-26", Span::Week, -1, "2026-11-19"),
        ];
        for (of, span, by, to) in rows {
            assert_eq!(day_text(beyond(day(of), span, by)), to, "{of} {by}");
        }
        assert!(same_month(day("2026-11-01"), day("2026-11-30")));
        assert!(!same_month(day("2026-11-01"), day("2025-11-01")));
        let to = day("2026-12-01");
        assert_eq!(moved(Some("2026-11-26T15:00"), to), "2026-12-01T15:00");
        assert_eq!(moved(Some("2026-11-26"), to), "2026-12-01");
        assert_eq!(moved(None, to), "2026-12-01");
    }
}
