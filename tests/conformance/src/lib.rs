//! What the official conformance suite calls, in front of the tools that are really there.
//!
//! Names and behaviour are the suite's. This is in test builds only: the worker with its feature `conformance`, and
//! the program `conformance-host`.

mod asking;
mod content;
mod tasks;
mod telling;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use mcp::{
    CompleteIn, Completions, Hints, Host, NotLoaded, Notification, Prompt, PromptArgument, PromptIn,
    PromptOut, Resource, ResourceContents, ResourcePage, ResourceTemplate, RpcError, Server, Stop, TaskUse,
    ToolCallIn, ToolCallOut, ToolDef,
};
use serde_json::{Map, Value, json};

/// Waits for so many milliseconds.
pub type Sleep = Box<dyn Fn(u64) -> LocalBoxFuture<'static, ()>>;

/// The fixtures, and behind them a host.
pub struct Fixtures<H> {
    inner: H,
    sleep: Sleep,
    tools: OnceCell<Vec<ToolDef>>,
    prompts: Vec<Prompt>,
    templates: Vec<ResourceTemplate>,
    publish: Publisher,
    slow_writes: RefCell<Vec<Value>>,
}

/// Tells a server's listeners something.
type Publish = Box<dyn Fn(&Notification)>;

/// A server's way to publish, once there is a server ([`hear`]).
pub type Publisher = Rc<OnceCell<Publish>>;

impl<H: Host> Fixtures<H> {
    /// In front of a host.
    pub fn over(inner: H, sleep: Sleep) -> Self {
        let prompts = content::prompts().into_iter().chain(inner.prompts().iter().cloned()).collect();
        let mut templates = vec![ResourceTemplate {
            uri_template: "test://template/{id}/data".into(),
            name: "template".into(),
            title: None,
            description: Some("Data by id".into()),
            mime_type: Some("application/json".into()),
        }];
        templates.extend(inner.resource_templates().iter().cloned());
        Self {
            inner,
            sleep,
            tools: OnceCell::new(),
            prompts,
            templates,
            publish: Rc::default(),
            slow_writes: RefCell::default(),
        }
    }

    /// The host behind them.
    pub fn inner(&self) -> &H {
        &self.inner
    }

    /// Where to put the server's own way to publish.
    pub fn publisher(&self) -> Publisher {
        Rc::clone(&self.publish)
    }

    fn publish(&self, notifications: &Notification) {
        if let Some(publish) = self.publish.get() {
            publish(notifications);
        }
    }
}

/// Lets the fixtures' tools publish what they change.
pub fn hear<H: Host + 'static>(server: &Server<Fixtures<H>>) {
    let speaker = server.clone();
    // Once per server.
    let _ = server.host().publisher().set(Box::new(move |notifications| speaker.publish(notifications)));
}

/// A tool as the suite lists it.
fn tool(name: &str, description: &str, schema: Value) -> ToolDef {
    ToolDef {
        name: name.into(),
        title: String::new(),
        description: description.into(),
        input_schema: schema,
        output_schema: Value::Null,
        annotations: Hints::READ,
        meta: Value::Null,
    }
}

/// What is wrong with a fixture's arguments: one is missing, or of another kind. (The real tools read theirs with serde.)
fn misfit(schema: &Value, arguments: &Map<String, Value>) -> Option<String> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|name| !arguments.contains_key(*name)) {
        return Some(format!("`{missing}` is missing"));
    }
    let is = |kind: &Value, value: &Value| match kind.as_str() {
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        _ => true,
    };
    let wrong =
        arguments.iter().find(|(name, value)| !is(&schema["properties"][name.as_str()]["type"], value));
    wrong.map(|(name, _)| format!("`{name}` is of a wrong kind"))
}

fn nothing() -> Value {
    json!({ "type": "object", "properties": {} })
}

fn text(text: impl Into<String>) -> ToolCallOut {
    ToolCallOut::blocks(vec![json!({ "type": "text", "text": text.into() })])
}

fn tools() -> Vec<ToolDef> {
    [content::tools(), telling::tools(), asking::tools(), tasks::tools()].concat()
}

#[async_trait(?Send)]
impl<H: Host> Host for Fixtures<H> {
    fn tools(&self) -> &[ToolDef] {
        self.tools.get_or_init(|| [tools().as_slice(), self.inner.tools()].concat())
    }

    async fn call_tool(&self, call: ToolCallIn) -> Result<ToolCallOut, Stop> {
        let fixture = tools().into_iter().find(|tool| tool.name == call.name);
        if let Some(misfit) = fixture.and_then(|tool| misfit(&tool.input_schema, &call.arguments)) {
            return Ok(ToolCallOut::rejected(misfit));
        }
        if let Some(out) = content::call(&call) {
            return out;
        }
        if let Some(out) = telling::call(self, &call).await {
            return out;
        }
        if let Some(out) = asking::call(&call).await {
            return out;
        }
        if let Some(out) = tasks::call(self, &call).await {
            return out;
        }
        self.inner.call_tool(call).await
    }

    async fn notifications(&self) -> Vec<Notification> {
        self.inner.notifications().await
    }

    async fn close(&self) {
        self.inner.close().await;
    }

    fn may_talk(&self, tool: &str) -> bool {
        tool.starts_with("test_") || self.inner.may_talk(tool)
    }

    fn logs(&self) -> bool {
        true
    }

    fn task_use(&self, call: &ToolCallIn) -> TaskUse {
        tasks::task_use(call).unwrap_or_else(|| self.inner.task_use(call))
    }

    fn param_headers(&self, tool: &str) -> Vec<(String, String)> {
        if tool == content::CUSTOM_HEADER { vec![("value".into(), "Value".into())] } else { Vec::new() }
    }

    fn extensions(&self) -> Map<String, Value> {
        self.inner.extensions()
    }

    fn max_body_bytes(&self, tool: &str) -> usize {
        self.inner.max_body_bytes(tool)
    }

    async fn make_ready(&self) -> Result<(), NotLoaded> {
        self.inner.make_ready().await
    }

    fn prompts(&self) -> &[Prompt] {
        &self.prompts
    }

    async fn get_prompt(&self, request: PromptIn) -> Result<PromptOut, Stop> {
        match content::prompt(&request).await {
            Some(out) => out,
            None => self.inner.get_prompt(request).await,
        }
    }

    async fn complete(&self, request: CompleteIn) -> Result<Completions, RpcError> {
        self.inner.complete(request).await
    }

    fn resource_templates(&self) -> &[ResourceTemplate] {
        &self.templates
    }

    async fn list_resources(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        let mut page = self.inner.list_resources(cursor).await?;
        if cursor.is_none() {
            page.resources.splice(0..0, content::resources());
        }
        Ok(page)
    }

    async fn read_resource(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        match content::read(uri) {
            Some(contents) => Ok(contents),
            None => self.inner.read_resource(uri).await,
        }
    }
}

fn argument(name: &str) -> PromptArgument {
    PromptArgument { name: name.into(), description: Some("A text".into()), required: true }
}

fn resource(uri: &str, name: &str, mime_type: &str) -> Resource {
    Resource {
        uri: uri.into(),
        name: name.into(),
        title: None,
        description: Some("For the suite".into()),
        mime_type: Some(mime_type.into()),
        meta: Map::new(),
    }
}
