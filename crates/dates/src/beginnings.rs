//! From when on something repeats, and until when: "starting in December", "until june".

use jiff::civil::{Date, DateTime};

use crate::calendar::{ToSpan, coming, later_day, monday};
use crate::names::month;
use crate::repeat::{Repeat, repeat};
use crate::when::when;
use crate::words::{Token, longest, starts};

/// What leads over to the first day of a repetition.
pub const BEGINS: &[&str] = &[
    "starting|beginning|commencing",
    "starting|beginning|commencing from|on|in|with|this|as",
    "starting|beginning|commencing from|on|in|with the",
    "start|begin on|from|in|with",
    "first|next one on|in|is",
    "the first|next one on|in|is",
    "first time on|in|is",
    "first time",
    "as of|from",
    "effective",
    "from",
];

/// "Starting in December" behind a repetition that took `n` words: how many words, and the repetition from there on.
#[must_use]
pub fn begun(rest: &[Token], n: usize, said: &Repeat, now: DateTime) -> Option<(usize, Repeat)> {
    let lead = longest(&rest[n..], BEGINS)?;
    // "Starting this one" takes "this" in.
    let (lead, this) = match rest[n..n + lead].last() {
        Some(t) if t.is("this") => (lead - 1, true),
        _ => (lead, false),
    };
    let words = &rest[n + lead..];
    let (k, from) = first_day(words, this, now)?;
    let again = repeat(rest, from.at(0, 0, 0, 0)).map(|(_, again)| again)?;
    // A rhythm without a day of its own begins on the day that was said.
    let named = said.rule.contains(";BY");
    let first = if named { again.first } else { from };
    let begun = Repeat { first, next: if named { again.next } else { from }, ..said.clone() };
    Some((lead + k, begun))
}

/// "From December on", "as of monday": how many words, and the day.
#[must_use]
pub fn beginning(words: &[Token], now: DateTime) -> Option<(usize, Date)> {
    const FROM: &[&str] = &["from|starting|beginning", "starting|beginning from|in|on|with", "as of|from"];
    let lead = longest(words, FROM)?;
    let (n, day) = first_day(&words[lead..], false, now)?;
    let on = starts(&words[lead + n..], "on|onward|onwards|forward").unwrap_or(0);
    Some((lead + n + on, day))
}

/// The day from which on it is.
fn first_day(words: &[Token], this: bool, now: DateTime) -> Option<(usize, Date)> {
    let today = now.date();
    if this && let Some(n) = starts(words, "this one|week|month|time") {
        return Some((n, today));
    }
    for (phrase, day) in [
        ("now|today|immediately", today),
        ("next week", later_day(monday(today), 7.days())?),
        ("the next one|week", later_day(monday(today), 7.days())?),
        ("next month", later_day(today.first_of_month(), 1.month())?),
        ("next year", Date::new(today.year() + 1, 1, 1).ok()?),
        ("the new year", Date::new(today.year() + 1, 1, 1).ok()?),
        ("new year", Date::new(today.year() + 1, 1, 1).ok()?),
    ] {
        if let Some(n) = starts(words, phrase) {
            return Some((n, day));
        }
    }
    // "December" and "december 2027", but "december 5" is a day of it.
    let said =
        when(words, now).filter(|(_, said)| said.other.is_none()).and_then(|(n, said)| Some((n, said.date?)));
    let number = words.first().and_then(|t| month(&t.lower));
    match (number, said) {
        (Some(_), Some((n, day))) if n > 1 => Some((n, day)),
        (Some(number), _) => Some((1, coming(today.first_of_month(), number, 1)?)),
        (None, said) => said,
    }
}

/// "Until june", "until march 2028": the last day of that month, which it takes in.
#[must_use]
pub fn until_month(words: &[Token], now: DateTime) -> Option<(usize, Date)> {
    let k = starts(words, "until|till")?;
    let number = month(&words.get(k)?.lower)?;
    let year =
        words.get(k + 1).and_then(|t| t.lower.parse::<i16>().ok()).filter(|year| (2000..2200).contains(year));
    let first = match year {
        Some(year) => Date::new(year, number, 1).ok()?,
        None => coming(now.date().first_of_month(), number, 1)?,
    };
    Some((k + 1 + usize::from(year.is_some()), first.last_of_month()))
}
