//! What in a text points to a person: mail addresses, phone numbers, payment cards, bank accounts.
//!
//! Rules and check digits, no list of names: what is no such thing (a date, a time, an amount, an id, a version) has to stay,
//! since a model that cannot read a date is of no use. A number that is hidden in error is put back like any other.

use std::ops::Range;

use super::phone;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A mail address.
    Email,
    /// A phone number.
    Phone,
    /// The number of a payment card, with its check digit (Luhn, ISO/IEC 7812-1).
    Card,
    /// A bank account's number, with its check digits (ISO 13616).
    Iban,
    /// Words that look like the stand-in of something hidden. They are hidden too, so that nobody can have a stranger's
    /// address put where they wrote its stand-in.
    Text,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Email, Self::Phone, Self::Card, Self::Iban, Self::Text];

    /// Its word in a stand-in: `[email 1]`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Card => "card",
            Self::Iban => "iban",
            Self::Text => "text",
        }
    }
}

/// Everything that is found in a text, in its order; nothing overlaps.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, Kind)> {
    let plain = unescaped(text);
    let mut found: Vec<(Range<usize>, Kind)> = Vec::new();
    let mut take = |range: Range<usize>, kind: Kind| {
        let is_free = found.iter().all(|(taken, _)| range.end <= taken.start || taken.end <= range.start);
        if is_free {
            found.push((range, kind));
        }
    };
    for (at, _) in text.match_indices('[') {
        if let Some((_, _, end)) = stand_in(&text[at..]) {
            take(at..at + end, Kind::Text);
        }
    }
    for (at, _) in plain.match_indices('@') {
        if let Some(range) = email(&plain, at) {
            take(range, Kind::Email);
        }
    }
    let starts = || (0..plain.len()).filter(|at| is_start(&plain, *at));
    starts().filter_map(|at| iban(&plain, at)).for_each(|range| take(range, Kind::Iban));
    starts().filter_map(|at| card(&plain, at)).for_each(|range| take(range, Kind::Card));
    starts().filter_map(|at| phone::at(&plain, at)).for_each(|range| take(range, Kind::Phone));
    order::sort_by_key(&mut found, |(range, _)| range.start);
    found
}

/// A stand-in at the beginning of a text: its kind, its number and where it ends.
pub(super) fn stand_in(text: &str) -> Option<(Kind, usize, usize)> {
    let (inside, _) = text.strip_prefix('[')?.split_once(']')?;
    let (word, number) = inside.split_once(' ')?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.word().eq_ignore_ascii_case(word))?;
    let is_number = (1..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    Some((kind, number.parse().ok().filter(|_| is_number)?, inside.len() + 2))
}

/// The text with the escapes of JSON blanked out, byte for byte: tools answer in JSON, and `\\nanna@x.org` is no `nanna`.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        let is_unicode = escape.len() >= 6
            && escape.starts_with("\\u")
            && escape.bytes().skip(2).take(4).all(|byte| byte.is_ascii_hexdigit());
        let length = match escape.as_bytes().get(1) {
            Some(b'u') if is_unicode => 6,
            Some(b'n' | b't' | b'r' | b'b' | b'f' | b'"' | b'\\' | b'/') => 2,
            _ => 1,
        };
        plain.extend(std::iter::repeat_n(' ', length));
        rest = &escape[length..];
    }
    plain.push_str(rest);
    plain
}

/// Whether a number or a name could begin here: not in the middle of a word or of another number.
fn is_start(text: &str, at: usize) -> bool {
    let Some(rest) = text.get(at..) else { return false };
    let begins =
        rest.starts_with(|letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '('));
    let before = text[..at].chars().next_back();
    begins
        && !before.is_some_and(|letter| {
            letter.is_alphanumeric()
                || matches!(letter, '_' | '-' | '.' | ',' | '/' | '#' | '+' | '$' | '€' | '£')
        })
}

