//! What a message asks of the people on photos, or says of them.
//!
//! Names are taken where a sentence has the form for one ("the first person is Ada") and a capital; nothing is guessed of what a
//! sentence might be about. Outside of a talk about people it has to say "person" or speak of photos.

use super::ask::{Ask, Before, NOUNS, Of, On};
use crate::lex::{Kind, Token, text_of};

/// Who is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    /// By their place in the list that was shown last, from 1.
    Place(usize),
    /// The last of that list.
    Last,
    /// By a name, or by what stands for one: "unnamed person 2".
    Named(String),
}

/// Feelings and families, which no photo says.
const UNKNOWABLE: &str = "mood|happy|happier|happiest|sad|angry|related|relatives|family|mother|father|mom|mum|dad|parent|parents|sister|brother|\
    siblings|wife|husband|girlfriend|boyfriend|daughter|son|cousin|aunt|uncle|grandmother|grandfather";

/// What else no photo says of somebody, where it is asked.
const PRIVATE: &str = "tired|scared|bored|drunk|ill|sick|pregnant|gay|married|nationality|ethnicity|religion|religious|attractive|ugly";

/// Words for an age; photos have one, too.
const AGES: &str = "age|old|older|oldest|young|younger|youngest";

/// Words for somebody.
const SOMEBODY: [&str; 17] = [
    "he", "she", "they", "his", "her", "him", "their", "person", "persons", "people", "man", "woman", "boy",
    "girl", "kid", "child", "baby",
];

/// Words with a capital that are nobody's name.
const NO_NAMES: [&str; 25] = [
    "i", "the", "a", "an", "my", "me", "that", "this", "those", "these", "them", "it", "faces", "face",
    "people", "person", "gps", "not", "no", "all", "any", "here", "there", "same", "also",
];

/// What photos have on them.
const HAVE: [&str; 4] = ["have", "has", "show", "shows"];

/// Words for when something is to be done.
const WHEN: [&str; 18] = [
    "today", "tonight", "tomorrow", "now", "later", "soon", "again", "at", "on", "in", "by", "before",
    "after", "next", "morning", "afternoon", "evening", "noon",
];

/// What a message asks or says of people; none where it is about nobody on photos.
pub fn people(tokens: &[Token], before: Before) -> Option<Ask> {
    let tokens: Vec<Token> = tokens.iter().filter(|token| !is_end(token)).cloned().collect();
    let words: Vec<&str> = tokens.iter().map(|token| token.lower.as_str()).collect();
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let names = has(&NOUNS);
    let is_ours = names || before.found || before.people;
    if is_ours && asks_what_no_photo_says(&words) {
        return Some(Ask::CannotKnow);
    }
    said_apart(&tokens, &words, before)
        .or_else(|| said_same(&tokens, &words, before))
        .or_else(|| named(&tokens, &words, before))
        .or_else(|| is_ours.then(|| who(&words, names, before)).flatten())
        .or_else(|| with(&tokens, &words, names, before))
}

/// A question about somebody's age, mood or family.
fn asks_what_no_photo_says(words: &[&str]) -> bool {
    const PRONOUNS: [&str; 6] = ["he", "she", "they", "his", "her", "their"];
    let first = words.first().copied().unwrap_or_default();
    let has = |table: &str| words.iter().any(|word| table.split('|').any(|known| known == *word));
    let is_question =
        ["how", "is", "are", "who", "who's", "what", "does", "do", "was", "were"].contains(&first);
    let is_wish = ["which", "show", "find", "the"].contains(&first);
    let is_of_age =
        has(AGES) && (words.starts_with(&["how", "old"]) || words.iter().any(|word| PRONOUNS.contains(word)));
    let is_unknowable =
        (is_question || is_wish) && has(UNKNOWABLE) || is_question && (has(PRIVATE) || is_of_age);
    is_unknowable && words.iter().any(|word| SOMEBODY.contains(word))
}

/// "Who is on my photos?", "who is that?", "group them by person".
fn who(words: &[&str], names: bool, before: Before) -> Option<Ask> {
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let of = if before.found && (!names || has(&["these", "those", "them", "that", "this"])) {
        Of::Those
    } else {
        Of::All
    };
    let asks_who = matches!(words, ["who" | "who's", ..]);
    let is_on = has(&["on", "in", "there"]) || has(&["that", "this", "she", "he", "they", "those", "these"]);
    let groups =
        has(&["group", "sort", "cluster", "organise", "organize", "recognise", "recognize", "identify"]);
    let by_person = has(&["person", "people", "persons"])
        && (groups
            || words.windows(2).any(|pair| pair == ["by", "person"] || pair == ["different", "people"]));
    let which = matches!(words, ["which" | "what", "people", ..]) && has(&["on", "in", "there"]);
    (asks_who && is_on && !has(&["took", "made"]) || by_person || which).then_some(Ask::ByPerson(of))
}

