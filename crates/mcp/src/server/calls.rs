//! What both eras do the same way: find the tool or resource, ask the host, shape the fields they share.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::Server;
use crate::base64;
use crate::host::{Host, ToolCallIn, ToolCallOut};
use crate::rpc::{RpcError, code};
use crate::tool::ToolDef;

/// A page of a list.
pub(super) struct Listed<'a, T> {
    pub items: &'a [T],
    pub next_cursor: Option<String>,
}

/// What is declared is what is served: lists do not announce changes yet, and nothing can be subscribed to.
pub(super) fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {} })
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

/// A page of tools. A cursor names the first tool of its page, so it outlives a longer list.
pub(super) fn list_tools<'a, H: Host>(
    server: &'a Server<H>,
    params: &Map<String, Value>,
) -> Result<Listed<'a, ToolDef>, RpcError> {
    let tools = server.host.tools();
    let start = match cursor(params)? {
        None => 0,
        Some(cursor) => base64::decode(cursor)
            .and_then(|name| tools.iter().position(|tool| tool.name.as_bytes() == name))
            .ok_or_else(invalid_cursor)?,
    };
    let rest = &tools[start..];
    let (items, later) = rest.split_at(rest.len().min(server.page_size));
    let next_cursor = later.first().map(|tool| base64::encode(tool.name.as_bytes()));
    Ok(Listed { items, next_cursor })
}

pub(super) async fn call_tool<H: Host>(
    server: &Server<H>,
    mut params: Map<String, Value>,
    body: &[u8],
) -> Result<ToolCallOut, RpcError> {
    let Some(Value::String(name)) = params.remove("name") else {
        return Err(RpcError::invalid_params("`name` must be a string"));
    };
    let arguments = match params.remove("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(RpcError::invalid_params("`arguments` must be an object")),
    };
    if !server.host.has_tool(&name) {
        return Err(RpcError::invalid_params(format!("Unknown tool: {}", short(&name))));
    }
    let meta = match params.remove("_meta") {
        Some(Value::Object(meta)) => meta,
        _ => Map::new(),
    };
    server.host.call_tool(ToolCallIn { name, arguments, meta, body_hash: hash(body) }).await
}

/// The fields of a result. What a tool put out is JSON text already and stays text.
pub(super) struct Fields {
    pub map: Map<String, Value>,
    pub structured: Option<String>,
}

impl From<Map<String, Value>> for Fields {
    fn from(map: Map<String, Value>) -> Self {
        Self { map, structured: None }
    }
}

/// A `CallToolResult`; with its structured content where the revision has that.
pub(super) fn call_result(out: ToolCallOut, has_structured_content: bool) -> Fields {
    let mut map = Map::new();
    let structured = (has_structured_content && !out.is_error).then(|| out.text.clone());
    let text = Map::from_iter([("type".into(), "text".into()), ("text".into(), Value::String(out.text))]);
    map.insert("content".into(), Value::Array(vec![Value::Object(text)]));
    map.insert("isError".into(), out.is_error.into());
    if !out.meta.is_empty() {
        map.insert("_meta".into(), Value::Object(out.meta));
    }
    Fields { map, structured }
}

pub(super) async fn list_resources<H: Host>(
    server: &Server<H>,
    params: &Map<String, Value>,
) -> Result<Map<String, Value>, RpcError> {
    let page = server.host.list_resources(cursor(params)?).await?;
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
    let contents = server.host.read_resource(uri).await?;
    let mut result = Map::new();
    result.insert("contents".into(), json!([contents]));
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
fn short(text: &str) -> String {
    text.chars().take(100).collect()
}

/// 128 bits of SHA-256, in hexadecimal.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
