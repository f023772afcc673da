//! Tools that ask.

use mcp::{Ask, Filled, Stop, ToolCallIn, ToolCallOut, ToolDef};
use serde_json::{Map, Value, json};

use crate::{nothing, text, tool};

pub(crate) fn tools() -> Vec<ToolDef> {
    let one = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
    vec![
        tool("test_sampling", "Asks the client's model", one("prompt")),
        tool("test_elicitation", "Asks the person", one("message")),
        tool("test_elicitation_sep1034_defaults", "Asks with defaults", nothing()),
        tool("test_elicitation_sep1330_enums", "Asks to choose", nothing()),
        tool("test_streaming_elicitation", "Asks, on a stream or not", nothing()),
        tool("test_input_required_result_elicitation", "Asks for a name", nothing()),
        tool("test_input_required_result_sampling", "Asks the client's model", nothing()),
        tool("test_input_required_result_list_roots", "Asks for folders", nothing()),
        tool("test_input_required_result_request_state", "Asks, and wants its state back", nothing()),
        tool("test_input_required_result_multiple_inputs", "Asks three things at once", nothing()),
        tool("test_input_required_result_multi_round", "Asks twice", nothing()),
        tool("test_input_required_result_tampered_state", "Wants its own state back", nothing()),
        tool("test_input_required_result_capabilities", "Asks what the client can answer", nothing()),
    ]
}

pub(crate) fn name_form() -> Ask {
    let name = json!({ "type": "string", "title": "Name" });
    Ask::form(
        "What is your name?",
        json!({ "type": "object", "properties": { "name": name }, "required": ["name"] }),
    )
}

fn ok_form(message: &str) -> Ask {
    let ok = json!({ "type": "boolean" });
    Ask::form(message, json!({ "type": "object", "properties": { "ok": ok }, "required": ["ok"] }))
}

fn sampling(prompt: &str) -> Ask {
    let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
    Ask::sampling(json!({ "messages": [message], "maxTokens": 100 }))
}

/// The text field of a form that was filled in; the words for what became of it otherwise.
pub(crate) fn field(answers: &Map<String, Value>, key: &str, name: &str) -> Result<String, &'static str> {
    match Filled::read(&answers[key]) {
        Filled::Accepted(content) => Ok(content[name].as_str().unwrap_or_default().to_owned()),
        Filled::Declined => Err("The person declined."),
        Filled::Dismissed => Err("The person dismissed the question."),
    }
}

fn sampled(answer: &Value) -> &str {
    let content = &answer["content"];
    content["text"].as_str().or_else(|| content[0]["text"].as_str()).unwrap_or("nothing")
}

pub(crate) async fn call(call: &ToolCallIn) -> Option<Result<ToolCallOut, Stop>> {
    tools().iter().any(|tool| tool.name == call.name).then_some(())?;
    Some(run(call).await)
}

