//! What the store cannot do, said to whoever asked for a tool.

use mcp::{RpcError, ToolCallOut, ToolError};
use serde_json::json;
use store::StoreError;

/// A failed call as the protocol has it. `data.kind` is for programs, the sentence for people.
pub(crate) fn internal(error: &StoreError) -> RpcError {
    let kind = match error {
        StoreError::Quota => "quota",
        StoreError::Blocked => "blocked",
        StoreError::Aborted(_) => "aborted",
        StoreError::Conflict => "conflict",
        StoreError::Damaged(_) => "damaged",
        StoreError::Emptied => "emptied",
        StoreError::TooNew { .. } => "too_new",
        StoreError::Unavailable(_) => "unavailable",
        StoreError::Other(_) => "other",
    };
    RpcError { data: Some(json!({ "kind": kind })), ..RpcError::internal(words(error)) }
}

/// The store's own words, but where they leave open whether something was saved.
fn words(error: &StoreError) -> String {
    match error {
        StoreError::Quota => "Storage is full: nothing was saved. Free some space on this device, or delete \
                              old data, and try again."
            .to_owned(),
        StoreError::Conflict => {
            "Other tabs were writing all the time: nothing was saved. Try again.".to_owned()
        }
        StoreError::Blocked
        | StoreError::Aborted(_)
        | StoreError::Damaged(_)
        | StoreError::Emptied
        | StoreError::TooNew { .. }
        | StoreError::Unavailable(_)
        | StoreError::Other(_) => error.to_string(),
    }
}

/// What a tool said when it gave no output.
pub(crate) fn refused(error: ToolError) -> Result<ToolCallOut, RpcError> {
    match error {
        ToolError::Rejected(why) => Ok(ToolCallOut::rejected(why)),
        ToolError::Failed(why) => Err(RpcError::internal(why)),
    }
}
