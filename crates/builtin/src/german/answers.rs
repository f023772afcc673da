//! Answers in German: a finished English answer, sentence by sentence, by tables of templates ([`super::sentences`]).
//!
//! Words that somebody wrote (titles, lists, tags, notes) come marked by [`crate::text::escape`]. They are taken out before
//! anything is compared, so that no table reads or changes them, and put back as they were. An answer with a sentence that no
//! table has stays English as a whole: never half of it.

use std::cell::Cell;

use super::sentences::table;
use super::{Pairs, joined};
use crate::conversation::Language;
use crate::text::{CLOSE, OPEN, unmarked};

/// What stands for the first of the words that were taken out; the next ones follow it. Of Unicode's private use: no template
/// has it.
const HOLE: u32 = 0xE000;

/// The most of them in an answer.
const HOLES: usize = 6_000;

/// How often tables are looked into for an answer; 200 to-dos take less than half of that.
const LOOKS: u32 = 100_000;

/// Longer lines (without what was taken out) are no sentences of ours.
const LONGEST: usize = 2_000;

/// An answer as it is given: in the language of the conversation, without marks.
pub fn finished(text: &str, language: Language) -> String {
    match language {
        Language::German => german(text).unwrap_or_else(|_| unmarked(text)),
        Language::English => unmarked(text),
    }
}

/// A part of a line in a list (`due tomorrow`), as the language has it.
pub fn piece(text: &str, language: Language) -> String {
    match language {
        Language::German => {
            Taken::out_of(text).and_then(|taken| Some(taken.back(&taken.told(b'i', &taken.text)?)))
        }
        Language::English => None,
    }
    .unwrap_or_else(|| unmarked(text))
}

/// An English answer in German.
///
/// # Errors
/// The first sentence that no table has.
pub fn german(text: &str) -> Result<String, String> {
    let taken = Taken::out_of(text).ok_or_else(|| unmarked(text))?;
    let mut out = String::new();
    for (at, line) in taken.text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if !line.is_empty() {
            out.push_str(&taken.sentences(b'S', line).ok_or_else(|| taken.back(line))?);
        }
    }
    Ok(taken.back(&out))
}

/// An answer with a sign in the place of each word of somebody's.
struct Taken<'t> {
    text: String,
    words: Vec<&'t str>,
    /// How often a table may still be looked into: what no row has is tried in many ways.
    left: Cell<u32>,
}

impl<'t> Taken<'t> {
    /// `None` where a text has such signs of its own: they cannot be told from those that stand for words.
    fn out_of(text: &'t str) -> Option<Self> {
        if text.contains(|sign| ('\u{E000}'..='\u{F8FF}').contains(&sign)) {
            return None;
        }
        let (mut out, mut words) = (String::new(), Vec::new());
        let mut left = text;
        while let Some((before, rest)) = left.split_once(OPEN) {
            let (inside, behind) = rest.split_once(CLOSE)?;
            out.push_str(before);
            out.push(char::from_u32(HOLE + u32::try_from(words.len()).ok()?)?);
            words.push(inside);
            left = behind;
        }
        out.push_str(left);
        (words.len() <= HOLES).then_some(Self { text: out, words, left: Cell::new(LOOKS) })
    }

