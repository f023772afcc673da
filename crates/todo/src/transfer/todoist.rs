//! Todoist's CSV: a row has a type, and its place says what it belongs to.
//!
//! `TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,...,DEADLINE,...`: a `task` is a to-do, deeper ones are parts of the
//! last one that is less deep; a `section` is a heading; a `note` is a comment on the task above it.

use std::collections::BTreeMap;

use dates::due::Due;
use serde_json::Value;

use super::{Draft, Drafts, made_up};
use crate::change::counted;

/// Where each column that is read stands.
pub(super) struct Columns(BTreeMap<String, usize>);

impl Columns {
    /// The columns of such a file; none for any other.
    pub fn of(header: &[String]) -> Option<Self> {
        let places = header.iter().enumerate().map(|(place, name)| (name.trim().to_uppercase(), place));
        let columns = Self(places.collect());
        let is_theirs = ["TYPE", "CONTENT", "INDENT"].iter().all(|name| columns.0.contains_key(*name));
        is_theirs.then_some(columns)
    }

    fn cell<'a>(&self, cells: &'a [String], name: &str) -> &'a str {
        self.0.get(name).and_then(|place| cells.get(*place)).map_or("", |cell| cell.trim())
    }
}

/// Reads the records after the header.
pub(super) fn read(columns: &Columns, records: impl Iterator<Item = (usize, Vec<String>)>) -> Drafts {
    let mut found = Drafts::default();
    let mut section = String::new();
    // The ids of the tasks that the next one may be a part of, each one deeper than the one before.
    let mut above: Vec<(u32, String)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut in_words = 0;
    for (line, cells) in records {
        let cell = |name| columns.cell(&cells, name);
        let content = cell("CONTENT");
        match cell("TYPE").to_lowercase().as_str() {
            "section" => {
                content.clone_into(&mut section);
                above.clear();
            }
            "note" => {
                if let Some(Draft { given, .. }) = found.drafts.last_mut() {
                    let notes = given.get("notes").and_then(Value::as_str).unwrap_or_default();
                    given.insert("notes".into(), joined(notes, content).into());
                }
            }
            "task" => {
                let mut draft = Draft { line, is_named_here: true, ..Draft::default() };
                let mut notes = cell("DESCRIPTION").to_owned();
                let (date, deadline) = match (cell("DATE"), cell("DEADLINE")) {
                    // What must be done by a day, and is planned for none.
                    ("", deadline) => (deadline, ""),
                    both => both,
                };
                if date.parse::<Due>().is_ok() {
                    draft.say("due", date);
                } else if !date.is_empty() {
                    // What only its own program understands ("every other day") is kept where a person reads it.
                    notes = joined(&notes, date);
                    in_words += 1;
                }
                if !deadline.is_empty() {
                    notes = joined(&notes, &format!("Deadline: {deadline}"));
                }
                draft.given.insert("title".into(), content.into());
                draft.say("notes", &notes);
                draft.say("list", &section);
                draft.say("priority", priority(cell("PRIORITY")));
                let depth = cell("INDENT").parse().unwrap_or(1);
                above.retain(|(other, _)| *other < depth);
                if let Some((_, parent)) = above.last() {
                    draft.say("parent", parent);
                }
                let said = Value::Object(draft.given.clone()).to_string();
                let count = known.entry(said.clone()).or_default();
                *count += 1;
                let id = made_up(&format!("{count} {said}"));
                draft.say("id", &id);
                above.push((depth, id));
                found.drafts.push(draft);
            }
            _ => {}
        }
    }
    found.notes.extend(said_in_words(in_words));
    found
}

/// What is said of dates that only their own program understands.
pub(super) fn said_in_words(count: usize) -> Option<String> {
    let dates = counted(count, "date is in words and stands", "dates are in words and stand");
    (count > 0).then(|| format!("{dates} in the notes now."))
}

/// Theirs are counted from the highest; the lowest is what nobody has said.
fn priority(number: &str) -> &'static str {
    match number {
        "1" => "urgent",
        "2" => "high",
        "3" => "medium",
        _ => "none",
    }
}

pub(super) fn joined(notes: &str, more: &str) -> String {
    if notes.is_empty() { more.to_owned() } else { format!("{notes}\n{more}") }
}
