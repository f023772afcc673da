//! Times of day: "at 5", "17:30", "half past five", "noon", "in the evening".

use jiff::civil::{Time, time};

use crate::lex::{Token, starts};
use crate::when::number;

/// When "tonight" is.
pub const NIGHT: Time = time(20, 0, 0, 0);
/// When an office closes.
const CLOSE: Time = time(17, 0, 0, 0);

/// The time that stands for a part of the day.
pub fn part_of_day(word: &str) -> Option<Time> {
    Some(match word {
        "morning" => time(9, 0, 0, 0),
        "afternoon" => time(15, 0, 0, 0),
        "evening" => time(19, 0, 0, 0),
        "night" => NIGHT,
        "noon" | "midday" | "lunchtime" => time(12, 0, 0, 0),
        _ => return None,
    })
}

/// A time of day with something that marks it as one; how many tokens.
pub fn clock_time(tokens: &[Token]) -> Option<(usize, Time)> {
    if let Some(n) = starts(tokens, "first thing in the morning").or(starts(tokens, "first thing")) {
        return Some((n, time(9, 0, 0, 0)));
    }
    if let Some(n) = starts(tokens, "in the morning|afternoon|evening") {
        return Some((n, part_of_day(&tokens[n - 1].lower)?));
    }
    if let Some(n) = starts(tokens, "by cob").or(starts(tokens, "by close of business")) {
        return Some((n, CLOSE));
    }
    let at = usize::from(tokens.first()?.any(&["at", "@", "around", "about"]));
    let word = tokens.get(at)?.lower.trim_start_matches('@');
    if at == 1 || !matches!(word, "morning" | "afternoon" | "evening" | "night") {
        let noon = match word {
            "noon" | "midday" | "lunchtime" => Some(time(12, 0, 0, 0)),
            "midnight" => Some(time(23, 59, 0, 0)),
            "night" => Some(NIGHT),
            _ => None,
        };
        if let Some(noon) = noon {
            return Some((at + 1, noon));
        }
    }
    if let Some((n, time)) = spoken(&tokens[at..], at == 1) {
        let (k, half) = half_after(&tokens[at + n..]);
        return Some((at + n + k, halved(time, half)));
    }
    let (digits, glued) = match word.find(|c: char| c.is_ascii_alphabetic()) {
        Some(i) if i > 0 => (&word[..i], &word[i..]),
        Some(_) => return None,
        None => (word, ""),
    };
    let mut n = at + 1;
    let (hour, minute) = match digits.split_once([':', '.']) {
        Some((h, m)) if m.len() == 2 => (h.parse::<i8>().ok()?, Some(m.parse::<i8>().ok()?)),
        Some(_) => return None,
        // "at 1730"
        None if digits.len() == 4 && at == 1 && glued.is_empty() => {
            (digits.get(..2)?.parse::<i8>().ok()?, Some(digits.get(2..)?.parse::<i8>().ok()?))
        }
        // "at 5 30 pm"
        None => match tokens.get(n).filter(|t| glued.is_empty() && t.lower.len() == 2) {
            Some(next) if half_after(tokens.get(n + 1..).unwrap_or_default()).1.is_some() => {
                match next.lower.parse::<i8>() {
                    Ok(minute) => {
                        n += 1;
                        (digits.parse::<i8>().ok()?, Some(minute))
                    }
                    Err(_) => (digits.parse::<i8>().ok()?, None),
                }
            }
            _ => (digits.parse::<i8>().ok()?, None),
        },
    };
    let mut half = if glued == "p" { Some(Half::Pm) } else { half_of_day(glued) };
    if !glued.is_empty() && half.is_none() && glued != "h" {
        return None;
    }
    if half.is_none() {
        let (k, said) = half_after(&tokens[n..]);
        half = said;
        n += k;
    }
    // A bare number is a time only after "at"; a dot only makes one with a mark beside it (3.50 is a price).
    let marked = half.is_some() || at == 1 || glued == "h" || digits.contains(':');
    if !marked || !(0..=24).contains(&hour) {
        return None;
    }
    let hour = match half {
        Some(Half::Am) if hour <= 12 => hour % 12,
        Some(Half::Pm) if hour <= 12 => hour % 12 + 12,
        _ if glued == "h" || digits.starts_with('0') || digits.len() == 4 && at == 1 && minute.is_some() => {
            hour
        }
        _ => guess(hour),
    };
    Some((n, Time::new(hour, minute.unwrap_or(0), 0, 0).ok()?))
}

