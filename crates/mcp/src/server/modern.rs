//! The stateless revision, 2026-07-28: every request carries its version and capabilities in `_meta`,
//! and says in headers what it says in its body.

use serde_json::{Map, Value, json};

use super::calls::{self, Fields};
use super::message::{Message, VERSION_KEY};
use super::{Refusal, Server, accepted, json_answer, params, result_message, takes_events};
use crate::ask::Stop;
use crate::base64;
use crate::caller::LogLevel;
use crate::host::{Host, TaskUse};
use crate::http::{Headers, HttpIn, HttpOut};
use crate::rpc::{RpcError, code};
use crate::version::MODERN_VERSION;

pub(super) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_KEY: &str = "io.modelcontextprotocol/clientInfo";
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";
pub(super) const LOG_LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";
pub(super) const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";

/// Lists that only a new version of the program changes may be kept this long.
const STATIC_TTL_MS: u64 = 300_000;

/// For how long and for whom a client may keep a result.
pub(super) enum Caching {
    /// Not a cacheable result: the fields must not be there.
    Never,
    /// The same for everybody.
    Static,
    /// About the person's data: read again each time.
    Private,
}

pub(super) async fn answer<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    message: Message,
) -> Result<HttpOut, Refusal> {
    let Some(id) = message.id.clone() else {
        check_notification(&request.headers, &message)?;
        return Ok(accepted());
    };
    let outcome = match check_request(&request.headers, &message) {
        Ok(()) => run(server, request, message, &id).await,
        Err(refusal) => Err(refusal),
    };
    outcome.map_err(|refusal| refusal.to(Some(id)))
}

impl From<RpcError> for Refusal {
    fn from(error: RpcError) -> Self {
        Self::new(error.modern_status(), error)
    }
}

/// The methods of this protocol version: listing and calling tools, and what else there is from a part.
async fn run<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    message: Message,
    id: &Value,
) -> Result<HttpOut, Refusal> {
    let Message { method, params, .. } = &message;
    match method.as_str() {
        "tools/list" => {
            let fields = complete(server, calls::written_tools(server, params)?, "complete", Caching::Static);
            Ok(json_answer(200, result_message(id, fields)))
        }
        "tools/call" if is_plain(server, &request.headers, params) => {
            call_plainly(server, request, message.params, id).await
        }
        _ => (server.rest().await?.other)(server, request, message, id).await,
    }
}

/// Whether a call is answered at once by one object, whatever comes of it: it is its first round, and its client can be asked
/// nothing, told nothing on the way, and given no task.
fn is_plain<H: Host>(server: &Server<H>, headers: &Headers, params: &Map<String, Value>) -> bool {
    let Some(meta) = params.get("_meta").and_then(Value::as_object) else { return false };
    let is_first = !params.contains_key("inputResponses") && !params.contains_key("requestState");
    let capabilities = meta.get(CAPABILITIES_KEY).and_then(Value::as_object);
    let can_little = capabilities.is_some_and(Map::is_empty);
    let is_told =
        progress_token(meta).is_some() || (server.0.host.logs() && meta.contains_key(LOG_LEVEL_KEY));
    is_first && can_little && !(is_told && takes_events(headers))
}

/// What most calls are: run, and answered.
async fn call_plainly<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    params: Map<String, Value>,
    id: &Value,
) -> Result<HttpOut, Refusal> {
    let call = calls::read_call(server, params, &request.body)?;
    params::check_headers(server, &request.headers, &call)?;
    if server.0.host.task_use(&call) == TaskUse::Required {
        // Whether it can be called at all depends on what else is spoken here.
        let message = Message::read(super::parse(&request.body)?)?;
        return (server.rest().await?.other)(server, request, message, id).await;
    }
    let error = match server.0.host.call_tool(call).await {
        Ok(out) => {
            let fields = complete(server, calls::call_result(out, true), "complete", Caching::Never);
            return Ok(json_answer(200, result_message(id, fields)));
        }
        Err(Stop::Error(error)) => error,
        Err(Stop::Ask(_)) => RpcError::internal("The tool asks, and this request can answer nothing"),
    };
    Err(error.into())
}

/// What every result of this protocol version carries beside its own fields.
pub(super) fn complete<H>(server: &Server<H>, fields: Fields, kind: &str, caching: Caching) -> Fields {
    let Fields { map: mut result, text } = fields;
    result.insert("resultType".into(), kind.into());
    let cache = match caching {
        Caching::Never => None,
        Caching::Static => Some((STATIC_TTL_MS, "public")),
        Caching::Private => Some((0, "private")),
    };
    if let Some((ttl_ms, scope)) = cache {
        result.insert("ttlMs".into(), ttl_ms.into());
        result.insert("cacheScope".into(), scope.into());
    }
    if let Value::Object(meta) = result.entry("_meta").or_insert_with(|| json!({})) {
        meta.insert(SERVER_KEY.into(), calls::server_info(server));
    }
    Fields { map: result, text }
}

