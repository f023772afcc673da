//! Phone numbers, by how people write them. (The tables of every country's numbers weigh megabytes in a page.)
//!
//! A number is one with its country's code, one in the writing of a country that is known by its shape, or any row of digits
//! that is called a phone number by the words before it.

use std::ops::Range;

use super::find::is_end;

/// How far before a number the words that say what it is may stand, in bytes.
const NEAR: usize = 28;

/// The most digits of a phone number, the country's code included. A table of numbers is one long row of groups.
const MOST_DIGITS: usize = 15;

/// Words for a phone number.
const CUES: [&str; 22] = [
    "tel", "phone", "call", "mobile", "mobil", "cell", "fax", "whatsapp", "sms", "handy", "ruf", "dial",
    "text me", "ring", "telefon", "tél", "móvil", "тел", "звон", "电话", "手机", "电話",
];

/// Words for another number, which count more.
const OTHER: [&str; 24] = [
    "order", "invoice", "ticket", "ref", "isbn", "version", "rechnung", "bestell", "kunden", "konto",
    "vertrag", "customer", "account", "tracking", "serial", "build", "commit", "article", "artikel",
    "part no", "issue", "pin", "id:", "id\"",
];

/// Digits between separators.
struct Groups {
    has_plus: bool,
    /// The area code stands in parentheses.
    has_parentheses: bool,
    /// Each group's digits, and where it ends.
    groups: Vec<(String, usize)>,
    separators: Vec<char>,
}

/// The phone number that begins here.
pub(super) fn at(text: &str, at: usize) -> Option<Range<usize>> {
    let mut found = groups(text, at);
    while !found.groups.is_empty() {
        let end = found.groups.last().map_or(at, |(_, end)| *end);
        if is_end(text, end) && is_phone(&found, said_before(text, at)) {
            return Some(at..end);
        }
        // What follows may be no part of it.
        found.groups.pop();
        found.separators.truncate(found.groups.len().saturating_sub(1));
    }
    None
}

/// What the words before a number say that it is: a phone number, another one, or nothing.
fn said_before(text: &str, at: usize) -> Option<bool> {
    let from = (at.saturating_sub(NEAR)..=at).find(|from| text.is_char_boundary(*from)).unwrap_or(at);
    let before = text[from..at].to_lowercase();
    let last = |words: &[&str]| words.iter().filter_map(|word| before.rfind(word)).max();
    match (last(&CUES), last(&OTHER)) {
        (None, None) => None,
        (cue, other) => Some(cue > other),
    }
}

fn groups(text: &str, at: usize) -> Groups {
    let bytes = text.as_bytes();
    let digits_from = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut found =
        Groups { has_plus: false, has_parentheses: false, groups: Vec::new(), separators: Vec::new() };
    let (mut at, mut digits) = (at, 0);
    if bytes.get(at) == Some(&b'+') {
        found.has_plus = true;
        at += 1;
    }
    loop {
        let opens = bytes.get(at) == Some(&b'(');
        let from = at + usize::from(opens);
        let count = bytes.get(from..).map_or(0, |_| digits_from(from));
        let closes = bytes.get(from + count) == Some(&b')');
        if count == 0 || opens != closes || (!found.groups.is_empty() && begins_a_moment(&text[from..])) {
            break;
        }
        digits += count;
        if digits > MOST_DIGITS {
            break;
        }
        found.has_parentheses |= opens;
        at = from + count + usize::from(closes);
        found.groups.push((text[from..from + count].to_owned(), at));
        let next = |place: usize| bytes.get(place).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'(');
        match bytes.get(at) {
            Some(separator @ (b' ' | b'-' | b'.' | b'/')) if next(at + 1) => {
                found.separators.push(char::from(*separator));
                at += 1;
            }
            Some(b'(') => found.separators.push(' '),
            Some(digit) if closes && digit.is_ascii_digit() => found.separators.push(' '),
            _ => break,
        }
    }
    found.separators.truncate(found.groups.len().saturating_sub(1));
    found
}