/// The mail address around an @.
fn email(text: &str, at: usize) -> Option<Range<usize>> {
    let is_local = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '%' | '+' | '-');
    let local = text[..at].rsplit(|letter| !is_local(letter)).next()?.trim_start_matches(['.', '-', '%']);
    let is_domain = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-');
    let domain = text[at + 1..].split(|letter| !is_domain(letter)).next()?.trim_end_matches(['.', '-']);
    let (name, top) = domain.rsplit_once('.')?;
    let is_top = top.chars().count() >= 2 && top.chars().all(char::is_alphabetic);
    // `icon@2x.png` is a picture.
    let is_picture =
        name.len() == 2 && name.ends_with('x') && name.starts_with(|letter: char| letter.is_ascii_digit());
    let is_name = name.split('.').all(|label| !label.is_empty());
    (!local.is_empty() && is_top && is_name && !is_picture).then(|| at - local.len()..at + 1 + domain.len())
}

/// Letters and digits from a place on, with single spaces between: each with where it ends.
fn spaced(text: &str, at: usize, separators: &'static [u8], most: usize) -> Vec<(u8, usize)> {
    let bytes = text.as_bytes();
    let (mut letters, mut at) = (Vec::new(), at);
    while letters.len() <= most {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_alphanumeric() => {
                letters.push((*byte, at + 1));
                at += 1;
            }
            Some(byte)
                if separators.contains(byte)
                    && !letters.is_empty()
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) =>
            {
                at += 1;
            }
            _ => break,
        }
    }
    letters
}

/// Whether a number that ends here ends for good.
pub(super) fn is_end(text: &str, end: usize) -> bool {
    let mut after = text[end..].chars();
    match (after.next(), after.next()) {
        (Some(letter), _) if letter.is_alphanumeric() || letter == '_' => false,
        (Some('.' | ',' | ':'), Some(digit)) => !digit.is_ascii_digit(),
        (Some('-' | '/'), Some(next)) => !next.is_alphanumeric(),
        _ => true,
    }
}

/// A bank account's number: two letters, two check digits, 15 to 34 in all.
fn iban(text: &str, at: usize) -> Option<Range<usize>> {
    let letters = spaced(text, at, b" ", 34);
    let shape = |place: usize, test: fn(&u8) -> bool| letters.get(place).is_some_and(|(byte, _)| test(byte));
    if !(shape(0, u8::is_ascii_alphabetic)
        && shape(1, u8::is_ascii_alphabetic)
        && shape(2, u8::is_ascii_digit)
        && shape(3, u8::is_ascii_digit))
    {
        return None;
    }
    (15..=letters.len().min(34)).rev().find_map(|length| {
        let end = letters[length - 1].1;
        let turned = letters[4..length].iter().chain(&letters[..4]);
        let rest = turned.fold(0_u32, |rest, (byte, _)| match byte {
            b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
            letter => (rest * 100 + u32::from(letter.to_ascii_uppercase() - b'A') + 10) % 97,
        });
        (rest == 1 && is_end(text, end)).then_some(at..end)
    })
}

/// A payment card's number: 13 to 19 digits of a known issuer, whose check digit is right.
fn card(text: &str, at: usize) -> Option<Range<usize>> {
    let letters = spaced(text, at, b" -", 19);
    let digits: Vec<(u32, usize)> = letters
        .iter()
        .map_while(|(byte, end)| byte.is_ascii_digit().then(|| (u32::from(byte - b'0'), *end)))
        .collect();
    let first = |count: usize| digits.iter().take(count).fold(0, |sum, (digit, _)| sum * 10 + digit);
    let lengths: &[usize] = match (first(1), first(2), first(3), first(4)) {
        (4, ..) => &[19, 16, 13],
        (_, 34 | 37, ..) => &[15],
        (_, 36 | 38 | 39, ..) | (_, _, 300..=305, _) => &[14],
        (_, 51..=55, ..) | (.., 2221..=2720) => &[16],
        (_, 35 | 62 | 65, ..) | (_, _, 644..=649, _) | (.., 6011) => &[19, 18, 17, 16],
        (_, 50 | 56..=58 | 63 | 67, ..) => &[19, 18, 16],
        _ => &[],
    };
    lengths.iter().filter(|length| digits.len() >= **length).find_map(|length| {
        let sum: u32 = digits[..*length]
            .iter()
            .rev()
            .zip([false, true].into_iter().cycle())
            .map(|((digit, _), doubled)| match digit * (1 + u32::from(doubled)) {
                ten @ 10.. => ten - 9,
                one => one,
            })
            .sum();
        let end = digits[*length - 1].1;
        (sum.is_multiple_of(10) && is_end(text, end)).then_some(at..end)
    })
}