/// "half past five", "quarter to six", "ten past three", and "half five" after "at".
fn spoken(tokens: &[Token], at: bool) -> Option<(usize, Time)> {
    let a = usize::from(tokens.first()?.is("a"));
    let word = tokens.get(a)?;
    let (mut n, minutes) = match word.lower.as_str() {
        "half" => (a + 1, 30),
        "quarter" => (a + 1, 15),
        "twenty" => (a + 1, 20),
        lower if a == 0 => {
            let minutes = number(lower).filter(|m| (1..=59).contains(m))?;
            let named = usize::from(tokens.get(1)?.any(&["min", "mins", "minutes"]));
            // "from 5 to 6" is a stretch of time.
            let stretch = !at && named == 0 && lower.starts_with(|c: char| c.is_ascii_digit());
            (!stretch).then_some((1 + named, minutes))?
        }
        _ => return None,
    };
    let before = match tokens.get(n)?.lower.as_str() {
        "past" | "after" => Some(false),
        "to" | "before" | "till" => Some(true),
        _ if at && word.is("half") => None,
        _ => return None,
    };
    n += usize::from(before.is_some());
    let hour = number(&tokens.get(n)?.lower).filter(|h| (1..=12).contains(h))?;
    let hour = guess(i8::try_from(hour).ok()?);
    let minutes = i8::try_from(minutes).ok()?;
    Some((
        n + 1,
        match before {
            Some(true) => Time::new(hour - 1, 60 - minutes, 0, 0).ok()?,
            _ => Time::new(hour, minutes, 0, 0).ok()?,
        },
    ))
}

/// A half of the day after the number; how many tokens.
fn half_after(tokens: &[Token]) -> (usize, Option<Half>) {
    if let Some(m) = starts(tokens, "o'clock") {
        let (k, half) = half_after(&tokens[m..]);
        return (m + k, half.or(Some(Half::Unsaid)));
    }
    let Some(first) = tokens.first() else { return (0, None) };
    if let Some(said) = half_of_day(&first.lower) {
        // The dot of "p.m.".
        let dot = first.lower.contains('.') && tokens.get(1).is_some_and(|t| t.sign("."));
        return (1 + usize::from(dot), Some(said));
    }
    for (phrase, half) in
        [("in the morning", Half::Am), ("in the afternoon|evening", Half::Pm), ("at night", Half::Pm)]
    {
        if let Some(m) = starts(tokens, phrase) {
            return (m, Some(half));
        }
    }
    (0, None)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Am,
    Pm,
    Unsaid,
}

fn half_of_day(word: &str) -> Option<Half> {
    match word {
        "am" | "a.m" => Some(Half::Am),
        "pm" | "p.m" => Some(Half::Pm),
        _ => None,
    }
}

/// A guessed time whose half was said after all.
fn halved(clock: Time, half: Option<Half>) -> Time {
    let hour = match half {
        Some(Half::Am) => clock.hour() % 12,
        Some(Half::Pm) => clock.hour() % 12 + 12,
        Some(Half::Unsaid) | None => clock.hour(),
    };
    time(hour, clock.minute(), 0, 0)
}

/// The same time in the second half of the day.
pub fn late(clock: Time) -> Time {
    if clock.hour() < 12 { time(clock.hour() + 12, clock.minute(), 0, 0) } else { clock }
}

/// An hour said without its half of the day.
fn guess(hour: i8) -> i8 {
    if (1..=6).contains(&hour) { hour + 12 } else { hour }
}
