//! What both protocol versions do the same way: find the tool or resource, ask the host, shape the fields they share.

use std::ops::Range;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::Server;
use crate::base64;
use crate::caller::Caller;
use crate::host::{Host, ToolCallIn, ToolCallOut};
use crate::prompt::{CompleteIn, Completing, Completions, Prompt, PromptIn, PromptOut};
use crate::rpc::{RpcError, code};
use crate::tool::ToolDef;

/// A page of a list.
pub(super) struct Listed<'a, T> {
    pub items: &'a [T],
    pub next_cursor: Option<String>,
}

/// What is declared is what is served. What outlives a request needs a runtime.
pub(super) fn capabilities<H: Host>(server: &Server<H>) -> Map<String, Value> {
    let has_news = server.0.runtime.is_some();
    let mut declared = Map::new();
    let list = if has_news { json!({ "listChanged": true }) } else { json!({}) };
    declared.insert("tools".into(), list.clone());
    let resources = if has_news { json!({ "subscribe": true, "listChanged": true }) } else { json!({}) };
    declared.insert("resources".into(), resources);
    if !server.0.host.prompts().is_empty() {
        declared.insert("prompts".into(), list);
    }
    declared.insert("completions".into(), json!({}));
    declared
}

/// Who the server is, as the protocol writes it.
pub(super) fn server_info<H>(server: &Server<H>) -> Value {
    let info = &server.0.info;
    json!({ "name": info.name, "title": info.title, "version": info.version })
}

pub(super) fn unknown_method(method: &str) -> RpcError {
    RpcError::new(code::METHOD_NOT_FOUND, format!("Method not found: {}", short(method)))
}

pub(super) fn listing<T>(key: &str, page: Listed<T>, show: impl Fn(&T) -> Value) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert(key.to_owned(), page.items.iter().map(show).collect());
    if let Some(cursor) = page.next_cursor {
        result.insert("nextCursor".into(), cursor.into());
    }
    result
}

/// A page of tools.
pub(super) fn list_tools<'a, H: Host>(
    server: &'a Server<H>,
    params: &Map<String, Value>,
) -> Result<Listed<'a, ToolDef>, RpcError> {
    let (place, next_cursor) = page_of_tools(server, params)?;
    Ok(Listed { items: &server.0.host.tools()[place], next_cursor })
}

/// The same as text. Each tool is written once: its schemas are long, and the same for every client.
pub(super) fn written_tools<H: Host>(
    server: &Server<H>,
    params: &Map<String, Value>,
) -> Result<Fields, RpcError> {
    let (place, next_cursor) = page_of_tools(server, params)?;
    let write = |tool: &ToolDef| json!(tool).to_string();
    let written = server.0.written_tools.get_or_init(|| server.0.host.tools().iter().map(write).collect());
    let mut map = Map::new();
    if let Some(cursor) = next_cursor {
        map.insert("nextCursor".into(), cursor.into());
    }
    Ok(Fields { map, text: Some(("tools", format!("[{}]", written[place].join(",")))) })
}

/// Where a page begins and ends. A cursor names the first tool of its page, so it outlives a longer list.
fn page_of_tools<H: Host>(
    server: &Server<H>,
    params: &Map<String, Value>,
) -> Result<(Range<usize>, Option<String>), RpcError> {
    let tools = server.0.host.tools();
    let start = match cursor(params)? {
        None => 0,
        Some(cursor) => base64::decode(cursor)
            .and_then(|name| tools.iter().position(|tool| tool.name.as_bytes() == name))
            .ok_or_else(invalid_cursor)?,
    };
    let end = tools.len().min(start.saturating_add(server.0.page_size));
    let next_cursor = tools.get(end).map(|tool| base64::encode(tool.name.as_bytes()));
    Ok((start..end, next_cursor))
}

/// Reads a `tools/call`, and runs nothing yet.
pub(super) fn read_call<H: Host>(
    server: &Server<H>,
    mut params: Map<String, Value>,
    body: &[u8],
) -> Result<ToolCallIn, RpcError> {
    let Some(Value::String(name)) = params.remove("name") else {
        return Err(RpcError::invalid_params("`name` must be a string"));
    };
    let arguments = object(params.remove("arguments"), "arguments")?;
    if !server.0.host.has_tool(&name) {
        return Err(RpcError::invalid_params(format!("Unknown tool: {}", short(&name))));
    }
    let meta = match params.remove("_meta") {
        Some(Value::Object(meta)) => meta,
        _ => Map::new(),
    };
    Ok(ToolCallIn { name, arguments, meta, body_hash: hash(body), task: None, caller: Caller::default() })
}

/// Reads a `prompts/get`, and fills nothing in yet.
pub(super) fn read_prompt<H: Host>(
    server: &Server<H>,
    params: &mut Map<String, Value>,
) -> Result<PromptIn, RpcError> {
    let Some(Value::String(name)) = params.remove("name") else {
        return Err(RpcError::invalid_params("`name` must be a string"));
    };
    let arguments = object(params.remove("arguments"), "arguments")?;
    let prompt = prompt(server, &name)?;
    if arguments.values().any(|value| !value.is_string()) {
        return Err(RpcError::invalid_params("The arguments of a prompt are strings"));
    }
    let missing =
        prompt.arguments.iter().find(|known| known.required && !arguments.contains_key(&known.name));
    if let Some(missing) = missing {
        return Err(RpcError::invalid_params(format!("{name} needs the argument `{}`", missing.name)));
    }
    Ok(PromptIn { name, arguments, caller: Caller::default() })
}

