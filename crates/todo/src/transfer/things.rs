//! Things, in the JSON of its URL scheme (culturedcode.com/things/support/articles/2803573).
//!
//! `[{"type": "to-do", "attributes": {"title", "notes", "when", "deadline", "tags", "checklist-items", "list", "heading", "completed",
//! "canceled", "creation-date", "completion-date"}}, {"type": "project", "attributes": {"title", "items": [to-dos and headings]}}]`. A
//! project is a list here, and a checklist's items are parts of their to-do.

use dates::calendar::tomorrow;
use dates::due::Due;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use store::Moment;

use super::foreign::{Reading, clock, stamp};
use super::json::{Fields, Lines, fields, is, list_of, text, word};
use super::{Draft, Drafts};
use crate::when::civil_now;

/// So many rows of a list are looked at to know whose it is.
const LOOKED_AT: usize = 8;

/// Whether a list is of such rows.
pub(super) fn is_of(rows: &[&RawValue]) -> bool {
    rows.iter().take(LOOKED_AT).filter_map(|row| fields(row.get())).any(|row| {
        row.contains_key("attributes")
            && matches!(word(&row, "type").as_str(), "to-do" | "project" | "heading")
    })
}

/// Reads the rows of such a file.
pub(super) fn read(rows: &[&RawValue], lines: &mut Lines<'_>, here: &Moment) -> Drafts {
    let mut reading = Reading::default();
    for row in rows {
        let line = lines.of(row);
        let Some(row) = fields(row.get()) else {
            reading.reject(line, "This is no to-do.");
            continue;
        };
        if word(&row, "type") != "project" {
            item(&mut reading, line, &row, "", here);
            continue;
        }
        let project = row.get("attributes").and_then(|attributes| fields(attributes.get()));
        let Some((project, items)) = project.and_then(|it| list_of(&it, "items").map(|items| (it, items)))
        else {
            reading.reject(line, "This is no project.");
            continue;
        };
        let has_more =
            ["notes", "when", "deadline", "tags", "area"].iter().any(|name| project.contains_key(*name));
        reading.leave_out(
            usize::from(has_more),
            "project's notes, dates, tags or area were",
            "projects' notes, dates, tags or areas were",
        );
        let name = word(&project, "title");
        for row in items {
            let line = lines.of(row);
            item(&mut reading, line, &fields(row.get()).unwrap_or_default(), &name, here);
        }
    }
    reading.finish()
}

/// Takes a to-do, which may be one of a project.
fn item(reading: &mut Reading, line: usize, row: &Fields<'_>, project: &str, here: &Moment) {
    if word(row, "operation") == "update" {
        return reading
            .leave_out(1, "change of a to-do that Things has was", "changes of to-dos that Things has were");
    }
    let attributes =
        row.get("attributes").and_then(|it| serde_json::from_str::<Map<String, Value>>(it.get()).ok());
    match (word(row, "type").as_str(), attributes) {
        ("heading", _) => headings(reading),
        ("to-do", Some(attributes)) => todo(reading, line, &attributes, project, here),
        _ => reading.reject(line, "This is no to-do."),
    }
}

fn headings(reading: &mut Reading) {
    reading.leave_out(1, "heading was", "headings were");
}

fn cancelled(reading: &mut Reading) {
    reading.leave_out(1, "cancelled to-do was", "cancelled to-dos were");
}

fn todo(reading: &mut Reading, line: usize, said: &Map<String, Value>, project: &str, here: &Moment) {
    if is(said, "canceled") {
        return cancelled(reading);
    }
    let (title, list) = (text(said, "title"), text(said, "list"));
    let list = if list.is_empty() { project } else { list };
    let created = text(said, "creation-date");
    let id = reading.id(&format!("things\n{list}\n{title}\n{created}"));
    let mut draft = Draft::named_here(line, &id, title);
    draft.say("notes", text(said, "notes"));
    draft.in_list(list);
    draft.say("created", &stamp(created).unwrap_or_default());
    for tag in said.get("tags").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        draft.tag(tag);
    }
    let when = when(&mut draft, text(said, "when"), here);
    reading.plan(&mut draft, &when, text(said, "deadline"));
    if is(said, "completed") {
        draft.done(stamp(text(said, "completion-date")));
    }
    if !text(said, "heading").is_empty() {
        headings(reading);
    }
    if list.is_empty() && said.contains_key("list-id") {
        reading.leave_out(1, "list without a name was", "lists without names were");
    }
    reading.push(draft);
    for part in said.get("checklist-items").and_then(Value::as_array).into_iter().flatten() {
        let Some(part) = part.get("attributes").and_then(Value::as_object) else {
            reading.reject(line, "This is no item of a checklist.");
            continue;
        };
        if is(part, "canceled") {
            cancelled(reading);
            continue;
        }
        reading.part(line, &id, list, text(part, "title"), is(part, "completed"));
    }
}

/// The date of a word that Things has for when something is done, counted from now; other words as they are. A time of day is when
/// Things reminds. "Someday" and "evening" are tags here.
fn when(draft: &mut Draft, said: &str, here: &Moment) -> String {
    let (day, time) = said.split_once('@').map_or((said, None), |(day, time)| (day, clock(time)));
    let now = civil_now(here);
    if matches!(day, "someday" | "evening") {
        draft.tag(day);
    }
    let day = match day {
        "anytime" | "someday" => return String::new(),
        "today" | "evening" => Due::Day(now.date()),
        "tomorrow" => Due::Day(tomorrow(now)),
        day => match day.parse() {
            Ok(due) => due,
            Err(_) => return said.to_owned(),
        },
    };
    let Some(time) = time else { return day.to_string() };
    draft.say("remind", "PT0S");
    Due::At(day.date().to_datetime(time)).to_string()
}
