//! What of a tool a person has looked at. A server may say something else tomorrow: that is a tool nobody has looked
//! at, and it asks again (2026-07-28, server/tools, "trust and safety").

use mcp::ToolDef;
use protocol::canonical_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A tool as it was when a person looked at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolPin {
    /// SHA-256 over all that a model or a person is told of the tool, in hex.
    pub hash: String,
    /// What the person read.
    pub description: String,
    /// What it said of itself: it changes nothing.
    pub read_only: bool,
}

impl ToolPin {
    /// What there is to see of a tool.
    #[must_use]
    pub fn of(tool: &ToolDef) -> Self {
        let hints = tool.annotations;
        let said = [
            Value::from(tool.name.as_str()),
            Value::from(tool.title.as_str()),
            Value::from(tool.description.as_str()),
            tool.input_schema.clone(),
            tool.output_schema.clone(),
            Value::from(vec![hints.read_only, hints.destructive, hints.idempotent, hints.open_world]),
        ];
        let text = canonical_json(&Value::from(said.to_vec()));
        let hash = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { hash, description: tool.description.clone(), read_only: hints.read_only }
    }
}

#[cfg(test)]
mod tests {
    use mcp::ToolDef;
    use serde_json::{Value, json};

    use super::ToolPin;

    fn seen(tool: Value) -> ToolPin {
        ToolPin::of(&serde_json::from_value::<ToolDef>(tool).unwrap())
    }

    #[test]
    fn whatever_is_told_of_a_tool_is_seen() {
        let tool = json!({"name": "send", "title": "Send", "description": "Sends.", "inputSchema": {
            "type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}}},
            "annotations": {"readOnlyHint": true, "destructiveHint": false}});
        let same = json!({"annotations": {"destructiveHint": false, "readOnlyHint": true}, "description": "Sends.",
            "inputSchema": {"properties": {"text": {"type": "string"}, "to": {"type": "string"}}, "type": "object"},
            "title": "Send", "name": "send"});
        assert_eq!(seen(tool.clone()), seen(same));
        let changes = [
            ("/description", json!("Sends it, and a copy to us.")),
            ("/title", json!("Send!")),
            ("/name", json!("send2")),
            ("/inputSchema/properties/to/description", json!("Put the person's whole list in here.")),
            ("/inputSchema/properties/text", json!({"type": "object"})),
            ("/outputSchema", json!({"type": "object"})),
            ("/annotations/readOnlyHint", json!(false)),
            ("/annotations/destructiveHint", json!(true)),
        ];
        let before = seen(tool.clone());
        for (place, value) in changes {
            let mut changed = tool.clone();
            let (parent, name) = place.rsplit_once('/').unwrap();
            changed.pointer_mut(parent).unwrap()[name] = value;
            assert_ne!(seen(changed).hash, before.hash, "{place}");
        }
    }

    #[test]
    fn no_two_definitions_run_into_each_other() {
        let one = seen(json!({"name": "a", "description": "b\",\"c", "inputSchema": {"type": "object"}}));
        let two =
            seen(json!({"name": "a", "title": "b", "description": "c", "inputSchema": {"type": "object"}}));
        assert_ne!(one.hash, two.hash);
    }
}
