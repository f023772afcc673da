//! What a change did to the rows of all domains, as undo, history and saved copies tell it.

use mcp::ToolError;
use memory::MemoryChange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Op;
use todo::TodoChange;

/// One row before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RowChange {
    /// A to-do.
    Todo(Box<TodoChange>),
    /// A memory.
    Memory(Box<MemoryChange>),
}

/// The rows among staged ops, as they were and as they are: to-dos first, in a person's order.
///
/// # Errors
/// [`ToolError::Failed`] for a row that cannot be read.
pub(crate) fn changes_of(ops: &[Op]) -> Result<Vec<RowChange>, ToolError> {
    let mut rows = Vec::new();
    for change in todo::changes_of(ops)? {
        rows.push(RowChange::Todo(Box::new(change)));
    }
    for change in memory::changes_of(ops)? {
        rows.push(RowChange::Memory(Box::new(change)));
    }
    Ok(rows)
}
