//! Whether a structured response is valid (S0-14): the documented errors, word for word, and those of its JSON.

use serde::Deserialize;
use serde_json::Value;

/// A valid structured response, but for its thought and message, which have streamed.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// Its calls, in their order: the tool's name and the arguments' JSON text.
    pub calls: Vec<(String, String)>,
    /// What it says to the person; empty where it calls tools.
    pub message: String,
    /// How sure the model says it is, from 0.0 to 1.0 (S0-16). Where it says nothing, S0-13 reads 1.0; here it stays
    /// unsaid, because a run may end on what was said (D-08).
    pub confidence: Option<f64>,
}

#[derive(Deserialize)]
struct Object {
    #[serde(default)]
    thought: Option<String>,
    /// S0-13 has one call, S0-21 any number.
    #[serde(default)]
    tool_call: Option<Call>,
    #[serde(default)]
    tool_calls: Option<Vec<Call>>,
    #[serde(default)]
    assistant_message: Option<String>,
    #[serde(default)]
    confidence: Option<f64>,
}

#[derive(Deserialize)]
struct Call {
    name: String,
    #[serde(default, alias = "parameters")]
    arguments: Value,
}

/// Reads a response from its JSON text; none where the model wrote no whole object.
///
/// # Errors
/// All that is wrong with it, in the documented words where they are documented (S0-14).
pub fn check(json: Option<&str>) -> Result<Response, Vec<String>> {
    let Some(json) = json else { return Err(vec!["No complete JSON object".to_owned()]) };
    let object: Object =
        serde_json::from_str(json).map_err(|error| vec![format!("Not valid JSON: {error}")])?;
    let calls: Vec<Call> =
        object.tool_call.into_iter().chain(object.tool_calls.into_iter().flatten()).collect();
    let message = object.assistant_message.unwrap_or_default();
    let is_silent = message.trim().is_empty();
    let rules = [
        (object.thought.is_none_or(|thought| thought.trim().is_empty()), "Missing thought"),
        (!calls.is_empty() && !is_silent, "Cannot have both tool_call and assistant_message"),
        (calls.is_empty() && is_silent, "Must have either tool_call or assistant_message"),
        (calls.iter().any(|call| call.name.trim().is_empty()), "A tool_call has no name"),
        (
            object.confidence.is_some_and(|value| !(0.0..=1.0).contains(&value)),
            "confidence must be from 0.0 to 1.0",
        ),
    ];
    let errors: Vec<String> =
        rules.into_iter().filter(|(is_broken, _)| *is_broken).map(|(_, words)| words.to_owned()).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let calls = calls.into_iter().map(|call| (call.name, text(call.arguments))).collect();
    Ok(Response { calls, message, confidence: object.confidence })
}

/// The arguments' JSON text. Some models write that text itself, as a string; none are an empty object.
fn text(arguments: Value) -> String {
    match arguments {
        Value::Null => "{}".to_owned(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}
