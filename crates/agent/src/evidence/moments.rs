//! Days and times in a text, in words and in digits: the same reader for the answer and for what the tools
//! said.

use std::ops::Range;

use jiff::civil::{Date, Weekday};

use super::lex::{Lexeme, Token};
use super::vocabulary::{month, relative, weekday};

/// A day or a time, and which tokens say it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moment {
    pub(super) tokens: Range<usize>,
    pub(super) kind: When,
}

/// What a moment says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum When {
    /// A day of the calendar, with as much as is said of it.
    Day { year: Option<i16>, month: i8, day: i8, weekday: Option<i8>, swappable: bool },
    /// A weekday alone, 0 for Monday.
    Weekday(i8),
    /// Days from today.
    Relative(i64),
    /// A minute of the day; `half_day` when it may be the same in the afternoon.
    Time { minute: i16, half_day: bool, utc: bool },
}

/// The weekday of a date, 0 for Monday.
pub(super) fn weekday_of(day: Date) -> i8 {
    Weekday::to_monday_zero_offset(day.weekday())
}

/// The days and times of a text. Tokens that belong to one are in no other.
pub(super) fn moments(tokens: &[Token<'_>]) -> Vec<Moment> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut end = at + 1;
        if let Some((kinds, next)) =
            day(tokens, at).or_else(|| time(tokens, at)).or_else(|| alone(tokens, at))
        {
            found.extend(kinds.into_iter().map(|kind| Moment { tokens: at..next, kind }));
            end = next.max(end);
        }
        at = end;
    }
    found
}

type Read = (Vec<When>, usize);

fn lower(tokens: &[Token<'_>], at: usize) -> String {
    tokens.get(at).map(|token| token.text.to_lowercase()).unwrap_or_default()
}

fn is_mark(tokens: &[Token<'_>], at: usize, marks: &[char]) -> bool {
    matches!(tokens.get(at).map(|token| &token.kind), Some(Lexeme::Mark(c)) if marks.contains(c))
}

/// A whole number from 1 to 31, with what follows a day's number (`th`, `.`), and where it ends.
fn day_number(tokens: &[Token<'_>], at: usize) -> Option<(i8, usize)> {
    let Some(Lexeme::Number(figure)) = tokens.get(at).map(|token| &token.kind) else { return None };
    if figure.decimals > 0 || !(1.0..=31.0).contains(&figure.value) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "1 to 31")]
    let day = figure.value as i8;
    let adjacent = tokens.get(at + 1).is_some_and(|next| next.start == tokens[at].end);
    let ordinal = adjacent
        && (matches!(lower(tokens, at + 1).as_str(), "st" | "nd" | "rd" | "th")
            || is_mark(tokens, at + 1, &['.']));
    Some((day, at + 1 + usize::from(ordinal)))
}

fn month_at(tokens: &[Token<'_>], at: usize) -> Option<(i8, usize)> {
    let number = month(&lower(tokens, at))?;
    let dotted = tokens[at].text.len() < 5
        && is_mark(tokens, at + 1, &['.'])
        && matches!(tokens.get(at + 2).map(|token| &token.kind), Some(Lexeme::Number(_)));
    Some((number, at + 1 + usize::from(dotted)))
}

fn year_at(tokens: &[Token<'_>], at: usize) -> Option<(i16, usize)> {
    let at = at + usize::from(is_mark(tokens, at, &[',']));
    match tokens.get(at)?.kind {
        Lexeme::Number(figure)
            if tokens[at].text.len() == 4
                && figure.decimals == 0
                && (1900.0..2200.0).contains(&figure.value) =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "1900 to 2200")]
            Some((figure.value as i16, at + 1))
        }
        _ => None,
    }
}

