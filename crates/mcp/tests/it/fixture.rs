//! A small server with one tool of each kind, and raw requests to send to it.

use async_trait::async_trait;
use futures::executor::block_on;
use mcp::{
    Body, Headers, Hints, Host, HttpIn, HttpOut, NoArguments, Registry, Resource, ResourceContents,
    ResourcePage, ResourceTemplate, RpcError, Server, ServerInfo, Stop, Tool, ToolCallIn, ToolCallOut,
    ToolDef, ToolError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What the fixture's tools run in: a list of notes.
#[derive(Default)]
pub struct Notes(pub Vec<String>);

/// How much a note matters.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    Light,
    Heavy,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What to write down.
    pub text: String,
    /// How much it matters.
    pub weight: Option<Weight>,
    /// How often to repeat it, 1 to 9.
    #[schemars(range(min = 1, max = 9))]
    pub times: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddArgs {
    /// The lines, in order.
    pub lines: Vec<Line>,
}

#[derive(Serialize, JsonSchema)]
pub struct Added {
    /// How many notes there are now.
    pub count: usize,
    /// How heavy the last one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<Weight>,
}

pub struct NoteAdd;

#[async_trait(?Send)]
impl Tool<Notes> for NoteAdd {
    const NAME: &'static str = "note_add";
    const TITLE: &'static str = "Add notes";
    const DESCRIPTION: &'static str = "Writes lines down.";
    const HINTS: Hints = Hints::ADD;
    type Args = AddArgs;
    type Output = Added;

    async fn run(&self, args: AddArgs, cx: &mut Notes) -> Result<Added, ToolError> {
        let weight = args.lines.last().and_then(|line| line.weight);
        for line in args.lines {
            if line.text.is_empty() {
                return Err(ToolError::Rejected("A note needs text.".into()));
            }
            let times = line.times.unwrap_or(1);
            cx.0.extend((0..times).map(|_| line.text.clone()));
        }
        Ok(Added { count: cx.0.len(), weight })
    }
}

#[derive(Serialize, JsonSchema)]
pub struct Listed {
    pub notes: Vec<String>,
}

pub struct NoteList;

#[async_trait(?Send)]
impl Tool<Notes> for NoteList {
    const NAME: &'static str = "note_list";
    const TITLE: &'static str = "List notes";
    const DESCRIPTION: &'static str = "Shows all notes.";
    const HINTS: Hints = Hints::READ;
    type Args = NoArguments;
    type Output = Listed;

    async fn run(&self, _args: NoArguments, cx: &mut Notes) -> Result<Listed, ToolError> {
        Ok(Listed { notes: cx.0.clone() })
    }
}

pub struct NoteBreak;

#[async_trait(?Send)]
impl Tool<Notes> for NoteBreak {
    const NAME: &'static str = "note_break";
    const TITLE: &'static str = "Break";
    const DESCRIPTION: &'static str = "Always fails on our side.";
    const HINTS: Hints = Hints::DELETE;
    type Args = NoArguments;
    type Output = Listed;

    async fn run(&self, _args: NoArguments, _cx: &mut Notes) -> Result<Listed, ToolError> {
        Err(ToolError::Failed("The store is gone".into()))
    }
}

pub fn registry() -> Registry<Notes> {
    Registry::new().with(NoteAdd).chain(Registry::new().with(NoteList).with(NoteBreak))
}

/// The host starts from no notes at every call, and says in `_meta` what it was given.
pub struct FixtureHost {
    registry: Registry<Notes>,
    templates: Vec<ResourceTemplate>,
}

#[async_trait(?Send)]
impl Host for FixtureHost {
    fn tools(&self) -> &[ToolDef] {
        self.registry.definitions()
    }

    async fn call_tool(&self, call: ToolCallIn) -> Result<ToolCallOut, Stop> {
        let tool = self.registry.get(&call.name).ok_or_else(|| RpcError::internal("not checked"))?;
        let out = match tool.call(Value::Object(call.arguments), &mut Notes::default()).await {
            Ok(json) => ToolCallOut::output(json),
            Err(ToolError::Rejected(message)) => ToolCallOut::rejected(message),
            Err(ToolError::Failed(message)) => return Err(RpcError::internal(message).into()),
        };
        let mut meta = Map::new();
        if let Some(key) = call.meta.get("dev.satchel/key") {
            meta.insert("dev.satchel/key".into(), key.clone());
            meta.insert("test/hash".into(), call.body_hash.into());
        }
        Ok(ToolCallOut { meta, ..out })
    }

    fn resource_templates(&self) -> &[ResourceTemplate] {
        &self.templates
    }

    async fn list_resources(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        let page = |name: &str, next: Option<&str>| ResourcePage {
            resources: vec![Resource {
                uri: format!("note://{name}"),
                name: name.into(),
                title: Some(name.to_uppercase()),
                description: None,
                mime_type: Some("text/plain".into()),
                meta: Map::new(),
            }],
            next_cursor: next.map(str::to_owned),
        };
        match cursor {
            None => Ok(page("first", Some("two"))),
            Some("two") => Ok(page("sécond", None)),
            Some(_) => Err(RpcError::invalid_params("Invalid cursor")),
        }
    }

    async fn read_resource(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        match uri {
            "note://first" | "note://sécond" => Ok(ResourceContents {
                uri: uri.into(),
                mime_type: Some("text/plain".into()),
                text: "milk".into(),
                blob: None,
                meta: serde_json::Map::new(),
            }),
            _ => Err(RpcError::resource_not_found(uri)),
        }
    }
}

pub fn server() -> Server<FixtureHost> {
    let info = ServerInfo {
        name: "notes".into(),
        title: "Notes".into(),
        version: "1.2.3".into(),
        instructions: "List before you add.".into(),
    };
    let templates = vec![ResourceTemplate {
        uri_template: "note://{name}".into(),
        name: "note".into(),
        title: Some("A note".into()),
        description: None,
        mime_type: Some("text/plain".into()),
    }];
    Server::new(info, FixtureHost { registry: registry(), templates })
}

/// The answer with its body as JSON; null where there is none.
pub struct Answer {
    pub status: u16,
    pub headers: Headers,
    pub body: Value,
}

pub fn send(request: HttpIn) -> Answer {
    send_to(&server(), request)
}

pub fn send_to(server: &Server<FixtureHost>, request: HttpIn) -> Answer {
    let HttpOut { status, headers, body } = block_on(server.handle(request));
    let body = match body {
        Body::Empty => Value::Null,
        Body::Full(bytes) => serde_json::from_slice(&bytes).expect("every body is JSON"),
        Body::Events(_) => panic!("nobody asked for a stream"),
    };
    Answer { status, headers, body }
}

/// A body and its headers, made right first and then bent by the row that uses it.
#[derive(Clone)]
pub struct Raw {
    pub method: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Raw {
    /// A modern request with all its headers and `_meta`.
    pub fn modern(method: &str, mut params: Value) -> Self {
        let name = ["name", "uri"].iter().find_map(|key| params[*key].as_str()).map(str::to_owned);
        if params.get("_meta").is_none() {
            params["_meta"] = meta();
        }
        let raw = Self::json(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
            .set("mcp-protocol-version", "2026-07-28")
            .set("mcp-method", method);
        match name {
            Some(name) if matches!(method, "tools/call" | "resources/read") => raw.set("mcp-name", &name),
            _ => raw,
        }
    }

    /// A legacy request; `version` goes into the header.
    pub fn legacy(version: Option<&str>, method: &str, params: Value) -> Self {
        let raw = Self::json(&json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params}));
        match version {
            Some(version) => raw.set("mcp-protocol-version", version),
            None => raw,
        }
    }

    pub fn json(body: &Value) -> Self {
        Self::text(&body.to_string())
    }

    pub fn text(body: &str) -> Self {
        Self { method: "POST".into(), headers: Vec::new(), body: body.into() }
            .set("content-type", "application/json")
            .set("accept", "application/json, text/event-stream")
    }

    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub fn by(mut self, method: &str) -> Self {
        self.method = method.into();
        self
    }

    pub fn into_http(self) -> HttpIn {
        let headers = self.headers.into_iter().collect();
        HttpIn { method: self.method, headers, body: self.body }
    }
}

/// The `_meta` of a well-behaved modern client.
pub fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
    })
}
