//! The revisions with a handshake, served without sessions: `initialize` is answered and forgotten, and
//! each later request says its revision in a header, or none at all.

use serde_json::{Map, Value, json};

use super::calls::{self, Fields, Listed};
use super::message::{Message, invalid};
use super::{Refusal, Server, accepted, error_message, json_answer, result_message};
use crate::host::Host;
use crate::http::{Headers, HttpIn, HttpOut};
use crate::rpc::{RpcError, code};
use crate::tool::ToolDef;
use crate::version::{LEGACY_VERSIONS, Legacy};

/// More messages than this in one body are refused.
const MAX_BATCH: usize = 100;

pub(super) async fn answer<H: Host>(
    server: &Server<H>,
    request: &HttpIn,
    message: Message,
) -> Result<HttpOut, Refusal> {
    // The handshake comes before any agreement, so its header says nothing.
    let version = match message.method.as_str() {
        "initialize" => Legacy::NEWEST,
        _ => version(&request.headers).map_err(|refusal| refusal.to(message.id.clone()))?,
    };
    let answer = run(server, version, message, &request.body).await;
    Ok(answer.map_or_else(accepted, |answer| json_answer(200, answer)))
}

/// Several messages in one body, answered in order.
pub(super) async fn batch<H: Host>(
    server: &Server<H>,
    request: &HttpIn,
    items: Vec<Value>,
) -> Result<HttpOut, Refusal> {
    let version = version(&request.headers)?;
    if !version.has_batches() {
        return Err(invalid("Batches exist in 2025-03-26 only"));
    }
    if items.is_empty() || items.len() > MAX_BATCH {
        return Err(invalid("A batch holds 1 to 100 messages"));
    }
    let messages = items.into_iter().map(Message::read).collect::<Result<Vec<_>, _>>()?;
    let is_foreign = |message: &Message| {
        message.method == "initialize" || matches!(super::era(message, &Headers::new()), super::Era::Modern)
    };
    if messages.iter().any(is_foreign) {
        return Err(invalid("This message must come alone"));
    }
    let mut answers = Vec::new();
    for (place, message) in messages.into_iter().enumerate() {
        // Two equal calls of one batch are two calls.
        let bytes = [request.body.as_slice(), &place.to_le_bytes()].concat();
        answers.extend(run(server, version, message, &bytes).await);
    }
    Ok(if answers.is_empty() { accepted() } else { json_answer(200, format!("[{}]", answers.join(","))) })
}

/// The revision a request speaks.
fn version(headers: &Headers) -> Result<Legacy, Refusal> {
    let Some(header) = headers.get("mcp-protocol-version") else { return Ok(Legacy::ASSUMED) };
    Legacy::parse(header).ok_or_else(|| {
        let data = json!({ "supported": LEGACY_VERSIONS, "requested": header });
        let error = RpcError::new(code::INVALID_REQUEST, "Unsupported protocol version");
        Refusal::new(400, RpcError { data: Some(data), ..error })
    })
}

/// The answer to a request; None for a notification. Errors ride on HTTP 200 in these revisions.
async fn run<H: Host>(server: &Server<H>, version: Legacy, message: Message, body: &[u8]) -> Option<String> {
    let Message { id, method, params } = message;
    let id = id?;
    Some(match result(server, version, &method, params, body).await {
        Ok(result) => result_message(&id, result),
        Err(error) => error_message(Some(id), &error),
    })
}

/// Every method of this era.
async fn result<H: Host>(
    server: &Server<H>,
    version: Legacy,
    method: &str,
    params: Map<String, Value>,
    body: &[u8],
) -> Result<Fields, RpcError> {
    let fields = match method {
        "initialize" => initialize(server, &params),
        "ping" => Ok(Map::new()),
        "tools/list" => {
            let page = calls::list_tools(server, &params)?;
            Ok(calls::listing("tools", page, |tool| listed_tool(version, tool)))
        }
        "tools/call" => {
            let out = calls::call_tool(server, params, body).await?;
            return Ok(calls::call_result(out, version.has_structured_content()));
        }
        "resources/list" => {
            let mut result = calls::list_resources(server, &params).await?;
            if let Some(Value::Array(resources)) = result.get_mut("resources") {
                resources.iter_mut().for_each(|resource| drop_title(version, resource));
            }
            Ok(result)
        }
        "resources/templates/list" => {
            calls::no_cursor(&params)?;
            let page = Listed { items: server.host.resource_templates(), next_cursor: None };
            Ok(calls::listing("resourceTemplates", page, |template| {
                let mut template = json!(template);
                drop_title(version, &mut template);
                template
            }))
        }
        "resources/read" => calls::read_resource(server, &params).await.map_err(resource_error),
        _ => Err(calls::unknown_method(method)),
    };
    fields.map(Fields::from)
}

fn initialize<H>(server: &Server<H>, params: &Map<String, Value>) -> Result<Map<String, Value>, RpcError> {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let asked = asked.ok_or_else(|| RpcError::invalid_params("`protocolVersion` must be a string"))?;
    let version = Legacy::parse(asked).unwrap_or(Legacy::NEWEST);
    let mut info = json!({
        "name": server.info.name, "title": server.info.title, "version": server.info.version,
    });
    drop_title(version, &mut info);
    let mut result = Map::new();
    result.insert("protocolVersion".into(), version.as_str().into());
    result.insert("capabilities".into(), calls::capabilities());
    result.insert("serverInfo".into(), info);
    result.insert("instructions".into(), server.info.instructions.clone().into());
    Ok(result)
}

/// A tool without what the revision does not know. An output schema of these revisions is an object's.
fn listed_tool(version: Legacy, tool: &ToolDef) -> Value {
    let mut listed = json!(tool);
    drop_title(version, &mut listed);
    if let Value::Object(fields) = &mut listed
        && !(version.has_structured_content() && tool.output_schema["type"] == "object")
    {
        fields.remove("outputSchema");
    }
    if let Value::Object(fields) = &mut listed
        && !version.has_structured_content()
    {
        // A tool got its `_meta` with 2025-06-18.
        fields.remove("_meta");
    }
    listed
}

fn drop_title(version: Legacy, listed: &mut Value) {
    if let Value::Object(fields) = listed
        && !version.has_structured_content()
    {
        fields.remove("title");
    }
}

/// A missing resource has a code of its own in these revisions.
fn resource_error(error: RpcError) -> RpcError {
    let is_missing = error.code == code::INVALID_PARAMS
        && error.data.as_ref().is_some_and(|data| data.get("uri").is_some());
    if is_missing { RpcError { code: code::LEGACY_RESOURCE_NOT_FOUND, ..error } } else { error }
}
