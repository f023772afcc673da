//! What is said beside the wishes of a sentence and belongs to one of them: "…, add that", "one more for the list: …", and
//! in which order they are carried out.

use crate::lex::{Kind, Token, after, exactly, lex};
use crate::phrases::plain;
use crate::todo::attrs::Lexicon;
use crate::todo::closing::{courtesy, unthanked};
use crate::todo::cues::tells;
use crate::todo::intent::{Clause, Draft, Intent};
use crate::todo::shown::Item;
use crate::todo::{adding, openings};
use crate::verbs::{ACT, may_open};

/// "One more for the list please: glue for school": what stands before the colon only says that something is to be added.
pub fn headed(tokens: &[Token]) -> Option<Vec<Token>> {
    const WORDS: &str = "one more another for the my our a an new next quick please list lists todo to-do to do task item thing things add this \
        also and here's here is reminder note entry self later ok okay so last extra little small up note-to-self yes oh btw hey hi can you \
        could would put on save write jot down remember";
    const NAMES: &str = "todo to-do task item thing one note reminder entry another do things";
    const PLACES: &str = "for on onto to";
    let colon =
        tokens.iter().position(|t| t.sign(":") || t.of("- – —")).filter(|colon| (1..=8).contains(colon))?;
    let head = &tokens[..colon];
    let known = |t: &Token| t.kind == Kind::Sign || t.of(WORDS);
    let rest = &tokens[colon + 1..];
    let orders = rest.first().is_some_and(|t| t.of(ACT))
        || rest.first().is_some_and(|t| t.of("show list what what's which how tell is when"))
        || openings::is_add(plain(rest));
    // "List next: milk" asks to see something, and "my list: milk" may: a list has to be one that something is put on.
    let shows = plain(head).first().is_some_and(|t| t.is("list")) && !head.iter().any(|t| t.of("item entry"));
    let listed = || head.iter().any(|t| t.of(PLACES)) && head.iter().any(|t| t.is("list"));
    let heads = head.iter().all(known)
        && head.iter().filter(|t| t.kind == Kind::Word).count() > 1
        && (head.iter().any(|t| t.of(NAMES)) || listed())
        && !shows
        && !openings::is_add(plain(head))
        && !rest.is_empty()
        && !orders;
    heads.then(|| std::iter::once(Token::word("add")).chain(rest.iter().cloned()).collect())
}

/// "…, add that": what was said just before is to be a to-do.
fn adds_that(tokens: &[Token]) -> bool {
    const ADDS: &[&str] = &[
        "add|note|save|log|include|put|write|jot that|this|it|them|these|those|both",
        "put|write|jot|note|pop|stick that|this|it|them|these|those|both on|down|in|onto|to",
        "add that|this|it|them to",
        "add to|on",
    ];
    const REST: &[&str] = &[
        "please", "the", "my", "list", "lists", "todo", "to-do", "todos", "tasks", "in", "down", "for", "me",
        "to", "too", "on", "there", "calendar", "agenda",
    ];
    let tokens = unthanked(plain(tokens));
    after(tokens, ADDS).is_some_and(|rest| rest.iter().all(|t| t.any(REST)))
}

/// "Lunch with Kim on friday add that": the wish stands at the end, without a sign before it.
pub fn added_at_end(tokens: &[Token]) -> Option<Vec<Token>> {
    const VERBS: &[&str] = &["add", "note", "save", "log", "put", "pop", "stick", "jot", "write"];
    let words = plain(tokens);
    let from = (2..words.len()).find(|at| words[*at].any(VERBS) && adds_that(&words[*at..]))?;
    let front = unthanked(&words[..from]);
    let idle = front.iter().rev().take_while(|t| t.of("can could would you please and so just")).count();
    let front = &front[..front.len() - idle];
    let first = front.first()?;
    // What is forbidden, or asked, is no wish.
    const OPENS: &[&str] =
        &["what", "what's", "which", "when", "where", "who", "how", "why", "did", "do", "does"];
    let denies = |t: &Token| t.of("not never stop cannot") || t.lower.ends_with("n't");
    if first.any(OPENS) || words.iter().any(denies) {
        return None;
    }
    let orders = openings::is_add(front) || first.of(ACT) && !first.is("make");
    (front.len() > 1 && !orders)
        .then(|| std::iter::once(Token::word("add")).chain(front.iter().cloned()).collect())
}

