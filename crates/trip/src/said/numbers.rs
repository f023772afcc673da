//! Numbers in a text: in digits with their separators, `5,000`, `1.250,50`, `5k`, and in words, `five thousand`, `zweitausend`.

use super::is_among;
use super::tables::VAGUE;

/// A piece of a text: a word in small letters, a number in digits, or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// As it stands there, of a number with its separators.
    text: String,
    /// What is written right behind the digits: the k of 5k.
    behind: String,
    is_digits: bool,
}

impl Token {
    /// A word or a mark; empty for a number in digits.
    pub fn word(&self) -> &str {
        if self.is_digits { "" } else { &self.text }
    }

    /// Whether it is a number in digits.
    pub fn is_number(&self) -> bool {
        self.is_digits
    }

    /// What it may count: a small whole number, without separators and without anything behind it (`15th`, `5k`, `9pm`).
    pub fn count(&self) -> Option<u64> {
        const MOST: u64 = 1_000;
        if !self.is_digits {
            return number(&self.text);
        }
        let is_plain = self.behind.is_empty() && self.text.len() <= 4;
        self.text.parse().ok().filter(|count| is_plain && *count <= MOST)
    }
}

/// What may stand between the digits of a number.
const SEPARATORS: &str = ".,'’:/";

/// The words, numbers and marks of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    // What a profile keeps of words is shorter.
    const MOST: usize = 1_000;
    let lower = text.to_lowercase();
    let letters: Vec<char> = lower.chars().take(MOST).collect();
    let at = |place: usize| letters.get(place).copied().unwrap_or(' ');
    let is_inner = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '’');
    let mut tokens = Vec::new();
    let mut place = 0;
    while place < letters.len() {
        let mut token = Token { text: String::new(), behind: String::new(), is_digits: false };
        let first = at(place);
        if first.is_ascii_digit() {
            token.is_digits = true;
            while at(place).is_ascii_digit()
                || (SEPARATORS.contains(at(place)) && at(place + 1).is_ascii_digit())
            {
                token.text.push(at(place));
                place += 1;
            }
            while at(place).is_alphabetic() {
                token.behind.push(at(place));
                place += 1;
            }
        } else if first.is_alphanumeric() {
            while is_inner(at(place)) {
                token.text.push(at(place));
                place += 1;
            }
        } else {
            place += 1;
            if first.is_whitespace() {
                continue;
            }
            token.text.push(first);
        }
        tokens.push(token);
    }
    tokens
}

/// Small numbers as they are written in languages with Latin letters, by their value from 1 on.
const NUMBERS: [&str; 19] = [
    "one eins uno",
    "two zwei deux dos due duas dois twee couple pair both beide paar",
    "three drei trois tres tre três drie",
    "four vier quatre cuatro quattro quatro",
    "five fünf cinq cinco cinque vijf",
    "six sechs seis sei zes",
    "seven sieben sept siete sette sete zeven",
    "eight acht huit ocho otto oito",
    "nine neun neuf nueve nove negen",
    "ten zehn dix diez dieci dez tien",
    "eleven elf onze once undici",
    "twelve zwölf douze doce dodici doze twaalf",
    "thirteen dreizehn treize trece tredici dertien",
    "fourteen vierzehn quatorze catorce quattordici veertien",
    "fifteen fünfzehn quinze quince quindici vijftien",
    "sixteen sechzehn seize dieciséis sedici zestien",
    "seventeen siebzehn diecisiete diciassette zeventien",
    "eighteen achtzehn dieciocho diciotto achttien",
    "nineteen neunzehn diecinueve diciannove negentien",
];

/// How many go together in German, from 2 on: “zu zweit”. No word is put together with these.
const TOGETHER: [&str; 6] = ["zweit", "dritt", "viert", "fünft", "sechst", "siebt"];

/// Tens, from 20 on.
const TENS: [&str; 8] = [
    "twenty zwanzig vingt veinte venti twintig",
    "thirty dreißig dreissig trente treinta trenta dertig",
    "forty vierzig quarante cuarenta quaranta veertig",
    "fifty fünfzig cinquante cincuenta cinquanta vijftig",
    "sixty sechzig soixante sesenta sessanta zestig",
    "seventy siebzig setenta settanta zeventig",
    "eighty achtzig ochenta ottanta tachtig",
    "ninety neunzig noventa novanta negentig",
];

const HUNDRED: &str = "hundred hundert cent cents cien ciento cento honderd";
const THOUSAND: &str = "thousand grand tausend tsd mille mil mila duizend k";
const MILLION: &str = "million millions millionen mio millón millones milione milioni miljoen m";

/// The number that a word says, from 1 to 19.
pub(super) fn number(word: &str) -> Option<u64> {
    let at = NUMBERS.iter().position(|names| is_among(names, word));
    let at = at.or_else(|| TOGETHER.iter().position(|name| *name == word).map(|at| at + 1))?;
    u64::try_from(at + 1).ok()
}

/// Whether a word says a number, or is a part of one.
pub(super) fn is_part(word: &str) -> bool {
    !parts(word).is_empty()
}

/// What a word of a number does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Plus(u128),
    Times(u128),
}

fn part(word: &str) -> Option<Part> {
    if let Some(number) = number(word) {
        return Some(Part::Plus(u128::from(number)));
    }
    if let Some(at) = TENS.iter().position(|names| is_among(names, word)) {
        return Some(Part::Plus(10 * (at as u128 + 2)));
    }
    let times = [(HUNDRED, 100), (THOUSAND, 1_000), (MILLION, 1_000_000)];
    times.into_iter().find(|(names, _)| is_among(names, word)).map(|(_, times)| Part::Times(times))
}

