//! Arguments beside the body and before the tool: what headers repeat, and what is missing and can be asked for.

use serde_json::{Map, Value, json};

use super::modern::{decode_name, mismatch};
use super::{Refusal, Server};
use crate::ask::{Ask, Filled, InputRequired, Stop};
use crate::host::{Host, ToolCallIn, ToolCallOut};
use crate::http::Headers;

/// The key of the form that asks for missing arguments.
const MISSING: &str = "arguments";

/// `Mcp-Param-*`: there if and only if the argument is, and the same (2026-07-28, streamable HTTP).
pub(super) fn check_headers<H: Host>(
    server: &Server<H>,
    headers: &Headers,
    call: &ToolCallIn,
) -> Result<(), Refusal> {
    for (argument, name) in server.0.host.param_headers(&call.name) {
        let header = headers.get(&format!("mcp-param-{}", name.to_ascii_lowercase()));
        let value = call.arguments.get(&argument).filter(|value| !value.is_null());
        let is_same = match (header, value) {
            (None, None) => true,
            (Some(header), Some(value)) => {
                let text = decode_name(header).ok_or_else(|| mismatch("A header is not valid Base64"))?;
                match value {
                    Value::String(value) => *value == text,
                    Value::Number(value) => number(&text) == value.as_f64(),
                    Value::Bool(value) => text == if *value { "true" } else { "false" },
                    _ => false,
                }
            }
            (None, Some(_)) | (Some(_), None) => false,
        };
        if !is_same {
            return Err(mismatch("A Mcp-Param header differs from the argument it repeats"));
        }
    }
    Ok(())
}

/// What was filled in in an earlier round is an argument like the others.
pub(super) fn put_back(call: &mut ToolCallIn) {
    for (name, value) in call.caller.inner().filled.iter().flatten() {
        if !call.arguments.contains_key(name) {
            call.arguments.insert(name.clone(), value.clone());
        }
    }
}

/// Runs a tool, once the person has filled in what it requires and the call lacks.
pub(super) async fn run<H: Host>(server: &Server<H>, mut call: ToolCallIn) -> Result<ToolCallOut, Stop> {
    let mut filled = call.caller.inner().filled.clone();
    let outcome = match fill_in(server, &mut call, &mut filled).await {
        Ok(None) => server.0.host.call_tool(call).await,
        Ok(Some(refusal)) => return Ok(refusal),
        Err(stop) => Err(stop),
    };
    // Where the tool has a question of its own, what was filled in comes back with its answer.
    outcome.map_err(|stop| match stop {
        Stop::Ask(asked) => Stop::Ask(InputRequired { filled, ..asked }),
        Stop::Error(error) => Stop::Error(error),
    })
}

/// The form for required arguments that a call lacks; None when it lacks nothing, or a form cannot hold what it lacks.
/// A number as it stands in a header.
fn number(text: &str) -> Option<f64> {
    serde_json::from_str::<Value>(text).ok()?.as_f64()
}

fn form<H: Host>(server: &Server<H>, call: &ToolCallIn) -> Option<(Ask, Vec<String>)> {
    let tool = server.0.host.tools().iter().find(|tool| tool.name == call.name)?;
    let required = tool.input_schema["required"].as_array()?.iter().filter_map(Value::as_str);
    let missing: Vec<_> =
        required.filter(|name| !call.arguments.contains_key(*name)).map(str::to_owned).collect();
    let mut fields = Map::new();
    for name in &missing {
        fields.insert(name.clone(), field(&tool.input_schema["properties"][name])?);
    }
    let schema = json!({ "type": "object", "properties": fields, "required": missing });
    let is_needed = !missing.is_empty();
    is_needed.then(|| (Ask::form(format!("{}: something is missing", tool.title), schema), missing))
}

/// Whether a call lacks what a person could be asked for.
pub(super) fn are_missing<H: Host>(server: &Server<H>, call: &ToolCallIn) -> bool {
    form(server, call).is_some()
}

/// Asks the person for required arguments that are missing, where the client can and a form can hold them. None when
/// nothing is missing, or a tool had better say itself what is wrong.
async fn fill_in<H: Host>(
    server: &Server<H>,
    call: &mut ToolCallIn,
    filled: &mut Option<Map<String, Value>>,
) -> Result<Option<ToolCallOut>, Stop> {
    if !call.caller.can_fill_forms() || call.task.is_some() {
        return Ok(None);
    }
    let Some((ask, missing)) = form(server, call) else { return Ok(None) };
    let filled = filled.get_or_insert_default();
    let answers = call.caller.ask(vec![(MISSING, ask)], None).await?;
    match Filled::read(&answers[MISSING]) {
        Filled::Accepted(mut content) => {
            for name in missing {
                if let Some(value) = content.remove(&name) {
                    filled.insert(name.clone(), value.clone());
                    call.arguments.insert(name, value);
                }
            }
            Ok(None)
        }
        Filled::Declined | Filled::Dismissed => {
            Ok(Some(ToolCallOut::rejected(format!("The person did not fill in: {}", missing.join(", ")))))
        }
    }
}

/// A property as a form can have it: text, numbers, yes or no, one of some words.
fn field(property: &Value) -> Option<Value> {
    let kind = property["type"].as_str()?;
    if !matches!(kind, "string" | "integer" | "number" | "boolean") {
        return None;
    }
    let mut field = Map::new();
    for name in ["type", "title", "description", "enum", "minimum", "maximum", "minLength", "maxLength"] {
        if let Some(value) = property.get(name) {
            field.insert(name.to_owned(), value.clone());
        }
    }
    Some(Value::Object(field))
}