async fn run(call: &ToolCallIn) -> Result<ToolCallOut, Stop> {
    let caller = &call.caller;
    let argument = |name: &str| call.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    match call.name.as_str() {
        "test_sampling" => {
            let answers = caller.ask(vec![("answer", sampling(argument("prompt")))], None).await?;
            Ok(text(format!("LLM response: {}", sampled(&answers["answer"]))))
        }
        "test_elicitation" => {
            let field = |what: &str| json!({ "type": "string", "description": what });
            let schema = json!({
                "type": "object",
                "properties": { "username": field("The user's name"), "email": field("The user's address") },
                "required": ["username", "email"],
            });
            let answers = caller.ask(vec![("user", Ask::form(argument("message"), schema))], None).await?;
            Ok(text(format!("User response: {}", answers["user"])))
        }
        "test_elicitation_sep1034_defaults" => {
            let schema = json!({ "type": "object", "properties": {
                "name": { "type": "string", "default": "John Doe" },
                "age": { "type": "integer", "default": 30 },
                "score": { "type": "number", "default": 95.5 },
                "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
                "verified": { "type": "boolean", "default": true },
            }, "required": [] });
            let answers = caller.ask(vec![("user", Ask::form("Check these values", schema))], None).await?;
            Ok(text(format!("Elicitation completed: {}", answers["user"])))
        }
        "test_elicitation_sep1330_enums" => {
            let titled = json!([
                { "const": "value1", "title": "First Option" },
                { "const": "value2", "title": "Second Option" },
                { "const": "value3", "title": "Third Option" },
            ]);
            let plain = json!(["option1", "option2", "option3"]);
            let schema = json!({ "type": "object", "properties": {
                "untitledSingle": { "type": "string", "enum": plain },
                "titledSingle": { "type": "string", "oneOf": titled },
                "legacyEnum": {
                    "type": "string", "enum": ["opt1", "opt2", "opt3"],
                    "enumNames": ["Option One", "Option Two", "Option Three"],
                },
                "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
                "titledMulti": { "type": "array", "items": { "anyOf": titled } },
            }, "required": [] });
            let answers = caller.ask(vec![("user", Ask::form("Choose", schema))], None).await?;
            Ok(text(format!("Elicitation completed: {}", answers["user"])))
        }
        "test_streaming_elicitation" => {
            let answers = caller.ask(vec![("user_name", name_form())], None).await?;
            Ok(field(&answers, "user_name", "name").map_or_else(text, |name| text(format!("Hello, {name}!"))))
        }
        "test_input_required_result_elicitation" => {
            let answers = caller.ask(vec![("user_name", name_form())], None).await?;
            Ok(field(&answers, "user_name", "name").map_or_else(text, |name| text(format!("Hello, {name}!"))))
        }
        "test_input_required_result_sampling" => {
            let ask = sampling("What is the capital of France?");
            let answers = caller.ask(vec![("capital", ask)], None).await?;
            Ok(text(format!("The model said: {}", sampled(&answers["capital"]))))
        }
        "test_input_required_result_list_roots" => {
            let answers = caller.ask(vec![("client_roots", Ask::roots())], None).await?;
            let count = answers["client_roots"]["roots"].as_array().map_or(0, Vec::len);
            Ok(text(format!("The client has {count} roots")))
        }
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => {
            caller.ask(vec![("confirm", ok_form("Please confirm"))], Some(json!({ "asked": true }))).await?;
            match caller.state() {
                Some(_) => Ok(text("state-ok: the state came back")),
                None => Ok(ToolCallOut::rejected("The state did not come back")),
            }
        }
        "test_input_required_result_multiple_inputs" => {
            let asks = vec![
                ("user_name", name_form()),
                ("greeting", sampling("Write a greeting")),
                ("client_roots", Ask::roots()),
            ];
            let answers = caller.ask(asks, Some(json!({ "asked": true }))).await?;
            Ok(text(format!("All {} answers are there", answers.len())))
        }
        "test_input_required_result_multi_round" => {
            let name = match caller.state().and_then(|state| state["name"].as_str()) {
                Some(name) => name.to_owned(),
                None => {
                    let answers =
                        caller.ask(vec![("step1", name_form())], Some(json!({ "round": 1 }))).await?;
                    match field(&answers, "step1", "name") {
                        Ok(name) => name,
                        Err(other) => return Ok(text(other)),
                    }
                }
            };
            let color = json!({ "color": { "type": "string" } });
            let schema = json!({ "type": "object", "properties": color, "required": ["color"] });
            let ask = Ask::form(format!("And your favourite colour, {name}?"), schema);
            let answers = caller.ask(vec![("step2", ask)], Some(json!({ "round": 2, "name": name }))).await?;
            Ok(match field(&answers, "step2", "color") {
                Ok(color) => text(format!("{name} likes {color}")),
                Err(other) => text(other),
            })
        }
        _ => {
            let mut asks = Vec::new();
            for (key, ask) in [
                ("user_name", name_form()),
                ("greeting", sampling("Write a greeting")),
                ("client_roots", Ask::roots()),
            ] {
                if caller.can(&ask) {
                    asks.push((key, ask));
                }
            }
            if asks.is_empty() {
                return Ok(text("The client can answer nothing"));
            }
            let answers = caller.ask(asks, None).await?;
            Ok(text(format!("{} answers", answers.len())))
        }
    }
}