    /// What a sign stands for.
    fn word(&self, sign: char) -> Option<&'t str> {
        let at = u32::from(sign).checked_sub(HOLE)?;
        self.words.get(usize::try_from(at).ok()?).copied()
    }

    /// With the words in their places again.
    fn back(&self, text: &str) -> String {
        let mut out = String::new();
        for sign in text.chars() {
            match self.word(sign) {
                Some(word) => out.push_str(word),
                None => out.push(sign),
            }
        }
        out
    }

    /// A line: a template of a table as a whole, or several one after the other.
    fn sentences(&self, kind: u8, line: &str) -> Option<String> {
        if line.len() > LONGEST {
            return None;
        }
        if let Some(all) = self.told(kind, line) {
            return Some(all);
        }
        line.rmatch_indices(' ').find_map(|(at, _)| {
            let (first, rest) = (line.get(..at)?, line.get(at + 1..)?);
            let ends = first.ends_with(['.', ':', '?', '!', ')', ';']);
            let first = if ends { self.told(kind, first) } else { None }?;
            Some(joined(&[&first, " ", &self.sentences(kind, rest)?]))
        })
    }

    /// What a table makes of a text, by the first row that fits.
    fn told(&self, kind: u8, text: &str) -> Option<String> {
        self.left.set(self.left.get().checked_sub(1)?);
        for (english, german) in Pairs(table(kind)) {
            let mut slots = Vec::new();
            if self.fits(english, text, &mut slots) {
                return Some(filled(german, slots));
            }
        }
        None
    }

    /// Whether a text is what a template says: `{t}` is a word of somebody's, `{m}` one that a table knows, `{*}` anything,
    /// `{n}` a number, another letter what a table of its own says.
    fn fits(&self, template: &str, text: &str, slots: &mut Vec<(u8, String)>) -> bool {
        let (before, kind, behind) = match template.find('{') {
            Some(at) => {
                let kind = template.as_bytes().get(at + 1).copied().unwrap_or_default();
                (template.get(..at), kind, template.get(at + 3..).unwrap_or_default())
            }
            None => return template == text,
        };
        let Some(text) = text.strip_prefix(before.unwrap_or_default()) else { return false };
        if matches!(kind, b't' | b'm') {
            let Some(sign) = text.chars().next() else { return false };
            let Some(word) = self.word(sign) else { return false };
            let is = if kind == b'm' { self.said_by_a_tool(word) } else { Some(sign.to_string()) };
            let Some(is) = is else { return false };
            slots.push((kind, is));
            return self.fits(behind, text.get(sign.len_utf8()..).unwrap_or_default(), slots);
        }
        if kind == b'n' {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = text.split_at(digits);
            slots.push((kind, number.to_owned()));
            return digits > 0 && self.fits(behind, rest, slots);
        }
        let next = behind.split('{').next().unwrap_or_default();
        let from = slots.len();
        for end in 0..=text.len() {
            let Some((inside, rest)) = text.split_at_checked(end) else { continue };
            if !rest.starts_with(next) || behind.is_empty() && !rest.is_empty() {
                continue;
            }
            // What a tool repeats of somebody's stays as it is.
            if kind == b'*' {
                slots.push((kind, inside.to_owned()));
                if self.fits(behind, rest, slots) {
                    return true;
                }
                slots.truncate(from);
                continue;
            }
            // One place right behind another begins at a word.
            if next.is_empty() && !(rest.is_empty() || rest.starts_with([' ', ','])) {
                continue;
            }
            let Some(told) = self.told(kind, inside) else { continue };
            slots.push((kind, told));
            if self.fits(behind, rest, slots) {
                return true;
            }
            slots.truncate(from);
        }
        false
    }

    /// A sentence that a tool said.
    fn said_by_a_tool(&self, word: &str) -> Option<String> {
        Taken { text: String::new(), words: Vec::new(), left: Cell::new(LOOKS) }.sentences(b'm', word)
    }
}

/// The German template with what stood in the places of the English: of each kind the first one first.
fn filled(template: &str, mut slots: Vec<(u8, String)>) -> String {
    let mut out = String::new();
    let mut left = template;
    while let Some((before, rest)) = left.split_once('{') {
        out.push_str(before);
        let kind = rest.as_bytes().first().copied().unwrap_or_default();
        if let Some(at) = slots.iter().position(|(slot, _)| *slot == kind) {
            out.push_str(&slots.remove(at).1);
        }
        left = rest.get(2..).unwrap_or_default();
    }
    out.push_str(left);
    out
}

#[cfg(test)]
mod tests;
