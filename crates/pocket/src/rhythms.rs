//! What is said around a repetition: that it is one ("keep it repeating"), and when it begins ("starting in
//! December"). Set right before the words are read, so that every rule reads it the same way.

use jiff::civil::{Date, DateTime};

use crate::calendar::ToSpan;
use crate::calendar::later_day;
use crate::lex::{Kind, Token, starts};
use crate::repeat::{Repeat, repeat};
use crate::when::{coming, monday, month, weekday, when};

/// What says that something comes again, beside when it does.
const AGAIN: &[&str] = &[
    "keep|make|have|let it repeating|recurring|repeat|recur",
    "make|set it to repeat|recur",
    "make|keep|set it a repeating|recurring one|thing|todo|task",
    "and repeat|repeats it",
    "it repeats|recurs",
    "it should repeat|recur",
    "as a repeating|recurring one|thing|todo|task|event|item",
    "as a repeating|recurring",
    "on repeat",
    "repeating",
    "recurring",
];
/// What leads over to the first day of a repetition.
const BEGINS: &[&str] = &[
    "starting|beginning|commencing",
    "starting|beginning|commencing from|on|in|with|this|as",
    "starting|beginning|commencing from|on|in|with the",
    "start|begin on|from|in|with",
    "first|next one on|in|is",
    "first time on|in|is",
    "first time",
    "as of|from",
    "effective",
    "from",
];

/// The same words, as the rules read them.
pub fn set_right(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    const SIGNAL: &[&str] = &[
        "repeating",
        "recurring",
        "repeat",
        "recur",
        "repeats",
        "recurs",
        "starting",
        "beginning",
        "commencing",
        "start",
        "begin",
        "first",
        "until",
        "till",
        "from",
        "ending",
        "as",
    ];
    if tokens.len() < 3 || !tokens.iter().any(|t| t.any(SIGNAL)) {
        return None;
    }
    told_again(tokens, now).or_else(|| joined(tokens, now))
}

/// "The 3rd thursday of the month, keep it repeating" as "the 3rd thursday of every month".
fn told_again(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    let (at, n) = (2..tokens.len()).find_map(|at| {
        let n = AGAIN.iter().filter_map(|phrase| starts(&tokens[at..], phrase)).max()?;
        (at + n == tokens.len() || tokens[at + n].kind == Kind::Sign).then_some((at, n))
    })?;
    let cut =
        at - usize::from(tokens[at - 1].kind == Kind::Sign || tokens[at - 1].any(&["and", "-", "–", "—"]));
    let mut out: Vec<Token> = [&tokens[..cut], &tokens[at + n..]].concat();
    if (0..out.len()).any(|at| repeat(&out[at..], now).is_some()) {
        return Some(out);
    }
    let every = |spaced| Token { kind: Kind::Word, text: "every".into(), lower: "every".into(), spaced };
    if let Some(at) = (0..out.len()).find(|at| starts(&out[*at..], "of|in the month").is_some()) {
        out[at + 1] = every(true);
        return Some(out);
    }
    let at = out.iter().rposition(|t| t.kind == Kind::Word && weekday(&t.lower).is_some())?;
    let from = at - usize::from(at > 0 && out[at - 1].any(&["on", "next", "this"]));
    out.splice(from..at, [every(true)]);
    Some(out)
}

/// Without the comma between a repetition and its first or last day.
fn joined(tokens: &[Token], now: DateTime) -> Option<Vec<Token>> {
    const ENDS: &[&str] = &["until|till", "ending|stopping in|on", "and ending|stopping in|on"];
    let at = (2..tokens.len()).find(|at| {
        tokens[*at].sign(",")
            && BEGINS.iter().chain(ENDS).any(|phrase| starts(&tokens[at + 1..], phrase).is_some())
    })?;
    let rhythm = (0..at).any(|from| repeat(&tokens[from..at], now).is_some());
    rhythm.then(|| [&tokens[..at], &tokens[at + 1..]].concat())
}

/// "Starting in December" behind a repetition that took `n` words: how many words, and the repetition from there on.
pub fn begun(rest: &[Token], n: usize, said: &Repeat, now: DateTime) -> Option<(usize, Repeat)> {
    let lead = BEGINS.iter().filter_map(|phrase| starts(&rest[n..], phrase)).max()?;
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
pub fn beginning(words: &[Token], now: DateTime) -> Option<(usize, Date)> {
    const FROM: &[&str] = &["from|starting|beginning", "starting|beginning from|in|on|with", "as of|from"];
    let lead = FROM.iter().filter_map(|phrase| starts(words, phrase)).max()?;
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
