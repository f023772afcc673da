//! The words that take something back: "undo the last 3", "bring the eggs back", "redo".

use crate::intent::Intent;
use crate::lex::{Kind, Token, after, before, exactly, starts, text_of, trim_signs};
use crate::when::number;

const ALL: &str =
    "Tell me how many changes to take back, for example “undo the last 3”; I can do 20 at once.";

/// What they do can come back.
pub const GONE: &[&str] = &["todo_delete", "todo_clear_completed", "user_memory_forget"];

/// Reads a clause that takes changes back or makes them again.
pub fn undo(tokens: &[Token]) -> Option<Intent> {
    if starts(tokens, "undo the undo").is_some() || starts(tokens, "undo that undo").is_some() {
        return Some(Intent::Redo(1));
    }
    if let Some(rest) = after(tokens, &["redo", "do it again", "re-do"]) {
        return counted(rest).map(Intent::Redo);
    }
    const BACK: &[&str] = &[
        "take that back", "take it back", "go back", "put it back", "put them back", "put that back",
        "ctrl-z", "ctrl+z", "cmd+z", "cmd-z",
    ];
    // "put it back to where it was"
    const AS_IT_WAS: &[&str] = &[
        "to where|how|what it|that|they was|were",
        "where|how|as it|that|they was|were",
        "to where|how|what it|that|they was|were before",
        "where|how|as it|that|they was|were before",
    ];
    let aim = before(tokens, AS_IT_WAS).unwrap_or(tokens);
    let aim = after(aim, &["actually", "move|set|change it|that|them back"])
        .map_or(aim, |rest| if rest.is_empty() { &[] } else { aim });
    if aim.is_empty() && aim.len() < tokens.len() || exactly(aim, BACK) {
        return Some(Intent::Undo(1));
    }
    // What was never gone does not come back: an addition is not taken away by it.
    const RETURNED: &[&str] =
        &["bring|get it|them|that|those back", "bring back it|them|that|those", "restore it|them|that|those"];
    if RETURNED.iter().any(|p| starts(aim, p) == Some(aim.len())) {
        return Some(Intent::UndoOf { tools: GONE, title: None });
    }
    let deleted = |title: &[Token]| {
        let title = text_of(trim_signs(title));
        let tools: &[&str] = &["todo_delete", "todo_clear_completed"];
        (!title.is_empty()).then_some(Intent::UndoOf { tools, title: Some(title) })
    };
    if let Some(rest) = after(tokens, &["restore", "undelete", "recover"]) {
        return deleted(rest);
    }
    if let Some(rest) = after(
        tokens,
        &["bring|get|put|give me|us", "bring|get|put", "bring back", "i want|need", "can i have"],
    ) {
        let front = starts(tokens, "bring back").is_some();
        if let Some(title) = before(rest, &["back"]).or(front.then_some(rest)) {
            return deleted(title);
        }
    }
    let rest = after(tokens, &["undo", "revert", "roll back", "rollback"])?;
    if rest.iter().any(|t| t.any(&["everything", "all"])) {
        return Some(Intent::Say(ALL));
    }
    match counted(rest) {
        Some(count) if (1..=20).contains(&count) => Some(Intent::Undo(count)),
        Some(0) => Some(Intent::Hands),
        Some(_) => Some(Intent::Say(ALL)),
        None => of(rest),
    }
}

/// "the last 3", "twice", "it please": how many.
fn counted(tokens: &[Token]) -> Option<i64> {
    let mut count = 1;
    for token in tokens {
        if token.any(&[
            "the", "my", "last", "that", "it", "this", "change", "changes", "action", "actions", "step",
            "steps", "previous", "times", "time", "thing", "things", "please", "of", "those", "again",
            "them", "ones", "one", "most", "recent",
        ]) || token.kind == Kind::Sign
        {
            continue;
        }
        count = match token.lower.as_str() {
            "twice" | "both" => 2,
            "a" | "an" => 1,
            lower => number(lower)?,
        };
    }
    Some(count)
}

/// "the delete", "completing gym", "gym": by what a change did or to what.
fn of(tokens: &[Token]) -> Option<Intent> {
    const DEEDS: &[(&str, &[&str])] = &[
        ("delete|deletion|deleting|removal|removing", &["todo_delete", "todo_clear_completed"]),
        ("complete|completion|completing|finishing|finish", &["todo_complete"]),
        ("rename|renaming|move|moving|edit|update|reschedule|rescheduling|postponing", &["todo_update"]),
        ("add|adding|addition|creation|creating", &["todo_create"]),
        ("reopening|reopen", &["todo_reopen"]),
    ];
    let rest = after(tokens, &["the", "my", "that", "the last", "my last"]).unwrap_or(tokens);
    let deed = DEEDS.iter().find_map(|(words, tools)| Some((starts(rest, words)?, *tools)));
    let (n, tools) = deed.unwrap_or((0, &[]));
    let title = after(&rest[n..], &["of"]).unwrap_or(&rest[n..]);
    let title = text_of(trim_signs(title));
    if title.split(' ').count() > 6 {
        return None;
    }
    Some(Intent::UndoOf { tools, title: (!title.is_empty()).then_some(title) })
}
