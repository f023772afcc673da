//! Text to tokens: words as typed, quotes as one protected token, tags, and the few signs that
//! separate. Knows no grammar.

use std::ops::Range;

pub use dates::words::{Kind, Token, longest, starts};

use crate::shorthand::{in_place, meant};
use crate::spelling::date_word;

/// The marks that quote, as [`straight`] has them.
const MARKS: [char; 3] = ['"', '\'', '`'];

const EDGE_SIGNS: [char; 8] = [',', ';', ':', '.', '!', '?', '(', ')'];

fn straight(c: char) -> char {
    match c {
        '‘' | '’' | 'ʼ' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        other => other,
    }
}

/// The tokens of one line.
pub fn lex(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let plain: Vec<char> = chars.iter().copied().map(straight).collect();
    // Behind the last place where a mark closes, none opens: each of many that stay open would be sought to the end.
    let last = MARKS.map(|mark| (0..plain.len()).rev().find(|place| closes(&plain, *place, mark)));
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut spaced = false;
    while at < chars.len() {
        if plain[at].is_whitespace() {
            spaced = true;
            at += 1;
            continue;
        }
        let (token, next) = match quoted(&chars, &plain, at, last) {
            Some(found) => found,
            None => word(&chars, &plain, at),
        };
        tokens.push(Token { spaced, ..token });
        spaced = false;
        at = next;
    }
    in_place(&mut tokens);
    tokens
}

/// Whether a mark at this place would close a quotation.
fn closes(plain: &[char], at: usize, mark: char) -> bool {
    let ends = plain.get(at + 1).is_none_or(|c| !c.is_alphanumeric());
    plain[at] == mark && ends && at > 0 && !plain[at - 1].is_whitespace()
}

/// A quotation that opens here and closes before the text ends. `last` is where each of the marks closes last.
fn quoted(
    chars: &[char],
    plain: &[char],
    at: usize,
    last: [Option<usize>; MARKS.len()],
) -> Option<(Token, usize)> {
    let mark = plain[at];
    let last = last[MARKS.iter().position(|one| *one == mark)?]?;
    // An apostrophe inside a word is no quotation mark.
    let opens = at == 0 || plain[at - 1].is_whitespace() || matches!(plain[at - 1], '(' | ',' | ':' | '-');
    if !opens {
        return None;
    }
    let close = (at + 1..=last).find(|&place| closes(plain, place, mark))?;
    let inside: String = chars[at + 1..close].iter().collect();
    let inside = inside.trim();
    (!inside.is_empty()).then(|| (token(Kind::Quoted, inside), close + 1))
}

fn word(chars: &[char], plain: &[char], at: usize) -> (Token, usize) {
    if EDGE_SIGNS.contains(&plain[at]) && !starts_bang(plain, at) {
        return (token(Kind::Sign, &plain[at].to_string()), at + 1);
    }
    let mut end = at + 1;
    while end < plain.len() && !plain[end].is_whitespace() {
        // A sign belongs to the word when a letter or digit follows at once (17:30, a.m, 3,5), but a comma
        // does only between digits.
        if EDGE_SIGNS.contains(&plain[end]) {
            let inner = plain.get(end + 1).is_some_and(|c| c.is_alphanumeric() || *c == '/');
            let numeric =
                plain[end - 1].is_ascii_digit() && plain.get(end + 1).is_some_and(char::is_ascii_digit);
            let keeps = match plain[end] {
                ',' => numeric,
                ':' | '.' => inner,
                '!' => plain[end - 1] == '!',
                _ => false,
            };
            if !keeps {
                break;
            }
        }
        end += 1;
    }
    let text: String = chars[at..end].iter().collect();
    match text.strip_prefix('#') {
        Some(tag) if tag.chars().any(char::is_alphabetic) => (token(Kind::Tag, tag), end),
        _ => (token(Kind::Word, &text), end),
    }
}

/// `!high`, `!!`: a priority mark, not the end of a sentence.
fn starts_bang(plain: &[char], at: usize) -> bool {
    let fresh = at == 0 || plain[at - 1].is_whitespace();
    plain[at] == '!' && fresh && plain.get(at + 1).is_some_and(|c| c.is_alphanumeric() || *c == '!')
}

