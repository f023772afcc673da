//! German commands, put into the English sentences that the grammar reads; and answers, put into German ([`answers`]).
//!
//! What a person typed is held against frames ([`tables::FRAMES`]): words that only German has, with places between them for
//! titles, dates and groups. Where one fits the sentence is said in English, and what to-dos are called stays as it was typed;
//! where none fits nothing is changed. So an English sentence comes through as it is.

mod answers;
mod attrs;
mod clauses;
mod language;
mod names;
mod sentences;
mod tables;
#[cfg(test)]
mod tests;

pub use answers::{finished, german as told, piece};
pub use attrs::line;
pub use language::{answered, language};

use crate::lex::{Kind, Token, after, lex, starts, trim_signs};
use tables::{ANEW, FRAMES, POLITE, READS, REQUEST, WHOLE};

/// Longer messages are no commands.
const MOST: usize = 80;

/// The English sentence for a German one; `None` where the message is not surely German.
pub fn english(said: &str) -> Option<String> {
    if said.len() > 10 * MOST {
        return None;
    }
    if let Some((head, lines)) = said.trim().split_once('\n') {
        let mut out = english(head)?;
        // Lines under a head are titles, those under anything else commands. Under a title of its own they are either.
        if !out.starts_with("Add") {
            return Some(joined(&[&out, "\n", &english(lines)?]));
        }
        let own = out != "Add" && !head.trim_end().ends_with(':');
        if own && !lines.lines().all(is_title) {
            return Some(joined(&[&out, "\n", &below(lines)?]));
        }
        out.push(':');
        for title in lines.lines() {
            let (bullet, title) = without_bullet(title);
            let title = line(title, &[]).unwrap_or_else(|| title.to_owned());
            out = joined(&[&out, "\n", bullet, &title]);
        }
        return Some(out);
    }
    let mut tokens = words(said);
    let question = tokens.last().is_some_and(|t| t.sign("?"));
    while let Some(last) = tokens.last()
        && (last.sign("!") || last.sign("?") || last.sign(":") || last.sign(".") && !ends_in_number(&tokens))
    {
        tokens.pop();
    }
    let last = tokens.len();
    let mut at = 0;
    tokens.retain(|token| {
        at += 1;
        !(token.is("bitte") && (at <= 4 || at == last))
    });
    if tokens.is_empty() || tokens.len() > MOST {
        return None;
    }
    sentences(&tokens, question)
}

/// What a clause with a question mark behind it asks. "Alles erledigt?" wants to know, "Milch löschen?" is not sure: nothing is done for
/// either. A verb that orders, or somebody who is asked to do it, is meant as it is without the mark.
fn asked(text: String, tokens: &[Token]) -> Option<String> {
    let orders = tokens.first().is_some_and(|first| first.of(ANEW));
    if text.ends_with('?') || orders || tokens.iter().take(4).any(|token| token.of(REQUEST)) {
        return Some(text);
    }
    if let Some(what) = text.strip_prefix("Complete ") {
        return Some(match what {
            // What is left tells it, and that nothing is.
            "everything" | "all todos" | "all my todos" => "What's open?".to_owned(),
            _ if what.starts_with("all ") => joined(&["Show ", what]),
            _ => joined(&["Is ", what, " done?"]),
        });
    }
    let first = text.split([' ', '\'']).next().unwrap_or_default();
    READS.split(' ').any(|word| word == first).then(|| joined(&[&text, "?"]))
}

/// A line's bullet, and what stands behind it.
fn without_bullet(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start_matches(['-', '*', '•', ' ']).len())
}

/// Lines under a to-do that is to be added, some of them commands: a title is added as that one is. None where a command or a question
/// among them is not understood: it is no title either.
fn below(lines: &str) -> Option<String> {
    let (line, rest) = cut(lines, b'\n');
    let tokens = words(without_bullet(line).1);
    let orders =
        tokens.first().is_some_and(|first| first.of(ANEW)) || tokens.last().is_some_and(|t| t.sign("?"));
    let command = if is_title(line) { None } else { english(line) };
    let first = match command {
        Some(command) => command,
        None if orders => return None,
        None => joined(&["Add ", &names::place(b'N', &tokens)?]),
    };
    if rest.is_empty() { Some(first) } else { Some(joined(&[&first, "\n", &below(rest)?])) }
}

/// Whether a line says what there is to do: "Fotos löschen" is a title, "Lösche die Fotos" a command.
fn is_title(line: &str) -> bool {
    let tokens = words(without_bullet(line).1);
    let all = trim_signs(&tokens);
    let orders = all.first().is_none_or(|first| first.of(ANEW) || first.of("muss soll habe hab"))
        || after(all, POLITE).is_some()
        || all.iter().any(|token| token.is("bitte"))
        || tokens.last().is_some_and(|last| last.sign("?"));
    // "Eier hinzufügen" adds eggs.
    let is_said = |text: String| {
        let what = text.strip_prefix("Delete ").or_else(|| text.strip_prefix("Complete "));
        what.is_some_and(|what| !what.starts_with("all ") && !what.contains("todos"))
    };
    !orders && names::infinitive(all) && english(line).is_none_or(is_said)
}

/// The tokens of a text, with umlauts spelt out in what grammar compares.
fn words(text: &str) -> Vec<Token> {
    let mut tokens = lex(text);
    for token in &mut tokens {
        let mut lower = String::new();
        for c in token.text.chars().flat_map(char::to_lowercase) {
            match c {
                'ä' => lower.push_str("ae"),
                'ö' => lower.push_str("oe"),
                'ü' => lower.push_str("ue"),
                'ß' => lower.push_str("ss"),
                '’' => lower.push('\''),
                // An umlaut of two characters.
                '\u{308}' => lower.push('e'),
                other => lower.push(other),
            }
        }
        token.lower = lower;
    }
    tokens
}

