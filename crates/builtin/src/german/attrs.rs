//! What hangs on a German title: days, times, repeats, priorities, lists.

use crate::german::names::{infinitive, name};
use crate::german::tables::{LISTS, OFTEN, PREPOSITIONS, PRIORITY, REMINDERS, WHEN};
use crate::german::{MOST, joined, translated, words};
use crate::lex::{Kind, Token, text_of};

/// What was taken off a title.
#[derive(Default)]
pub struct Peeled {
    /// The title's words.
    pub title: Vec<Token>,
    /// Days and times in English, each with a space before it.
    pub when: String,
    /// Priorities and tags as marks, and reminders.
    pub marks: String,
    /// The list's name, or nothing.
    pub list: String,
}

/// The kinds that may hang on a title, as the quick-add calls them.
const KINDS: [(&str, &str); 5] =
    [("when", WHEN), ("repeat", OFTEN), ("priority", PRIORITY), ("reminder", REMINDERS), ("list", LISTS)];

impl Peeled {
    /// Takes these words of the title off it, if they are one of its kinds as a whole.
    #[inline(never)]
    fn take(&mut self, from: usize, to: usize, kept: &[String]) -> bool {
        /// Behind them a day is a name, what is denied, or half of a repeat that stays.
        const NAMED: &str = "guten heiligen herr herrn frau familie nicht kein keine keinen jeden jede jedes";
        let Some(tokens) = self.title.get(from..to) else { return false };
        if from > 0 && self.title[from - 1].of(NAMED) {
            return false;
        }
        let mut bare = tokens;
        while let [first, rest @ ..] = bare
            && !rest.is_empty()
            && first.of(PREPOSITIONS)
        {
            bare = rest;
        }
        if tokens.is_empty() || tokens.len() > 9 || tokens[0].kind == Kind::Sign {
            return false;
        }
        for (kind, rows) in KINDS {
            if kept.iter().any(|kept| kept == kind) {
                continue;
            }
            let mut found = translated(rows, tokens, false);
            if found.is_none() && bare.len() < tokens.len() {
                found = translated(rows, bare, true);
            }
            let Some(text) = found else { continue };
            match kind {
                "list" => self.list = text,
                "when" | "repeat" => self.when = joined(&[" ", &text, &self.when]),
                _ => self.marks = joined(&[&self.marks, " ", &text]),
            }
            self.title.drain(from..to);
            return true;
        }
        false
    }

    /// Takes one thing off: at the end, at the front, or before the verb that ends the title ("Oma am Freitag anrufen").
    fn take_one(&mut self, kept: &[String]) -> bool {
        let all = self.title.len();
        let verb = infinitive(&self.title);
        for from in 0..all {
            if self.take(from, all, kept) {
                return true;
            }
        }
        for to in (1..all.min(9)).rev() {
            // "Montag planen" is a title.
            if !(to == 1 && all == 2 && verb) && self.take(0, to, kept) {
                return true;
            }
        }
        for from in 1..all {
            if verb
                && !self.title[from - 1].of("von vom ueber bis zu zur zum")
                && self.take(from, all - 1, kept)
            {
                return true;
            }
        }
        false
    }

    /// What was taken off, as the English says it behind a title.
    pub fn tail(&self) -> String {
        let list: &[&str] = if self.list.is_empty() { &[] } else { &[" to my ", &self.list, " list"] };
        joined(&[&self.when, &self.marks, &joined(list)])
    }
}

/// Takes off what hangs on a title, at its end, at its front, and before the verb that ends it.
pub fn peel(tokens: &[Token], kept: &[String]) -> Peeled {
    let mut out = Peeled::default();
    for token in tokens {
        if token.kind == Kind::Tag && kept.is_empty() {
            out.marks = joined(&[&out.marks, " #", &token.text]);
        } else {
            out.title.push(token.clone());
        }
    }
    loop {
        // A number's full stop is part of a date.
        while out.title.last().is_some_and(|t| t.kind == Kind::Sign && t.text != "." && t.text != ")") {
            out.title.pop();
        }
        if !out.take_one(kept) {
            break;
        }
    }
    while out.title.last().is_some_and(|t| t.kind == Kind::Sign && t.text != ")") {
        out.title.pop();
    }
    while out.title.first().is_some_and(|t| t.kind == Kind::Sign && t.text != "(") {
        out.title.remove(0);
    }
    out
}

/// Several kinds by their names.
pub fn kinds(names: &str) -> Vec<String> {
    names.split(' ').map(str::to_owned).collect()
}

/// A day or a time and nothing else.
pub fn whole(tokens: &[Token]) -> Option<String> {
    let found = peel(tokens, &kinds("priority reminder list"));
    (found.title.is_empty() && !found.when.is_empty()).then(|| found.when[1..].to_owned())
}

/// Words without a command that are surely German by a repeat or a time: "Gieße jeden Montag die Pflanzen".
pub fn bare(tokens: &[Token]) -> Option<String> {
    const SURE: &str = "jeden jede jedes taeglich woechentlich monatlich jaehrlich uhr uebermorgen naechste naechsten naechster";
    const ASKS: &str =
        "was wer wie wo wann warum welche welcher welches ich du er wir es hat habe hast kann lass vergiss";
    let says = tokens.iter().any(|token| token.of("ist sind"));
    if says || !tokens.iter().any(|token| token.of(SURE)) || tokens.first()?.of(ASKS) {
        return None;
    }
    let mut found = peel(tokens, &[]);
    // "Gieße jeden Montag die Pflanzen": behind the verb.
    if found.when.is_empty() {
        let _ = (2..found.title.len().min(9)).rev().any(|to| found.take(1, to, &[]));
    }
    let sure = found.title.iter().any(|token| token.of(SURE) || token.of("nicht kein keine"));
    if found.title.is_empty() || found.when.is_empty() || sure {
        return None;
    }
    Some(joined(&["Add ", &name(&found.title), &found.tail()]))
}

/// A line of the quick-add whose end is German, with that end in English. What is in `kept` stays as it is.
pub fn line(typed: &str, kept: &[String]) -> Option<String> {
    /// Words that German lines have none of: a name in an English one is no day.
    const ENGLISH: &str = "the a to with about for of my and call buy by from at on every is mr ms dr captain \
                           read watch meet visit ask email";
    // Told before it is lexed: a line may be a whole text that was pasted.
    if typed.len() > 10 * MOST {
        return None;
    }
    let tokens = words(typed);
    if tokens.len() > 40 || tokens.iter().any(|token| token.of(ENGLISH)) {
        return None;
    }
    let mut kept = kept.to_vec();
    kept.append(&mut kinds("reminder list"));
    let found = peel(&tokens, &kept);
    // Digits alone are no German.
    let lettered = |tokens: &[Token]| {
        tokens.iter().filter(|t| t.kind == Kind::Word && t.lower.contains(char::is_alphabetic)).count()
    };
    (!found.title.is_empty() && lettered(&found.title) < lettered(&tokens))
        .then(|| joined(&[&text_of(&found.title), &found.tail()]))
}