fn token(kind: Kind, text: &str) -> Token {
    let mut lower: String = text.chars().map(straight).flat_map(char::to_lowercase).collect();
    if kind == Kind::Word {
        if let Some(meant) = meant(&lower) {
            lower = meant.to_owned();
        } else if let Some(date) = date_word(&lower) {
            lower = date.to_owned();
        }
    }
    Token { kind, text: text.to_owned(), lower, spaced: false }
}

/// The text of tokens as it was typed. A quotation alone loses its marks; inside more words it keeps them.
pub fn text_of(tokens: &[Token]) -> String {
    let tokens = trim_signs(tokens);
    if let [only] = tokens {
        return only.text.clone();
    }
    let mut out = String::new();
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && token.spaced {
            out.push(' ');
        }
        match token.kind {
            Kind::Quoted => {
                out.push('"');
                out.push_str(&token.text);
                out.push('"');
            }
            Kind::Tag => {
                out.push('#');
                out.push_str(&token.text);
            }
            Kind::Word | Kind::Sign => out.push_str(&token.text),
        }
    }
    out
}

/// Without separating signs at both ends; a closing bracket stays with its opening one.
pub fn trim_signs(mut tokens: &[Token]) -> &[Token] {
    let loose = |t: &Token| t.kind == Kind::Sign && t.text != "(" && t.text != ")" || t.of("- – —");
    while let [first, rest @ ..] = tokens
        && loose(first)
    {
        tokens = rest;
    }
    while let [rest @ .., last] = tokens
        && loose(last)
    {
        tokens = rest;
    }
    tokens
}

/// For each token whether it stands in brackets that are closed.
pub fn nested(tokens: &[Token]) -> Vec<bool> {
    let mut inside = vec![false; tokens.len()];
    let mut opened: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind != Kind::Quoted) {
        for sign in token.text.chars() {
            match sign {
                '(' | '[' | '{' => opened.push(at),
                ')' | ']' | '}' => {
                    if let Some(from) = opened.pop() {
                        inside[from..=at].fill(true);
                    }
                }
                _ => {}
            }
        }
    }
    inside
}

/// The same with a capital first letter, the rest as typed.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Where the first of several phrases stands that begins at one of these places, the longest there.
pub fn found(tokens: &[Token], places: Range<usize>, phrases: &[&str]) -> Option<Range<usize>> {
    let mut places = places.start..places.end.min(tokens.len());
    places.find_map(|at| longest(&tokens[at..], phrases).map(|n| at..at + n))
}

/// Whether the tokens begin with one of several phrases.
pub fn begins_with(tokens: &[Token], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| starts(tokens, phrase).is_some())
}

/// Whether the tokens are one of several phrases and nothing more.
pub fn exactly(tokens: &[Token], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| starts(tokens, phrase) == Some(tokens.len()))
}

/// The longest of several phrases the tokens begin with; what follows it.
pub fn after<'t>(tokens: &'t [Token], phrases: &[&str]) -> Option<&'t [Token]> {
    longest(tokens, phrases).map(|n| &tokens[n..])
}

/// The longest of several phrases the tokens end with; what stands before it.
pub fn before<'t>(tokens: &'t [Token], phrases: &[&str]) -> Option<&'t [Token]> {
    let last = tokens.last().filter(|t| t.kind == Kind::Word)?;
    phrases
        .iter()
        // The last word first: most phrases end there.
        .filter(|phrase| ends(phrase.as_bytes(), last.lower.as_bytes()))
        .filter_map(|phrase| {
            let from = tokens.len().checked_sub(phrase.split(' ').count())?;
            starts(&tokens[from..], phrase).map(|_| from)
        })
        .min()
        .map(|from| &tokens[..from])
}

/// Whether a phrase ends with this word.
fn ends(phrase: &[u8], word: &[u8]) -> bool {
    let mut to = phrase.len();
    loop {
        let mut from = to;
        while from > 0 && phrase[from - 1] != b' ' && phrase[from - 1] != b'|' {
            from -= 1;
        }
        if to - from == word.len() && phrase[from..to] == *word {
            return true;
        }
        if from == 0 || phrase[from - 1] == b' ' {
            return false;
        }
        to = from - 1;
    }
}

/// A title as it will be stored: the words as typed, the first letter a capital.
pub fn title(tokens: &[Token]) -> String {
    capitalised(text_of(tokens).trim())
}
