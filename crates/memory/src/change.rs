//! What every write answers: a sentence, and each memory before and after.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

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
#[serde(tag = "domain", rename = "memory")]
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
