//! Sentences of several clauses that no rule read as one: cut where both sides mean something, so that nothing that was
//! said is lost ("milk's bought, and I also need batteries"). What is read as a whole stays whole.

use crate::attrs::Lexicon;
use crate::cues::tells;
use crate::intent::{Clause, Draft, Intent};
use crate::lex::{Kind, Token, after, lex, nested, text_of, trim_signs};
use crate::parse;
use crate::suggesting;

/// Words that join clauses.
const JOINS: &[&str] = &["and", "but", "also", "plus", "then", "while", "so", "&", "-", "–", "—"];
/// A sentence of more words is not cut: that many clauses are no slip of the rules.
const WORDS: usize = 60;

/// The commands of a message, in order, where the rules alone find one thing or nothing.
pub fn parse(text: &str, lexicon: &Lexicon) -> Vec<Clause> {
    let text = &opened(text);
    let whole = parse::parse(text, lexicon);
    let [only] = whole.as_slice() else { return whole };
    if text.trim().contains('\n') {
        return whole;
    }
    let cut = match &only.intent {
        Intent::Unknown => cut(text, lexicon, |_| true),
        Intent::Suggest(draft) if draft.title.contains(" and ") => {
            cut(text, lexicon, |clauses| clauses.iter().all(dated))
        }
        _ => None,
    };
    cut.map(together(lexicon)).unwrap_or(whole)
}

/// "Set up “Lena's birthday” for …": what opens a to-do whose name is quoted.
fn opened(text: &str) -> String {
    const SET_UP: &[&str] = &["set up|start|begin|open|prepare|enter|record|register|log", "please set up"];
    let tokens = lex(text);
    match after(&tokens, SET_UP) {
        Some(rest) if rest.len() > 1 && rest[0].kind == Kind::Quoted => format!("add {}", text_of(rest)),
        _ => text.to_owned(),
    }
}

fn dated(clause: &Clause) -> bool {
    matches!(&clause.intent, Intent::Suggest(draft) if draft.attrs.when.is_some_and(|when| when.date.is_some()))
}

/// Whether a clause can stand on its own.
fn stands(clause: &Clause) -> bool {
    match &clause.intent {
        Intent::Unknown => tells(&clause.text),
        Intent::Yes
        | Intent::No
        | Intent::Hands
        | Intent::Hello
        | Intent::Thanks
        | Intent::Point(_)
        | Intent::Period(_)
        | Intent::Undo(_)
        | Intent::TakeBackAll(_)
        | Intent::Confirm(..)
        | Intent::ClearWhat
        | Intent::Say(_) => false,
        Intent::Suggest(draft) => draft.title.split(' ').count() <= 8,
        _ => true,
    }
}

/// The clauses on both sides of the first cut that leaves none without a meaning.
fn cut(text: &str, lexicon: &Lexicon, fit: impl Fn(&[Clause]) -> bool) -> Option<Vec<Clause>> {
    let tokens = lex(text);
    if tokens.len() > WORDS {
        return None;
    }
    let inner = nested(&tokens);
    let asks = if text.trim_end().ends_with('?') { "?" } else { "" };
    let joins = |t: &Token| t.any(JOINS) || t.kind == Kind::Sign && !t.sign(":") && !t.sign("(") && !t.sign(")");
    let mut at = 1;
    while at < tokens.len() {
        if inner[at] || !joins(&tokens[at]) {
            at += 1;
            continue;
        }
        let n = tokens[at..].iter().take_while(|t| joins(t)).count();
        let (left, right) = (trim_signs(&tokens[..at]), trim_signs(&tokens[at + n..]));
        at += n;
        if left.len() < 2 || right.len() < 2 {
            continue;
        }
        let left = parse::parse(&text_of(left), lexicon);
        if !left.iter().all(stands) {
            continue;
        }
        let right = parse(&format!("{}{asks}", text_of(right)), lexicon);
        let all: Vec<Clause> = left.into_iter().chain(right).collect();
        if all.iter().all(stands) && fit(&all) {
            return Some(all);
        }
    }
    None
}

/// To-dos that are offered beside each other are offered together.
fn together(lexicon: &Lexicon) -> impl Fn(Vec<Clause>) -> Vec<Clause> {
    move |clauses| {
        let drafts: Option<Vec<Draft>> = clauses
            .iter()
            .map(|clause| match &clause.intent {
                Intent::Suggest(draft) => Some(Draft { beyond: None, ..draft.clone() }),
                _ => None,
            })
            .collect();
        match drafts.filter(|drafts| drafts.len() > 1) {
            Some(drafts) => {
                let text: Vec<&str> = clauses.iter().map(|clause| clause.text.as_str()).collect();
                vec![Clause { text: text.join("; "), intent: suggesting::offered(drafts, lexicon) }]
            }
            None => clauses,
        }
    }
}
