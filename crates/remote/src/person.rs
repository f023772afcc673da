//! Who answers a server's questions (elicitation): a port, since forms are drawn at the edge.

use async_trait::async_trait;
use mcp::Filled;
use serde_json::{Map, Value};

/// The person, to a server that asks.
#[async_trait(?Send)]
pub trait Person {
    /// Shows a form, and waits: what the server says, and the fields by JSON Schema (flat, of plain types).
    async fn fill(&self, message: &str, schema: &Value) -> Filled;
}

/// The answer to one request for input; none for one this client does not know.
pub async fn answer(person: &dyn Person, request: &Value) -> Option<Value> {
    let is_form = request["params"]["mode"].as_str().is_none_or(|mode| mode == "form");
    if request["method"] != "elicitation/create" || !is_form {
        return None;
    }
    let params = &request["params"];
    let schema = &params["requestedSchema"];
    let filled = person.fill(params["message"].as_str().unwrap_or_default(), schema).await;
    Some(match filled {
        Filled::Accepted(content) => Filled::Accepted(with_defaults(content, schema)).write(),
        other => other.write(),
    })
}

/// What was left empty is what the form said it would be (2025-11-25, client/elicitation, "default").
fn with_defaults(mut content: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if let (Some(default), false) = (field.get("default"), content.contains_key(name)) {
            content.insert(name.clone(), default.clone());
        }
    }
    content
}
