//! What every write answers: a sentence, and each memory before and after.

use mcp::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Json, Op, Record, Stage};

use crate::model::Memory;

/// The answer of a tool that writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Changes {
    /// One sentence for a person.
    pub summary: String,
    /// Every memory that changed.
    pub changes: Vec<MemoryChange>,
}

/// One memory before and after a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryChange {
    /// As it was; null when it is new.
    pub before: Option<Memory>,
    /// As it is now; null when it was forgotten.
    pub after: Option<Memory>,
}

/// Puts the new state of a memory, stamped as changed now; none when it is as it was.
pub(crate) fn replace(stage: &mut Stage, before: &Memory, after: Memory) -> Option<MemoryChange> {
    if *before == after {
        return None;
    }
    let after = Memory { updated_ms: stage.moment().at_ms, ..after };
    stage.put(after.clone());
    Some(MemoryChange { before: Some(before.clone()), after: Some(after) })
}

/// Whether a call was made by the person's own hand, on a screen of the app: its key says so, and the page puts keys in
/// itself for all others.
pub(crate) fn is_by_hand(stage: &Stage) -> bool {
    stage.call().key.0.starts_with("hand")
}

/// The memories among staged ops, as they were and as they are.
///
/// # Errors
/// [`ToolError::Failed`] for a row that is no memory.
pub fn changes_of(ops: &[Op]) -> Result<Vec<MemoryChange>, ToolError> {
    let mut changes = Vec::new();
    for op in ops.iter().filter(|op| op.table == Memory::TABLE) {
        changes.push(MemoryChange { before: row(op.before.as_ref())?, after: row(op.after.as_ref())? });
    }
    Ok(changes)
}

fn row(json: Option<&Json>) -> Result<Option<Memory>, ToolError> {
    let row = json.map(|json| Memory::read_json(json.as_str())).transpose();
    row.map(|row| row.map(|(memory, _)| memory))
        .map_err(|error| ToolError::Failed(format!("A stored memory cannot be read: {error}")))
}
