//! Text as words, numbers and marks with their places. What is a date or a time by its form alone is one
//! token.
//!
//! Marks of markdown (`*`, `_`, `` ` ``, `~`) are looked through: they are no tokens.

use dates::iso::{day_at_start, two};
use jiff::civil::Date;

use super::fold::stands_alone;

/// A piece of text and where it is, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Lexeme,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lexeme {
    /// Letters.
    Word,
    /// Letters and digits in one: a file, a version, a model.
    Ident,
    /// A number.
    Number(Figure),
    /// A day in digits, with the minute of the day where it has one, and whether that is UTC.
    Stamp { day: Date, minute: Option<i16>, utc: bool },
    /// Hours and minutes, as the minute of the day.
    Clock(i16),
    /// Any other sign.
    Mark(char),
}

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figure {
    /// Its value.
    pub(super) value: f64,
    /// The digits after the point.
    pub(super) decimals: u8,
    /// What it is when the sign inside is meant the other way (`1.284` and `1,284`).
    pub(super) otherwise: Option<f64>,
}

impl Figure {
    /// A number as a word or from data.
    pub(super) fn plain(value: f64) -> Self {
        Self { value, decimals: 0, otherwise: None }
    }

    /// Whether this, as it is written, says that number: rounded to the digits it has.
    pub(super) fn says(&self, number: f64) -> bool {
        let tolerance = 0.5_f64.mul_add(10_f64.powi(-i32::from(self.decimals)), 1e-9 * number.abs().max(1.0));
        (self.value.abs() - number.abs()).abs() <= tolerance
            || self.otherwise.is_some_and(|other| other == number.abs())
    }

    /// Whether this is that number.
    pub(super) fn is(&self, number: f64) -> bool {
        let near = |value: f64| (value.abs() - number.abs()).abs() < 1e-9 * number.abs().max(1.0);
        near(self.value) || self.otherwise.is_some_and(near)
    }
}

/// The tokens of a text; `base` is where it begins.
pub(super) fn lex(text: &str, base: usize) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        let (length, kind) = if c.is_ascii_digit() {
            digits(rest)
        } else if c.is_alphanumeric() {
            word(rest)
        } else {
            (c.len_utf8(), Lexeme::Mark(c))
        };
        let silent =
            matches!(kind, Lexeme::Mark(c) if c.is_whitespace() || matches!(c, '*' | '_' | '~' | '`'));
        if !silent {
            let start = base + at;
            tokens.push(Token { text: &rest[..length], start, end: start + length, kind });
        }
        at += length;
    }
    tokens
}

/// A word: letters, and digits with what joins them (`DSC_0103.jpg`, `COVID-19`). Where a script has no spaces, what
/// is written in it is one word up to the next digit or letter of another: `是11月27日`.
fn word(text: &str) -> (usize, Lexeme) {
    let without_spaces = text.find(|c| !stands_alone(c)).unwrap_or(text.len());
    if without_spaces > 0 {
        return (without_spaces, Lexeme::Word);
    }
    let mut end = 0;
    let mut digit = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let joins = match c {
            '_' | '\'' | '’' => next.is_some_and(char::is_alphanumeric),
            '-' => next.is_some_and(|next| next.is_ascii_digit() || (digit && next.is_alphanumeric())),
            '.' => digit && next.is_some_and(char::is_alphanumeric),
            _ => c.is_alphanumeric() && !stands_alone(c),
        };
        if !joins {
            break;
        }
        digit |= c.is_ascii_digit();
        end = at + c.len_utf8();
    }
    (end, if digit { Lexeme::Ident } else { Lexeme::Word })
}

/// What begins with a digit.
fn digits(text: &str) -> (usize, Lexeme) {
    if let Some(stamp) = stamp(text).or_else(|| day_in_digits(text)) {
        return stamp;
    }
    if let Some((length, minute)) = clock(text)
        && !text[length..].starts_with(|c: char| c.is_ascii_digit())
    {
        return (length, Lexeme::Clock(minute));
    }
    if let Some((length, minute)) = clock_with_h(text) {
        return (length, Lexeme::Clock(minute));
    }
    let (length, figure, groups) = figure(text);
    let in_word = |c: &char| (c.is_alphanumeric() || *c == '_') && !stands_alone(*c);
    let letters = text[length..].chars().take_while(in_word).collect::<String>();
    let known = letters.is_empty()
        || matches!(letters.to_lowercase().as_str(), "st" | "nd" | "rd" | "th" | "am" | "pm" | "x" | "k")
        // The first of a month in French, and ordinals of its neighbours.
        || matches!(letters.as_str(), "er" | "re" | "e" | "º" | "ª")
        || super::vocabulary::unit(&letters.to_lowercase()).is_some();
    if !known || groups > 2 {
        let (more, _) = word_of_digits(text);
        return (more.max(length), Lexeme::Ident);
    }
    (length, Lexeme::Number(figure))
}

