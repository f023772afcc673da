//! Quotes, titles, names and words with digits against the words of the sources.

use std::ops::Range;

use super::Origin;
use super::fold;
use super::ground::{Found, Ground};
use super::languages::{has_other_script, is_short_without_spaces};
use super::lex::{Lexeme, Token};
use super::phrases::is_common;
use super::sentence::Said;

/// A quote of so many words or more is held to its exact words; a shorter one may be a title in the plural.
const TITLE_WORDS: usize = 7;

/// Looks up words that are said to be somebody else's. What is left out (`…`, `[…]`) divides it.
pub(super) fn quote(ground: &Ground<'_>, text: &str) -> Found {
    let text = text.replace("[…]", "…").replace("[...]", "…").replace("...", "…");
    let parts = text.split('…').map(fold::fold).filter(|part| part.len() > 1);
    let mut all: Option<Found> = None;
    for part in parts {
        let short = part.split_whitespace().count() < TITLE_WORDS;
        let found =
            if short { ground.phrase(&fold::stems(&part), true) } else { ground.phrase(&part, false) };
        all = Some(match (all, found) {
            (_, Found::Nowhere) | (Some(Found::Nowhere), _) => Found::Nowhere,
            (Some(Found::In(mut before)), Found::In(hits)) => {
                before.retain(|hit| hits.contains(hit));
                super::ground::found(before)
            }
            (None, found) => found,
            _ => Found::Unsure,
        });
    }
    all.unwrap_or(Found::Unsure)
}

/// Words in quotation marks in a sentence.
pub(super) fn quoted(ground: &Ground<'_>, said: &Said<'_>, text: &str) -> Found {
    let found = quote(ground, text);
    if found != Found::Nowhere {
        return found;
    }
    let stems = fold::stems(&fold::fold(text));
    let mut words = stems.split_whitespace();
    let single = words.clone().count() < 2;
    // A word in quotation marks is often only a word held at arm's length.
    if (single && said.cited.is_empty()) || words.all(is_common) || ground.was_asked(&stems) {
        return Found::Unsure;
    }
    // In another language a value (`high`) is said in its words, and a title in another script is a translation.
    if said.unread && (single || is_short_without_spaces(text) || is_translated(ground, text)) {
        return Found::Unsure;
    }
    Found::Nowhere
}

/// Whether words are in a script that no call's result is written in.
fn is_translated(ground: &Ground<'_>, text: &str) -> bool {
    let of_calls =
        ground.sources.iter().zip(&ground.facts).filter(|(source, _)| source.origin == Origin::Call);
    has_other_script(text) && !of_calls.into_iter().any(|(_, facts)| has_other_script(&facts.raw))
}

/// Words in backticks: data where they look like data of the sources, else anybody's code.
pub(super) fn code(ground: &Ground<'_>, said: &Said<'_>, text: &str) -> Found {
    let exact = ground.exact(text);
    if exact != Found::Nowhere {
        return exact;
    }
    if text.contains(char::is_whitespace) {
        return match quote(ground, text) {
            Found::Nowhere if said.cited.is_empty() => Found::Unsure,
            found => found,
        };
    }
    ident(ground, said, text).unwrap_or(Found::Unsure)
}

/// A word with digits. One of a form that no source has is anybody's (`MP3`, `UTF-8`) unless a call is cited
/// for it.
pub(super) fn ident(ground: &Ground<'_>, said: &Said<'_>, text: &str) -> Option<Found> {
    let folded = fold::fold(text);
    let found = ground.phrase(&folded, false);
    if found != Found::Nowhere {
        return Some(found);
    }
    let digits = text.contains(|c: char| c.is_ascii_digit());
    let like_theirs = digits && ground.facts.iter().any(|facts| facts.has_shape(text));
    let asked = ground.was_asked(&fold::stems(&folded));
    let strict = like_theirs || (digits && text.chars().count() > 4 && !said.cited.is_empty());
    Some(if strict && !asked { Found::Nowhere } else { Found::Unsure })
}

/// Words that are set off. None when they are only stressed: then they are read like the rest of the
/// sentence.
pub(super) fn title(ground: &Ground<'_>, said: &Said<'_>, text: &str, label: bool) -> Option<Found> {
    let folded = fold::fold(text);
    let stems = fold::stems(&folded);
    let words: Vec<&str> = stems.split_whitespace().collect();
    let digits = text.contains(|c: char| c.is_ascii_digit());
    if words.is_empty() {
        return None;
    }
    match ground.phrase(&stems, true) {
        Found::Nowhere => {}
        // A stressed word that also stands somewhere in the sources is no title.
        Found::In(_) if words.iter().all(|word| is_common(word)) || (digits && words.len() < 2) => {
            return None;
        }
        found => return Some(found),
    }
    let capital = text.trim_start().starts_with(char::is_uppercase);
    let sentence = text.trim_end().ends_with(['.', '!', '?']);
    if label || digits || sentence || !capital || words.len() < 2 || words.len() > 12 {
        return None;
    }
    // What is stressed there may be any heading.
    if said.unread {
        return Some(Found::Unsure);
    }
    let telling: Vec<&&str> = words.iter().filter(|word| !is_common(word)).collect();
    let missing = telling.iter().filter(|word| !ground.has_word(word)).count();
    if telling.is_empty() || missing * 2 < telling.len() {
        return Some(Found::Unsure);
    }
    Some(if ground.was_asked(&stems) { Found::Unsure } else { Found::Nowhere })
}

