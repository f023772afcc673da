//! What was done before or after something that is named: "what came right before the glue?", "what did I change before
//! I added the parcel?".

use crate::lex::{Kind, Token, after, lex, starts, text_of, trim_signs};
use crate::text::quoted;
use crate::todo::answer::task;
use crate::todo::deeds::Deed;
use crate::todo::intent::Intent;
use crate::todo::linking::{link, telling};
use crate::todo::plan::{Run, Step, say};
use crate::todo::readings::{Beside, Plan, Recall};
use crate::todo::recalling::{deed_in, said_of};
use crate::todo::rows::Todo;

/// Reads such a question.
pub fn asked(tokens: &[Token]) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    if !tokens.first()?.of("what what's which the whatever") || tokens.len() > 18 {
        return None;
    }
    const SIDES: &[(&str, bool)] = &[
        ("before", false),
        ("prior to", false),
        ("ahead of", false),
        ("previous to", false),
        ("preceding", false),
        ("preceded", false),
        ("after", true),
        ("following", true),
        ("followed", true),
        ("next to", true),
    ];
    let (at, n, later) = (1..tokens.len()).find_map(|at| {
        let found = SIDES.iter().find_map(|(side, later)| Some((starts(&tokens[at..], side)?, *later)));
        found.map(|(n, later)| (at, n, later))
    })?;
    let (left, right) = (&tokens[..at], trim_signs(&tokens[at + n..]));
    // "What do I have to do before the dentist?" is about the list.
    let past = left.iter().any(|t| {
        t.of("did was were came went had happened") || deed_in(t).is_some() && t.lower.ends_with("ed")
    });
    let now = left.iter().all(|t| {
        t.of(
            "what what's which comes come is due next right the one thing task todo to-do directly do i have \
         on",
        )
    });
    if !past && now && right.iter().any(telling) && right.len() <= 5 {
        let words = after(right, &["the|my|that"]).unwrap_or(right);
        return Some(Intent::Plan(Plan::Beside(text_of(words), later)));
    }
    let past = past || tokens[at].of("preceded followed");
    if !past || !left.iter().all(said_of) {
        return None;
    }
    let anchor = right.iter().take(4).find_map(deed_in);
    const DID: &[&str] =
        &["i|we|you", "i|we had|did", "i|we asked|told you to", "adding|deleting|moving|completing"];
    let rest = match (anchor, after(right, DID)) {
        (Some(_), Some(rest)) => {
            let verb = rest.first().is_some_and(|t| deed_in(t).is_some());
            let rest = if verb { &rest[1..] } else { rest };
            after(rest, &["off", "out", "down"]).unwrap_or(rest)
        }
        _ => right,
    };
    let rest = after(rest, &["the one|thing|todo|task about|with|for", "the|my|a|an|that"]).unwrap_or(rest);
    let named = (1..=8).contains(&rest.len()) && rest.iter().any(telling);
    let sign = rest.iter().any(|t| t.kind == Kind::Sign && !t.sign(","));
    if !named || sign {
        return None;
    }
    let anchor = anchor.filter(|_| rest.len() < right.len());
    let deed = left.iter().find_map(deed_in);
    Some(Intent::Recall(Recall::Beside(Beside { deed, anchor, words: text_of(rest), later })))
}

/// Answers it.
pub fn tell(run: &mut Run, beside: &Beside) -> Step<usize> {
    let deeds: Vec<(Deed, String)> = run.known.deeds().all().to_vec();
    let todos: Vec<Todo> = deeds.iter().filter_map(|(_, id)| run.known.todo(id).cloned()).collect();
    let met = link(&lex(&beside.words), &todos, false);
    let named = |id: &String| met.iter().any(|link| link.todo.id == *id);
    let fits = |(deed, id): &(Deed, String)| named(id) && beside.anchor.is_none_or(|anchor| anchor == *deed);
    let at = if beside.later { deeds.iter().rposition(fits) } else { deeds.iter().position(fits) };
    let at = at.or_else(|| deeds.iter().position(|(_, id)| named(id)));
    let Some(at) = at else {
        let about = quoted(&beside.words);
        let text = if deeds.is_empty() {
            "I have not changed anything in this conversation.".to_owned()
        } else {
            format!(
                "I did nothing with {about} in this conversation. Ask “what did I add?” for what was added."
            )
        };
        return say(run, &text);
    };
    let other =
        |(deed, id): &&(Deed, String)| *id != deeds[at].1 && beside.deed.is_none_or(|wanted| wanted == *deed);
    let found = match beside.later {
        true => deeds[at + 1..].iter().find(other),
        false => deeds[..at].iter().rev().find(other),
    };
    let title = run.known.todo(&deeds[at].1).map(|todo| quoted(&todo.title)).unwrap_or_default();
    let side = if beside.later { "After" } else { "Before" };
    let told = beside.deed.map_or("did", Deed::told);
    let Some((deed, id)) = found else {
        return say(run, &format!("{side} {title} I {told} nothing else in this conversation."));
    };
    let Some(todo) = run.known.todo(id).cloned() else {
        return say(run, "I no longer know which one that was.");
    };
    let since = if run.known.is_gone(id) && *deed != Deed::Delete { " — deleted since" } else { "" };
    let text = format!("{side} {title} I {}:\n\n{}{since}", deed.told(), task(&todo, run.now));
    say(run, &text)
}
