//! Text from outside (D-17): what strangers may have written, and how it is known.
//!
//! A tool that reaches outside brings their text; and data of the person's own may hold it, where it came in by a file.
//! Whoever keeps such data marks it: a member `untrusted` that says where it came from (`{"untrusted": "import"}`),
//! anywhere in a result's structured content.

use protocol::ToolResult;
use serde_json::Value;

use crate::AgentState;

/// The member that marks data from outside.
const MARK: &str = "untrusted";

/// Whether something in a tool's structured content came from outside (D-17).
#[must_use]
pub fn holds_untrusted_text(structured: &Value) -> bool {
    match structured {
        Value::Object(members) => members.iter().any(|(name, value)| {
            let is_marked = name == MARK && !matches!(value, Value::Null | Value::Bool(false));
            is_marked || holds_untrusted_text(value)
        }),
        Value::Array(items) => items.iter().any(holds_untrusted_text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether strangers may have written what is in a result. Of a tool that is gone nobody can say that they did not.
pub(crate) fn is_untrusted(state: &AgentState, result: &ToolResult) -> bool {
    let spec = state.tools().find(|spec| spec.name == result.name);
    spec.is_none_or(|spec| spec.hints.open_world)
        || result.structured.as_ref().is_some_and(holds_untrusted_text)
}
