//! Days in the second half of a sentence: told by the first half ("the day after", "that evening"), or said before the
//! wish ("and on Sunday I would like to call my sister").

use dates::calendar::{ToSpan, later_day};
use dates::when::when;
use jiff::civil::Date;

use crate::lex::{Kind, Token, longest, starts};
use crate::todo::attrs::{Lexicon, names_list};
use crate::todo::joined::start;
use crate::todo::openings::wished;
use crate::verbs::may_open;

/// The same with the day at the end, where a new to-do has it.
pub fn day_last(tokens: Vec<Token>) -> Vec<Token> {
    let from = start(&tokens);
    let Some((n, wish)) = wished(&tokens[from..]) else { return tokens };
    let (day, rest) = tokens[from..].split_at(n);
    let ends = rest.iter().rposition(|t| t.kind != Kind::Sign).map_or(rest.len(), |at| at + 1);
    let mut out = vec![Token::word("I"), Token::word("need"), Token::word("to")];
    out[0].lower = "i".into();
    out.extend_from_slice(&rest[wish..ends]);
    out.extend(day.iter().cloned().map(|mut token| {
        token.spaced = true;
        token
    }));
    out.extend_from_slice(&rest[ends..]);
    out
}

/// A day told by the one said before it: "the day after", "that evening".
const BESIDE: &[(&str, i64)] = &[
    ("the day after", 1),
    ("the day after that", 1),
    ("the next|following day", 1),
    ("a day later", 1),
    ("one day later", 1),
    ("the day before", -1),
    ("the day before that", -1),
    ("that day", 0),
    ("that same day", 0),
    ("the same day", 0),
    ("same day", 0),
    ("on that day", 0),
    ("on the same day", 0),
    ("on the day after", 1),
    ("on the next|following day", 1),
    ("the week after", 7),
    ("the following week", 7),
    ("a week later", 7),
];
/// The same with a part of the day.
const PARTS: &[(&str, i64)] = &[
    ("that morning|afternoon|evening|night", 0),
    ("the same morning|afternoon|evening|night", 0),
    ("the next|following morning|afternoon|evening|night", 1),
];

/// The tokens with such days as dates; nothing where there are none.
pub fn dated(tokens: &[Token], lexicon: &Lexicon) -> Option<Vec<Token>> {
    let today = lexicon.now;
    let mut last: Option<Date> = None;
    let mut list: Option<Token> = None;
    let mut out: Vec<Token> = Vec::new();
    let (mut at, mut changed) = (0, false);
    while at < tokens.len() {
        let rest = &tokens[at..];
        let told = |table: &[(&str, i64)]| {
            table
                .iter()
                .filter_map(|(phrase, days)| Some((starts(rest, phrase)?, *days)))
                .max_by_key(|found| found.0)
        };
        let part = told(PARTS);
        let ends = |n: usize| {
            rest.get(n)
                .is_none_or(|t| t.kind == Kind::Sign || t.of("at and i too then plus also please around"))
        };
        // "…, and that evening buy wine"
        let begins = out.last().is_some_and(|t| t.kind == Kind::Sign || t.of("and then but on"));
        let wishes =
            |n: usize| begins && rest.len() > n + 1 && rest[n].kind == Kind::Word && may_open(&rest[n].lower);
        // "A reminder the day before" is none of another thing.
        let rings = out.iter().rev().take(2).any(|t| t.of("reminder remind me alert alarm notification"));
        if let Some(day) = last.filter(|_| !rings)
            && rest[0].of("the that a one same on")
            && let Some((n, days)) = part.or_else(|| told(BESIDE)).filter(|(n, _)| ends(*n) || wishes(*n))
            && let Some(day) = later_day(day, days.days())
        {
            let then = out.last().is_some_and(|t| t.is("then"));
            out.push(Token::word("on"));
            out.push(Token::word(&day.to_string()));
            if part.is_some() {
                out.push(rest[n - 1].clone());
            }
            // "…, then that evening buy wine": a wish of its own.
            if then && wishes(n) {
                out.push(Token::word("to"));
            }
            changed = true;
            at += n;
            continue;
        }
        // "Show me groceries and add cheese to it": to that list.
        const THERE: &[&str] = &["to|on|onto|in|into it|that|there", "to|on|onto|in|into that list|one"];
        let puts = || out.iter().rev().take(8).any(|t| t.of("add put stick pop chuck include"));
        if let Some(list) = &list
            && let Some(n) = longest(rest, THERE).filter(|n| ends(*n))
            && puts()
        {
            out.push(rest[0].clone());
            out.push(list.clone());
            changed = true;
            at += n;
            continue;
        }
        if names_list(&tokens[at], lexicon) && list.is_none() {
            list = Some(tokens[at].clone());
        }
        if let Some((n, found)) = when(rest, today)
            && let Some(date) = found.date
        {
            last = Some(date);
            out.extend_from_slice(&rest[..n]);
            at += n;
            continue;
        }
        out.push(tokens[at].clone());
        at += 1;
    }
    changed.then_some(out)
}
