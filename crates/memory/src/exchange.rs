//! Memories in the app's own file format: `memories`, a list beside the file's to-dos.

use std::rc::Rc;

use mcp::ToolError;
use serde::Deserialize;
use serde_json::Value;
use store::Stage;

use crate::change::MemoryChange;
use crate::model::{MAX_MEMORIES, Memory, in_order, sentence};

/// Their field in a file.
pub const FIELD: &str = "memories";

/// Memories as a file has them, a row each, in the order in which they are told.
///
/// # Errors
/// A memory that cannot be written as JSON.
pub fn rows(memories: Vec<Rc<Memory>>) -> Result<Vec<String>, String> {
    let mut rows = Vec::new();
    for memory in in_order(memories) {
        rows.push(serde_json::to_string(&*memory).map_err(|error| error.to_string())?);
    }
    Ok(rows)
}

/// What an import did with the memories of a file.
#[derive(Debug, Default)]
pub struct Imported {
    /// How many are new, changed, removed or refused, in words: `2 new, 1 removed`. Empty where there is nothing to say.
    pub counts: String,
    /// Each memory before and after.
    pub changes: Vec<MemoryChange>,
}

#[derive(Deserialize)]
struct Envelope {
    memories: Option<Vec<Value>>,
}

/// Stages the memories of a file; with `replace` those that it does not have go. A file that says nothing of memories, as
/// those of earlier versions and other programs, leaves them as they are.
///
/// # Errors
/// [`ToolError::Rejected`] when it should replace what is there and has a memory that cannot be read. Then nothing is staged.
pub fn import(stage: &mut Stage, text: &str, replace: bool) -> Result<Imported, ToolError> {
    // What is no file of ours at all was refused with the to-dos.
    let Ok(Envelope { memories: Some(rows) }) = serde_json::from_str(text) else {
        return Ok(Imported::default());
    };
    let known = stage.all::<Memory>();
    let count = rows.len();
    let mut made: Vec<Memory> = Vec::new();
    for row in rows {
        if let Some(memory) = read(row)
            && !made.iter().any(|other| other.id == memory.id)
        {
            made.push(memory);
        }
    }
    let unreadable = count - made.len();
    if replace && unreadable > 0 {
        let why = format!(
            "{unreadable} memories of the file cannot be read. Nothing was changed: only a file that can be read as a whole \
             may replace everything."
        );
        return Err(ToolError::Rejected(why));
    }
    let is_made = |known: &Rc<Memory>| made.iter().any(|memory| memory.id == known.id);
    let mut changes = Vec::new();
    if replace {
        for gone in known.iter().filter(|memory| !is_made(memory)) {
            changes.push(MemoryChange { before: Some((**gone).clone()), after: None });
        }
    }
    let removed = changes.len();
    let room = MAX_MEMORIES.saturating_sub(known.len() - removed);
    let (mut new, mut changed, mut too_many) = (0, 0, 0);
    for memory in made {
        match known.iter().find(|known| known.id == memory.id) {
            Some(before) if **before == memory => {}
            Some(before) => {
                changed += 1;
                changes.push(MemoryChange { before: Some((**before).clone()), after: Some(memory) });
            }
            None if new == room => too_many += 1,
            None => {
                new += 1;
                changes.push(MemoryChange { before: None, after: Some(memory) });
            }
        }
    }
    for change in &changes {
        match (&change.before, &change.after) {
            (_, Some(after)) => stage.put(after.clone()),
            (Some(before), None) => stage.delete::<Memory>(&before.id),
            (None, None) => {}
        }
    }
    let parts = [
        (new, "new"),
        (changed, "changed"),
        (removed, "removed"),
        (unreadable, "not readable"),
        (too_many, "too many"),
    ];
    let mut said = Vec::new();
    for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
        said.push(format!("{count} {what}"));
    }
    Ok(Imported { counts: said.join(", "), changes })
}

/// A row as a memory; none when it is not one, or one that no tool would have kept.
fn read(row: Value) -> Option<Memory> {
    let Value::Object(fields) = row else { return None };
    let memory = Memory::of(fields).ok()?;
    let clean = sentence(&memory.text).ok()? == memory.text;
    (clean && !memory.id.is_empty()).then_some(memory)
}
