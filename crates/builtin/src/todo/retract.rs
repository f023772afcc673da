//! The words that take something back: "undo the last 3", "bring the eggs back", "redo".

use crate::history::{self, Ask};
use crate::lex::{Token, after, before, starts, text_of, trim_signs};
use crate::todo::intent::Intent;

/// What they do can come back.
pub const GONE: &[&str] = &["todo_delete", "todo_clear_completed", "user_memory_forget"];

/// Reads a clause that takes changes back or makes them again.
pub fn undo(tokens: &[Token]) -> Option<Intent> {
    if let Some(ask) = history::steps(tokens) {
        return Some(match ask {
            Ask::Undo(count) => Intent::Undo(count),
            Ask::Redo(count) => Intent::Redo(count),
            Ask::TooMany => Intent::say(history::ALL),
            Ask::Nothing => Intent::Hands,
        });
    }
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
    if aim.is_empty() && aim.len() < tokens.len() || history::goes_back(aim) {
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
    of(after(tokens, history::UNDO)?)
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
