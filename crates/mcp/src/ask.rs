//! What a server asks of the person or the model behind its client, in the middle of a call.
//!
//! A tool asks in one way and does not know the protocol version: in the modern one the call ends with an `input_required` result
//! and comes again with the answers (2026-07-28, basic/patterns/mrtr); in the older ones a request goes out on the
//! call's stream and its answer is waited for.

use serde_json::{Map, Value, json};

/// Why a call has no output yet, or never will.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The client gets this error.
    Error(crate::RpcError),
    /// These have to be answered first.
    Ask(InputRequired),
}

impl From<crate::RpcError> for Stop {
    fn from(error: crate::RpcError) -> Self {
        Self::Error(error)
    }
}

/// What has to be answered before a call can go on.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRequired {
    /// The requests, each under a key that its answer comes under.
    pub requests: Map<String, Value>,
    /// What the tool wants to see again; sealed on its way through the client.
    pub state: Option<Value>,
    /// Arguments that were missing and were asked for before; None where nothing was missing.
    pub(crate) filled: Option<Map<String, Value>>,
}

/// One request to the client.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    pub(crate) method: &'static str,
    pub(crate) params: Value,
}

impl Ask {
    /// A form for the person: a message, and a flat object schema of strings, numbers, booleans and choices
    /// (2026-07-28, client/elicitation). Never for secrets.
    pub fn form(message: impl Into<String>, schema: Value) -> Self {
        let params = json!({ "mode": "form", "message": message.into(), "requestedSchema": schema });
        Self { method: "elicitation/create", params }
    }

    /// A completion by the client's model; `params` as the schema's `CreateMessageRequestParams`.
    pub fn sampling(params: Value) -> Self {
        Self { method: "sampling/createMessage", params }
    }

    /// The folders the client works in.
    pub fn roots() -> Self {
        Self { method: "roots/list", params: json!({}) }
    }

    /// What a client declares that can answer this.
    pub(crate) fn capability(&self) -> &'static str {
        match self.method {
            "sampling/createMessage" => "sampling",
            "roots/list" => "roots",
            _ => "elicitation",
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "method": self.method, "params": self.params })
    }

    /// Whether this is an answer to it. A form that was declined or dismissed was answered.
    pub(crate) fn takes(&self, answer: &Value) -> bool {
        let Some(fields) = answer.as_object() else { return false };
        match self.method {
            "sampling/createMessage" => fields.contains_key("content"),
            "roots/list" => fields.get("roots").is_some_and(Value::is_array),
            _ => match fields.get("action").and_then(Value::as_str) {
                Some("decline" | "cancel") => true,
                Some("accept") => fits(&self.params["requestedSchema"], fields.get("content")),
                _ => false,
            },
        }
    }
}

/// Whether a form was filled in as it asked.
fn fits(schema: &Value, content: Option<&Value>) -> bool {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some(content) = content.and_then(Value::as_object) else { return required.is_empty() };
    let is_there = |name: &Value| name.as_str().is_some_and(|name| content.contains_key(name));
    required.iter().all(is_there)
        && content.iter().all(|(name, value)| match schema["properties"].get(name) {
            // What was not asked for is not looked at.
            None => true,
            Some(field) => fits_field(field, value),
        })
}

fn fits_field(field: &Value, value: &Value) -> bool {
    let is_typed = match field["type"].as_str() {
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        _ => true,
    };
    let is_chosen = |choices: &Value| choices.as_array().is_none_or(|choices| choices.contains(value));
    is_typed && is_chosen(&field["enum"])
}

/// What became of a form.
#[derive(Clone, Debug, PartialEq)]
pub enum Filled {
    /// It was filled in; the fields by name.
    Accepted(Map<String, Value>),
    /// The person said no.
    Declined,
    /// The person closed it without an answer.
    Dismissed,
}

impl Filled {
    /// Reads the answer to a form.
    #[must_use]
    pub fn read(answer: &Value) -> Self {
        match answer["action"].as_str() {
            Some("accept") => Self::Accepted(answer["content"].as_object().cloned().unwrap_or_default()),
            Some("decline") => Self::Declined,
            _ => Self::Dismissed,
        }
    }

    /// The answer to a form, as the protocol has it.
    #[must_use]
    pub fn write(self) -> Value {
        match self {
            Self::Accepted(content) => json!({ "action": "accept", "content": content }),
            Self::Declined => json!({ "action": "decline" }),
            Self::Dismissed => json!({ "action": "cancel" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_answers_is_an_answer() {
        let form = Ask::form(
            "Who?",
            json!({"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string"}, "age": {"type": "integer"}, "kind": {"type": "string", "enum": ["a", "b"]},
            }}),
        );
        let rows = [
            (json!({"action": "accept", "content": {"name": "Ada"}}), true),
            (
                json!({"action": "accept", "content": {"name": "Ada", "age": 36, "kind": "a", "more": 1}}),
                true,
            ),
            (json!({"action": "accept", "content": {"name": 7}}), false),
            (json!({"action": "accept", "content": {"name": "Ada", "age": 1.5}}), false),
            (json!({"action": "accept", "content": {"name": "Ada", "kind": "c"}}), false),
            (json!({"action": "accept", "content": {}}), false),
            (json!({"action": "accept"}), false),
            (json!({"action": "decline"}), true),
            (json!({"action": "cancel"}), true),
            (json!({"action": "yes"}), false),
            (json!({}), false),
            (json!(12345), false),
            (Value::Null, false),
        ];
        for (answer, expected) in rows {
            assert_eq!(form.takes(&answer), expected, "{answer}");
        }
        assert!(Ask::roots().takes(&json!({"roots": []})) && !Ask::roots().takes(&json!({})));
        let sampling = Ask::sampling(json!({}));
        assert!(sampling.takes(&json!({"content": {}})) && !sampling.takes(&json!([])));
    }
}