/// Whether the full stop at the end belongs to a number: "am 3.", "3.5.".
fn ends_in_number(tokens: &[Token]) -> bool {
    matches!(tokens, [.., number, _] if number.lower.as_bytes().last().is_some_and(u8::is_ascii_digit))
}

/// One command after another, where each begins with a verb of its own. `question` says whether a question mark stands behind the last.
fn sentences(tokens: &[Token], question: bool) -> Option<String> {
    for at in 1..tokens.len() {
        let joint = &tokens[at];
        if !(joint.kind == Kind::Sign || joint.of("und dann danach")) {
            continue;
        }
        let mut next = at + 1;
        while tokens.get(next).is_some_and(|t| t.of("und dann danach auch")) {
            next += 1;
        }
        if tokens.get(next).is_some_and(|t| t.of(ANEW))
            && let Some(first) = clause(&tokens[..at])
        {
            let mut rest = sentences(&tokens[next..], question)?;
            if joint.sign("?") {
                return Some(joined(&[&asked(first, &tokens[..at])?, "\n", &rest]));
            }
            if let Some(letter) = rest.get_mut(..1) {
                letter.make_ascii_lowercase();
            }
            return Some(joined(&[&first, " and ", &rest]));
        }
    }
    let text = clause(tokens)?;
    if question { asked(text, tokens) } else { Some(text) }
}

fn clause(tokens: &[Token]) -> Option<String> {
    if let Some(text) = translated(WHOLE, tokens, false) {
        return Some(text);
    }
    let mut rest = trim_signs(tokens);
    let mut polite = false;
    while let Some(more) = after(rest, POLITE) {
        (rest, polite) = (trim_signs(more), true);
    }
    translated(FRAMES, rest, polite).or_else(|| attrs::bare(rest))
}

/// Several texts as one. The one copy of that code.
#[inline(never)]
fn joined(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        out.push_str(part);
    }
    out
}

/// What stands before a sign, and what behind it. The one copy of that code, as for the next two.
#[inline(never)]
fn cut(text: &str, sign: u8) -> (&str, &str) {
    let at = text.find(char::from(sign)).unwrap_or(text.len());
    (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default())
}

/// The rows of a table.
struct Pairs(&'static str);

impl Iterator for Pairs {
    type Item = (&'static str, &'static str);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let (row, rest) = cut(self.0, b'\n');
        self.0 = rest;
        if row.is_empty() { None } else { Some(cut(row, b'=')) }
    }
}

/// A number in digits.
#[inline(never)]
fn digits(text: &str) -> Option<usize> {
    let digits = text.len() < 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// By the first row that fits. Rows with a `~` are only for where `also` holds.
#[inline(never)]
fn translated(rows: &'static str, tokens: &[Token], also: bool) -> Option<String> {
    for (pattern, english) in Pairs(rows) {
        let pattern = match pattern.strip_prefix('~') {
            Some(_) if !also => continue,
            Some(pattern) => pattern,
            None => pattern,
        };
        let mut slots = Vec::new();
        if fits(pattern, tokens, &mut slots) {
            return Some(filled(english, slots));
        }
    }
    None
}

/// The English with what stood in the places of the German.
fn filled(english: &str, mut slots: Vec<(u8, String)>) -> String {
    let mut out = String::new();
    let mut left = english;
    while !left.is_empty() {
        let (word, rest) = cut(left, b' ');
        left = rest;
        if !out.is_empty() {
            out.push(' ');
        }
        // A sign may hang on a place: `!P`, `D?`.
        let sign = word.starts_with(['!', '#']);
        let (before, word) = word.split_at(usize::from(sign));
        let (place, behind) = word.split_at(word.len().min(1));
        let alone = behind.is_empty() || behind == "?";
        match slots.iter().position(|(slot, _)| alone && [*slot] == *place.as_bytes()) {
            Some(at) => {
                let (_, text) = slots.remove(at);
                out = joined(&[&out, before, &text, behind]);
            }
            None => out = joined(&[&out, before, word]),
        }
    }
    out
}

/// Whether tokens are what a pattern says: `|` between spellings, `?` before what may be missing, a capital for a place.
fn fits(pattern: &str, tokens: &[Token], slots: &mut Vec<(u8, String)>) -> bool {
    if pattern.is_empty() {
        return tokens.iter().all(|token| token.kind == Kind::Sign);
    }
    let (word, rest) = cut(pattern, b' ');
    if let [slot @ b'A'..=b'Z'] = *word.as_bytes() {
        let from = slots.len();
        for count in 1..=tokens.len() {
            // A full stop may belong to the date before it.
            let stops = matches!(slot, b'N' | b'A' | b'M' | b'Q' | b'D')
                && tokens.get(count).is_some_and(|token| token.sign("."));
            if stops || rest.is_empty() && count < tokens.len() {
                continue;
            }
            slots.push((slot, String::new()));
            // The words behind it first: they are sooner told.
            if fits(rest, &tokens[count..], slots)
                && let Some(text) = names::place(slot, &tokens[..count])
            {
                slots[from].1 = text;
                return true;
            }
            slots.truncate(from);
        }
        return false;
    }
    let (word, needless) = word.strip_prefix('?').map_or((word, false), |word| (word, true));
    let mut left = tokens;
    while let [token, behind @ ..] = left {
        let sign = token.kind == Kind::Sign;
        if starts(&left[..1], word).is_some() || sign && token.text == word {
            if fits(rest, behind, slots) {
                return true;
            }
            break;
        }
        if !sign {
            break;
        }
        left = behind;
    }
    needless && fits(rest, tokens, slots)
}
