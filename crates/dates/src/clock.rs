//! Times of day: "at 5", "17:30", "half past five", "noon", "in the evening".

use jiff::civil::{Time, time};

use crate::names::{number, weekday};
use crate::words::{Kind, Token, starts};

/// When "tonight" is.
pub const NIGHT: Time = time(20, 0, 0, 0);
/// When an office closes.
const CLOSE: Time = time(17, 0, 0, 0);

/// The time that stands for a part of the day.
#[must_use]
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

/// A time of day as it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time.
    pub time: Time,
    /// Whether its half of the day was said too, and is no guess.
    pub sure: bool,
}

/// A time of day with something that marks it as one; how many tokens.
#[must_use]
pub fn clock_time(tokens: &[Token]) -> Option<(usize, Time)> {
    clock(tokens).map(|(n, clock)| (n, clock.time))
}

/// The same, and whether the half of the day is sure.
#[must_use]
pub fn clock(tokens: &[Token]) -> Option<(usize, Clock)> {
    let sure = |n: usize, time: Time| Some((n, Clock { time, sure: true }));
    if let Some(n) = starts(tokens, "first thing in the morning").or_else(|| first_thing(tokens)) {
        return sure(n, time(9, 0, 0, 0));
    }
    if let Some(n) = starts(tokens, "in the morning|afternoon|evening") {
        return sure(n, part_of_day(&tokens[n - 1].lower)?);
    }
    const MEALS: [(&str, Time); 5] = [
        ("at|before breakfast", time(8, 0, 0, 0)),
        ("at|over lunch", time(12, 0, 0, 0)),
        ("at teatime", time(17, 0, 0, 0)),
        ("at dinner|dinnertime|suppertime", time(19, 0, 0, 0)),
        ("at|before bedtime", time(22, 0, 0, 0)),
    ];
    if let Some((n, time)) = MEALS.iter().find_map(|(phrase, time)| Some((starts(tokens, phrase)?, *time))) {
        return sure(n, time);
    }
    if let Some(n) = starts(tokens, "by cob").or(starts(tokens, "by close of business")) {
        return sure(n, CLOSE);
    }
    // "before 6 tomorrow", "by 5 on friday"; "before 6" alone may be anything.
    let by = tokens.first()?.of("before by")
        && tokens.get(2).is_some_and(|t| t.of("today tomorrow on tonight") || weekday(&t.lower).is_some());
    let at = usize::from(by || tokens.first()?.of("at @ around about"));
    let word = tokens.get(at)?.lower.trim_start_matches('@');
    if at == 1 || !matches!(word, "morning" | "afternoon" | "evening" | "night") {
        let noon = match word {
            "noon" | "midday" | "lunchtime" => Some(time(12, 0, 0, 0)),
            "midnight" => Some(time(23, 59, 0, 0)),
            "night" => Some(NIGHT),
            _ => None,
        };
        if let Some(noon) = noon {
            return sure(at + 1, noon);
        }
    }
    if let Some((n, time)) = spoken(&tokens[at..], at == 1) {
        let (k, half) = half_after(&tokens[at + n..]);
        let sure = half.is_some_and(|half| half != Half::Unsaid);
        return Some((at + n + k, Clock { time: halved(time, half), sure }));
    }
    // "at four", where nothing goes on with it: "at four corners" is a place.
    if at == 1
        && let Some(hour) =
            number(word).and_then(|hour| i8::try_from(hour).ok()).filter(|hour| (1..=12).contains(hour))
        && word.chars().all(char::is_alphabetic)
    {
        let rest = &tokens[at + 1..];
        let (k, half) = half_after(rest);
        let ends = rest.first().is_none_or(|t| {
            t.kind == Kind::Sign
                || t.of("on today tomorrow tonight sharp and with for")
                || weekday(&t.lower).is_some()
        });
        let said = half.is_some_and(|half| half != Half::Unsaid);
        return (k > 0 || ends)
            .then_some(())
            .and_then(|()| sure(at + 1 + k, halved(time(guess(hour), 0, 0, 0), half)))
            .map(|(n, clock)| (n, Clock { sure: said, ..clock }));
    }
    let (digits, glued) = match word.find(|c: char| c.is_ascii_alphabetic()) {
        Some(i) if i > 0 => (&word[..i], &word[i..]),
        Some(_) => return None,
        None => (word, ""),
    };
    let mut n = at + 1;
    // "at 1730", all in digits.
    let glued_clock =
        digits.len() == 4 && at == 1 && glued.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let (hour, minute) = match digits.split_once([':', '.']) {
        Some((h, m)) if m.len() == 2 => (h.parse::<i8>().ok()?, Some(m.parse::<i8>().ok()?)),
        Some(_) => return None,
        None if glued_clock => {
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
    if !glued.is_empty() && half.is_none() && !["h", "ish", "-ish"].contains(&glued) {
        return None;
    }
    if half.is_none() {
        let (k, said) = half_after(&tokens[n..]);
        half = said;
        n += k;
    }
    // A bare number is a time only after "at"; a dot only makes one with a mark beside it (3.50 is a price).
    let marked = half.is_some() || at == 1 || ["h", "ish"].contains(&glued) || digits.contains(':');
    if !marked || !(0..=24).contains(&hour) {
        return None;
    }
    let minute = minute.unwrap_or(0);
    if half == Some(Half::Night) && hour <= 12 {
        let (hour, minute) = at_night(hour, minute);
        return Some((n, Clock { time: Time::new(hour, minute, 0, 0).ok()?, sure: true }));
    }
    let (hour, sure) = match half {
        Some(Half::Am) if hour <= 12 => (hour % 12, true),
        Some(Half::Pm) if hour <= 12 => (hour % 12 + 12, true),
        _ if glued == "h" || digits.starts_with('0') || glued_clock => (hour, true),
        _ => (guess(hour), hour > 12),
    };
    Some((n, Clock { time: Time::new(hour, minute, 0, 0).ok()?, sure }))
}

/// "first thing", where no noun goes on with it: "the first thing to say" is none.
fn first_thing(tokens: &[Token]) -> Option<usize> {
    let n = starts(tokens, "first thing")?;
    let next = tokens.get(n);
    let day = next.is_some_and(|t| weekday(&t.lower).is_some() || t.of("on today tomorrow tmrw next this"));
    (day || next.is_none_or(|t| t.kind == Kind::Sign)).then_some(n)
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
            let named = usize::from(tokens.get(1)?.of("min mins minutes"));
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
    let hour = i8::try_from(hour).ok()?;
    let minutes = i8::try_from(minutes).ok()?;
    // Quarter to seven is 6:45, and its half is guessed as that of "6:45" is.
    let (hour, minute) = match before {
        Some(true) => (if hour == 1 { 12 } else { hour - 1 }, 60 - minutes),
        _ => (hour, minutes),
    };
    Some((n + 1, Time::new(guess(hour), minute, 0, 0).ok()?))
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
        [("in the morning", Half::Am), ("in the afternoon|evening", Half::Pm), ("at night", Half::Night)]
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
    Night,
    Unsaid,
}

/// An hour at night, from the evening on until it is morning: twelve is its middle, two is after it.
fn at_night(hour: i8, minute: i8) -> (i8, i8) {
    match hour {
        // Midnight ends the day, as the word alone does.
        12 if minute == 0 => (23, 59),
        12 => (0, minute),
        1..=4 => (hour, minute),
        _ => (hour + 12, minute),
    }
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
    let (hour, minute) = match half {
        Some(Half::Am) => (clock.hour() % 12, clock.minute()),
        Some(Half::Pm) => (clock.hour() % 12 + 12, clock.minute()),
        Some(Half::Night) => at_night((clock.hour() + 11) % 12 + 1, clock.minute()),
        Some(Half::Unsaid) | None => (clock.hour(), clock.minute()),
    };
    time(hour, minute, 0, 0)
}

/// A time said beside a part of the day: "tonight at 8", "every morning at 6". The part says which half where the
/// time does not. The night goes on after midnight, and then it is the next day: whether it is.
#[must_use]
pub fn within(part: Time, said: Clock) -> (Time, bool) {
    let Clock { time: clock, sure } = said;
    let late = part.hour() > 12;
    let at = |hour: i8| time(hour, clock.minute(), 0, 0);
    match clock.hour() {
        hour if sure => (clock, late && hour < 6),
        // What was taken for the afternoon is not, at night and in the morning.
        hour @ 13..=16 if part == NIGHT => (at(hour - 12), true),
        hour @ 13..=18 if part.hour() < 12 => (at(hour - 12), false),
        // Midnight ends the day, as the word alone does.
        12 if part.hour() > 18 && clock.minute() == 0 => (time(23, 59, 0, 0), false),
        12 if part.hour() > 18 => (at(0), true),
        hour @ 0..12 if late => (at(hour + 12), false),
        _ => (clock, false),
    }
}

/// An hour said without its half of the day.
fn guess(hour: i8) -> i8 {
    if (1..=6).contains(&hour) { hour + 12 } else { hour }
}

/// "friday 8", "tomorrow 5", "wednesday half 5", "tues 8.15", where nothing follows.
#[must_use]
pub fn lone_hour(tokens: &[Token], rest: &[Token]) -> Option<(usize, Clock)> {
    let at = |hour: &Token| Token { lower: "at".to_owned(), ..hour.clone() };
    if let [half, hour] = rest
        && half.is("half")
    {
        return clock(&[at(half), half.clone(), hour.clone()])
            .filter(|(n, _)| *n == 3)
            .map(|(_, clock)| (2, clock));
    }
    let [hour] = rest else { return None };
    if let Some((h, m)) = hour.lower.split_once('.')
        && (1..=2).contains(&h.len())
        && m.len() == 2
        && h.parse::<u8>().is_ok_and(|hour| hour < 24)
        && m.parse::<u8>().is_ok_and(|minute| minute < 60)
    {
        return clock(&[at(hour), hour.clone()]).map(|(_, clock)| (1, clock));
    }
    let day = &tokens[tokens.len() - 2];
    let plain = weekday(&day.lower).is_some() || day.of("today tomorrow tmrw");
    let digits = hour.lower.len() <= 2 && hour.lower.bytes().all(|b| b.is_ascii_digit());
    let in_range = hour.lower.parse::<u8>().is_ok_and(|hour| (1..=12).contains(&hour));
    (plain && digits && in_range)
        .then(|| clock(&[at(hour), hour.clone()]))
        .flatten()
        .map(|(_, clock)| (1, clock))
}
