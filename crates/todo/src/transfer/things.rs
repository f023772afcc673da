//! Things, in the JSON of its URL scheme (culturedcode.com/things/support/articles/2803573).
//!
//! `[{"type": "to-do", "attributes": {"title", "notes", "when", "deadline", "tags", "checklist-items", "list", "heading", "completed",
//! "canceled", "creation-date", "completion-date"}}, {"type": "project", "attributes": {"title", "items": [to-dos and headings]}}]`. A
//! project is a list here, and a checklist's items are parts of their to-do.

use dates::calendar::{minutes_later, tomorrow};
use dates::due::Due;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use store::Moment;

use super::foreign::{Reading, clock, instant, stamp};
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

/// A to-do of the file, and what its project says of it.
struct Item {
    line: usize,
    said: Map<String, Value>,
    /// Its list, or the project that it is in.
    list: String,
    is_done: bool,
    /// Since when, as far as that is known.
    completed: Option<String>,
}

impl Item {
    /// What its id is made of.
    fn name(&self) -> String {
        let (title, created) = (text(&self.said, "title"), text(&self.said, "creation-date"));
        format!("things\n{}\n{title}\n{created}", self.list)
    }
}

/// Reads the rows of such a file.
pub(super) fn read(rows: &[&RawValue], lines: &mut Lines<'_>, here: &Moment) -> Drafts {
    let mut reading = Reading::default();
    let mut items: Vec<Item> = Vec::new();
    let none = Map::new();
    for row in rows {
        let line = lines.of(row);
        let Some(row) = fields(row.get()) else {
            reading.reject(line, "This is no to-do.");
            continue;
        };
        if word(&row, "type") != "project" {
            items.extend(item(&mut reading, line, &row, &none));
            continue;
        }
        let project = row.get("attributes").and_then(|attributes| fields(attributes.get()));
        let Some((project, rows)) = project.and_then(|it| list_of(&it, "items").map(|rows| (it, rows)))
        else {
            reading.reject(line, "This is no project.");
            continue;
        };
        let is_todo = |row: &&&RawValue| fields(row.get()).is_some_and(|row| word(&row, "type") == "to-do");
        let todos = rows.iter().filter(is_todo).count();
        reading.leave_out(
            usize::from(todos == 0),
            "project without to-dos was",
            "projects without to-dos were",
        );
        let state = ["title", "canceled", "completed", "completion-date"].map(|name| {
            let said = project.get(name).and_then(|said| serde_json::from_str(said.get()).ok());
            (name.to_owned(), said.unwrap_or(Value::Null))
        });
        let state: Map<String, Value> = order::gather(state);
        if is(&state, "canceled") {
            reading.leave_out(todos, "to-do of a cancelled project was", "to-dos of cancelled projects were");
            continue;
        }
        let has_more =
            ["notes", "when", "deadline", "tags", "area"].iter().any(|name| project.contains_key(*name));
        reading.leave_out(
            usize::from(has_more),
            "project's notes, dates, tags or area were",
            "projects' notes, dates, tags or areas were",
        );
        for row in rows {
            let line = lines.of(row);
            items.extend(item(&mut reading, line, &fields(row.get()).unwrap_or_default(), &state));
        }
    }
    items.iter().filter(|item| item.is_done).for_each(|item| reading.expect(&item.name()));
    for item in items {
        todo(&mut reading, item, here);
    }
    reading.finish()
}

/// A to-do, which may be one of a project. What is none is said.
fn item(reading: &mut Reading, line: usize, row: &Fields<'_>, project: &Map<String, Value>) -> Option<Item> {
    if word(row, "operation") == "update" {
        reading
            .leave_out(1, "change of a to-do that Things has was", "changes of to-dos that Things has were");
        return None;
    }
    let attributes =
        row.get("attributes").and_then(|it| serde_json::from_str::<Map<String, Value>>(it.get()).ok());
    let said = match (word(row, "type").as_str(), attributes) {
        ("heading", _) => {
            headings(reading);
            return None;
        }
        ("to-do", Some(said)) => said,
        _ => {
            reading.reject(line, "This is no to-do.");
            return None;
        }
    };
    if is(&said, "canceled") {
        cancelled(reading);
        return None;
    }
    let own = text(&said, "list");
    let list = if own.is_empty() { text(project, "title") } else { own }.to_owned();
    // Whoever completes a project has done what is in it.
    let of_own = Some(&said).filter(|said| is(said, "completed"));
    let done = of_own.or(Some(project).filter(|project| is(project, "completed")));
    let completed = done.and_then(|done| stamp(text(done, "completion-date")));
    Some(Item { line, list, is_done: done.is_some(), completed, said })
}

fn headings(reading: &mut Reading) {
    reading.leave_out(1, "heading was", "headings were");
}

fn cancelled(reading: &mut Reading) {
    reading.leave_out(1, "cancelled to-do was", "cancelled to-dos were");
}

fn todo(reading: &mut Reading, item: Item, here: &Moment) {
    let id = reading.id_of(&item.name(), item.is_done);
    let Item { line, said, list, is_done, completed } = item;
    let created = text(&said, "creation-date");
    let mut draft = Draft::named_here(line, &id, text(&said, "title"));
    draft.say("notes", text(&said, "notes"));
    draft.in_list(&list);
    draft.say("created", &stamp(created).unwrap_or_default());
    for tag in said.get("tags").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        draft.tag(tag);
    }
    let when = when(&mut draft, text(&said, "when"), created, here);
    reading.plan(&mut draft, &when, text(&said, "deadline"));
    if is_done {
        draft.done(completed);
    }
    if !text(&said, "heading").is_empty() {
        headings(reading);
    }
    if list.is_empty() && said.contains_key("list-id") {
        reading.leave_out(1, "list without a name was", "lists without names were");
    }
    reading.push(draft);
    let mut items = Vec::new();
    for part in said.get("checklist-items").and_then(Value::as_array).into_iter().flatten() {
        match part.get("attributes").and_then(Value::as_object) {
            None => reading.reject(line, "This is no item of a checklist."),
            Some(part) if is(part, "canceled") => cancelled(reading),
            Some(part) => items.push((text(part, "title"), is(part, "completed"))),
        }
    }
    reading.parts(line, &id, &list, &items);
}

/// The date of a word that Things has for when something is done, counted from the day on which it was made, or from now where that is
/// not known; other words as they are. A time of day is when Things reminds. "Someday" and "evening" are tags here.
fn when(draft: &mut Draft, said: &str, created: &str, here: &Moment) -> String {
    let (day, time) = said.split_once('@').map_or((said, None), |(day, time)| (day, clock(time)));
    let made = instant(created).and_then(|utc| minutes_later(utc, i64::from(here.offset_s.div_euclid(60))));
    let from = made.unwrap_or_else(|| civil_now(here));
    if matches!(day, "someday" | "evening") {
        draft.tag(day);
    }
    draft.is_due_by_today = made.is_none() && matches!(day, "today" | "evening" | "tomorrow");
    let day = match day {
        "anytime" | "someday" => return String::new(),
        "today" | "evening" => Due::Day(from.date()),
        "tomorrow" => Due::Day(tomorrow(from)),
        day => match day.parse() {
            Ok(due) => due,
            Err(_) => return said.to_owned(),
        },
    };
    let Some(time) = time else { return day.to_string() };
    draft.say("remind", "PT0S");
    Due::At(day.date().to_datetime(time)).to_string()
}
