//! What people say to a domain that only adds, lists, finds and deletes.

use dates::names::{number, ordinal};

use crate::lex::{Token, after, before, capitalised, exactly, lex, starts, text_of, trim_signs};
use crate::phrases::plain;
use crate::skill::Sureness;

/// A command about things that have a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Add one that says this.
    Add(String),
    /// Show all.
    List,
    /// Tell how many there are.
    Count,
    /// Show those with these words in them.
    Find(String),
    /// Delete some.
    Delete(Which),
    /// Add one, whose text was not said.
    What,
}

/// Which are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those with these words in them.
    About(String),
    /// All of them.
    Every,
    /// What was spoken of last.
    It,
    /// All that was shown last.
    Those,
    /// One by its place in what was shown last.
    Place(Place),
}

/// Where in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// From the top, 1 is the first.
    Nth(usize),
    Last,
    /// Which end of a list that is, its tool alone knows.
    Newest,
}

/// A place in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    at: At,
    /// Nothing but the place was said: it answers a question.
    is_bare: bool,
}

impl Place {
    /// Whether it is counted from the end.
    pub fn is_last(self) -> bool {
        self.at == At::Last
    }

    /// Whether it is none that is known here.
    pub fn is_unknown(self) -> bool {
        self.at == At::Newest
    }

    /// What stands there.
    pub fn of<T>(self, list: &[T]) -> Option<&T> {
        match self.at {
            At::Nth(n) => list.get(n.checked_sub(1)?),
            At::Last => list.last(),
            At::Newest => None,
        }
    }
}

impl Command {
    /// Whether it takes the turn before to know what is meant.
    pub fn hangs_on_before(&self) -> bool {
        matches!(self, Self::Delete(Which::It | Which::Those | Which::Place(_)))
    }

    /// Whether it means something only as the answer to a question.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Delete(Which::Place(place)) if place.is_bare)
    }
}

const ADD: &str = "add|create|make|save|write|take|put|jot|record|keep|new";
const DELETE: &[&str] = &["delete|remove|erase|trash|bin|discard", "throw away|out", "get rid of"];
const SHOW: &[&str] =
    &["show|list|read|view|display|see|open me", "show|list|read|view|display|see|open", "give|tell me"];
const ABOUT: &[&str] = &[
    "about|with|on|for|of|saying|mentioning|containing|called|named|titled|like",
    "that says|say|mention|mentions|has|have|contain|contains",
    "mention|mentions|say|contain|have",
];
const SAYS: &[&str] = &["about|that|saying|called|named|titled|reading", "that says", "with the text"];
const MY: &[&str] = &["all of my|the", "all my|the", "all|my|the|our|any|every"];

/// Reads a message; `nouns` as a phrase has them: `note|notes`. Without a noun it is only what hangs on something before.
pub fn read(said: &str, nouns: &str, is_later: bool) -> Option<(Command, Sureness)> {
    let all = lex(said);
    let tokens = trim_signs(plain(&all));
    let tokens = before(tokens, &["please", "for me", "thanks"]).map_or(tokens, trim_signs);
    named(tokens, nouns)
        .map(|command| (command, Sureness::Names))
        .or_else(|| is_later.then(|| pointed(tokens)).flatten().map(|command| (command, Sureness::Reads)))
        .or_else(|| bare(tokens).map(|command| (command, Sureness::Reads)))
}

