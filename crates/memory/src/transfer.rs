//! Memories in the app's own file format: `memories`, a list beside the file's to-dos.
//!
//! A memory has the standing of the person's own words in every conversation to come, and a file may be anybody's. So what
//! comes in by one is marked, unless it is this device's own copy as it was written, or the person says that it is theirs.

use std::rc::Rc;

use domain::{ALTERED, DomainChange, FileRows, Files, Imported, Intake, Mode, in_words};
use mcp::ToolError;
use serde_json::{Map, Value};
use store::{Stage, View};

use crate::change::MemoryChange;
use crate::model::{MAX_MEMORIES, Memory, in_order, sentence};

/// The most letters of an id that is taken from a file.
const MAX_ID: usize = 64;

/// The most memories of a file that are looked at. No file of ours has more than can be kept.
const MAX_ROWS: usize = 10 * MAX_MEMORIES;

/// Memories in files.
pub(crate) struct MemoryFiles;

impl Files for MemoryFiles {
    fn field(&self) -> &'static str {
        "memories"
    }

    fn rows(&self, view: &View) -> Result<Vec<String>, ToolError> {
        let rows = in_order(view.all::<Memory>()).into_iter().map(|memory| serde_json::to_string(&*memory));
        rows.collect::<Result<_, _>>().map_err(|error| ToolError::Failed(error.to_string()))
    }

    fn import(&self, stage: &mut Stage, text: &str, intake: &Intake<'_>) -> Result<Imported, ToolError> {
        import(stage, text, intake)
    }
}

/// Stages the memories of a file. A file that says nothing of memories, as those of earlier versions and other programs,
/// leaves them as they are.
///
/// # Errors
/// [`ToolError::Rejected`] when what it says of memories is no list, or when it should replace what is there and has a memory that cannot
/// be read. Then nothing is staged.
fn import(stage: &mut Stage, text: &str, from: &Intake<'_>) -> Result<Imported, ToolError> {
    let Some(file) = FileRows::read(&MemoryFiles, text, from)? else { return Ok(Imported::default()) };
    let is_own = from.is_own || file.is_ours;
    let replace = from.mode == Mode::Replace;
    let known = stage.all::<Memory>();
    let count = file.rows.len();
    if count > MAX_ROWS {
        return Err(ToolError::Rejected(format!(
            "The file has {count} memories; {MAX_MEMORIES} can be kept. Nothing was changed."
        )));
    }
    let mut made: Vec<Memory> = Vec::new();
    for (_, row) in file.rows {
        if let Some(memory) = read(row)
            && !made.iter().any(|other| other.id == memory.id)
        {
            let before = known.iter().find(|known| known.id == memory.id);
            made.push(if is_own { owned(memory, from.is_own) } else { foreign(stage, memory, before) });
        }
    }
    let unreadable = count - made.len();
    if replace && unreadable > 0 {
        let memories = if unreadable == 1 { "memory" } else { "memories" };
        let why = format!(
            "{unreadable} {memories} of the file cannot be read. Nothing was changed: only a file that can be read as a whole \
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
    let (mut new, mut changed, mut unchanged, mut too_many) = (0, 0, 0, 0);
    for memory in made {
        match known.iter().find(|known| known.id == memory.id) {
            Some(before) if **before == memory => unchanged += 1,
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
    let is_marked = |change: &&MemoryChange| change.after.as_ref().is_some_and(|after| after.imported);
    let marked = changes.iter().filter(is_marked).count();
    let shown = changes
        .iter()
        .map(|MemoryChange { before, after }| DomainChange::of(crate::ID, before.as_ref(), after.as_ref()));
    Ok(Imported {
        said: in_words("memories", &parts),
        new,
        changed,
        unchanged,
        removed,
        rejected: Vec::new(),
        notes: if file.is_as_written == Some(false) { vec![ALTERED.to_owned()] } else { Vec::new() },
        total: changes.len(),
        marked,
        changes: shown.collect::<Result<_, _>>()?,
    })
}

/// A memory that the person vouches for has no mark; one of this device's own copy has the one it had.
fn owned(memory: Memory, is_vouched_for: bool) -> Memory {
    let imported = memory.imported && !is_vouched_for;
    Memory { imported, ..memory }
}

/// A memory of somebody's file: its words and their kind, and nothing of what it says about itself. What is there and says
/// the same stays as it is.
fn foreign(stage: &Stage, memory: Memory, before: Option<&Rc<Memory>>) -> Memory {
    let Memory { id, text, kind, .. } = memory;
    let now_ms = stage.moment().at_ms;
    match before {
        Some(before) if before.text == text && before.kind == kind => (**before).clone(),
        // It was pinned for what it said.
        Some(before) => {
            Memory { text, kind, pinned: false, imported: true, updated_ms: now_ms, ..(**before).clone() }
        }
        None => Memory {
            id,
            text,
            kind,
            pinned: false,
            saved_by: stage.call().key.0.clone(),
            created_ms: now_ms,
            updated_ms: now_ms,
            imported: true,
            unknown: Map::new(),
        },
    }
}

/// A row as a memory; none when it is not one, or one that no tool would have kept.
fn read(row: &str) -> Option<Memory> {
    let Ok(Value::Object(fields)) = serde_json::from_str(row) else { return None };
    let memory = Memory::of(fields).ok()?;
    let clean = sentence(&memory.text).ok()? == memory.text;
    // A model reads the ids too: they are names, and no room for more words.
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let is_name = (1..=MAX_ID).contains(&memory.id.len()) && memory.id.chars().all(is_plain);
    (clean && is_name).then_some(memory)
}