/// "This is not Ada", "the third one is not Ada".
fn said_apart(tokens: &[Token], words: &[&str], before: Before) -> Option<Ask> {
    if !before.found {
        return None;
    }
    let at = words.iter().position(|word| matches!(*word, "not" | "isn't" | "aren't"))?;
    let (points, name) = (&words[..at], name_of(&tokens[at + 1..])?);
    let on = match points {
        ["that" | "this" | "it", "is"] | ["that" | "this" | "it" | "that's" | "it's"] => On::One,
        ["those" | "these" | "they", "are"] | ["those" | "these" | "they" | "they're"] => On::All,
        ["the", place, rest @ ..] if is_of_photo(rest) => On::Number(ordinal(place)?),
        ["photo" | "picture", number, rest @ ..] if is_of_photo(rest) => On::Number(number.parse().ok()?),
        _ => return None,
    };
    Some(Ask::NotThem { name, on })
}

/// What stands between "the third" and "not".
fn is_of_photo(rest: &[&str]) -> bool {
    matches!(rest, [] | ["is"] | ["one" | "photo" | "picture"] | ["one" | "photo" | "picture", "is"])
}

/// "Ada and unnamed person 3 are the same", "merge Ada and Bob", "person 2 is also Ada".
fn said_same(tokens: &[Token], words: &[&str], before: Before) -> Option<Ask> {
    let is_about = before.people || words.contains(&"person");
    if !is_about {
        return None;
    }
    let (tokens, words) = match words {
        ["merge" | "join" | "combine", ..] => (&tokens[1..], &words[1..]),
        _ => {
            let also = words.iter().position(|word| *word == "also");
            if let Some(at) = also.filter(|at| *at > 1 && words[at - 1] == "is") {
                let from = whom(&tokens[..at - 1])?;
                return Some(Ask::Same { from, into: whom(&tokens[at + 1..])? });
            }
            let are = words.iter().position(|word| *word == "are")?;
            let is_one = matches!(
                &words[are + 1..],
                ["the", "same"]
                    | ["the", "same", "person"]
                    | ["one"]
                    | ["one", "person"]
                    | ["one", "and", "the", "same", ..]
            );
            if !is_one {
                return None;
            }
            (&tokens[..are], &words[..are])
        }
    };
    let at = words.iter().position(|word| matches!(*word, "and" | "with" | "into"))?;
    let (one, other) = (whom(&tokens[..at])?, whom(&tokens[at + 1..])?);
    let has_name = |whom: &Whom| matches!(whom, Whom::Named(name) if !name.starts_with("unnamed person"));
    // The name stays; of two names the first, unless the other is said to be what it goes into.
    Some(match words[at] != "into" && (has_name(&one) || !has_name(&other)) {
        true => Ask::Same { from: other, into: one },
        false => Ask::Same { from: one, into: other },
    })
}

/// "The first person is Ada", "name person 2 Bob", "call her Ada" is not: nobody knows who she is.
fn named(tokens: &[Token], words: &[&str], before: Before) -> Option<Ask> {
    if let ["name" | "call" | "label" | "rename", rest @ ..] = words {
        let length = length_of_whom(rest).or_else(|| {
            // "Rename Ada to Ada Lovelace".
            let at = rest.iter().position(|word| matches!(*word, "to" | "as"))?;
            (before.people && words[0] == "rename" && at > 0).then_some(at)
        })?;
        let is_person = rest[..length].contains(&"person") || before.people;
        let mut name = &tokens[1 + length..];
        if let [first, more @ ..] = name
            && ["to", "as"].contains(&&*first.lower)
        {
            name = more;
        }
        // Outside of a talk about people "call person 2 tomorrow" is a thing to be done: a name has a capital there.
        let name = match before.people && !says_when(name) {
            true => text_of(name),
            false => name_of(name)?,
        };
        return (is_person && !name.is_empty())
            .then(|| whom(&tokens[1..=length]).map(|whom| Ask::Name { whom, name }))
            .flatten();
    }
    let length = length_of_whom(words)?;
    let is_person = words[..length].contains(&"person") || before.people;
    let rest = match &words[length..] {
        ["is", "called" | "named", ..] => &tokens[length + 2..],
        ["is", ..] => &tokens[length + 1..],
        _ => return None,
    };
    let name = name_of(rest)?;
    is_person.then(|| whom(&tokens[..length]).map(|whom| Ask::Name { whom, name })).flatten()
}

