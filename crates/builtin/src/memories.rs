//! What a person wants remembered over all conversations (S0-63): "remember that I'm vegetarian", "what do you remember
//! about me?", "forget that I'm vegetarian".
//!
//! Only what is plainly asked for: a sentence that merely says something about the person is never kept.

use serde_json::{Value, json};

use crate::lex::{Token, after, capitalised, exactly, starts, text_of, trim_signs};
use crate::run::{Caller, Step};
use crate::text::{escape, quoted};

const SAVE: &str = "user_memory_save";
const SEARCH: &str = "user_memory_search";
const FORGET: &str = "user_memory_forget";

/// The most that one look gives: all there can be.
const LIMIT: u32 = 200;

/// For one that was not said.
pub const WHAT: &str = "Remember what? Say it in one sentence, such as “remember that I'm vegetarian”.";

const OFF: &str =
    "Remembering over conversations is switched off here, so I kept nothing and know nothing about you.";

/// What is asked about remembering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Keep this sentence; whether it tells a preference.
    Save(String, bool),
    /// Tell what is kept.
    Tell,
    /// Forget what this sentence says.
    Forget(String),
    /// Forget everything.
    ForgetAll,
    /// It was not said what.
    What,
}

/// What a clause asks about remembering, if it does.
pub fn asked(tokens: &[Token]) -> Option<Memory> {
    const TELL: &[&str] = &[
        "what do you remember",
        "what do you know about me",
        "what do you remember about|of me",
        "what do you remember about|of us",
        "what have you remembered",
        "what have you remembered about me",
        "what did i ask|tell you to remember",
        "what have i asked|told you to remember",
        "show|list me my|your memories",
        "show|list my|your memories",
        "show|list me what you remember",
        "show|list me what you remember about me",
        "show|list what you remember",
        "show|list what you remember about me",
    ];
    const FORGET_ALL: &[&str] = &[
        "forget everything about me",
        "forget everything about us",
        "forget all about me",
        "forget all you know|remember about me",
        "forget everything you know|remember",
        "forget everything you know|remember about me",
        "forget everything that you know|remember about me",
        "forget everything i told you",
        "forget everything i told you about me",
        "forget me",
        "forget|delete|erase|clear|remove all memories",
        "forget|delete|erase|clear|remove all my|your|the memories",
        "forget|delete|erase|clear|remove my|your memories",
        "delete|erase|clear|wipe your memory",
        "delete|erase everything you know|remember about me",
    ];
    let words = trim_signs(tokens);
    let whole = |phrases: &[&str]| exactly(words, phrases);
    if whole(TELL) {
        return Some(Memory::Tell);
    }
    if whole(FORGET_ALL) {
        return Some(Memory::ForgetAll);
    }
    let sentence = |words: &[Token]| capitalised(text_of(words).trim());
    const FORGOTTEN: &[&str] = &["forget", "forget about", "stop remembering"];
    const FORGOTTEN_THAT: &[&str] = &["forget that", "stop remembering that", "you can|may forget that"];
    if let Some(rest) = said(words, FORGOTTEN_THAT, FORGOTTEN, false) {
        return Some(Memory::Forget(sentence(rest)));
    }
    const KEPT: &[&str] = &["remember", "always remember", "keep in mind", "memorize|memorise"];
    const KEPT_THAT: &[&str] = &[
        "remember that", "always remember that", "keep in mind that", "memorize|memorise that",
        "make a note that", "don't forget that", "never forget that",
    ];
    if whole(&["remember that|this|me", "remember"]) {
        return Some(Memory::What);
    }
    let rest = said(words, KEPT_THAT, KEPT, true)?;
    // What the person has to do is a to-do.
    const TO_DO: &[&str] = &[
        "i|we need", "i|we have|want|ought to", "i|we still need", "i|we still have to",
        "i|we must|should|gotta", "i've|we've got|gotta to", "i've|we've gotta",
        "i|we mustn't|shouldn't|can't", "i'm|we're supposed to", "i|we am|are supposed to",
    ];
    const LIKES: &[&str] = &[
        "i|we prefer|like|love|hate|enjoy|dislike",
        "i|we really|always|usually|never prefer|like|love|hate|want",
        "i|we don't like|want",
        "i|we do not like|want",
        "i'd|we'd rather|prefer|like",
        "i|we want",
        "my|our favourite|favorite|preferred",
    ];
    if after(rest, TO_DO).is_some() {
        return None;
    }
    Some(Memory::Save(sentence(rest), after(rest, LIKES).is_some()))
}

/// What is said after one of the openings: after "that" any sentence, and otherwise only one about the person, because
/// "remember the milk" is a to-do. "My keys" is no sentence either, where one has to be `whole`.
fn said<'t>(words: &'t [Token], with_that: &[&str], bare: &[&str], whole: bool) -> Option<&'t [Token]> {
    let rest = match after(words, with_that) {
        Some(rest) => rest,
        None => {
            let rest = after(words, bare)?;
            let rest = if rest.first().is_some_and(|token| token.sign(":")) { &rest[1..] } else { rest };
            const ME: &str = "i i'm i've i'd i'll we we're we've we'd me";
            const VERBS: &[&str] = &[
                "is", "are", "was", "were", "has", "have", "had", "isn't", "aren't", "likes", "loves",
                "hates", "prefers", "lives", "works", "needs", "eats", "drinks", "speaks", "goes", "can",
                "can't",
            ];
            let mine = rest.first().is_some_and(|token| token.of("my our"));
            let tells = mine && (!whole || rest.iter().any(|token| token.any(VERBS)));
            // "Remember me to call mum" is meant for a reminder.
            let about_me =
                rest.first().is_some_and(|token| token.of(ME)) && starts(rest, "me to|about").is_none();
            if !(about_me || tells) {
                return None;
            }
            rest
        }
    };
    (rest.len() >= 2).then_some(rest)
}

