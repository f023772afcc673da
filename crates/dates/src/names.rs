//! English names: months, weekdays, and numbers in words; and the two letters that a rule has for a weekday.
//!
//! Words come in lower case. Each table is here once; which of its words a text may use in which place is its reader's
//! to say.

use jiff::civil::Weekday;

const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
];

/// From Monday on.
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// What they are called in a rule of RFC 5545.
const CODES: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// All weekdays, from Monday on.
pub const WEEK: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

/// The English name of a month from 1 to 12; nothing for another number.
#[must_use]
pub fn month_name(month: i8) -> &'static str {
    usize::try_from(month - 1).ok().and_then(|month| MONTHS.get(month)).copied().unwrap_or_default()
}

/// The weekday's English name.
#[must_use]
pub fn weekday_name(day: Weekday) -> &'static str {
    of_weekday(&WEEKDAYS, day)
}

/// What a rule of RFC 5545 calls a weekday: `MO`.
#[must_use]
pub fn weekday_code(day: Weekday) -> &'static str {
    of_weekday(&CODES, day)
}

/// The weekday that a rule of RFC 5545 calls so.
#[must_use]
pub fn weekday_of_code(code: &str) -> Option<Weekday> {
    WEEK.into_iter().find(|day| weekday_code(*day) == code)
}

fn of_weekday(names: &[&'static str; 7], day: Weekday) -> &'static str {
    usize::try_from(day.to_monday_zero_offset())
        .ok()
        .and_then(|day| names.get(day))
        .copied()
        .unwrap_or_default()
}

/// The first three letters of a name.
#[must_use]
pub fn short(name: &str) -> &str {
    name.get(..3).unwrap_or(name)
}

/// The place of a word among names, from 0. One function for all tables: two parts of the page use it, so it is in the main
/// file.
fn place(names: &[&str], word: &str) -> Option<usize> {
    names.iter().position(|name| name.eq_ignore_ascii_case(word))
}

/// The same for the first three letters of a name, or all of it.
fn place_or_short(names: &[&str], word: &str) -> Option<usize> {
    match word.len() {
        3 => names.iter().position(|name| short(name).eq_ignore_ascii_case(word)),
        _ => place(names, word),
    }
}

/// The month, 1 to 12, that a word names in full or in short, with a dot or without. "may", "mar" and "dec" count too:
/// who reads a text asks only next to a day's number.
#[must_use]
pub fn month(word: &str) -> Option<i8> {
    let word = word.trim_end_matches('.');
    let word = if word == "sept" { "sep" } else { word };
    i8::try_from(place_or_short(&MONTHS, word)? + 1).ok()
}

/// The weekday that a word names, long or short, one or many.
#[must_use]
pub fn weekday(word: &str) -> Option<Weekday> {
    let word = match word {
        "tues" => "tue",
        "weds" => "wed",
        "thur" | "thurs" => "thu",
        _ => word.strip_suffix('s').filter(|one| one.ends_with("day")).unwrap_or(word),
    };
    WEEK.get(place_or_short(&WEEKDAYS, word)?).copied()
}

/// The number a word says, from zero to twelve.
#[must_use]
pub fn spelled(word: &str) -> Option<i64> {
    place(&NUMBERS, word).and_then(|n| i64::try_from(n).ok())
}

/// The place in a row that a word says, from first to twelfth.
#[must_use]
pub fn spelled_ordinal(word: &str) -> Option<i64> {
    place(&ORDINALS, word).and_then(|n| i64::try_from(n + 1).ok())
}

/// A small number in digits or words; "a" and "an" are one.
#[must_use]
pub fn number(word: &str) -> Option<i64> {
    if let Some(n) = spelled(word) {
        return Some(n);
    }
    if word == "a" || word == "an" {
        return Some(1);
    }
    (word.len() <= 4 && word.chars().all(|c| c.is_ascii_digit())).then(|| word.parse().ok())?
}

/// "1st", "22nd", "third" as a number.
#[must_use]
pub fn ordinal(word: &str) -> Option<i64> {
    if let Some(n) = spelled_ordinal(word) {
        return Some(n);
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
    (!digits.is_empty() && digits.len() <= 3 && digits.chars().all(|c| c.is_ascii_digit()))
        .then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_each_other() {
        for (word, expected) in [
            ("monday", Some(0)),
            ("mondays", Some(0)),
            ("mon", Some(0)),
            ("tues", Some(1)),
            ("weds", Some(2)),
            ("thurs", Some(3)),
            ("sun", Some(6)),
            ("mons", None),
            ("suns", None),
            ("day", None),
            ("days", None),
            ("mo", None),
            ("", None),
        ] {
            assert_eq!(weekday(word).map(Weekday::to_monday_zero_offset), expected, "{word}");
        }
        for (word, expected) in [
            ("november", Some(11)),
            ("nov.", Some(11)),
            ("sept.", Some(9)),
            ("may", Some(5)),
            ("ma", None),
            ("octo", None),
            (".", None),
        ] {
            assert_eq!(month(word), expected, "{word}");
        }
        for (word, expected) in
            [("an", Some(1)), ("twelve", Some(12)), ("42", Some(42)), ("12345", None), ("", None)]
        {
            assert_eq!(number(word), expected, "{word}");
        }
        for (word, expected) in [("third", Some(3)), ("22nd", Some(22)), ("nd", None), ("three", None)] {
            assert_eq!(ordinal(word), expected, "{word}");
        }
    }

    #[test]
    fn names_and_codes_lead_back_to_their_day() {
        for day in WEEK {
            assert_eq!(weekday(&weekday_name(day).to_lowercase()), Some(day));
            assert_eq!(weekday_of_code(weekday_code(day)), Some(day));
            assert_eq!(weekday_name(day).to_uppercase().get(..2), Some(weekday_code(day)));
        }
        for month in 1..=12 {
            assert_eq!(super::month(&month_name(month).to_lowercase()), Some(month));
        }
        assert_eq!((month_name(0), month_name(13)), ("", ""));
    }
}
