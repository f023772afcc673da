//! To-dos in the app's own format: one a line. What is read is what was written, byte for byte.

use domain::{ALTERED, VERSION};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use store::content_hash;

use super::{Draft, Drafts};
fn hash<'a>(rows: impl Iterator<Item = &'a str>) -> String {
    content_hash(rows.collect::<Vec<_>>().join("\n").as_bytes())
}

#[derive(Deserialize)]
struct Envelope<'a> {
    satchel: Option<u64>,
    hash: Option<String>,
    #[serde(borrow)]
    todos: Vec<&'a RawValue>,
}

/// Reads an envelope, or a bare list of to-dos.
pub(super) fn read(text: &str) -> Result<Drafts, String> {
    let broken = |error: serde_json::Error| {
        let why = error.to_string();
        let why = why.split(" at line ").next().unwrap_or_default();
        format!("Line {}: this is no JSON of to-dos ({why}, column {}).", error.line(), error.column())
    };
    let Envelope { satchel, hash: expected, todos } = if text.trim_start().starts_with('[') {
        Envelope { satchel: None, hash: None, todos: serde_json::from_str(text).map_err(broken)? }
    } else {
        serde_json::from_str(text).map_err(broken)?
    };
    if satchel.is_some_and(|version| version > VERSION) {
        return Err("The file was written by a newer version of the app. Update, and import it then.".into());
    }
    let mut found = Drafts { whole: true, ..Drafts::default() };
    let is_as_written = expected.map(|expected| expected == hash(todos.iter().map(|row| row.get())));
    found.is_own_copy = is_as_written == Some(true);
    if is_as_written == Some(false) {
        found.notes.push(ALTERED.into());
    }
    // Lines are counted once, from one to-do to the next.
    let (mut line, mut counted) = (1, 0);
    for row in todos {
        let offset = row.get().as_ptr() as usize - text.as_ptr() as usize;
        line += text[counted..offset].matches('\n').count();
        counted = offset;
        match serde_json::from_str::<Map<String, Value>>(row.get()) {
            Ok(given) => found.drafts.push(Draft { line, given, is_named_here: false }),
            Err(_) => found.rejected.push((line, "This is no to-do.".into())),
        }
    }
    Ok(found)
}
