//! What a turn changed: how much of it is one wish, to be taken back whole.

use crate::todo::rows::changes;
use protocol::tool_name_now;
use serde_json::Value;

use crate::conversation::{Done, Turn};

/// Whether it only looked.
fn looks(done: &Done) -> bool {
    matches!(tool_name_now(&done.call.name), "todo_list" | "todo_get" | "history" | "user_memory_search")
}

/// Whether it changed to-dos.
fn changed(done: &Done) -> bool {
    let result = done.result.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    result.is_some_and(|result| !changes(&result).is_empty())
}

/// How many changes a turn made since it last took some back.
pub fn wrote(turn: &Turn) -> i64 {
    let mut count = 0;
    for done in turn.calls.iter().filter(|done| !done.is_error) {
        if changed(done) {
            let undo = matches!(tool_name_now(&done.call.name), "undo" | "redo");
            count = if undo { 0 } else { count + 1 };
        }
    }
    count
}

/// How many of the changes of a turn are one wish, the last: a to-do with its subtasks, or the same done to several.
pub fn wish(turn: &Turn) -> i64 {
    if added_with_parts(turn) {
        return 2;
    }
    let last = turn.calls.iter().rev().find(|done| !done.is_error && !looks(done));
    let Some(last) = last.filter(|last| last.call.name == "todo_update") else { return 1 };
    let same = |done: &&Done| done.is_error || looks(done) || done.call.name == last.call.name;
    let alike = turn.calls.iter().rev().take_while(same);
    let changed = alike.filter(|done| !done.is_error && changed(done)).count();
    i64::try_from(changed).unwrap_or(1).clamp(1, 20)
}

/// Whether the last change of a turn made to-dos.
pub fn added(turn: &Turn) -> bool {
    let last = turn.calls.iter().rev().find(|done| !done.is_error && !looks(done));
    last.is_some_and(|last| last.call.name == "todo_create")
}

/// Whether the last two changes of a turn are one wish: a to-do and the subtasks it came with.
fn added_with_parts(turn: &Turn) -> bool {
    let mut made = turn.calls.iter().rev().filter(|done| !done.is_error);
    let (Some(parts), Some(whole)) = (made.next(), made.next()) else { return false };
    let created = [parts, whole].iter().all(|done| done.call.name == "todo_create");
    let arguments = &parts.call.arguments;
    let first = arguments.get("items").and_then(|items| items.get(0)).unwrap_or(arguments);
    let parent = first.get("parent").and_then(Value::as_str);
    let result = whole.result.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let made = result.as_ref().map(changes).unwrap_or_default();
    created
        && made.iter().filter_map(|change| change.after.as_ref()).any(|todo| Some(todo.id.as_str()) == parent)
}
