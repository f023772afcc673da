//! Tools, prompts and resources that answer at once.

use mcp::{
    Ask, Filled, Prompt, PromptIn, PromptOut, Resource, ResourceContents, RpcError, Stop, ToolCallIn,
    ToolCallOut, ToolDef,
};
use serde_json::{Map, Value, json};

use crate::{argument, nothing, resource, text, tool};

pub(crate) const CUSTOM_HEADER: &str = "test_custom_header";

/// One red pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A WAV file without samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

pub(crate) fn tools() -> Vec<ToolDef> {
    let mut header = tool(
        CUSTOM_HEADER,
        "An argument that a header repeats",
        json!({
            "type": "object",
            "properties": { "value": { "type": "string", "x-mcp-header": "Value" } },
            "required": ["value"],
        }),
    );
    header.annotations.idempotent = true;
    vec![
        // The suite calls whichever is first without arguments.
        tool("test_simple_text", "A text", nothing()),
        tool("test_image_content", "An image", nothing()),
        tool("test_audio_content", "A sound", nothing()),
        tool("test_embedded_resource", "A resource", nothing()),
        tool("test_multiple_content_types", "A text, an image and a resource", nothing()),
        tool("test_error_handling", "Fails", nothing()),
        tool("json_schema_2020_12_tool", "A schema with many keywords", schema_2020_12()),
        tool("test_missing_capability", "Needs sampling", nothing()),
        header,
    ]
}

/// The suite's own fixture, keyword by keyword.
fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

pub(crate) fn call(call: &ToolCallIn) -> Option<Result<ToolCallOut, Stop>> {
    let image = || json!({ "type": "image", "data": PNG, "mimeType": "image/png" });
    let embedded = |uri: &str, kind: &str, text: &str| json!({ "type": "resource", "resource": { "uri": uri, "mimeType": kind, "text": text } });
    Some(Ok(match call.name.as_str() {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => ToolCallOut::blocks(vec![image()]),
        "test_audio_content" => {
            ToolCallOut::blocks(vec![json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" })])
        }
        "test_embedded_resource" => {
            let said = "This is an embedded resource content.";
            ToolCallOut::blocks(vec![embedded("test://embedded-resource", "text/plain", said)])
        }
        "test_multiple_content_types" => ToolCallOut::blocks(vec![
            json!({ "type": "text", "text": "Multiple content types test:" }),
            image(),
            embedded("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]),
        "test_error_handling" => {
            ToolCallOut::rejected("This tool intentionally returns an error for testing")
        }
        "json_schema_2020_12_tool" => text(Value::Object(call.arguments.clone()).to_string()),
        CUSTOM_HEADER => text(call.arguments.get("value").and_then(Value::as_str).unwrap_or_default()),
        "test_missing_capability" => {
            if !call.caller.can(&Ask::sampling(Value::Null)) {
                return Some(Err(RpcError::missing_capability(json!({ "sampling": {} })).into()));
            }
            text("The client can sample.")
        }
        _ => return None,
    }))
}

pub(crate) fn prompts() -> Vec<Prompt> {
    let prompt = |name: &str, arguments: &[&str]| Prompt {
        name: name.into(),
        title: None,
        description: Some("For the suite".into()),
        arguments: arguments.iter().map(|name| argument(name)).collect(),
    };
    vec![
        prompt("test_simple_prompt", &[]),
        prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
        prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
        prompt("test_prompt_with_image", &[]),
        prompt("test_input_required_result_prompt", &[]),
    ]
}

pub(crate) async fn prompt(request: &PromptIn) -> Option<Result<PromptOut, Stop>> {
    let argument = |name: &str| request.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let said = |content: Value| json!({ "role": "user", "content": content });
    let words = |text: String| said(json!({ "type": "text", "text": text }));
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![words("This is a simple prompt for testing.".into())],
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1"), argument("arg2"));
            vec![words(format!("Prompt with arguments: arg1='{one}', arg2='{two}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let resource = json!({
                "uri": argument("resourceUri"), "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            });
            vec![
                said(json!({ "type": "resource", "resource": resource })),
                words("Please process the embedded resource above.".into()),
            ]
        }
        "test_prompt_with_image" => vec![
            said(json!({ "type": "image", "data": PNG, "mimeType": "image/png" })),
            words("Please analyze the image above.".into()),
        ],
        "test_input_required_result_prompt" => {
            let schema = json!({
                "type": "object", "properties": { "context": { "type": "string" } }, "required": ["context"],
            });
            let asks = vec![("user_context", Ask::form("What context should the prompt use?", schema))];
            let answers = match request.caller.ask(asks, None).await {
                Ok(answers) => answers,
                Err(stop) => return Some(Err(stop)),
            };
            let context = match Filled::read(&answers["user_context"]) {
                Filled::Accepted(content) => content["context"].as_str().unwrap_or_default().to_owned(),
                Filled::Declined | Filled::Dismissed => "none".into(),
            };
            vec![words(format!("Use this context: {context}"))]
        }
        _ => return None,
    };
    Some(Ok(PromptOut { description: Some("For the suite".into()), messages }))
}

pub(crate) fn resources() -> Vec<Resource> {
    vec![
        resource("test://static-text", "static-text", "text/plain"),
        resource("test://static-binary", "static-binary", "image/png"),
        resource("test://watched-resource", "watched-resource", "text/plain"),
    ]
}

pub(crate) fn read(uri: &str) -> Option<ResourceContents> {
    let contents = |kind: &str, text: String, blob: Option<&str>| ResourceContents {
        uri: uri.into(),
        mime_type: Some(kind.into()),
        text,
        blob: blob.map(str::to_owned),
        meta: Map::new(),
    };
    Some(match uri {
        "test://static-text" => {
            contents("text/plain", "This is the content of the static text resource.".into(), None)
        }
        "test://static-binary" => contents("image/png", String::new(), Some(PNG)),
        "test://watched-resource" => contents("text/plain", "Watched resource content".into(), None),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            contents("application/json", data.to_string(), None)
        }
    })
}