/// `and`, `to`, `–`, `bis` between two days of one month, or two times.
pub(super) fn joiner(tokens: &[Token<'_>], at: usize) -> bool {
    is_mark(tokens, at, &['-', '–', '—', '/', '&', ','])
        || matches!(
            lower(tokens, at).as_str(),
            "and" | "to" | "until" | "till" | "or" | "bis" | "und" | "through"
        )
}

/// A day of the calendar, or two or three that share their month.
fn day(tokens: &[Token<'_>], at: usize) -> Option<Read> {
    if let Lexeme::Stamp { day, minute, utc } = tokens[at].kind {
        let swappable = tokens[at].text.contains('/') && day.day() <= 12;
        let mut kinds = vec![When::Day {
            year: Some(day.year()),
            month: day.month(),
            day: day.day(),
            weekday: None,
            swappable,
        }];
        kinds.extend(minute.map(|minute| When::Time { minute, half_day: false, utc }));
        return Some((kinds, at + 1));
    }
    let (week, mut next) = match weekday(&lower(tokens, at)) {
        Some((week, _)) => {
            let mut next = at + 1;
            while next < at + 4
                && (is_mark(tokens, next, &[',', '.', '(', '–', '-'])
                    || matches!(lower(tokens, next).as_str(), "the" | "den" | "dem" | "on"))
            {
                next += 1;
            }
            (Some(week), next)
        }
        None => (None, at),
    };
    if lower(tokens, next) == "the" {
        next += 1;
    }
    let mut days = Vec::new();
    let month;
    let mut end;
    if let Some((number, after)) = month_at(tokens, next) {
        let (first, mut after) = day_number(tokens, after)?;
        days.push(first);
        while days.len() < 3 && joiner(tokens, after) {
            let Some((more, later)) = day_number(tokens, after + 1) else { break };
            // "November 27, 3 pm" and "November 27, 5 to-dos" go on with something else.
            if is_mark(tokens, after, &[',']) || !ends_a_day(tokens, later) {
                break;
            }
            days.push(more);
            after = later;
        }
        (month, end) = (number, after);
    } else {
        let (first, mut after) = day_number(tokens, next)?;
        days.push(first);
        while days.len() < 3 && joiner(tokens, after) {
            let Some((more, later)) = day_number(tokens, after + 1) else { break };
            days.push(more);
            after = later;
        }
        if lower(tokens, after) == "of" {
            after += 1;
        }
        let (number, after) = month_at(tokens, after)?;
        (month, end) = (number, after);
    }
    let mut year = None;
    if let Some((said, after)) = year_at(tokens, end) {
        (year, end) = (Some(said), after);
    }
    // A weekday before two days speaks of the first; the second of two weekdays, of the last.
    let second = at > 1 && joiner(tokens, at - 1) && weekday(&lower(tokens, at - 2)).is_some();
    let of_week = if second { days.len() - 1 } else { 0 };
    let kinds = days.into_iter().enumerate().map(|(place, day)| When::Day {
        year,
        month,
        day,
        weekday: week.filter(|_| place == of_week),
        swappable: false,
    });
    Some((kinds.collect(), end))
}

/// Whether nothing follows that makes the number before it a count or a time.
fn ends_a_day(tokens: &[Token<'_>], at: usize) -> bool {
    match tokens.get(at) {
        None => true,
        Some(token) => !matches!(token.kind, Lexeme::Word) || year_at(tokens, at).is_some(),
    }
}

/// `am` and `pm`: the minutes they add to an hour from 1 to 12, whether they are the afternoon, and where
/// they end.
fn half(tokens: &[Token<'_>], at: usize) -> Option<(bool, usize)> {
    match lower(tokens, at).as_str() {
        "am" => Some((false, at + 1)),
        "pm" => Some((true, at + 1)),
        letter @ ("a" | "p") if is_mark(tokens, at + 1, &['.']) && lower(tokens, at + 2) == "m" => {
            Some((letter == "p", at + 3 + usize::from(is_mark(tokens, at + 3, &['.']))))
        }
        _ => None,
    }
}

fn on_clock(minute: i16, afternoon: bool) -> i16 {
    minute % 720 + if afternoon { 720 } else { 0 }
}

/// A time of the day, or two of which the second says which half of the day.
fn time(tokens: &[Token<'_>], at: usize) -> Option<Read> {
    let (minute, exact) = clock_at(tokens, at)?;
    let next = at + 1;
    let time = |minute: i16, half_day: bool| When::Time { minute, half_day, utc: false };
    if let Some((afternoon, end)) = half(tokens, next).filter(|_| minute < 780) {
        return Some((vec![time(on_clock(minute, afternoon), false)], end));
    }
    if lower(tokens, next) == "uhr" {
        return Some((vec![time(minute, false)], next + 1));
    }
    if joiner(tokens, next)
        && let Some((second, _)) = clock_at(tokens, next + 1)
    {
        if let Some((afternoon, end)) = half(tokens, next + 2).filter(|_| second < 780 && minute < 780) {
            let first = on_clock(minute, afternoon);
            let second = on_clock(second, afternoon);
            // From 11 to 1 pm began in the morning.
            let first = if first > second { first - 720 } else { first };
            return Some((vec![time(first, false), time(second, false)], end));
        }
        if lower(tokens, next + 2) == "uhr" {
            return Some((vec![time(minute, false), time(second, false)], next + 3));
        }
    }
    exact.then(|| (vec![time(minute, minute < 780 && !tokens[at].text.starts_with('0'))], next))
}

/// The minute of the day a token may say, and whether it can say nothing else.
fn clock_at(tokens: &[Token<'_>], at: usize) -> Option<(i16, bool)> {
    match tokens.get(at)?.kind {
        Lexeme::Clock(minute) => Some((minute, true)),
        Lexeme::Number(figure) if (0.0..=24.99).contains(&figure.value) => {
            let minutes = (figure.value.fract() * 100.0).round();
            let fits = match figure.decimals {
                0 => true,
                2 => lower(tokens, at + 1) == "uhr" && minutes < 60.0,
                _ => false,
            };
            #[expect(clippy::cast_possible_truncation, reason = "at most 24 hours and 59 minutes")]
            fits.then_some((figure.value as i16 * 60 + minutes as i16, false))
        }
        _ => None,
    }
}

/// A weekday or a day near today, said alone.
fn alone(tokens: &[Token<'_>], at: usize) -> Option<Read> {
    let word = lower(tokens, at);
    if let Some(days) = relative(&word) {
        return Some((vec![When::Relative(days)], at + 1));
    }
    let (week, whole) = weekday(&word)?;
    let capital = tokens[at].text.starts_with(|c: char| c.is_uppercase());
    // "Sat", "do" and "so" are words of their own.
    let short = !whole && matches!(word.as_str(), "mon" | "tue" | "tues" | "wed" | "thu" | "fri");
    (capital && (whole || short)).then(|| (vec![When::Weekday(week)], at + 1))
}
