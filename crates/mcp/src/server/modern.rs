//! The stateless revision, 2026-07-28: every request carries its version and capabilities in `_meta`,
//! and says in headers what it says in its body.

use serde_json::{Map, Value, json};

use super::calls::{self, Fields, Listed};
use super::message::{Message, VERSION_KEY};
use super::{Refusal, Server, accepted, json_answer, result_message};
use crate::base64;
use crate::host::Host;
use crate::http::{Headers, HttpIn, HttpOut};
use crate::rpc::{RpcError, code};
use crate::version::MODERN_VERSION;

const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_KEY: &str = "io.modelcontextprotocol/clientInfo";
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// Lists that only a new version of the program changes may be kept this long.
const STATIC_TTL_MS: u64 = 300_000;

/// For how long and for whom a client may keep a result.
enum Caching {
    /// Not a cacheable result: the fields must not be there.
    Never,
    /// The same for everybody.
    Static,
    /// About the person's data: read again each time.
    Private,
}

pub(super) async fn answer<H: Host>(
    server: &Server<H>,
    request: &HttpIn,
    message: Message,
) -> Result<HttpOut, Refusal> {
    let Some(id) = message.id.clone() else {
        check_notification(&request.headers, &message)?;
        return Ok(accepted());
    };
    let outcome = match check_request(&request.headers, &message) {
        Ok(()) => {
            run(server, request, message).await.map_err(|error| Refusal::new(error.modern_status(), error))
        }
        Err(refusal) => Err(refusal),
    };
    let (result, caching) = outcome.map_err(|refusal| refusal.to(Some(id.clone())))?;
    Ok(json_answer(200, result_message(&id, complete(server, result, caching))))
}

/// Every method of this era.
async fn run<H: Host>(
    server: &Server<H>,
    request: &HttpIn,
    message: Message,
) -> Result<(Fields, Caching), RpcError> {
    let Message { method, params, .. } = message;
    let (fields, caching) = match method.as_str() {
        "server/discover" => (discover(server), Caching::Static),
        "tools/list" => {
            let page = calls::list_tools(server, &params)?;
            (calls::listing("tools", page, |tool| json!(tool)), Caching::Static)
        }
        "tools/call" => {
            let out = calls::call_tool(server, params, &request.body).await?;
            return Ok((calls::call_result(out, true), Caching::Never));
        }
        "resources/list" => (calls::list_resources(server, &params).await?, Caching::Private),
        "resources/templates/list" => {
            let page = Listed { items: server.host.resource_templates(), next_cursor: None };
            calls::no_cursor(&params)?;
            (calls::listing("resourceTemplates", page, |template| json!(template)), Caching::Static)
        }
        "resources/read" => (calls::read_resource(server, &params).await?, Caching::Private),
        _ => return Err(calls::unknown_method(&method)),
    };
    Ok((fields.into(), caching))
}

fn discover<H: Host>(server: &Server<H>) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("supportedVersions".into(), json!([MODERN_VERSION]));
    result.insert("capabilities".into(), calls::capabilities());
    result.insert("instructions".into(), server.info.instructions.clone().into());
    result
}

/// What every result of this era carries beside its own fields.
fn complete<H>(server: &Server<H>, fields: Fields, caching: Caching) -> Fields {
    let Fields { map: mut result, structured } = fields;
    result.insert("resultType".into(), "complete".into());
    let cache = match caching {
        Caching::Never => None,
        Caching::Static => Some((STATIC_TTL_MS, "public")),
        Caching::Private => Some((0, "private")),
    };
    if let Some((ttl_ms, scope)) = cache {
        result.insert("ttlMs".into(), ttl_ms.into());
        result.insert("cacheScope".into(), scope.into());
    }
    let info = json!({
        "name": server.info.name, "title": server.info.title, "version": server.info.version,
    });
    if let Value::Object(meta) = result.entry("_meta").or_insert_with(|| json!({})) {
        meta.insert(SERVER_KEY.into(), info);
    }
    Fields { map: result, structured }
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
fn decode_name(header: &str) -> Option<String> {
    match header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(coded) => String::from_utf8(base64::decode(coded)?).ok(),
        None => Some(header.to_owned()),
    }
}

fn mismatch(message: &str) -> Refusal {
    Refusal::new(400, RpcError::new(code::HEADER_MISMATCH, message))
}