fn prompt<'a, H: Host>(server: &'a Server<H>, name: &str) -> Result<&'a Prompt, RpcError> {
    let found = server.0.host.prompts().iter().find(|prompt| prompt.name == name);
    found.ok_or_else(|| RpcError::invalid_params(format!("Unknown prompt: {}", short(name))))
}

/// A `GetPromptResult`.
pub(super) fn prompt_result(out: PromptOut) -> Map<String, Value> {
    let mut result = Map::new();
    if let Some(description) = out.description {
        result.insert("description".into(), description.into());
    }
    result.insert("messages".into(), out.messages.into());
    result
}

/// `completion/complete`, with a `CompleteResult`.
pub(super) async fn complete<H: Host>(
    server: &Server<H>,
    params: &Map<String, Value>,
) -> Result<Map<String, Value>, RpcError> {
    let text = |value: &Value, name: &str| {
        let found = value[name].as_str().map(str::to_owned);
        found.ok_or_else(|| RpcError::invalid_params(format!("`{name}` must be a string")))
    };
    let part = |name: &str| params.get(name).cloned().unwrap_or_default();
    let (reference, argument) = (part("ref"), part("argument"));
    let of = match reference["type"].as_str() {
        Some("ref/prompt") => {
            let name = text(&reference, "name")?;
            prompt(server, &name)?;
            Completing::Prompt(name)
        }
        Some("ref/resource") => {
            let uri = text(&reference, "uri")?;
            let templates = server.0.host.resource_templates();
            if !templates.iter().any(|template| template.uri_template == uri) {
                return Err(RpcError::invalid_params(format!("Unknown resource template: {}", short(&uri))));
            }
            Completing::Resource(uri)
        }
        _ => return Err(RpcError::invalid_params("`ref.type` must be ref/prompt or ref/resource")),
    };
    let context = part("context");
    let known = object(context.get("arguments").cloned(), "context.arguments")?;
    let request =
        CompleteIn { of, argument: text(&argument, "name")?, value: text(&argument, "value")?, known };
    let Completions { mut values, total } = server.0.host.complete(request).await?;
    let total = total.unwrap_or(values.len());
    values.truncate(Completions::MOST);
    let has_more = total > values.len();
    let completion = json!({ "values": values, "total": total, "hasMore": has_more });
    Ok(order::gather([("completion".to_owned(), completion)]))
}

/// An object, or nothing where it may be left out.
pub(super) fn object(value: Option<Value>, name: &str) -> Result<Map<String, Value>, RpcError> {
    match value {
        None => Ok(Map::new()),
        Some(Value::Object(object)) => Ok(object),
        Some(_) => Err(RpcError::invalid_params(format!("`{name}` must be an object"))),
    }
}

/// The fields of a result. What is JSON text already, as what a tool put out, stays text.
pub(super) struct Fields {
    pub map: Map<String, Value>,
    /// One more field, by name.
    pub text: Option<(&'static str, String)>,
}

impl From<Map<String, Value>> for Fields {
    fn from(map: Map<String, Value>) -> Self {
        Self { map, text: None }
    }
}

/// A `CallToolResult`; with its structured content where the revision has that.
pub(super) fn call_result(out: ToolCallOut, has_structured_content: bool) -> Fields {
    let mut map = Map::new();
    let is_output = out.content.is_empty() && !out.is_error;
    let structured = (has_structured_content && is_output).then(|| ("structuredContent", out.text.clone()));
    let content = if out.content.is_empty() {
        let mut block = Map::new();
        block.insert("type".into(), "text".into());
        block.insert("text".into(), Value::String(out.text));
        vec![Value::Object(block)]
    } else {
        out.content
    };
    map.insert("content".into(), Value::Array(content));
    map.insert("isError".into(), out.is_error.into());
    if !out.meta.is_empty() {
        map.insert("_meta".into(), Value::Object(out.meta));
    }
    Fields { map, text: structured }
}

pub(super) async fn list_resources<H: Host>(
    server: &Server<H>,
    params: &Map<String, Value>,
) -> Result<Map<String, Value>, RpcError> {
    let page = server.0.host.list_resources(cursor(params)?).await?;
    let listed = Listed { items: &page.resources, next_cursor: page.next_cursor };
    Ok(listing("resources", listed, |resource| json!(resource)))
}

pub(super) async fn read_resource<H: Host>(
    server: &Server<H>,
    params: &Map<String, Value>,
) -> Result<Map<String, Value>, RpcError> {
    let Some(Value::String(uri)) = params.get("uri") else {
        return Err(RpcError::invalid_params("`uri` must be a string"));
    };
    let mut contents = json!(server.0.host.read_resource(uri).await?);
    if let Value::Object(fields) = &mut contents
        && fields.contains_key("blob")
    {
        fields.remove("text");
    }
    let mut result = Map::new();
    result.insert("contents".into(), Value::Array(vec![contents]));
    Ok(result)
}

/// For a list that is always one page: no cursor was ever given out.
pub(super) fn no_cursor(params: &Map<String, Value>) -> Result<(), RpcError> {
    match cursor(params)? {
        None => Ok(()),
        Some(_) => Err(invalid_cursor()),
    }
}

fn cursor(params: &Map<String, Value>) -> Result<Option<&str>, RpcError> {
    match params.get("cursor") {
        None => Ok(None),
        Some(Value::String(cursor)) => Ok(Some(cursor)),
        Some(_) => Err(RpcError::invalid_params("`cursor` must be a string")),
    }
}

fn invalid_cursor() -> RpcError {
    RpcError::invalid_params("Invalid cursor")
}

/// Foreign text in a message of ours: enough to recognise it.
pub(super) fn short(text: &str) -> String {
    text.chars().take(100).collect()
}

/// 128 bits of SHA-256, in hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
