//! Google Tasks, as Takeout gives it: `Tasks.json`.
//!
//! `{"kind": "tasks#taskLists", "items": [{"kind": "tasks#tasks", "title": "My list", "items": [{"kind": "tasks#task", "id", "parent",
//! "title", "notes", "status": "needsAction" or "completed", "due", "completed", "created", "updated", "starred", "position", "links"}]}]}`.
//! A due is a day, written as its midnight in UTC: the hour is no part of it.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::foreign::{Reading, stamp};
use super::json::{Lines, fields, is, list_of, text, word};
use super::{Draft, Drafts, made_up};

/// Reads the lists of such a file.
pub(super) fn read(lists: &[&RawValue], lines: &mut Lines<'_>) -> Drafts {
    let mut reading = Reading::default();
    for list in lists {
        let line = lines.of(list);
        let list = fields(list.get());
        // A list without to-dos has no `items`.
        let Some(tasks) = list.as_ref().and_then(|list| list_of(list, "items")) else {
            reading.reject(line, "This is no list of to-dos.");
            continue;
        };
        let name = list.map(|list| word(&list, "title")).unwrap_or_default();
        let mut rows: Vec<(usize, Map<String, Value>)> = Vec::with_capacity(tasks.len());
        for task in tasks {
            let line = lines.of(task);
            match serde_json::from_str(task.get()) {
                Ok(task) => rows.push((line, task)),
                Err(_) => reading.reject(line, "This is no to-do."),
            }
        }
        // The place among those of one parent. Where nothing says it they stay as they are.
        order::sort_by(&mut rows, |(_, one), (_, other)| text(one, "position").cmp(text(other, "position")));
        for (line, task) in rows {
            take(&mut reading, line, &name, &task);
        }
    }
    reading.finish()
}

/// Takes one task of a list.
fn take(reading: &mut Reading, line: usize, list: &str, task: &Map<String, Value>) {
    if is(task, "deleted") {
        return reading.leave_out(1, "deleted to-do was", "deleted to-dos were");
    }
    let links = task.get("links").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_blank =
        |field| task.get(field).is_none_or(|said| said.as_str().is_some_and(|it| it.trim().is_empty()));
    // Each press of Enter in Google Tasks leaves one.
    if is_blank("title") && is_blank("notes") && links.is_empty() {
        return reading.leave_out(1, "to-do without a word was", "to-dos without a word were");
    }
    let title = text(task, "title");
    let id = match text(task, "id") {
        "" => reading.id(&format!("google\n{list}\n{title}\n{}", text(task, "created"))),
        id => named(id),
    };
    let mut draft = Draft::named_here(line, &id, title);
    draft.say("notes", text(task, "notes"));
    draft.in_list(list);
    let due = text(task, "due");
    reading.plan(&mut draft, due.split_once('T').map_or(due, |(day, _)| day), "");
    if is(task, "starred") {
        draft.say("priority", "high");
    }
    if text(task, "status") == "completed" {
        draft.done(stamp(text(task, "completed")));
    }
    for field in ["created", "updated"] {
        draft.say(field, &stamp(text(task, field)).unwrap_or_default());
    }
    let parent = text(task, "parent");
    if !parent.is_empty() {
        draft.say("parent", &named(parent));
    }
    for link in links.iter().filter_map(Value::as_object) {
        let said = [text(link, "description"), text(link, "link")].join(" ");
        draft.note(said.trim());
    }
    if task.contains_key("assignmentInfo") {
        reading.leave_out(1, "assignment was", "assignments were");
    }
    reading.push(draft);
}

/// The id here of what Google calls so.
fn named(id: &str) -> String {
    made_up(&format!("google {id}"))
}