/// The parts of a word that is written together: `zweitausendfünfhundert`. Empty where it is no such word.
fn parts(word: &str) -> Vec<Part> {
    const JOINED: [&str; 3] = ["ein", "und", "y"];
    if let Some(part) = part(word) {
        return vec![part];
    }
    let known =
        || NUMBERS.iter().chain(&TENS).copied().chain([HUNDRED, THOUSAND]).flat_map(str::split_whitespace);
    let (mut rest, mut found) = (word, Vec::new());
    while !rest.is_empty() {
        let named =
            known().filter(|name| name.len() > 2 && rest.starts_with(name)).max_by_key(|name| name.len());
        let joined = || JOINED.into_iter().find(|name| rest.starts_with(name));
        let Some(name) = named.or_else(joined) else { return Vec::new() };
        match part(name) {
            Some(part) => found.push(part),
            None if name == "ein" => found.push(Part::Plus(1)),
            None => {}
        }
        rest = rest.strip_prefix(name).unwrap_or_default();
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// The numbers of a text as sums, in thousandths.
pub(super) fn sums(tokens: &[Token]) -> Vec<u128> {
    let mut found: Vec<u128> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let end = if token.is_digits {
            in_digits(tokens, at, &mut found)
        } else {
            in_words(tokens, at, &mut found)
        };
        at = end.max(at + 1);
    }
    found
}

/// A number in digits with what multiplies it; gives the place behind it.
fn in_digits(tokens: &[Token], at: usize, found: &mut Vec<u128>) -> usize {
    let mut end = at + 1;
    let Some(first) = tokens.get(at) else { return end };
    let mut text = first.text.clone();
    let mut last = first;
    // 1 250 is one number; 15 22 are two.
    while last.behind.is_empty()
        && first.text.len() <= 3
        && let Some(next) = tokens.get(end).filter(|next| next.is_digits && is_group(&next.text))
    {
        text.push_str(&next.text);
        last = next;
        end += 1;
    }
    let mut times = 1;
    let behind = if last.behind.is_empty() { tokens.get(end).map_or("", Token::word) } else { &last.behind };
    if let Some(Part::Times(by)) = part(behind) {
        times = by;
        end += usize::from(last.behind.is_empty());
    }
    if let Some(value) = reading(&text) {
        found.push(value.saturating_mul(times));
    }
    // “2-3k” are from two thousand on.
    let is_joined = |token: &Token| is_among("- – — to bis à a and und et y or oder ou o e", token.word());
    if times > 1
        && at >= 2
        && tokens.get(at - 1).is_some_and(is_joined)
        && let Some(value) =
            tokens.get(at - 2).filter(|token| token.is_digits).and_then(|token| reading(&token.text))
    {
        found.push(value.saturating_mul(times));
    }
    end
}

/// A number in words; gives the place behind it.
fn in_words(tokens: &[Token], at: usize, found: &mut Vec<u128>) -> usize {
    let (mut whole, mut now, mut end, mut is_any) = (0_u128, 0_u128, at, false);
    let mut is_vague =
        at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|token| is_among(VAGUE, token.word()));
    while let Some(token) = tokens.get(end).filter(|token| !token.is_digits) {
        let is_between = is_any && is_among("- and und et y e", token.word());
        let parts = parts(token.word());
        if parts.is_empty() && !is_between {
            break;
        }
        for part in parts {
            is_any = true;
            match part {
                Part::Plus(number) => now = now.saturating_add(number),
                Part::Times(_) if now == 0 && is_vague => return end + 1,
                Part::Times(100) => now = now.max(1).saturating_mul(100),
                Part::Times(by) => {
                    whole = whole.saturating_add(now.max(1).saturating_mul(by));
                    now = 0;
                }
            }
            is_vague = false;
        }
        end += 1;
    }
    if is_any {
        found.push(whole.saturating_add(now).saturating_mul(1_000));
    }
    end
}

/// Three digits, as they stand behind a separator of thousands.
fn is_group(digits: &str) -> bool {
    digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// A number in digits, in thousandths: with separators of thousands, and a fraction behind the last one of another kind.
fn reading(text: &str) -> Option<u128> {
    const MOST: usize = 15;
    let groups: Vec<&str> = text.split(|letter: char| !letter.is_ascii_digit()).collect();
    let marks: Vec<char> = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    if text.len() > 2 * MOST || marks.iter().any(|mark| matches!(mark, ':' | '/')) {
        return None;
    }
    let (first, rest) = groups.split_first()?;
    let whole = |groups: &[&str]| -> Option<u128> {
        let digits: String = std::iter::once(first).chain(groups).copied().collect();
        digits.parse::<u128>().ok().filter(|_| digits.len() <= MOST)?.checked_mul(1_000)
    };
    let is_grouped = |groups: &[&str]| {
        groups.is_empty() || (first.len() <= 3 && groups.iter().all(|group| is_group(group)))
    };
    let Some((last, thousands)) = rest.split_last() else { return whole(&[]) };
    let (last_mark, marks) = marks.split_last()?;
    if is_grouped(rest) && marks.iter().all(|mark| mark == last_mark) {
        return whole(rest);
    }
    if !is_grouped(thousands) || marks.contains(last_mark) || last.len() > 2 {
        return None;
    }
    let scale = if last.len() == 1 { 100 } else { 10 };
    whole(thousands)?.checked_add(last.parse::<u128>().ok()? * scale)
}