/// "The ones with Ada", "photos of Ada and Bob", "show me the second person".
fn with(tokens: &[Token], words: &[&str], names: bool, before: Before) -> Option<Ask> {
    let of = if before.found && !names { Of::Those } else { Of::All };
    // "Show me the second person" needs no word for photos where people were listed.
    if let ["show" | "see" | "find", rest @ ..] = words {
        let skip = rest.iter().take_while(|word| **word == "me").count();
        let is_whole = length_of_whom(&rest[skip..]) == Some(rest.len() - skip);
        if is_whole && (before.people || rest.contains(&"unnamed")) && rest.contains(&"person") {
            return Some(Ask::With { whom: vec![whom(&tokens[1 + skip..])?], of: Of::All, best: false });
        }
    }
    let is_narrower = before.found
        && (matches!(words, ["with", ..])
            || words.iter().any(|word| matches!(*word, "ones" | "only" | "those" | "them")));
    if !names && !is_narrower {
        return None;
    }
    // "Which ones have Ada in them?"
    let (tokens, words) = match words {
        ["which", rest @ .., "on" | "in", "it" | "them"] if rest.iter().any(|word| HAVE.contains(word)) => {
            (&tokens[..tokens.len() - 2], &words[..words.len() - 2])
        }
        _ => (tokens, words),
    };
    let is_before = |word: &&str| {
        matches!(*word, "of" | "with" | "showing") || words[0] == "which" && HAVE.contains(word)
    };
    let at = words.iter().position(is_before)?;
    let mut people = Vec::new();
    for part in
        tokens[at + 1..].split(|token| token.is("and") || token.sign(",")).filter(|part| !part.is_empty())
    {
        people.push(whom(part)?);
    }
    let best = words[..at].iter().any(|word| matches!(*word, "best" | "nicest"));
    (!people.is_empty()).then_some(Ask::With { whom: people, of, best })
}

/// Who is meant by all of these words.
fn whom(tokens: &[Token]) -> Option<Whom> {
    let words: Vec<&str> = tokens.iter().map(|token| token.lower.as_str()).collect();
    if length_of_whom(&words) == Some(words.len()) {
        return match words.as_slice() {
            ["unnamed", "person", number] => Some(Whom::Named(format!("unnamed person {number}"))),
            ["person" | "number", number] => Some(Whom::Place(number.parse().ok()?)),
            ["the", "last", ..] | ["last", ..] => Some(Whom::Last),
            ["the", place, ..] | [place, ..] => Some(Whom::Place(ordinal(place)?)),
            [] => None,
        };
    }
    name_of(tokens).map(Whom::Named)
}

/// How many words at the beginning say who: "the first person", "unnamed person 3", "person 2", "the last one".
fn length_of_whom(words: &[&str]) -> Option<usize> {
    let is_place = |word: &str| word == "last" || ordinal(word).is_some();
    match words {
        ["unnamed", "person", number, ..] if number.parse::<u32>().is_ok() => Some(3),
        ["person" | "number", number, ..] if number.parse::<u32>().is_ok() => Some(2),
        ["the", place, "person" | "one", ..] if is_place(place) => Some(3),
        [place, "person", ..] if is_place(place) => Some(2),
        _ => None,
    }
}

/// Whether words say when something is to be done. Months are names, too.
fn says_when(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        token.kind != Kind::Quoted
            && (WHEN.contains(&&*token.lower)
                || dates::names::weekday(&token.lower).is_some()
                || token.lower.starts_with(|letter: char| letter.is_ascii_digit()))
    })
}

/// A name: up to four words, each with a capital, and no word of time.
fn name_of(tokens: &[Token]) -> Option<String> {
    const MOST: usize = 4;
    let is_part = |token: &Token| {
        token.kind == Kind::Quoted
            || token.kind == Kind::Word
                && token.text.chars().next().is_some_and(char::is_uppercase)
                && !NO_NAMES.contains(&&*token.lower)
                && !NOUNS.contains(&&*token.lower)
    };
    ((1..=MOST).contains(&tokens.len()) && tokens.iter().all(is_part) && !says_when(tokens))
        .then(|| text_of(tokens))
}

fn ordinal(word: &str) -> Option<usize> {
    let found = dates::names::ordinal(word).or_else(|| dates::names::spelled_ordinal(word));
    found.and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0)
}

/// A sign that says nothing here; a comma parts names.
fn is_end(token: &Token) -> bool {
    token.kind == Kind::Sign && token.text != ","
}