/// Whether a date or a time begins here, which often follows a number.
fn begins_a_moment(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut after = text.bytes().skip(digits);
    let (separator, next) = (after.next(), after.next());
    let goes_on = next.is_some_and(|byte| byte.is_ascii_digit());
    match (digits, separator) {
        (1 | 2, Some(b':')) => goes_on,
        (4, Some(b'-')) => goes_on && text.starts_with(['1', '2']) && text.as_bytes().get(7) == Some(&b'-'),
        _ => false,
    }
}

fn is_phone(found: &Groups, said: Option<bool>) -> bool {
    let Groups { has_plus, has_parentheses, groups, separators } = found;
    let lengths: Vec<usize> = groups.iter().map(|(digits, _)| digits.len()).collect();
    let total: usize = lengths.iter().sum();
    let first = groups.first().map_or("", |(digits, _)| digits.as_str());
    let is_split = !separators.is_empty();
    let with_code = |digits: &str| !digits.starts_with('0');
    let of = |place: usize| groups.get(place).map_or("", |(digits, _)| digits.as_str());
    if *has_plus {
        let is_sure = is_split || total >= 10 || said == Some(true);
        return with_code(first) && (8..=15).contains(&total) && is_sure && said != Some(false);
    }
    if said == Some(false) || is_date(groups, separators) {
        return false;
    }
    if said == Some(true) {
        let is_amount = !is_split && total < 7;
        let is_address = separators.iter().all(|separator| *separator == '.') && lengths.len() == 4;
        return (7..=15).contains(&total) && !is_amount && !is_address;
    }
    if let Some(code) = first.strip_prefix("00") {
        return is_split && with_code(code) && (11..=17).contains(&total);
    }
    let is_one = |allowed: &[char]| {
        separators
            .iter()
            .all(|separator| Some(separator) == separators.first() && allowed.contains(separator))
    };
    // North America: 555-123-4567, 1-800-555-0199, (555) 123-4567.
    let american = if first == "1" && lengths.len() == 4 { 1 } else { 0 };
    let is_code = |digits: &str| digits.starts_with(|digit: char| ('2'..='9').contains(&digit));
    if lengths.get(american..) == Some(&[3, 3, 4])
        && is_code(of(american))
        && (*has_parentheses || is_one(&['-', '.']))
    {
        return true;
    }
    // With a leading zero: 030 123456, 0171/1234567, (030) 123456, 020 7946 0958; in France 06 12 34 56 78.
    let is_trunk = first.starts_with('0') && !first.starts_with("00");
    if is_trunk && lengths == [2; 5] && is_one(&[' ', '.', '-']) {
        return true;
    }
    is_trunk
        && is_split
        && (3..=6).contains(&first.len())
        && (9..=12).contains(&total)
        && lengths.len() <= 5
        && separators.iter().all(|separator| matches!(separator, ' ' | '-' | '/'))
        && separators.iter().filter(|separator| **separator == '/').count() <= 1
        && lengths.iter().all(|length| *length >= 2)
}

/// Whether it is a date: 2026-11-22, 22.11.2026, 11/22/2026.
fn is_date(groups: &[(String, usize)], separators: &[char]) -> bool {
    let part = |place: usize, most: u32| {
        groups
            .get(place)
            .and_then(|(digits, _)| digits.parse::<u32>().ok())
            .is_some_and(|number| number <= most)
    };
    let lengths: Vec<usize> = groups.iter().map(|(digits, _)| digits.len()).take(3).collect();
    let is_one = separators.first() == separators.get(1);
    match lengths.as_slice() {
        [4, 1 | 2, 1 | 2] => is_one && part(0, 2999) && part(1, 31) && part(2, 31),
        [1 | 2, 1 | 2, 2 | 4] => is_one && groups.len() == 3 && part(0, 31) && part(1, 31),
        _ => false,
    }
}
