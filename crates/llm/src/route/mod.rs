//! Which kind of model a message is for (S0-57, D-13): a pure function of its words.
//!
//! It looks at how a request begins, not at what occurs in it: "get all open to-dos" is a look-up, "forget the budget" and
//! "get milk" are not, and what stands in quotation marks or behind a colon is text and no request. Whatever it does not
//! know is for the main model, so that a message is never answered worse than without it. How often it is right is measured
//! in `tests/route.rs`.

mod words;

use protocol::{Role, Routed, Why};

use words::{
    ACTS, ADJECTIVES, ADVICE, AND, FILLERS, HAN_ACTS, HAN_ADVICE, HAN_AND, HAN_FILLERS, HAN_LOOKUPS,
    HAN_QUESTIONS, HAN_REWORDINGS, LOOKUPS, QUESTIONS, REWORDING_ENDS, REWORDINGS, SHOWN, SHOWS, SUMMARIES,
    SUMMARY_OF,
};

/// A request of more words than this is more than a look-up.
const LOOKUP_WORDS: usize = 30;

/// What of a message lies between two signs.
#[derive(Debug, Default)]
struct Clause {
    /// Its words in lower case, without the polite ones at its beginning.
    words: Vec<String>,
    /// The same as one text, for a script without spaces.
    text: String,
    /// It begins a sentence.
    begins: bool,
    /// A question mark ends it or what follows it.
    asks: bool,
}

/// What kind of model a message is for, and why (`LLMRouter.select_model`, S0-57).
#[must_use]
pub fn route(message: &str) -> Routed {
    let clauses = clauses(message);
    let Some((head, rest)) = clauses.split_first() else {
        return Routed { role: Role::Main, why: Why::Anything };
    };
    let routed = alone(head);
    let is_several = holds_another(head) || rest.iter().any(|clause| is_another(clause, routed.role));
    match routed.role {
        Role::Main => routed,
        Role::Small | Role::Cheap if is_several => Routed { role: Role::Main, why: Why::SeveralParts },
        Role::Small | Role::Cheap => routed,
    }
}

/// What a clause would be without the others.
fn alone(clause: &Clause) -> Routed {
    if is_rewording(clause) {
        Routed { role: Role::Cheap, why: Why::Rewording }
    } else if is_lookup(clause) {
        Routed { role: Role::Small, why: Why::Lookup }
    } else {
        Routed { role: Role::Main, why: Why::Anything }
    }
}

fn is_rewording(clause: &Clause) -> bool {
    let words = &clause.words;
    let begins = REWORDINGS.iter().any(|phrase| begins_with(words, phrase));
    // "a short summary of today", and not "the summary was wrong".
    let noun = words.iter().position(|word| !ADJECTIVES.contains(&word.as_str())).unwrap_or(words.len());
    let is_summary = words.get(noun).is_some_and(|word| SUMMARIES.contains(&word.as_str()))
        && words.get(noun + 1).is_none_or(|word| SUMMARY_OF.contains(&word.as_str()));
    // "make this shorter", "kannst du das kurz zusammenfassen": the verb is in two parts, or at the end.
    let ends = REWORDING_ENDS.iter().any(|(first, last)| {
        (first.is_empty() || words.first().is_some_and(|word| word == first))
            && words.last().is_some_and(|word| word == last)
    });
    let han = HAN_REWORDINGS.iter().any(|verb| {
        clause.text.starts_with(verb) || (clause.text.starts_with('把') && clause.text.contains(verb))
    });
    begins || is_summary || ends || han
}

fn is_lookup(clause: &Clause) -> bool {
    let words = &clause.words;
    if words.len() > LOOKUP_WORDS
        || ADVICE.iter().any(|phrase| holds(words, phrase))
        || HAN_ADVICE.iter().any(|word| clause.text.contains(word))
    {
        return false;
    }
    let second = words.get(1).map(String::as_str);
    let shows = words.first().is_some_and(|word| SHOWS.contains(&word.as_str()))
        && second.is_some_and(|word| SHOWN.contains(&word));
    let questions = clause.asks && words.first().is_some_and(|word| QUESTIONS.contains(&word.as_str()));
    let begins = LOOKUPS.iter().any(|phrase| begins_with(words, phrase))
        && !matches!(second, Some("about" | "if" | "rid"));
    let han = HAN_LOOKUPS.iter().any(|verb| clause.text.starts_with(verb))
        || (HAN_QUESTIONS.iter().any(|word| clause.text.contains(word))
            && !HAN_ACTS.iter().any(|verb| clause.text.starts_with(verb)));
    begins || shows || questions || han
}

