//! The client's side of the codec, in the modern protocol: requests as headers and body, answers as values.
//!
//! It sends nothing. The bytes of a request are the same however often and through whichever transport they
//! are sent, so a retry is safe where the call carries an idempotency key.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::base64;
use crate::http::Headers;
use crate::resource::{ResourceContents, ResourcePage};
use crate::rpc::RpcError;
use crate::tool::ToolDef;
use crate::version::MODERN_VERSION;

/// A request to send by POST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// All headers the protocol asks for, `content-type` and `accept` among them.
    pub headers: Headers,
    /// The JSON-RPC request.
    pub body: String,
}

/// Builds requests in the name of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    name: String,
    version: String,
    capabilities: Value,
}

impl Client {
    /// A client of this name and version, which it tells the server with every request.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), capabilities: json!({}) }
    }

    /// The same client with these capabilities, an object, instead of none.
    #[must_use]
    pub fn with_capabilities(self, capabilities: Value) -> Self {
        Self { capabilities, ..self }
    }

    /// What it can do: an object.
    #[must_use]
    pub fn capabilities(&self) -> &Value {
        &self.capabilities
    }

    /// Name and version as the protocol has them.
    #[must_use]
    pub fn info(&self) -> Value {
        json!({ "name": self.name, "version": self.version })
    }

    /// `server/discover`. The answer: [`discovery`].
    pub fn discover(&self, id: u64) -> Outgoing {
        self.request(id, "server/discover", None, Map::new(), Map::new())
    }

    /// `tools/list`. The answer: [`tools`].
    pub fn list_tools(&self, id: u64, cursor: Option<&str>) -> Outgoing {
        self.request(id, "tools/list", None, cursor_params(cursor), Map::new())
    }

    /// `tools/call`; `meta` joins the request's `_meta` (the idempotency key goes there). The answer:
    /// [`call_result`].
    pub fn call_tool(&self, id: u64, name: &str, arguments: Value, meta: Map<String, Value>) -> Outgoing {
        let mut params = Map::new();
        params.insert("name".into(), name.into());
        params.insert("arguments".into(), arguments);
        self.request(id, "tools/call", Some(name), params, meta)
    }

    /// `resources/list`. The answer: [`resources`].
    pub fn list_resources(&self, id: u64, cursor: Option<&str>) -> Outgoing {
        self.request(id, "resources/list", None, cursor_params(cursor), Map::new())
    }

    /// `resources/read`. The answer: [`contents`].
    pub fn read_resource(&self, id: u64, uri: &str) -> Outgoing {
        let mut params = Map::new();
        params.insert("uri".into(), uri.into());
        self.request(id, "resources/read", Some(uri), params, Map::new())
    }

    /// Any request. `name` is what the method works on (a tool's name, an address), which goes into a header; `meta`
    /// joins what the protocol wants in `_meta`.
    #[must_use]
    pub fn request(
        &self,
        id: u64,
        method: &str,
        name: Option<&str>,
        mut params: Map<String, Value>,
        mut meta: Map<String, Value>,
    ) -> Outgoing {
        meta.insert("io.modelcontextprotocol/protocolVersion".into(), MODERN_VERSION.into());
        meta.insert("io.modelcontextprotocol/clientCapabilities".into(), self.capabilities.clone());
        meta.insert("io.modelcontextprotocol/clientInfo".into(), self.info());
        params.insert("_meta".into(), Value::Object(meta));
        let mut headers = Headers::new()
            .with("content-type", "application/json")
            .with("accept", "application/json, text/event-stream")
            .with("mcp-protocol-version", MODERN_VERSION)
            .with("mcp-method", method);
        if let Some(name) = name {
            headers.add("mcp-name", &encode_name(name));
        }
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        Outgoing { headers, body }
    }
}

/// What came back instead of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientError {
    /// The server said no.
    Rpc(RpcError),
    /// No JSON-RPC answer at all: it did not come from the server (a proxy, a static host).
    NotMcp {
        /// The HTTP status.
        status: u16,
    },
    /// A JSON-RPC answer whose result has an unexpected shape, and what is wrong with it.
    Malformed(String),
}

impl std::fmt::Display for ClientError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rpc(error) => error.fmt(f),
            Self::NotMcp { status } => write!(f, "The tool server did not answer (HTTP {status})"),
            Self::Malformed(fault) => write!(f, "The tool server's answer makes no sense: {fault}"),
        }
    }
}

