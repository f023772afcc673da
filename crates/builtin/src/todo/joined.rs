//! Two wishes in one sentence: where the second one unmistakably begins ("… and bump the dentist to urgent", "… and what
//! else is on that day", "… and on Sunday I would like to call my sister"), and the days the second tells by the first
//! ("the day after", "that evening").

use dates::names::number;
use dates::when::when;

use crate::lex::{Kind, Token, after, text_of, trim_signs};
use crate::phrases::plain;
use crate::todo::afterthought;
use crate::todo::closing::unthanked;
use crate::todo::cues::tells;
use crate::todo::intent::Intent;
use crate::todo::openings::{self, STATES, led, sentence};
use crate::todo::tails::cleared;
use crate::todo::urgency::level;
use crate::verbs::{ACT, SHIFTS, is_participle, may_open};

/// Whether a wish is only thought about: it is asked for before it changes anything.
pub fn unsure(tokens: &[Token]) -> bool {
    const MAYBE: &str = "maybe perhaps possibly";
    let mut words = tokens.iter().filter(|t| t.kind == Kind::Word);
    words.clone().take(2).any(|t| t.of(MAYBE)) || words.next_back().is_some_and(|t| t.of(MAYBE))
}

/// What such a wish asks; others are done.
pub fn asked_first(unsure: bool, text: &str, intent: Intent) -> Intent {
    let asks = unsure
        && crate::todo::intent::changes_todos(&intent)
        && !matches!(intent, Intent::Add(_) | Intent::Confirm(..));
    if !asks {
        return intent;
    }
    let ask = format!("You said maybe. Shall I do this: {}? (yes or no)", crate::text::quoted(text));
    Intent::Confirm(ask, Box::new(intent))
}

/// Whether words between two clauses only go on politely: "and can you also", "please", "after that".
pub fn idle(tokens: &[Token]) -> bool {
    const IDLE: &[&str] = &[
        "please", "kindly", "thanks", "can", "could", "would", "will", "you", "also", "then", "after",
        "that", "and", "if", "possible", "while", "at", "it", "too", "next", "afterwards", "just", "maybe",
        "finally", "lastly", "secondly", "plus", "btw", "so", "cheers", "thank", "well", "as", "is", "there",
        "any", "chance", "i", "want", "need", "to", "like", "you're", "let", "oh", "ah",
    ];
    tokens.len() < 7
        && tokens.iter().all(|t| t.kind == Kind::Sign || t.any(IDLE))
        && !tokens.iter().all(|t| t.of("it that"))
}

/// "What else is on friday": of what else there is only the question is read.
pub fn plainer(tokens: Vec<Token>) -> Vec<Token> {
    let tokens = cleared(tokens);
    let rest = led(plain(&tokens));
    let mut tokens = if rest.len() < plain(&tokens).len() { rest.to_vec() } else { tokens };
    if let Some(said) = afterthought::headed(&tokens).or_else(|| afterthought::added_at_end(&tokens)) {
        return said;
    }
    let from = start(&tokens);
    // "Move the passport to monday since friday is full": why says nothing.
    if tokens.get(from).is_some_and(|t| t.any(SHIFTS))
        && let Some(why) = (from + 4..tokens.len()).find(|at| tokens[*at].of("because since"))
    {
        tokens.truncate(why);
    }
    // "Lower the tax return to medium" sets it.
    const TURNS: &[&str] = &[
        "lower", "raise", "bump", "reduce", "drop", "downgrade", "upgrade", "up", "increase", "decrease",
        "turn", "knock", "bring", "push",
    ];
    if let Some(to) = (from + 2..tokens.len()).find(|at| tokens[*at].of("to") && levelled(&tokens[*at + 1..]))
        && tokens[from].any(TURNS)
        && to > from + 1
    {
        let at = from + 1 + usize::from(tokens[from + 1].of("up down"));
        return [&tokens[..from], &[Token::word("set")], &tokens[at..]].concat();
    }
    let at = (from..tokens.len().saturating_sub(1).min(from + 4))
        .find(|at| tokens[*at].of("what anything what's which") && tokens[*at + 1].is("else"));
    if let Some(at) = at
        && !tokens.get(at + 2).is_some_and(|t| t.of("can could"))
    {
        tokens.remove(at + 1);
    }
    tokens
}

/// Where the words begin behind the pleasantries.
pub fn start(tokens: &[Token]) -> usize {
    let first = plain(tokens).first();
    tokens.iter().position(|t| first.is_some_and(|first| std::ptr::eq(first, t))).unwrap_or(0)
}

