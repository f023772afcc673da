//! The engine's own tools, as models are told of them (S2-12).

use protocol::{Hints, ToolSpec};
use serde_json::{Value, json};

use crate::record::{END_CALL, HANDOFF};

/// The tool that hands over to an agent.
pub(crate) fn handoff(agent: &str, about: &str) -> ToolSpec {
    let about = if about.is_empty() { String::new() } else { format!(": {about}") };
    plain(
        &format!("{HANDOFF}{agent}"),
        &format!("Hand over to {agent}"),
        &format!("Hands the conversation over to {agent}{about}. Say nothing more yourself afterwards."),
        json!({"type": "object", "properties": {"reason": {"type": "string", "description": "Why, in a few words"}}}),
    )
}

/// The tool that ends the conversation.
pub(crate) fn end_call(description: &str) -> ToolSpec {
    plain(END_CALL, "End the call", description, json!({"type": "object"}))
}

fn plain(name: &str, title: &str, description: &str, input_schema: Value) -> ToolSpec {
    let hints =
        Hints { read_only: true, destructive: false, idempotent: true, open_world: false, lasting: false };
    ToolSpec { name: name.into(), title: title.into(), description: description.into(), input_schema, hints }
}