/// Whether a later clause asks for something else than the first one, which is for `role`.
fn is_another(clause: &Clause, role: Role) -> bool {
    let routed = alone(clause);
    acts(&clause.words)
        || holds_another(clause)
        || ADVICE.iter().any(|phrase| holds(&clause.words, phrase))
        || (clause.begins && routed.role != role)
}

/// Whether something to be done follows an "and" in the middle of a clause.
fn holds_another(clause: &Clause) -> bool {
    let ands = clause.words.iter().enumerate().filter(|(_, word)| AND.contains(&word.as_str()));
    let mut after = ands.map(|(at, _)| &clause.words[at + 1..]);
    after.any(acts) || HAN_AND.iter().any(|word| clause.text.contains(word))
}

/// Whether these words begin with something to be done, behind any "and then please".
fn acts(words: &[String]) -> bool {
    let polite = |word: &&String| AND.contains(&word.as_str()) || FILLERS.contains(&word.as_str());
    words.iter().find(|word| !polite(word)).is_some_and(|word| ACTS.contains(&word.as_str()))
}

fn begins_with(words: &[String], phrase: &str) -> bool {
    let mut words = words.iter();
    phrase.split(' ').all(|word| words.next().is_some_and(|found| found == word))
}

fn holds(words: &[String], phrase: &str) -> bool {
    (0..words.len()).any(|at| begins_with(&words[at..], phrase))
}

/// The clauses that say something. Quotations are one word each, and what follows a colon is left out.
fn clauses(message: &str) -> Vec<Clause> {
    let text = without_quotations(&message.to_lowercase().replace("tl;dr", "tldr").replace('’', "'"));
    let request = ends_of_request(&text).map_or(text.as_str(), |end| &text[..end]);
    let mut clauses: Vec<Clause> = Vec::new();
    let mut begins = true;
    for piece in request.split_inclusive([',', ';', '.', '?', '!', '\n', '，', '。', '？', '！', '；', '、'])
    {
        let said = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
        let asks = piece[said.len()..].contains(['?', '？']);
        if asks {
            clauses.iter_mut().rev().take(1).for_each(|before| before.asks |= !begins);
        }
        let clause = clause(said, begins, asks);
        begins = piece[said.len()..].contains(['.', '?', '!', '\n', '。', '？', '！']);
        if !clause.words.is_empty() {
            clauses.push(clause);
        }
    }
    clauses
}

fn clause(said: &str, begins: bool, asks: bool) -> Clause {
    let is_word = |c: char| c.is_alphanumeric() || c == '\'' || c == QUOTATION;
    let all: Vec<String> = said
        .split(|c: char| !is_word(c))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let mut words = all.as_slice();
    while let Some(polite) = FILLERS.iter().find(|phrase| begins_with(words, phrase)) {
        words = &words[polite.split(' ').count()..];
    }
    let mut text = said.trim();
    while let Some(rest) = HAN_FILLERS.iter().find_map(|polite| text.strip_prefix(polite)) {
        text = rest.trim_start();
    }
    Clause { words: words.to_vec(), text: text.to_owned(), begins, asks }
}

/// Stands for what was in quotation marks.
const QUOTATION: char = '\u{fffc}';

/// The text with each quotation as one sign.
fn without_quotations(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '“', '„', '«', '「', '《']) {
        let (before, quoted) = rest.split_at(at);
        out.push_str(before);
        let mut letters = quoted.char_indices().skip(1);
        let Some((end, last)) = letters.find(|(_, c)| matches!(c, '"' | '”' | '“' | '»' | '」' | '》'))
        else {
            out.push_str(quoted);
            return out;
        };
        out.push(QUOTATION);
        rest = &quoted[end + last.len_utf8()..];
    }
    out + rest
}

/// Where the request ends and a text to work on begins: a colon with a space behind it, so that no time is one.
fn ends_of_request(text: &str) -> Option<usize> {
    let colon = text
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|at| text[at + 1..].chars().next().is_some_and(char::is_whitespace));
    [colon, text.find('：')].into_iter().flatten().min()
}