/// `2.3.1`, `3f9a-12`: digits that are a name.
fn word_of_digits(text: &str) -> (usize, Lexeme) {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let joins = matches!(c, '.' | '-' | '_') && next.is_some_and(char::is_alphanumeric);
        if stands_alone(c) || !(c.is_alphanumeric() || joins) {
            break;
        }
        end = at + c.len_utf8();
    }
    (end, Lexeme::Ident)
}

/// A number, its length, and how many points divide it. The longest digits that an `f64` holds are enough for
/// anybody.
fn figure(text: &str) -> (usize, Figure, usize) {
    let bytes = text.as_bytes();
    let mut end = 0;
    let mut parts: Vec<(usize, char)> = Vec::new();
    for (at, c) in text.char_indices() {
        let next_is_digit = bytes.get(at + c.len_utf8()).is_some_and(u8::is_ascii_digit);
        match c {
            '0'..='9' => {}
            '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}' if next_is_digit && parts.len() < 12 => {
                parts.push((at, c))
            }
            _ => break,
        }
        end = at + c.len_utf8();
    }
    let read = |point: Option<usize>| -> f64 {
        let mut clean = String::with_capacity(end.min(64));
        for (at, c) in text[..end].char_indices().take(400) {
            if c.is_ascii_digit() {
                clean.push(c);
            } else if Some(at) == point {
                clean.push('.');
            }
        }
        order::decimal(&clean).unwrap_or(f64::MAX)
    };
    let after = |at: usize, c: char| end.saturating_sub(at + c.len_utf8());
    let decimals = |at: usize, c: char| u8::try_from(after(at, c).min(12)).unwrap_or(12);
    let dots = parts.iter().filter(|(_, c)| *c == '.').count();
    let figure = match parts.as_slice() {
        [] => Figure { value: read(None), decimals: 0, otherwise: None },
        [(at, ',')] if after(*at, ',') == 3 => {
            Figure { value: read(None), decimals: 0, otherwise: Some(read(Some(*at))) }
        }
        [(at, '.')] if after(*at, '.') == 3 => {
            Figure { value: read(Some(*at)), decimals: 3, otherwise: Some(read(None)) }
        }
        [(at, c @ ('.' | ','))] => {
            Figure { value: read(Some(*at)), decimals: decimals(*at, *c), otherwise: None }
        }
        [first, .., (at, c)] if matches!(c, '.' | ',') && first.1 != *c => {
            Figure { value: read(Some(*at)), decimals: decimals(*at, *c), otherwise: None }
        }
        _ => Figure { value: read(None), decimals: 0, otherwise: None },
    };
    let thousands = parts.windows(2).all(|pair| pair[1].0 - pair[0].0 == pair[0].1.len_utf8() + 3);
    (
        end,
        figure,
        if dots > 1 && !(thousands && parts.last().is_some_and(|(at, c)| after(*at, *c) == 3)) {
            3
        } else {
            0
        },
    )
}

/// `2026-11-27`, with a time and its zone where there are any.
fn stamp(text: &str) -> Option<(usize, Lexeme)> {
    let bytes = text.as_bytes();
    let mark = bytes.get(4).filter(|mark| matches!(mark, b'-' | b'/' | b'.'))?;
    let day = day_at_start(text, *mark)?;
    if bytes.get(10).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let time = text.get(11..).filter(|_| matches!(bytes.get(10), Some(b'T' | b't' | b' '))).and_then(clock);
    let Some((length, minute)) = time else {
        return Some((10, Lexeme::Stamp { day, minute: None, utc: false }));
    };
    let mut end = 11 + length;
    let fraction = |c: char| c.is_ascii_digit();
    if bytes.get(end) == Some(&b'.') {
        let digits = text[end + 1..].chars().take_while(|c| fraction(*c)).count();
        end += if digits > 0 { 1 + digits } else { 0 };
    }
    let utc = matches!(bytes.get(end), Some(b'Z' | b'z'));
    if utc {
        end += 1;
    } else if matches!(bytes.get(end), Some(b'+' | b'-')) && two(bytes, end + 1).is_some() {
        end += if bytes.get(end + 3) == Some(&b':') { 6 } else { 3 };
        end = end.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
    }
    Some((end, Lexeme::Stamp { day, minute: Some(minute), utc }))
}

