//! What MCP's tools and results are to a conversation.

use mcp::ToolDef;
use protocol::{Hints, ToolSpec};
use serde_json::Value;

/// A tool of MCP as a tool of the conversation.
#[must_use]
pub fn to_spec(tool: ToolDef) -> ToolSpec {
    let lasting = tool.is_lasting();
    ToolSpec {
        title: if tool.title.is_empty() { tool.name.clone() } else { tool.title },
        name: tool.name,
        description: tool.description,
        input_schema: tool.input_schema,
        hints: Hints {
            read_only: tool.annotations.read_only,
            destructive: tool.annotations.destructive,
            idempotent: tool.annotations.idempotent,
            open_world: tool.annotations.open_world,
            lasting,
        },
    }
}

/// How many things an answer says it changed; where it shows only the first of them, how many there are in all.
#[must_use]
pub fn touched(answer: &Value) -> Option<u32> {
    let shown = answer.get("changes")?.as_array()?.len() as u64;
    let total = answer.get("total").and_then(Value::as_u64).unwrap_or(0);
    u32::try_from(total.max(shown)).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{to_spec, touched};

    #[test]
    fn how_much_a_call_touches_is_counted() {
        let rows = [
            (json!({"changes": []}), Some(0)),
            (json!({"changes": [{}, {}]}), Some(2)),
            (json!({"changes": [{}, {}], "total": 700}), Some(700)),
            (json!({"changes": [{}, {}], "total": "many"}), Some(2)),
            (json!({"total": 7}), None),
            (json!({"changes": 3}), None),
            (json!(null), None),
        ];
        for (answer, expected) in rows {
            assert_eq!(touched(&answer), expected, "{answer}");
        }
    }

    #[test]
    fn a_tool_keeps_its_hints_and_gets_a_title() {
        let tool = serde_json::from_value(json!({
            "name": "todo_delete",
            "description": "Deletes.",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false},
        }))
        .unwrap();
        let spec = to_spec(tool);
        assert_eq!(spec.title, "todo_delete");
        assert!(
            spec.hints.destructive
                && !spec.hints.read_only
                && spec.hints.idempotent
                && !spec.hints.open_world
        );
        // A tool that says nothing about itself is treated with care.
        let silent = serde_json::from_value(
            json!({"name": "x", "title": "X", "description": "", "inputSchema": {"type": "object"}}),
        )
        .unwrap();
        let silent = to_spec(silent);
        assert!(silent.hints.destructive && !silent.hints.read_only);
        assert_eq!(silent.title, "X");
    }
}
