//! Taking changes back, making them once more, and telling what was changed: steps of the whole, whatever the things are.

use dates::names::number;
use serde_json::{Value, json};

use crate::lex::{Kind, Token, after, exactly, starts};
use crate::run::{Caller, Step};
use crate::text::{escape, quoted};

/// For more than the tool takes back at once.
pub const ALL: &str =
    "Tell me how many changes to take back, for example “undo the last 3”; I can do 20 at once.";

/// The most changes the tool takes back in a call.
pub const MOST: i64 = 20;

/// How many entries are told.
const CHANGES: usize = 20;

/// What is asked of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Take back the last changes, so many.
    Undo(i64),
    /// Do again what was undone, so many times.
    Redo(i64),
    /// More than can be taken back at once.
    TooMany,
    /// Take nothing back.
    Nothing,
}

/// Reads a clause that takes the last changes back, or makes them again.
pub fn steps(tokens: &[Token]) -> Option<Ask> {
    if starts(tokens, "undo the undo").is_some() || starts(tokens, "undo that undo").is_some() {
        return Some(Ask::Redo(1));
    }
    if let Some(rest) = after(tokens, &["redo", "do it again", "re-do"]) {
        return counted(rest).map(Ask::Redo);
    }
    if goes_back(tokens) {
        return Some(Ask::Undo(1));
    }
    let rest = after(tokens, UNDO)?;
    if rest.iter().any(|t| t.of("everything all")) {
        return Some(Ask::TooMany);
    }
    match counted(rest)? {
        0 => Some(Ask::Nothing),
        count if (1..=MOST).contains(&count) => Some(Ask::Undo(count)),
        _ => Some(Ask::TooMany),
    }
}

/// Whether words say that what was done is to be as it was: "put it back".
pub fn goes_back(tokens: &[Token]) -> bool {
    const BACK: &[&str] = &[
        "take that back", "take it back", "go back", "put it back", "put them back", "put that back",
        "ctrl-z", "ctrl+z", "cmd+z", "cmd-z",
    ];
    exactly(tokens, BACK)
}

/// What opens a command that takes something back.
pub const UNDO: &[&str] = &["undo", "revert", "roll back", "rollback"];

/// "the last 3", "twice", "it please": how many.
fn counted(tokens: &[Token]) -> Option<i64> {
    let mut count = 1;
    for token in tokens {
        if token.of(
            "the my last that it this change changes action actions step steps previous times time thing \
         things please of those again them ones one most recent",
        ) || token.kind == Kind::Sign
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

/// What asks for the last changes.
pub const ASKED: &[&str] = &[
    "history", "show history", "show me the|my history", "show the|my history|changes", "what's new",
    "what is new", "what changed", "what has changed", "what did i|we change", "what have i|we changed",
];

/// Takes the last changes back, or makes them once more, and tells what they were.
pub fn act(run: &mut dyn Caller, ask: Ask) -> Step<()> {
    let (tool, count, none, head) = match ask {
        Ask::Undo(count) => ("undo", count, "There is nothing to undo.", "Undone:"),
        Ask::Redo(_) if !run.offers("redo") => {
            run.say(NO_REDO.to_owned());
            return Ok(());
        }
        Ask::Redo(count) => ("redo", count.min(MOST), "There is nothing to redo.", "Done again:"),
        Ask::TooMany => {
            run.say(ALL.to_owned());
            return Ok(());
        }
        Ask::Nothing => {
            run.say("All right, I did nothing.".to_owned());
            return Ok(());
        }
    };
    let result = run.call(tool, if count == 1 { json!({}) } else { json!({ "last": count }) })?;
    let lines: Vec<String> = changes(&result).iter().filter_map(turned).collect();
    let text = if lines.is_empty() {
        without_rows(&result).unwrap_or_else(|| none.to_owned())
    } else {
        format!("{head}\n\n{}", lines.join("\n"))
    };
    run.say(text);
    Ok(())
}

/// Where there is no tool to redo.
pub const NO_REDO: &str = "I can undo, but I have no way to redo. Say what you want once more.";

/// The rows that a result says were changed.
pub fn changes(result: &Value) -> &[Value] {
    result.get("changes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A change as it looks when it is turned around or made once more.
fn turned(change: &Value) -> Option<String> {
    let side = |key: &str| change.get(key).is_some_and(|row| !row.is_null());
    let label = quoted(change.get("label")?.as_str()?);
    match (side("before"), side("after")) {
        (false, true) => Some(format!("- {label} — back again")),
        (true, false) => Some(format!("- {label} — taken away again")),
        (true, true) => Some(format!("- {label} — as it was")),
        (false, false) => None,
    }
}

/// What an undo or a redo that shows no rows says of itself; none where nothing was taken back.
pub fn without_rows(result: &Value) -> Option<String> {
    result.get("undone").and_then(Value::as_array).filter(|undone| !undone.is_empty())?;
    result.get("summary").and_then(Value::as_str).map(escape)
}

/// Tells the last changes, where there is a tool for it; `without` is said where there is none, and `head` before the list.
pub fn tell(run: &mut dyn Caller, without: &str, head: &str) -> Step<()> {
    if !run.offers("history") {
        run.say(without.to_owned());
        return Ok(());
    }
    let result = run.call("history", json!({ "limit": CHANGES }))?;
    let entries = result.get("entries").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text =
        |entry: &Value, key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let lines: Vec<String> = entries
        .iter()
        .filter(|entry| text(entry, "kind") == "change")
        .map(|entry| {
            let undone = if text(entry, "state") == "undone" { " (undone)" } else { "" };
            format!("- {}{undone}", escape(&text(entry, "summary")))
        })
        .collect();
    run.say(if lines.is_empty() {
        "Nothing has been changed yet.".to_owned()
    } else {
        format!("{head}These are the last changes, newest first:\n\n{}", lines.join("\n"))
    });
    Ok(())
}