/// `9:15`, `09:15:30`: its length and the minute of the day.
fn clock(text: &str) -> Option<(usize, i16)> {
    let bytes = text.as_bytes();
    let (hour, at) = match two(bytes, 0) {
        Some(hour) => (hour, 2),
        None => (i8::try_from(bytes.first()?.checked_sub(b'0')?).ok()?, 1),
    };
    let minute = two(bytes, at + 1).filter(|_| bytes.get(at) == Some(&b':'))?;
    if !(0..=24).contains(&hour) || !(0..60).contains(&minute) {
        return None;
    }
    let seconds = bytes.get(at + 3) == Some(&b':') && two(bytes, at + 4).is_some();
    Some((at + if seconds { 6 } else { 3 }, i16::from(hour) * 60 + i16::from(minute)))
}

/// `15h30`, as it is written in France, Spain and Portugal. It may be a length of time as well.
fn clock_with_h(text: &str) -> Option<(usize, i16)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let hour: i16 = text.get(..digits).filter(|_| digits <= 2)?.parse().ok()?;
    let bytes = text.as_bytes();
    let minute = two(bytes, digits + 1).filter(|_| matches!(bytes.get(digits), Some(b'h' | b'H')))?;
    let rest = &text[digits + 3..];
    let ends = !rest.starts_with(char::is_alphanumeric) || rest.starts_with("min");
    (hour <= 24 && minute < 60 && ends).then_some((digits + 3, hour * 60 + i16::from(minute)))
}

/// `27.11.2026`, `27/11/2026`. Where month and day may be either way round, the day is said to come first;
/// who compares tries both.
fn day_in_digits(text: &str) -> Option<(usize, Lexeme)> {
    let mut parts = [0_i16; 3];
    let mut at = 0;
    let mark = text.bytes().find(|b| !b.is_ascii_digit()).filter(|b| matches!(b, b'.' | b'/'))?;
    for (place, part) in parts.iter_mut().enumerate() {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let fits = if place == 2 { digits == 4 } else { (1..=2).contains(&digits) };
        if !fits {
            return None;
        }
        *part = text[at..at + digits].parse().ok()?;
        at += digits;
        if place < 2 {
            if text.as_bytes().get(at) != Some(&mark) {
                return None;
            }
            at += 1;
        }
    }
    let [first, second, year] = parts;
    let (first, second) = (i8::try_from(first).ok()?, i8::try_from(second).ok()?);
    let day = Date::new(year, second, first).or_else(|_| Date::new(year, first, second)).ok()?;
    Some((at, Lexeme::Stamp { day, minute: None, utc: false }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        lex(text, 0)
            .into_iter()
            .map(|token| match token.kind {
                Lexeme::Number(figure) => format!("{}", figure.value),
                Lexeme::Clock(minute) => format!("{minute}min"),
                Lexeme::Stamp { day, minute, .. } => {
                    format!("{}-{}-{} {minute:?}", day.year(), day.month(), day.day())
                }
                Lexeme::Ident => format!("<{}>", token.text),
                Lexeme::Word | Lexeme::Mark(_) => token.text.to_owned(),
            })
            .collect()
    }

    #[test]
    fn numbers_dates_and_names_are_told_apart() {
        let rows: [(&str, &[&str]); 13] = [
            ("1,284 and 1.284,50", &["1284", "and", "1284.5"]),
            ("**6** to-dos", &["6", "to", "-", "dos"]),
            ("`DSC_0103.jpg`, 2.3.1", &["<DSC_0103.jpg>", ",", "<2.3.1>"]),
            ("at 9:15, 16th", &["at", "555min", ",", "16", "th"]),
            ("2026-11-27T09:15:30.5Z!", &["2026-11-27 Some(555)", "!"]),
            ("27.11.2026 12/31/2026", &["2026-11-27 None", "2026-12-31 None"]),
            ("31.02.2027", &["<31.02.2027>"]),
            ("4.2% 12km Z6", &["4.2", "%", "12", "km", "<Z6>"]),
            ("1.284.000", &["1284000"]),
            ("是11月27日。", &["是", "11", "月", "27", "日", "。"]),
            ("3개, B12房", &["3", "개", ",", "<B12>", "房"]),
            ("15h30, 9h, 2h30min", &["930min", ",", "9", "h", ",", "150min", "min"]),
            ("2026/11/27, 1er", &["2026-11-27 None", ",", "1", "er"]),
        ];
        for (text, expected) in rows {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }
}