/// A command that names the things.
fn named(tokens: &[Token], nouns: &str) -> Option<Command> {
    let noun = |tokens: &[Token]| starts(tokens, nouns);
    // "note: buy paint", "notes"
    if let Some(n) = noun(tokens) {
        let rest = &tokens[n..];
        return match rest.first() {
            None => Some(Command::List),
            Some(first) if first.sign(":") || first.of("that - – — down") => Some(text(&rest[1..])),
            Some(_) => after(rest, &["to self", "to myself", "for me"])
                .filter(|rest| rest.first().is_some_and(|t| t.sign(":")))
                .map(text),
        };
    }
    // "add a note: …", "write down a note that …"
    let opened = starts(tokens, &format!("{ADD} down")).or_else(|| starts(tokens, ADD));
    if let Some(verb) = opened {
        let rest = &tokens[verb..];
        let article = starts(rest, "a|an|another|one|this|the|my new")
            .or_else(|| starts(rest, "a|an|another|one|this|new"))
            .unwrap_or(0);
        if let Some(n) = noun(&rest[article..]) {
            return Some(text(after(&rest[article + n..], SAYS).unwrap_or(&rest[article + n..])));
        }
        // "add buy paint to my notes", "save this as a note: …"
        let ends: Vec<String> = ["to|in|into|on my|the|our", "to|in|into|as|on", "as a|an"]
            .iter()
            .map(|lead| format!("{lead} {nouns}"))
            .collect();
        let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
        return before(rest, &ends).filter(|words| !words.is_empty()).map(text);
    }
    if exactly(
        tokens,
        &[
            &format!("how many {nouns} do|have i|we have|got"),
            &format!("how many {nouns}"),
            &format!("how many {nouns} are there"),
        ],
    ) {
        return Some(Command::Count);
    }
    if let Some(rest) = after(tokens, DELETE) {
        let every = starts(rest, "all|every").is_some();
        let rest = after(rest, &[MY, &["that|this|a"]].concat()).unwrap_or(rest);
        if let Some(n) = noun(rest) {
            let rest = &rest[n..];
            return Some(Command::Delete(match after(rest, ABOUT) {
                Some(words) if !words.is_empty() => Which::About(text_of(words)),
                _ if rest.is_empty() && every => Which::Every,
                _ if rest.is_empty() => Which::It,
                _ => Which::Place(Place { is_bare: false, ..place(rest)? }),
            }));
        }
        // "delete the paint note", "delete the second note"
        let words = before(rest, &[nouns]).filter(|words| !words.is_empty())?;
        return Some(Command::Delete(match place(words) {
            Some(place) => Which::Place(Place { is_bare: false, ..place }),
            None => Which::About(text_of(words)),
        }));
    }
    let looked = after(
        tokens,
        &[
            "find|search|show|list|get me|us", "find|search|get", "look for|through|in", "search in|through",
            "which|what|what's", "do i have", "have i", "is|are there",
        ],
    )
    .or_else(|| after(tokens, SHOW))?;
    let looked = after(looked, MY).or_else(|| after(looked, &["a|an"])).unwrap_or(looked);
    if let Some(n) = noun(looked) {
        let rest = &looked[n..];
        return match after(rest, ABOUT) {
            Some(words) if !words.is_empty() => Some(Command::Find(text_of(words))),
            _ if rest.is_empty()
                || exactly(rest, &["do i have", "have i", "are there", "again", "i have", "there are"]) =>
            {
                Some(Command::List)
            }
            _ => None,
        };
    }
    // "what's in my notes", "find paint in my notes"
    let ends = [format!("in|from|among my|the|our {nouns}"), format!("in|from {nouns}")];
    let words = before(looked, &[&ends[0], &ends[1]])?;
    Some(if words.is_empty() || exactly(words, &["is", "is there", "do i have"]) {
        Command::List
    } else {
        Command::Find(text_of(words))
    })
}

/// A command that hangs on what was said before: "delete it", "the second one", "both".
fn pointed(tokens: &[Token]) -> Option<Command> {
    if let Some(rest) = after(tokens, DELETE) {
        return Some(Command::Delete(if exactly(rest, &["it", "that", "this", "that|this one"]) {
            Which::It
        } else if exactly(rest, &["them", "those", "these", "both", "all of them", "them all"]) {
            Which::Those
        } else {
            Which::Place(Place { is_bare: false, ..place(rest)? })
        }));
    }
    place(tokens).map(|place| Command::Delete(Which::Place(place)))
}

/// "2", "the second one", "number 3", "the last one".
fn place(tokens: &[Token]) -> Option<Place> {
    let rest = after(tokens, &["the", "number", "no", "#"]).unwrap_or(tokens);
    let rest = before(rest, &["one", "please"]).unwrap_or(rest);
    let [only] = rest else { return None };
    let at = if only.of("last") {
        At::Last
    } else if only.of("latest newest") {
        At::Newest
    } else {
        At::Nth(usize::try_from(number(&only.lower).or_else(|| ordinal(&only.lower))?).ok()?)
    };
    Some(Place { at, is_bare: true })
}

/// "add buy paint", "find paint", "delete paint": where nothing else reads them, they are about the things.
fn bare(tokens: &[Token]) -> Option<Command> {
    if let Some(rest) = after(tokens, &["add|save|write|jot down", "add|save", "keep"]) {
        return (!rest.is_empty()).then(|| text(rest));
    }
    if let Some(rest) = after(tokens, &["find|search", "search|look for"]) {
        return (!rest.is_empty()).then(|| Command::Find(text_of(rest)));
    }
    let rest = after(tokens, DELETE)?;
    let rest = after(rest, &["the|my"]).unwrap_or(rest);
    (!rest.is_empty()).then(|| Command::Delete(Which::About(text_of(rest))))
}

/// What is to be added: as typed, with a capital.
fn text(tokens: &[Token]) -> Command {
    let text = capitalised(text_of(trim_signs(tokens)).trim());
    if text.is_empty() { Command::What } else { Command::Add(text) }
}

/// Whether a text has all these words in it, in any order; a word may be longer than it was said.
pub fn fits(text: &str, said: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let has = words(text);
    let wanted = words(said);
    !wanted.is_empty() && wanted.iter().all(|word| has.iter().any(|other| other.starts_with(word.as_str())))
}