/// Does it; `things` is what is not touched by it.
pub fn act(run: &mut dyn Caller, memory: &Memory, things: &str) -> Step<()> {
    if *memory == Memory::What {
        return say(run, WHAT);
    }
    if !run.offers(SAVE) {
        return say(run, &format!("{OFF} Your {things} are as they were."));
    }
    match memory {
        Memory::What => Ok(()),
        Memory::Save(text, is_preference) => {
            let kind = if *is_preference { "preference" } else { "fact" };
            let result = run.call(SAVE, json!({ "text": text, "kind": kind }))?;
            let answer = match rows(&result, "changes").first() {
                None => format!("I remember that already: {}.", quoted(text)),
                Some(_) => format!(
                    "I'll remember {} in every conversation. Say “undo” to take it back, or “what do you remember?” to see all.",
                    quoted(text)
                ),
            };
            say(run, &answer)
        }
        Memory::Tell => {
            let known = known(run)?;
            let answer = match known.as_slice() {
                [] => "Nothing yet. Say “remember that …”, and I keep it over all conversations.".to_owned(),
                known => format!("You asked me to remember:\n\n{}", list(known)),
            };
            say(run, &answer)
        }
        Memory::Forget(text) => forget(run, text),
        Memory::ForgetAll => {
            let result = run.call(FORGET, json!({ "all": true }))?;
            forgotten(run, &result)
        }
    }
}

fn say(run: &mut dyn Caller, text: &str) -> Step<()> {
    run.say(text.to_owned());
    Ok(())
}

/// Something that is remembered.
struct Known {
    id: String,
    text: String,
    is_preference: bool,
}

fn known(run: &mut dyn Caller) -> Step<Vec<Known>> {
    let result = run.call(SEARCH, json!({ "limit": LIMIT }))?;
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let read = |item: &Value| Known {
        id: text(item, "id"),
        text: text(item, "text"),
        is_preference: text(item, "kind") == "preference",
    };
    Ok(rows(&result, "items").iter().map(read).collect())
}

fn rows<'v>(result: &'v Value, field: &str) -> &'v [Value] {
    result.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn list(known: &[Known]) -> String {
    let line = |known: &Known| {
        let kind = if known.is_preference { " · preference" } else { "" };
        format!("- **{}**{kind}", escape(&known.text))
    };
    known.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Forgets the one that the words name; what fits several is asked for again, and what fits none changes nothing.
fn forget(run: &mut dyn Caller, said: &str) -> Step<()> {
    let all = known(run)?;
    let wanted = words(said);
    let same: Vec<&Known> = all.iter().filter(|known| words(&known.text) == wanted).collect();
    let fitting: Vec<&Known> = match same.as_slice() {
        [] => {
            let fits = |known: &&Known| {
                let has = words(&known.text);
                !wanted.is_empty() && wanted.iter().all(|word| has.contains(word))
            };
            all.iter().filter(fits).collect()
        }
        same => same.to_vec(),
    };
    match fitting.as_slice() {
        [] => {
            let text = format!("I remember nothing like {}, so I forgot nothing.", quoted(said));
            say(run, &text)
        }
        [only] => {
            let result = run.call(FORGET, json!({ "id": only.id }))?;
            forgotten(run, &result)
        }
        [_, ..] => {
            let fitting: Vec<Known> = all
                .into_iter()
                .filter(|known| words(&known.text).iter().any(|w| wanted.contains(w)))
                .collect();
            let text = format!(
                "That fits several, so I forgot none. Say the whole sentence of the one you mean:\n\n{}",
                list(&fitting)
            );
            say(run, &text)
        }
    }
}

/// The words of a sentence that tell it from others.
fn words(text: &str) -> Vec<String> {
    const EMPTY: &[&str] = &[
        "i", "im", "am", "ive", "have", "a", "an", "the", "my", "is", "are", "to", "that", "me", "we", "our",
    ];
    text.split_whitespace()
        .map(|word| word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect())
        .filter(|word: &String| !word.is_empty() && !EMPTY.contains(&word.as_str()))
        .collect()
}

fn forgotten(run: &mut dyn Caller, result: &Value) -> Step<()> {
    let text = |change: &Value| change.pointer("/before/text").and_then(Value::as_str).map(quoted);
    let gone: Vec<String> = rows(result, "changes").iter().filter_map(text).collect();
    let answer = match gone.as_slice() {
        [] => "There was nothing to forget.".to_owned(),
        [only] => format!("Forgotten: {only}. Say “undo” to bring it back."),
        all => format!("Forgotten, all {}: {}. Say “undo” to bring them back.", all.len(), all.join(", ")),
    };
    say(run, &answer)
}
