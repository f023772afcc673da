//! The JSON Schema of a structured response (S0-13).

use std::sync::Arc;

use protocol::ToolSpec;
use serde_json::Value;

/// The schema for these tools. It is written by hand because its order matters: who is held to it writes in this order,
/// and what is thought first is thought through.
pub(super) fn schema(tools: &[Arc<ToolSpec>]) -> String {
    let calls: Vec<String> = tools.iter().map(|tool| call(tool)).collect();
    format!(
        r#"{{"type":"object","properties":{{"thought":{{"type":"string"}},"tool_calls":{{"type":"array","items":{{"anyOf":[{}]}}}},"assistant_message":{{"type":"string"}},"confidence":{{"type":"number"}}}},"required":["thought","confidence"],"additionalProperties":false}}"#,
        calls.join(",")
    )
}

fn call(tool: &ToolSpec) -> String {
    let name = Value::from(tool.name.as_str());
    let arguments = arguments(&tool.input_schema);
    format!(
        r#"{{"type":"object","properties":{{"name":{{"type":"string","enum":[{name}]}},"arguments":{arguments}}},"required":["name","arguments"],"additionalProperties":false}}"#
    )
}

/// The schema of a tool's arguments, as it can stand inside another: a reference would point elsewhere there, and such
/// arguments are checked by the tool alone.
fn arguments(schema: &Value) -> Value {
    let mut inner = schema.clone();
    if let Value::Object(members) = &mut inner {
        members.remove("$schema");
    }
    if schema.is_object() && !refers(schema) { inner } else { serde_json::json!({ "type": "object" }) }
}

fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.contains_key("$ref") || members.values().any(refers),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}