/// A token is a string or an integer, and comes back as it is.
pub(super) fn progress_token(meta: &Map<String, Value>) -> Option<Value> {
    let token = meta.get("progressToken")?;
    (token.is_string() || token.is_i64() || token.is_u64()).then(|| token.clone())
}

/// The ladder of a request, from its `_meta` to its headers.
fn check_request(headers: &Headers, message: &Message) -> Result<(), Refusal> {
    let version = check_meta(message).map_err(|fault| Refusal::new(400, RpcError::invalid_params(fault)))?;
    match headers.get("mcp-protocol-version") {
        Some(header) if header == version => check_version(version)?,
        Some(_) => return Err(mismatch("MCP-Protocol-Version differs from the version in `_meta`")),
        None => return Err(mismatch("The header MCP-Protocol-Version is missing")),
    }
    match headers.get("mcp-method") {
        Some(header) if header == message.method => (),
        Some(_) => return Err(mismatch("Mcp-Method differs from the method in the body")),
        None => return Err(mismatch("The header Mcp-Method is missing")),
    }
    match name_parameter(&message.method) {
        Some(parameter) => check_name(headers, message.params.get(parameter)),
        None => Ok(()),
    }
}

/// A notification does nothing here, so what is missing is not held against it; what is wrong is.
fn check_notification(headers: &Headers, message: &Message) -> Result<(), Refusal> {
    let header = headers.get("mcp-protocol-version");
    let body =
        message.meta().and_then(|meta| meta.get(VERSION_KEY)).map(|version| version.as_str().unwrap_or(""));
    if let (Some(header), Some(body)) = (header, body)
        && header != body
    {
        return Err(mismatch("MCP-Protocol-Version differs from the version in `_meta`"));
    }
    if let Some(version) = header.or(body) {
        check_version(version)?;
    }
    match headers.get("mcp-method") {
        Some(header) if header != message.method => {
            Err(mismatch("Mcp-Method differs from the method in the body"))
        }
        Some(_) | None => Ok(()),
    }
}

/// The version that `_meta` names, or what is wrong with `_meta`.
fn check_meta(message: &Message) -> Result<&str, &'static str> {
    let meta = message.meta().ok_or("`params._meta` must be an object")?;
    let version = meta
        .get(VERSION_KEY)
        .and_then(Value::as_str)
        .ok_or("`_meta` needs io.modelcontextprotocol/protocolVersion, a string")?;
    if !meta.get(CAPABILITIES_KEY).is_some_and(Value::is_object) {
        return Err("`_meta` needs io.modelcontextprotocol/clientCapabilities, an object");
    }
    // Who the client is, is its own affair; but if it says so, then in the agreed shape.
    if meta.get(CLIENT_KEY).is_some_and(|client| !client.is_object()) {
        return Err("io.modelcontextprotocol/clientInfo must be an object");
    }
    if meta.get(LOG_LEVEL_KEY).is_some_and(|level| level.as_str().and_then(LogLevel::parse).is_none()) {
        return Err("io.modelcontextprotocol/logLevel must be one of debug to emergency");
    }
    Ok(version)
}

fn check_version(version: &str) -> Result<(), Refusal> {
    if version == MODERN_VERSION {
        return Ok(());
    }
    let data = json!({ "supported": [MODERN_VERSION], "requested": version });
    let error = RpcError::new(code::UNSUPPORTED_VERSION, "Unsupported protocol version");
    Err(Refusal::new(400, RpcError { data: Some(data), ..error }))
}

/// Which parameter `Mcp-Name` repeats, for the methods that need the header.
fn name_parameter(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

fn check_name(headers: &Headers, parameter: Option<&Value>) -> Result<(), Refusal> {
    let header = headers.get("mcp-name").ok_or_else(|| mismatch("The header Mcp-Name is missing"))?;
    let name = decode_name(header).ok_or_else(|| mismatch("Mcp-Name is not valid Base64"))?;
    match parameter {
        Some(Value::String(parameter)) if *parameter != name => {
            Err(mismatch("Mcp-Name differs from the name in the body"))
        }
        // A body that names nothing has a fault of its own, and that one is the clearer answer.
        _ => Ok(()),
    }
}

/// `=?base64?…?=` is decoded, anything else is meant literally.
pub(super) fn decode_name(header: &str) -> Option<String> {
    match header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(coded) => String::from_utf8(base64::decode(coded)?).ok(),
        None => Some(header.to_owned()),
    }
}

pub(super) fn mismatch(message: &str) -> Refusal {
    Refusal::new(400, RpcError::new(code::HEADER_MISMATCH, message))
}
