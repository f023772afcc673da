//! Numbers and weekdays as words: what every reader of times and dates knows.

use jiff::civil::Weekday;

/// A weekday's name, long or short, in one or many.
pub fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mon" | "mondays" => Weekday::Monday,
        "tuesday" | "tue" | "tues" | "tuesdays" => Weekday::Tuesday,
        "wednesday" | "wed" | "weds" | "wednesdays" => Weekday::Wednesday,
        "thursday" | "thu" | "thur" | "thurs" | "thursdays" => Weekday::Thursday,
        "friday" | "fri" | "fridays" => Weekday::Friday,
        "saturday" | "sat" | "saturdays" => Weekday::Saturday,
        "sunday" | "sun" | "sundays" => Weekday::Sunday,
        _ => return None,
    })
}

/// A small number in digits or words.
pub fn number(word: &str) -> Option<i64> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    if let Some(n) = WORDS.iter().position(|w| *w == word) {
        return i64::try_from(n).ok();
    }
    if word == "a" || word == "an" {
        return Some(1);
    }
    (word.len() <= 4 && word.chars().all(|c| c.is_ascii_digit())).then(|| word.parse().ok())?
}