impl std::error::Error for ClientError {}

/// What `server/discover` says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    /// The modern revisions served.
    pub supported_versions: Vec<String>,
    /// What the server can do.
    pub capabilities: Map<String, Value>,
    /// How the tools work together, for the model.
    #[serde(default)]
    pub instructions: String,
}

/// A page of tools.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolPage {
    /// The tools, in the server's order.
    pub tools: Vec<ToolDef>,
    /// Where the next page starts; None on the last.
    #[serde(default)]
    pub next_cursor: Option<String>,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    /// The text parts of the content, one per line.
    pub text: String,
    /// The output by the tool's schema.
    pub structured: Option<Value>,
    /// The call was rejected, and the text says why.
    pub is_error: bool,
    /// The result's `_meta`.
    pub meta: Map<String, Value>,
}

/// Reads the answer to [`Client::discover`].
///
/// # Errors
/// See [`ClientError`].
pub fn discovery(status: u16, body: &str) -> Result<Discovery, ClientError> {
    typed(result(status, body)?)
}

/// Reads the answer to [`Client::list_tools`].
///
/// # Errors
/// See [`ClientError`].
pub fn tools(status: u16, body: &str) -> Result<ToolPage, ClientError> {
    typed(result(status, body)?)
}

/// Reads the answer to [`Client::list_resources`].
///
/// # Errors
/// See [`ClientError`].
pub fn resources(status: u16, body: &str) -> Result<ResourcePage, ClientError> {
    typed(result(status, body)?)
}

/// Reads the answer to [`Client::read_resource`].
///
/// # Errors
/// See [`ClientError`]; also where the resource's content is not text.
pub fn contents(status: u16, body: &str) -> Result<Vec<ResourceContents>, ClientError> {
    #[derive(Deserialize)]
    struct Read {
        contents: Vec<ResourceContents>,
    }
    typed::<Read>(result(status, body)?).map(|read| read.contents)
}

/// Reads the answer to [`Client::call_tool`].
///
/// # Errors
/// See [`ClientError`]. A rejected call is no error here but [`CallResult::is_error`].
pub fn call_result(status: u16, body: &str) -> Result<CallResult, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Called {
        content: Vec<Value>,
        structured_content: Option<Value>,
        #[serde(default)]
        is_error: bool,
        #[serde(default, rename = "_meta")]
        meta: Map<String, Value>,
    }
    let called = typed::<Called>(result(status, body)?)?;
    let texts: Vec<&str> = called.content.iter().filter_map(|part| part["text"].as_str()).collect();
    Ok(CallResult {
        text: texts.join("\n"),
        structured: called.structured_content,
        is_error: called.is_error,
        meta: called.meta,
    })
}

/// The result object of an answer, if it is one and complete.
fn result(status: u16, body: &str) -> Result<Value, ClientError> {
    #[derive(Deserialize)]
    struct Answer {
        jsonrpc: String,
        result: Option<Value>,
        error: Option<RpcError>,
    }
    let answer: Answer = serde_json::from_str(body).map_err(|_not_json| ClientError::NotMcp { status })?;
    if answer.jsonrpc != "2.0" {
        return Err(ClientError::NotMcp { status });
    }
    match (answer.result, answer.error) {
        (_, Some(error)) => Err(ClientError::Rpc(error)),
        (Some(result), None) => match result["resultType"].as_str() {
            None | Some("complete") => Ok(result),
            Some(other) => Err(ClientError::Malformed(format!("unexpected result type {other:?}"))),
        },
        (None, None) => Err(ClientError::Malformed("neither result nor error".into())),
    }
}

fn typed<T: serde::de::DeserializeOwned>(result: Value) -> Result<T, ClientError> {
    serde_json::from_value(result).map_err(|error| ClientError::Malformed(error.to_string()))
}

fn cursor_params(cursor: Option<&str>) -> Map<String, Value> {
    order::gather(cursor.map(|cursor| ("cursor".to_owned(), Value::from(cursor))))
}

/// A header value takes visible ASCII only, must keep its outer spaces, and must not look encoded by chance.
#[must_use]
pub fn encode_name(name: &str) -> String {
    let is_plain = name.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && name.trim() == name
        && !(name.starts_with("=?base64?") && name.ends_with("?="));
    if is_plain { name.to_owned() } else { format!("=?base64?{}?=", base64::encode(name.as_bytes())) }
}
