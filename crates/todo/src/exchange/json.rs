//! Our own format: an envelope around one to-do a line. What is read is what was written, byte for byte.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use store::content_hash;

use super::{Draft, Drafts};
use crate::model::Todo;

/// The version of the envelope.
const VERSION: u64 = 1;

/// What is said of a file that is not as it was written.
pub const ALTERED: &str = "The file was changed after it was exported.";

/// Where and when a file is written.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The journal's last revision.
    pub rev: u64,
    /// Tells one journal from another.
    pub epoch: String,
    /// Now, in UTC, as to-dos keep it.
    pub now: String,
}

/// Rows of another domain, which a file of ours has beside the to-dos.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Their field in the file.
    pub field: &'static str,
    /// Each as JSON.
    pub rows: Vec<String>,
}

pub(super) fn write(todos: &[&Todo], beside: &[Beside], origin: &Origin) -> Result<String, String> {
    let rows = todos.iter().map(|todo| serde_json::to_string(todo).map_err(|error| error.to_string()));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let mut head = json!({
        "satchel": VERSION,
        "rev": origin.rev,
        "epoch": origin.epoch,
        "exported": origin.now,
        "count": rows.len(),
        "hash": hash(rows.iter().map(String::as_str)),
    });
    for Beside { field, rows } in beside {
        // Of its own: what earlier versions check is the to-dos alone.
        head[format!("{field}_hash")] = hash(rows.iter().map(String::as_str)).into();
    }
    let mut text = head.to_string();
    text.pop();
    push_rows(&mut text, "todos", &rows);
    for Beside { field, rows } in beside {
        push_rows(&mut text, field, rows);
    }
    text.push_str("}\n");
    Ok(text)
}

fn push_rows(text: &mut String, field: &str, rows: &[String]) {
    text.push_str(&format!(",\"{field}\":["));
    for (place, row) in rows.iter().enumerate() {
        text.push_str(if place == 0 { "\n" } else { ",\n" });
        text.push_str(row);
    }
    text.push_str(if rows.is_empty() { "]" } else { "\n]" });
}

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