/// Words between the parts of a name.
const BRIDGES: [&str; 14] =
    ["de", "do", "da", "dos", "di", "del", "van", "von", "der", "den", "la", "le", "y", "of"];

/// What stands before one name.
const FORMS_OF_ADDRESS: [&str; 7] = ["dr", "mr", "mrs", "ms", "frau", "herr", "prof"];

/// The names of a sentence: words with capitals in a row, which are more than the sentence's own first
/// capital.
pub(super) fn in_sentence(
    ground: &Ground<'_>,
    tokens: &[Token<'_>],
    used: &[bool],
    german: bool,
) -> Vec<(Range<usize>, Found)> {
    let mut names = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = run_end(tokens, used, at);
        if end == at {
            at += 1;
            continue;
        }
        let mut first = at;
        let mut addressed = false;
        while first < end && (is_common(&fold::key(tokens[first].text)) || !is_word(&tokens[first])) {
            addressed |= FORMS_OF_ADDRESS.contains(&fold::key(tokens[first].text).as_str());
            first += 1;
        }
        let words: Vec<&Token<'_>> = tokens[first..end].iter().filter(|token| is_word(token)).collect();
        let label = tokens.get(end).is_some_and(|next| next.text == ":");
        if words.len() >= 2 || (words.len() == 1 && addressed) {
            let range = words[0].start..words[words.len() - 1].end;
            let opens =
                first == 0 || matches!(tokens[first - 1].kind, Lexeme::Mark('|' | ':' | '–' | '—' | '('));
            names.push((range, name(ground, &words, german || (label && opens), opens)));
        }
        at = end;
    }
    names
}

fn is_word(token: &Token<'_>) -> bool {
    matches!(token.kind, Lexeme::Word)
}

fn is_capital(token: &Token<'_>) -> bool {
    is_word(token) && token.text.starts_with(char::is_uppercase)
}

/// Where a run of words with capitals ends that begins here.
fn run_end(tokens: &[Token<'_>], used: &[bool], at: usize) -> usize {
    let free = |at: usize| at < tokens.len() && !used[at];
    if !free(at) || !is_capital(&tokens[at]) {
        return at;
    }
    let mut end = at + 1;
    loop {
        let mut next = end;
        // An initial or a title may have its full stop.
        let dotted = free(next) && tokens[next].text == "." && tokens[next - 1].text.len() <= 4;
        next += usize::from(dotted);
        let mut bridged = 0;
        while free(next) && bridged < 2 && BRIDGES.contains(&tokens[next].text) {
            next += 1;
            bridged += 1;
        }
        // A mask between two words (a quote, a citation) leaves a gap that no name has.
        let close = free(next) && tokens[next].start - tokens[next - 1].end <= 3;
        if !(close && is_capital(&tokens[next])) {
            return end;
        }
        end = next + 1;
    }
}

fn name(ground: &Ground<'_>, words: &[&Token<'_>], doubtful: bool, opens: bool) -> Found {
    let stems: Vec<String> = words.iter().map(|word| fold::key(word.text)).collect();
    let phrase = format!(" {} ", stems.join(" "));
    let found = ground.phrase(&phrase, true);
    if found != Found::Nowhere {
        return found;
    }
    // The first word of a sentence may be any word: "Return Ursula Le Guin's novel".
    if opens && words.len() > 2 {
        return name(ground, &words[1..], doubtful, false);
    }
    let missing: Vec<bool> = stems.iter().map(|stem| !is_common(stem) && !ground.has_word(stem)).collect();
    let initials: String = stems.iter().filter_map(|stem| stem.chars().next()).collect();
    let none = !missing.contains(&true);
    // Two words at the beginning, of which the sources know one: the other may be any word with its first
    // capital.
    let first_only = opens && words.len() == 2 && !(missing[0] && missing[1]);
    if none
        || doubtful
        || first_only
        || (initials.len() > 2 && ground.has_word(&initials))
        || ground.was_asked(&phrase)
    {
        return Found::Unsure;
    }
    Found::Nowhere
}
