//! Days and times in a text, in words and in digits: the same reader for the answer and for what the tools
//! said.

use std::ops::Range;

use dates::languages::{month, weekday_beside_a_date};
use jiff::civil::{Date, Weekday};

use super::lex::{Lexeme, Token};
use super::vocabulary::{self, relative, weekday};

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
    /// A month alone, from 1.
    Month(i8),
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
        if let Some((kinds, next)) = day(tokens, at)
            .or_else(|| time(tokens, at))
            .or_else(|| counted(tokens, at))
            .or_else(|| alone(tokens, at))
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
        && (matches!(
            lower(tokens, at + 1).as_str(),
            "st" | "nd" | "rd" | "th" | "er" | "re" | "e" | "º" | "ª"
        ) || is_mark(tokens, at + 1, &['.']));
    // `27-го`
    let ending = adjacent
        && is_mark(tokens, at + 1, &['-'])
        && matches!(lower(tokens, at + 2).as_str(), "го" | "е" | "й" | "му" | "м");
    Some((day, at + 1 + usize::from(ordinal) + 2 * usize::from(ending)))
}

fn month_at(tokens: &[Token<'_>], at: usize) -> Option<(i8, usize)> {
    let number = month(&lower(tokens, at))?;
    let dotted = tokens[at].text.len() < 5
        && is_mark(tokens, at + 1, &['.'])
        && matches!(tokens.get(at + 2).map(|token| &token.kind), Some(Lexeme::Number(_)));
    Some((number, at + 1 + usize::from(dotted)))
}

fn year_at(tokens: &[Token<'_>], at: usize) -> Option<(i16, usize)> {
    let at =
        at + usize::from(is_mark(tokens, at, &[',']) || matches!(lower(tokens, at).as_str(), "de" | "del"));
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
            "and"
                | "to"
                | "until"
                | "till"
                | "or"
                | "bis"
                | "und"
                | "through"
                | "et"
                | "y"
                | "e"
                | "i"
                | "и"
                | "en"
                | "och"
                | "al"
                | "tot"
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
    if let Some(found) = day_with_signs(tokens, at) {
        return Some(found);
    }
    let (week, mut next) = match weekday_beside(tokens, at) {
        Some(week) => {
            let mut next = at + 1;
            while next < at + 4
                && (is_mark(tokens, next, &[',', '.', '(', '–', '-'])
                    || matches!(
                        lower(tokens, next).as_str(),
                        "the" | "den" | "dem" | "on" | "le" | "el" | "il" | "de"
                    ))
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
        // "In December 3 to-dos are due" counts something.
        let within = next
            .checked_sub(1)
            .is_some_and(|before| matches!(lower(tokens, before).as_str(), "in" | "im" | "en" | "em"));
        let start = after;
        let (first, mut after) = day_number(tokens, start)?;
        if within && after == start + 1 && year_at(tokens, after).is_none() {
            return None;
        }
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
        if matches!(lower(tokens, after).as_str(), "of" | "de" | "di") {
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

/// A weekday before a date, 0 for Monday. The German ones of two letters are words of other languages ("do 27
/// listopada") unless a mark follows.
fn weekday_beside(tokens: &[Token<'_>], at: usize) -> Option<i8> {
    let word = lower(tokens, at);
    match weekday(&word) {
        Some((week, _)) if word.len() > 2 || is_mark(tokens, at + 1, &[',', '.', '(']) => Some(week),
        Some(_) => None,
        None => weekday_beside_a_date(&word).map(Weekday::to_monday_zero_offset),
    }
}

/// `2026年11月27日`, `11월 27일`: a day as it is written in Chinese, Japanese and Korean.
fn day_with_signs(tokens: &[Token<'_>], at: usize) -> Option<Read> {
    let number = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Lexeme::Number(figure)) if figure.decimals == 0 => Some(figure.value),
        _ => None,
    };
    let sign =
        |at: usize, signs: [char; 2]| tokens.get(at).is_some_and(|token| token.text.starts_with(signs));
    #[expect(clippy::cast_possible_truncation, reason = "bounded")]
    let within = |at: usize, most: f64| number(at).filter(|n| (1.0..=most).contains(n)).map(|n| n as i16);
    let (year, next) = match within(at, 2200.0).filter(|year| *year >= 1900) {
        Some(year) if sign(at + 1, ['年', '년']) => (Some(year), at + 2),
        _ => (None, at),
    };
    let month = within(next, 12.0).filter(|_| sign(next + 1, ['月', '월']))?;
    let day = within(next + 2, 31.0)?;
    let ends = sign(next + 3, ['日', '일']) || sign(next + 3, ['号', '號']);
    let kind = When::Day {
        year,
        month: i8::try_from(month).ok()?,
        day: i8::try_from(day).ok()?,
        weekday: None,
        swappable: false,
    };
    ends.then(|| (vec![kind], next + 4))
}

/// `上午9点15分`, `午後5時`, `오전 9시 15분`: a time as it is written in Chinese, Japanese and Korean. A length of time
/// has another sign (`3時間`).
fn time_with_signs(tokens: &[Token<'_>], at: usize) -> Option<Read> {
    let number = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Lexeme::Number(figure)) if figure.decimals == 0 && figure.value < 60.0 =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "less than 60")]
            Some(figure.value as i16)
        }
        _ => None,
    };
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let hour = number(at).filter(|hour| *hour <= 24)?;
    let sign = text(at + 1);
    let after = sign
        .strip_prefix(['点', '點', '時', '时', '시'])
        .filter(|after| !after.starts_with(['間', '间', '간']))?;
    let (minute, end) = match number(at + 2) {
        Some(minute)
            if after.is_empty() && (text(at + 3).starts_with(['分', '분']) || text(at + 2).len() == 2) =>
        {
            (minute, at + 3 + usize::from(text(at + 3).starts_with(['分', '분'])))
        }
        _ if after.starts_with('半') => (30, at + 2),
        _ if after.is_empty() && text(at + 2).starts_with('반') => (30, at + 3),
        _ => (0, at + 2),
    };
    let before = at.checked_sub(1).map_or("", text);
    let says = |halves: [&str; 4]| halves.iter().any(|half| before.ends_with(half));
    let morning = says(["上午", "午前", "오전", "早上"]);
    let afternoon = says(["下午", "午後", "오후", "晚上"]) && hour < 13;
    let minute = hour * 60 + minute;
    let kind = When::Time {
        minute: if afternoon { on_clock(minute, true) } else { minute },
        half_day: !(morning || afternoon) && minute < 780,
        utc: false,
    };
    Some((vec![kind], end))
}

/// Days counted from one near today: "the day after tomorrow", "a week from tomorrow", "two days after tomorrow".
fn counted(tokens: &[Token<'_>], at: usize) -> Option<Read> {
    let word = |at: usize| lower(tokens, at);
    let (many, next) = match tokens[at].kind {
        Lexeme::Number(figure) if figure.decimals == 0 && figure.value < 1_000.0 =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "less than 1000")]
            (figure.value as i64, at + 1)
        }
        Lexeme::Word if matches!(word(at).as_str(), "a" | "one" | "the") => (1, at + 1),
        Lexeme::Word if matches!(word(at).as_str(), "day" | "week") => (1, at),
        Lexeme::Word => {
            let (many, next) = vocabulary::spelled_at(tokens, at)?;
            (i64::from(many), next)
        }
        _ => return None,
    };
    let days = match word(next).as_str() {
        "day" | "days" => many,
        "week" | "weeks" => 7 * many,
        _ => return None,
    };
    let sign = match word(next + 1).as_str() {
        "after" | "from" => 1,
        "before" => -1,
        _ => return None,
    };
    let near = word(next + 2);
    let from = if near == "now" { 0 } else { relative(&near)? };
    Some((vec![When::Relative(from + sign * days)], next + 3))
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
    if let Some(found) = time_with_signs(tokens, at).or_else(|| time_in_two(tokens, at)) {
        return Some(found);
    }
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

/// `9 h 15`, `9 Uhr 15`, `9 часов 15`: hours and minutes with a word between them and none behind them.
fn time_in_two(tokens: &[Token<'_>], at: usize) -> Option<Read> {
    let number = |at: usize, below: f64| match tokens.get(at).map(|token| &token.kind) {
        Some(Lexeme::Number(figure)) if figure.decimals == 0 && figure.value < below =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "less than 60")]
            Some(figure.value as i16)
        }
        _ => None,
    };
    let hour = number(at, 25.0)?;
    let word = lower(tokens, at + 1);
    if !matches!(word.as_str(), "h" | "uhr" | "uur" | "ч" | "час" | "часа" | "часов") {
        return None;
    }
    let minute = number(at + 2, 60.0).filter(|_| tokens[at + 2].text.len() == 2)?;
    let measured = vocabulary::unit(&lower(tokens, at + 3)).is_some();
    let minute = hour * 60 + minute;
    (!measured).then(|| (vec![When::Time { minute, half_day: minute < 780, utc: false }], at + 3))
}

/// The minute of the day a token may say, and whether it can say nothing else.
fn clock_at(tokens: &[Token<'_>], at: usize) -> Option<(i16, bool)> {
    match tokens.get(at)?.kind {
        Lexeme::Clock(minute) => Some((minute, true)),
        Lexeme::Number(figure) if (0.0..=24.99).contains(&figure.value) => {
            let minutes = (figure.value.fract() * 100.0).round();
            let fits = match figure.decimals {
                0 => true,
                2 => {
                    minutes < 60.0
                        && (matches!(lower(tokens, at + 1).as_str(), "uhr" | "uur")
                            || half(tokens, at + 1).is_some())
                }
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
