//! What the server core needs from the assembled tools.

use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::ask::Stop;
use crate::caller::Caller;
use crate::part::NotLoaded;
use crate::prompt::{CompleteIn, Completions, Prompt, PromptIn, PromptOut};
use crate::resource::{ResourceContents, ResourcePage, ResourceTemplate};
use crate::rpc::RpcError;
use crate::server::Notification;
use crate::tool::ToolDef;

/// The application behind a [`crate::Server`].
#[async_trait(?Send)]
pub trait Host {
    /// All tools, in the same order every time.
    fn tools(&self) -> &[ToolDef];

    /// Whether there is a tool of this name. A host that puts its list together late says so without it: most
    /// starts are for a call.
    fn has_tool(&self, name: &str) -> bool {
        self.tools().iter().any(|tool| tool.name == name)
    }

    /// Runs a tool. The core has checked [`Host::has_tool`].
    ///
    /// # Errors
    /// Only for what a model cannot put right; a rejected call is a [`ToolCallOut::rejected`].
    async fn call_tool(&self, call: ToolCallIn) -> Result<ToolCallOut, Stop>;

    /// Whether a call of this tool may have something to say or to ask before it ends, even if the client did not ask for
    /// progress.
    fn may_talk(&self, _tool: &str) -> bool {
        false
    }

    /// Whether tools write log messages ([`crate::Caller::log`]). Who does must declare it, and the modern revision has
    /// logging only as something old.
    fn logs(&self) -> bool {
        false
    }

    /// Whether this call becomes a task, where the client knows tasks.
    fn task_use(&self, _call: &ToolCallIn) -> TaskUse {
        TaskUse::Never
    }

    /// Arguments that a header repeats: the argument's name and what follows `Mcp-Param-`. Not for tools that browsers
    /// call: the official client in a page does not send these headers.
    fn param_headers(&self, _tool: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The extensions of the protocol that are spoken, by name, with their settings.
    fn extensions(&self) -> Map<String, Value> {
        Map::new()
    }

    /// Makes ready for everything but listing and calling tools, which comes next: what of it is kept apart is fetched now.
    ///
    /// # Errors
    /// When it cannot be had now.
    async fn make_ready(&self) -> Result<(), NotLoaded> {
        Ok(())
    }

    /// All prompts, in the same order every time.
    fn prompts(&self) -> &[Prompt] {
        &[]
    }

    /// Fills a prompt in. The core has checked its name and that what it requires is there.
    ///
    /// # Errors
    /// As for a tool; a prompt may ask as well.
    async fn get_prompt(&self, request: PromptIn) -> Result<PromptOut, Stop> {
        Err(RpcError::invalid_params(format!("Unknown prompt: {}", request.name)).into())
    }

    /// How an argument may go on. The core has checked that there is such a prompt or template.
    ///
    /// # Errors
    /// When what is known cannot be read.
    async fn complete(&self, _request: CompleteIn) -> Result<Completions, RpcError> {
        Ok(Completions::default())
    }

    /// The most bytes of a request's body that calls a tool of this name.
    fn max_body_bytes(&self, _tool: &str) -> usize {
        crate::MAX_BODY_BYTES
    }

    /// All resource templates; none unless a host says otherwise.
    fn resource_templates(&self) -> &[ResourceTemplate] {
        &[]
    }

    /// A page of resources; none unless a host says otherwise.
    ///
    /// # Errors
    /// [`RpcError::invalid_params`] for a cursor that this host did not give out.
    async fn list_resources(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        match cursor {
            None => Ok(ResourcePage::default()),
            Some(_) => Err(RpcError::invalid_params("Invalid cursor")),
        }
    }

    /// What others have changed since this was last asked, for who listens here: a place that several processes write to
    /// tells nobody by itself.
    async fn notifications(&self) -> Vec<Notification> {
        Vec::new()
    }

    /// What is to be done before the process ends; nobody calls any more.
    async fn close(&self) {}

    /// A resource's content.
    ///
    /// # Errors
    /// [`RpcError::resource_not_found`] for an address that names nothing.
    async fn read_resource(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        Err(RpcError::resource_not_found(uri))
    }
}

/// A `tools/call` on its way in.
#[derive(Clone, Debug)]
pub struct ToolCallIn {
    /// The tool's name.
    pub name: String,
    /// The arguments: an object, unchecked. Empty where the client sent none.
    pub arguments: Map<String, Value>,
    /// The request's `_meta`, ours and the protocol's.
    pub meta: Map<String, Value>,
    /// A hash of the request's bytes: equal for a request that the browser dispatched twice.
    pub body_hash: String,
    /// The task that this call is; it may be run again with the same id after a restart.
    pub task: Option<String>,
    /// Who calls.
    pub caller: Caller,
}

/// What a call has to do with tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskUse {
    /// It is answered at once.
    Never,
    /// It becomes a task where the client knows them.
    Allowed,
    /// It becomes a task, and a client that does not know them cannot call it.
    Required,
}

/// A tool's answer on its way out.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCallOut {
    /// The output as JSON by the tool's schema; words for the model where `is_error`. As text, because that is what goes
    /// out, twice: a tree in between would cost more than everything else about a long answer.
    pub text: String,
    /// Goes into the result's `_meta`, beside the server's own.
    pub meta: Map<String, Value>,
    /// The model can put it right (`isError`).
    pub is_error: bool,
    /// Content blocks of the protocol in place of the text; then there is no structured output.
    pub content: Vec<Value>,
}

impl ToolCallOut {
    /// An output: JSON, an object.
    pub fn output(json: String) -> Self {
        Self { text: json, meta: Map::new(), is_error: false, content: Vec::new() }
    }

    /// The output as a value; null where there is none.
    #[must_use]
    pub fn structured(&self) -> Value {
        if self.is_error { Value::Null } else { serde_json::from_str(&self.text).unwrap_or_default() }
    }

    /// Content blocks of the protocol: text, images, sound, resources.
    pub fn blocks(content: Vec<Value>) -> Self {
        Self { text: String::new(), meta: Map::new(), is_error: false, content }
    }

    /// A rejection, in words for the model.
    pub fn rejected(message: impl Into<String>) -> Self {
        Self { text: message.into(), meta: Map::new(), is_error: true, content: Vec::new() }
    }
}