/// Whether words after a new to-do are another one: a verb, and not one for what is there.
pub fn goes_on(part: &[Token]) -> bool {
    let first = plain(part).first().filter(|t| may_open(&t.lower));
    first.is_some_and(|t| !t.of(ACT))
}

/// Whether a clause that was not read begins as a wish does: it is not left out in silence then.
pub fn wishes(clause: &Clause) -> bool {
    let tokens = lex(&clause.text);
    let first = plain(&tokens).first();
    first.is_some_and(|t| may_open(&t.lower) || t.of(ACT))
}

/// Makes what was only offered a wish; whether there was something.
pub fn adds(part: &[Token], next: &Intent, clauses: &mut [Clause]) -> bool {
    // A courtesy behind a sign asks for nothing.
    if !clauses.is_empty()
        && matches!(next, Intent::Unknown | Intent::Suggest(_) | Intent::Add(_))
        && courtesy(part)
    {
        return true;
    }
    let Some(last) = clauses.last_mut().filter(|_| adds_that(part)) else { return false };
    match &last.intent {
        Intent::Suggest(draft) => {
            last.intent = Intent::Add(vec![draft.clone()]);
            true
        }
        Intent::Confirm(_, add) if matches!(**add, Intent::Add(_)) => {
            last.intent = (**add).clone();
            true
        }
        _ => false,
    }
}

/// Whether clauses say what they are about on their own, and make or ask something that no other clause can change.
pub fn independent(clauses: &[Clause]) -> bool {
    let alone = |clause: &Clause| {
        let made = matches!(
            clause.intent,
            Intent::Add(_) | Intent::List { .. } | Intent::Count(..) | Intent::Check(..)
        );
        made && !lex(&clause.text).iter().any(|t| t.any(POINTS))
    };
    !clauses.is_empty() && clauses.iter().all(alone)
}

/// Whether a clause takes back what was said before it.
pub fn takes_back(clause: &Clause) -> bool {
    const BACK: &[&str] =
        &["don't", "do not", "no don't", "don't do it|that", "wait don't", "no wait don't", "never", "not"];
    clause.intent == Intent::No || clause.intent == Intent::Hands && exactly(&lex(&clause.text), BACK)
}

/// Whether a clause only asks for what is there.
pub fn harmless(clause: &Clause) -> bool {
    matches!(
        clause.intent,
        Intent::List { .. }
            | Intent::Show(_)
            | Intent::Recall(_)
            | Intent::Plan(_)
            | Intent::Count(..)
            | Intent::Check(..)
            | Intent::Help
    )
}

/// Words that speak of something said before.
const POINTS: &[&str] = &["it", "that", "this", "them", "those", "one", "it's"];

/// An offer ends the turn, so it comes last, unless what follows speaks of it.
pub fn offers_last(clauses: &mut [Clause]) {
    let offers = |clause: &Clause| matches!(clause.intent, Intent::Suggest(_));
    let points = |clause: &Clause| lex(&clause.text).iter().any(|t| t.any(POINTS));
    let unread = clauses.iter().any(|clause| clause.intent == Intent::Unknown && !tells(&clause.text));
    // So does what is only deleted after a question of its own.
    let deletes = |clause: &Clause| matches!(clause.intent, Intent::Delete(_));
    let news = |clause: &Clause| matches!(clause.intent, Intent::Add(_));
    if clauses.len() == 2 && deletes(&clauses[0]) && news(&clauses[1]) && !points(&clauses[1]) {
        clauses.reverse();
    }
    if clauses.len() > 1 && !unread && clauses.iter().any(offers) && !clauses.iter().skip(1).any(points) {
        order::sort_by_key(clauses, offers);
    }
}

/// Lines without a command read like to-dos: "bread", "butter", "jam".
pub fn lines(text: &str, clauses: &[Clause], lexicon: &Lexicon) -> Option<Vec<Draft>> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let plain = clauses.iter().all(|c| matches!(c.intent, Intent::Unknown | Intent::Suggest(_)));
    let short = |line: &&str| line.split_whitespace().count() <= 8 && line.chars().any(char::is_alphabetic);
    if !plain || !(2..=20).contains(&lines.len()) || !lines.iter().all(short) {
        return None;
    }
    lines
        .iter()
        .map(|line| adding::draft(&lex(Item::read(line).map_or(*line, |item| item.text)), lexicon))
        .collect()
}