/// Whether a report stands before the "and", and another one, or another wish, after it: "breads done and electricity can
/// wait til friday".
pub fn reported(left: &[Token], right: &[Token]) -> bool {
    const BEFORE: &[&str] = &[
        "to", "be", "not", "get", "have", "a", "an", "as", "the", "and", "if", "when", "once", "isn't",
        "aren't",
    ];
    let ended = |words: &[Token]| {
        let words = unthanked(words);
        let [front @ .., last] = words else { return false };
        let deed = last.kind == Kind::Word && (last.of("done sorted finished") || is_participle(&last.lower));
        deed && (1..=6).contains(&front.len()) && !front.iter().any(|t| t.any(BEFORE) || t.kind == Kind::Sign)
    };
    let left = plain(left);
    if openings::is_add(left) || left.first().is_some_and(|t| t.of(ACT)) {
        return told_after(left, right);
    }
    if !ended(left) || openings::is_add(left) || left[0].any(STATES) {
        return false;
    }
    let right = sentence(plain(right));
    let joins = right.iter().position(|t| t.sign(",") || t.of("and but")).unwrap_or(right.len());
    right.len() > 1 && (ended(&right[..joins]) || tells(&text_of(&right[..joins])))
}

/// Whether what follows a ";" in a new to-do is a detail of it, not another one: "pack the bag; towel, goggles, hat" goes
/// on, "milk; eggs; bread" and "call mum; pay rent" do not.
pub fn detail(current: &[Token], next: &[Token]) -> bool {
    const BUYS: &[&str] = &["buy", "get", "order", "grab", "call", "email", "text", "pay"];
    let piece = next.split(|t| t.sign(";")).next().unwrap_or_default();
    let Some(title) = openings::opened(current).map(trim_signs) else { return false };
    let (Some(first), Some(head)) = (title.first(), piece.first()) else { return false };
    let deed = head.kind == Kind::Word && may_open(&head.lower) && piece.len() > 1;
    let dated = (0..piece.len())
        .any(|at| when(&piece[at..], dates::calendar::SOME_DAY).is_some_and(|(_, day)| day.date.is_some()));
    const HEADS: &[&str] = &[
        "to", "in", "on", "under", "todos", "tasks", "items", "these", "this", "the", "following", "my",
        "all", "things",
    ];
    let heads = first.any(HEADS) || number(&first.lower).is_some();
    if deed || dated || heads && title.iter().any(|t| t.sign(":")) {
        return false;
    }
    // "Call with Dr Weiss" is a thing.
    let noun = title.get(1).is_some_and(|t| t.of("with for about at on from w"));
    let verb = first.kind == Kind::Word && may_open(&first.lower) && title.len() > 1 && !noun
        || title.iter().any(|t| t.sign(":"));
    if verb {
        !(first.any(BUYS) && piece.len() < 4 && !piece.iter().any(|t| t.sign(",")))
    } else {
        title.len() > 3
    }
}

/// Whether something is wished only if an answer is yes: it is offered then.
pub fn conditional(tokens: &[Token]) -> bool {
    after(plain(tokens), &["if so|yes|not|no", "if that's|it's so|true|not"])
        .is_some_and(|rest| !rest.is_empty())
}

/// Whether the words say how important something is, and nothing else: "high", "low priority".
pub fn levelled(words: &[Token]) -> bool {
    match unthanked(words) {
        [only] => only.kind == Kind::Word && level(&only.lower).is_some(),
        [word, noun] => level(&word.lower).is_some() && noun.of("priority prio"),
        _ => false,
    }
}

/// "the bread is done" after a new to-do or a command: neither checks whether it is.
fn told_after(current: &[Token], next: &[Token]) -> bool {
    const CHECKS: &[&str] = &[
        "check", "that", "whether", "if", "ensure", "sure", "verify", "confirm", "see", "make", "until",
        "when", "so", "once", "ask", "tell", "say", "write", "note", "both", "mark",
    ];
    const BE: &[&str] = &["is|are|was|were", "has|have been", "is|are already|now|finally|all"];
    let deed = |t: &Token| t.kind == Kind::Word && (is_participle(&t.lower) || t.of("done sorted finished"));
    let words = unthanked(sentence(led(plain(next))));
    let article = words.first().is_some_and(|t| t.of("the my our"));
    article
        && words.len() <= 8
        && !current.iter().any(|t| t.any(CHECKS))
        && (1..words.len())
            .any(|at| after(&words[at..], BE).is_some_and(|rest| matches!(rest, [only] if deed(only))))
}
