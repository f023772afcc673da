//! Days that are over, as people say them of photos: "last summer", "in June 2024", "yesterday".

use std::ops::Range;

use dates::iso::day_text;
use dates::names;
use jiff::civil::{Date, date};

/// The first and the last day that the words speak of, and which words those are.
pub fn range(words: &[&str], today: Date) -> Option<((String, String), Range<usize>)> {
    (0..words.len()).find_map(|from| {
        let ((first, last), count) = at(&words[from..], today)?;
        Some(((day_text(first), day_text(last)), from..from + count))
    })
}

fn at(words: &[&str], today: Date) -> Option<((Date, Date), usize)> {
    let year = |word: &str| word.parse::<i16>().ok().filter(|year| (1900..=today.year()).contains(year));
    match words {
        ["yesterday", ..] => days_ago(today, 1).map(|day| ((day, day), 1)),
        ["today", ..] => Some(((today, today), 1)),
        ["last" | "this", "week", ..] => {
            let monday = dates::calendar::monday(today);
            let first = if words[0] == "last" { days_ago(monday, 7)? } else { monday };
            Some(((first, dates::calendar::days_later(first, 6)?), 2))
        }
        ["last" | "this", "month", ..] => {
            let (mut year, mut month) = (today.year(), today.month());
            if words[0] == "last" {
                (year, month) = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
            }
            Some((whole_month(year, month)?, 2))
        }
        ["last" | "this", "year", ..] => {
            let year = today.year() - i16::from(words[0] == "last");
            Some(((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?), 2))
        }
        ["this", name, ..] if season(name).is_some() => Some((last_season(name, today)?, 2)),
        // What is not over is not the last.
        ["last", name, ..] if season(name).is_some() => {
            let (first, last) = last_season(name, today)?;
            let year = first.year() - i16::from(last >= today);
            Some((season_of(season(name)?, year)?, 2))
        }
        ["last", name, ..] if month(name).is_some() => {
            let (first, last) = last_month(month(name)?, today)?;
            Some((whole_month(first.year() - i16::from(last >= today), first.month())?, 2))
        }
        [name, said, ..] if season(name).is_some() && year(said).is_some() => {
            Some((season_of(season(name)?, year(said)?)?, 2))
        }
        [name, said, ..] if month(name).is_some() && year(said).is_some() => {
            Some((whole_month(year(said)?, month(name)?)?, 2))
        }
        [name, ..] if is_plain_month(name) => Some((last_month(month(name)?, today)?, 1)),
        [said, ..] => {
            let year = year(said)?;
            Some(((date(year, 1, 1), date(year, 12, 31)), 1))
        }
        [] => None,
    }
}

fn days_ago(day: Date, days: i64) -> Option<Date> {
    dates::calendar::days_later(day, -days)
}

fn month(name: &str) -> Option<i8> {
    names::month(name)
}

/// "May" and "march" are other words, too: those need a year or a "last".
fn is_plain_month(name: &str) -> bool {
    month(name).is_some() && !matches!(name, "may" | "march" | "mar" | "sun")
}

fn whole_month(year: i16, month: i8) -> Option<(Date, Date)> {
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month()))
}

/// The last month of that name that has begun.
fn last_month(month: i8, today: Date) -> Option<(Date, Date)> {
    let year = today.year() - i16::from(month > today.month());
    whole_month(year, month)
}

/// The month in which a season begins, in the north.
fn season(name: &str) -> Option<i8> {
    Some(match name {
        "spring" => 3,
        "summer" => 6,
        "autumn" | "fall" => 9,
        "winter" => 12,
        _ => return None,
    })
}

fn season_of(begins: i8, year: i16) -> Option<(Date, Date)> {
    let (end_year, end_month) = if begins == 12 { (year + 1, 2) } else { (year, begins + 2) };
    Some((Date::new(year, begins, 1).ok()?, Date::new(end_year, end_month, 1).ok()?.last_of_month()))
}

/// The last season of that name that has begun.
fn last_season(name: &str, today: Date) -> Option<(Date, Date)> {
    let begins = season(name)?;
    let this = season_of(begins, today.year())?;
    if this.0 <= today { Some(this) } else { season_of(begins, today.year() - 1) }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::range;

    #[test]
    fn days_that_are_over() {
        let today = date(2026, 11, 24);
        for (said, expected) in [
            ("last summer", Some(("2026-06-01", "2026-08-31"))),
            ("last autumn", Some(("2025-09-01", "2025-11-30"))),
            ("last november", Some(("2025-11-01", "2025-11-30"))),
            ("from winter 2024", Some(("2024-12-01", "2025-02-28"))),
            ("last winter", Some(("2025-12-01", "2026-02-28"))),
            ("in june", Some(("2026-06-01", "2026-06-30"))),
            ("in december", Some(("2025-12-01", "2025-12-31"))),
            ("june 2024 in rome", Some(("2024-06-01", "2024-06-30"))),
            ("yesterday", Some(("2026-11-23", "2026-11-23"))),
            ("last month", Some(("2026-10-01", "2026-10-31"))),
            ("of 2023", Some(("2023-01-01", "2023-12-31"))),
            ("last week", Some(("2026-11-16", "2026-11-22"))),
            ("may i see", None),
            ("of 3024", None),
            ("dogs", None),
        ] {
            let words: Vec<&str> = said.split(' ').collect();
            let expected = expected.map(|(first, last): (&str, &str)| (first.to_owned(), last.to_owned()));
            assert_eq!(range(&words, today).map(|(range, _)| range), expected, "{said}");
        }
    }
}
