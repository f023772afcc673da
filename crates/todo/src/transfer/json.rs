//! JSON: to-dos in the app's own format, one a line, and what other programs write. What is read of our own is what was written, byte
//! for byte.

use std::collections::BTreeMap;

use domain::{ALTERED, VERSION};
use serde::de::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use store::{Moment, content_hash};

use super::{Draft, Drafts, google, things};

/// The fields of an object, each with its own text.
pub(super) type Fields<'a> = BTreeMap<String, &'a RawValue>;

fn hash<'a>(rows: impl Iterator<Item = &'a str>) -> String {
    content_hash(rows.collect::<Vec<_>>().join("\n").as_bytes())
}

/// Reads an envelope or a bare list of to-dos, and the files of Google Tasks and Things, which are known by what is in them.
///
/// # Errors
/// The line and what is wrong there, where it is no JSON; what can be read, where it is JSON of something else.
pub(super) fn read(text: &str, here: &Moment) -> Result<Drafts, String> {
    let mut lines = Lines { text, line: 1, counted: 0 };
    if text.trim_start().starts_with('[') {
        let rows: Vec<&RawValue> = parsed(text)?;
        return Ok(match things::is_of(&rows) {
            true => things::read(&rows, &mut lines, here),
            false => own(rows, None, &mut lines),
        });
    }
    let fields: Fields<'_> = parsed(text)?;
    if let Some(todos) = list_of(&fields, "todos").filter(|_| fields.contains_key("todos")) {
        if number(&fields, "satchel").is_some_and(|version| version > VERSION) {
            let why = "The file was written by a newer version of the app. Update, and import it then.";
            return Err(why.into());
        }
        let hash = fields.contains_key("hash").then(|| word(&fields, "hash"));
        return Ok(own(todos, hash, &mut lines));
    }
    let lists = list_of(&fields, "items");
    match (word(&fields, "kind").as_str(), lists) {
        ("tasks#taskLists", Some(lists)) => Ok(google::read(&lists, &mut lines)),
        _ => Err("Line 1: this is JSON, but without to-dos (missing field `todos`). What can be read: files of this app, Google \
             Tasks (Tasks.json of Takeout) and Things (JSON of to-dos and projects)."
            .into()),
    }
}

/// To-dos in the app's own format, and the hash that the file says they have.
fn own(rows: Vec<&RawValue>, expected: Option<String>, lines: &mut Lines<'_>) -> Drafts {
    let mut found = Drafts { whole: true, ..Drafts::default() };
    let is_as_written = expected.map(|expected| expected == hash(rows.iter().map(|row| row.get())));
    found.is_own_copy = is_as_written == Some(true);
    if is_as_written == Some(false) {
        found.notes.push(ALTERED.into());
    }
    for row in rows {
        let line = lines.of(row);
        match serde_json::from_str::<Map<String, Value>>(row.get()) {
            Ok(given) => found.drafts.push(Draft { line, given, ..Draft::default() }),
            Err(_) => found.rejected.push((line, "This is no to-do.".into())),
        }
    }
    found
}

fn parsed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| {
        let why = error.to_string();
        let why = why.split(" at line ").next().unwrap_or_default();
        format!("Line {}: this is no JSON of to-dos ({why}, column {}).", error.line(), error.column())
    })
}

/// The lines of a file, counted once from one part to the next.
pub(super) struct Lines<'a> {
    text: &'a str,
    line: usize,
    counted: usize,
}

impl Lines<'_> {
    /// The line at which a part of the file begins. Parts are asked for in the order in which they stand.
    pub fn of(&mut self, part: &RawValue) -> usize {
        let offset = (part.get().as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if let Some(between) = self.text.get(self.counted..offset) {
            self.line += between.matches('\n').count();
            self.counted = offset;
        }
        self.line
    }
}

/// The fields of an object; none where it is something else.
pub(super) fn fields(text: &str) -> Option<Fields<'_>> {
    serde_json::from_str(text).ok()
}

/// The rows of a list in a field: none of them where there is no such field, None where it is no list.
pub(super) fn list_of<'a>(fields: &Fields<'a>, field: &str) -> Option<Vec<&'a RawValue>> {
    fields.get(field).map_or(Some(Vec::new()), |list| serde_json::from_str(list.get()).ok())
}

/// What a field says; nothing where it is no text.
pub(super) fn word(fields: &Fields<'_>, field: &str) -> String {
    match fields.get(field).and_then(|said| serde_json::from_str(said.get()).ok()) {
        Some(Value::String(said)) => said,
        _ => String::new(),
    }
}

fn number(fields: &Fields<'_>, field: &str) -> Option<u64> {
    serde_json::from_str::<Value>(fields.get(field)?.get()).ok()?.as_u64()
}

/// What a field says, without the spaces around it; nothing where it is no text.
pub(super) fn text<'a>(fields: &'a Map<String, Value>, field: &str) -> &'a str {
    fields.get(field).and_then(Value::as_str).map_or("", str::trim)
}

/// Whether a field says `true`.
pub(super) fn is(fields: &Map<String, Value>, field: &str) -> bool {
    fields.get(field).and_then(Value::as_bool).unwrap_or_default()
}
