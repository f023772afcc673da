//! Taking changes back, and making them once more.

use crate::todo::plan::{Halt, Run, Step, Wants, say};
use crate::todo::rows::{Change, Todo, changes};
use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::history::{MOST, NO_REDO, without_rows};
use crate::text::quoted;
use crate::todo::answer;
use crate::todo::find::find;
use crate::todo::intent::Intent;

/// Takes back the last changes.
pub fn undo(run: &mut Run, count: i64) -> Step<()> {
    let here = run.known.standing().and_then(|here| i64::try_from(here).ok());
    if let Some(here) = here.filter(|here| count > 1 && count > *here) {
        // "Both are done", "undo the last 2": one change was about that many to-dos.
        if let Some(changes) = run.known.changes_about(count) {
            return undo_last(run, changes);
        }
        // Only one change was made here: the other one may be older than the person thinks.
        let made = match here {
            0 => "No change of this conversation stands".to_owned(),
            1 => "This conversation has made only one change".to_owned(),
            n => format!("This conversation has made only {n} changes"),
        };
        let all = if count == 2 { "both".to_owned() } else { format!("all {count}") };
        let text = format!(
            "{made}, so {count} would take back what was done before it too. Shall I undo {all}? (yes or no)"
        );
        return Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(Intent::TakeBackAll(count))) });
    }
    undo_last(run, count)
}

/// Takes back the last changes, whoever made them.
pub fn undo_last(run: &mut Run, count: i64) -> Step<()> {
    undo_by(run, if count == 1 { json!({}) } else { json!({ "last": count }) })
}

fn undo_by(run: &mut Run, arguments: Value) -> Step<()> {
    let result = run.call("undo", arguments)?;
    let all = changes(&result);
    let text = match (all.as_slice(), without_rows(&result)) {
        ([], Some(said)) => said,
        ([], None) => "There is nothing to undo.".to_owned(),
        (all, _) => format!("Undone:\n\n{}", turned(run, all)),
    };
    run.run.said.push(text);
    Ok(())
}

/// Changes as they look when they are turned around or made once more.
fn turned(run: &Run, all: &[Change]) -> String {
    let lines: Vec<String> = all
        .iter()
        .map(|change| match (&change.before, &change.after) {
            (None, Some(after)) => format!("{} — back again", answer::task(after, run.now)),
            (Some(before), None) => format!("{} — taken away again", answer::task(before, run.now)),
            _ => answer::changed(std::slice::from_ref(change), run.now),
        })
        .collect();
    lines.join("\n")
}

/// Makes undone changes once more, where there is a tool for it.
pub fn redo(run: &mut Run, count: i64) -> Step<()> {
    if !run.offers("redo") {
        say(run, NO_REDO)?;
        return Ok(());
    }
    let arguments = if count == 1 { json!({}) } else { json!({ "last": count.min(MOST) }) };
    let result = run.call("redo", arguments)?;
    let all = changes(&result);
    let text = match (all.as_slice(), without_rows(&result)) {
        ([], Some(said)) => said,
        ([], None) => "There is nothing to redo.".to_owned(),
        (all, _) => format!("Done again:\n\n{}", turned(run, all)),
    };
    run.run.said.push(text);
    Ok(())
}

/// A change as the history tells it.
struct Entry {
    key: String,
    tool: String,
    is_change: bool,
    is_done: bool,
    can_undo: bool,
    todos: Vec<Todo>,
}

/// The last changes, newest first.
fn entries(run: &mut Run, limit: i64) -> Step<Vec<Entry>> {
    let result = run.call("history", json!({ "limit": limit }))?;
    let read = |entry: &Value| {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Entry {
            key: text("key"),
            tool: text("tool"),
            is_change: text("kind") == "change",
            is_done: text("state") == "done",
            can_undo: entry.get("can_undo").and_then(Value::as_bool).unwrap_or_default(),
            todos: changes(entry).into_iter().filter_map(|c| c.before.or(c.after)).collect(),
        }
    };
    let entries = result.get("entries").and_then(Value::as_array);
    Ok(entries.map(|entries| entries.iter().map(read).collect()).unwrap_or_default())
}

fn fits(tool: &str, todos: &[Todo], tools: &[&str], title: Option<&str>) -> bool {
    (tools.is_empty() || tools.contains(&tool))
        && title.is_none_or(|title| find(title, false, todos.iter()).is_some())
}

/// Takes back a change that is told by what it did, wherever it stands in the history. Without a history only
/// the last ones can be taken back, so an older one is asked about with what came after it.
pub fn undo_of(run: &mut Run, tools: &[&str], title: Option<&str>) -> Step<()> {
    let what = title.map_or_else(|| "that".to_owned(), |title| format!("that with {}", quoted(title)));
    if run.offers("history") {
        let found = entries(run, MOST)?
            .into_iter()
            .find(|e| e.is_change && e.is_done && fits(&e.tool, &e.todos, tools, title));
        return match found {
            Some(entry) if entry.can_undo => undo_by(run, json!({ "call": entry.key })),
            Some(entry) => {
                let text = "That was changed again since, so I cannot take it back alone. “undo” takes back the last change:";
                let text = format!("{text}\n\n{}", answer::tasks(&entry.todos, run.now));
                say(run, &text).map(|_| ())
            }
            None => {
                let text =
                    format!("I found no change that did {what} among the last {MOST}. Nothing was undone.");
                say(run, &text).map(|_| ())
            }
        };
    }
    match run.known.writes().iter().rev().position(|(tool, todos)| fits(tool, todos, tools, title)) {
        Some(0) => undo_last(run, 1),
        Some(after) => {
            let count = i64::try_from(after).unwrap_or(MOST) + 1;
            let text = format!(
                "That was not the last change. I can take back the last {count} together. Shall I? (yes or no)"
            );
            Err(confirm(text, count))
        }
        None => {
            let text =
                format!("I have not done {what} in this conversation. “undo” takes back the last change.");
            say(run, &text).map(|_| ())
        }
    }
}

/// Takes back the last changes of this conversation, and none that was made elsewhere meanwhile.
pub fn take_back(run: &mut Run, count: i64) -> Step<()> {
    if run.offers("history") {
        let found = entries(run, count.clamp(1, MOST))?;
        let ids = |todos: &[Todo]| -> BTreeSet<String> { order::gather(todos.iter().map(|t| t.id.clone())) };
        let known = run.known.writes().iter().rev();
        let same = found.iter().zip(known).filter(|(entry, (tool, todos))| {
            // The history shows no more than the first to-dos of a large change.
            entry.is_done && entry.tool == *tool && ids(&entry.todos).is_subset(&ids(todos))
        });
        if i64::try_from(same.count()).unwrap_or(0) < count.min(MOST) {
            return Err(Halt::Fail(
                "Something else was changed meanwhile, so I took nothing back. The history shows every change."
                    .to_owned(),
            ));
        }
    }
    undo_last(run, count.min(MOST))
}

/// Asks whether the last changes are to be taken back.
pub fn regret(count: i64) -> Halt {
    let what = if count == 1 { "that".to_owned() } else { format!("the last {count} changes") };
    confirm(format!("That is done already. Shall I undo {what}? (yes or no)"), count)
}

fn confirm(text: String, count: i64) -> Halt {
    Halt::Ask { text, wants: Box::new(Wants::Confirm(Intent::TakeBack(count.min(MOST)))) }
}
