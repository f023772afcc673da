//! The agent's toolbox over an MCP server of ours, whatever way leads to it.
//!
//! [`Toolbox`] says what a call carries beside its arguments (key, zone, whether it is a preview), reads all pages of tools, and
//! remembers what a preview was refused until the call is made. An [`Exchange`] is the way to the server: the page has one to
//! its worker, the terminal one to a server in its own process.
//!
//! What it does not know: any tool, and where time, chance and the person's zone come from.
#![doc = include_str!("../README.md")]

mod exchange;
mod spec;

use std::cell::{Cell, RefCell};
use std::hash::{DefaultHasher, Hash, Hasher};

use async_trait::async_trait;
use mcp::client::{self, CallResult, Client, ClientError};
use mcp::{ResourceContents, ToolDef, meta};
use protocol::{CallKey, Failure, FailureKind, ToolCall, ToolResult, ToolSpec};
use serde_json::{Map, Value, json};

pub use exchange::{Asked, By, CallError, Exchange, ExchangeError, Here, Incoming, Why};
pub use spec::{to_spec, touched};

/// The tool that says what a model is told at the start of a run: whoever asks for it, it is for a model.
pub const CONTEXT: &str = "data_context";

/// Pages of tools read at most.
const MAX_TOOL_PAGES: usize = 20;

/// How long a preview's refusal is the call's answer, in milliseconds: the call comes right after its preview.
const PREVIEW_MS: i64 = 60_000;

/// The tools behind an [`Exchange`].
pub struct Toolbox<E> {
    exchange: E,
    client: Client,
    next_id: Cell<u64>,
    /// Calls that were previewed and refused, until they would be made: when, and what was said to them. By all of the call:
    /// models of two conversations may give the same id.
    refused: RefCell<Vec<(ToolCall, i64, CallResult)>>,
    /// The tools that had nothing to work on when a run was begun last, until they are listed for it.
    idle: RefCell<Option<Vec<String>>>,
    /// The tools that were left out of the list for it.
    left_out: RefCell<Vec<String>>,
    /// A call brought something for some of those since.
    is_outdated: Cell<bool>,
}

impl<E: Exchange> Toolbox<E> {
    /// The tools behind this exchange, asked for in the name of this client.
    #[must_use]
    pub fn new(client: Client, exchange: E) -> Self {
        Self {
            exchange,
            client,
            next_id: Cell::new(1),
            refused: RefCell::default(),
            idle: RefCell::default(),
            left_out: RefCell::default(),
            is_outdated: Cell::default(),
        }
    }

    /// The way to the server.
    pub fn exchange(&self) -> &E {
        &self.exchange
    }

    /// Gives the way to the server back.
    pub fn into_exchange(self) -> E {
        self.exchange
    }

    /// Calls a tool. `key` is the idempotency key: the same key again gives the first answer.
    ///
    /// # Errors
    /// When there is no result. A call that the tool rejected has one ([`CallResult::is_error`]).
    pub async fn run(
        &self,
        tool: &str,
        arguments: Value,
        key: &str,
        why: Why,
        by: By,
    ) -> Result<CallResult, CallError> {
        let asked = Asked { tool, short: in_short(tool, &arguments), known_as: key, why, by };
        self.ask(arguments, key, asked).await
    }

    async fn ask(&self, arguments: Value, key: &str, asked: Asked<'_>) -> Result<CallResult, CallError> {
        let mut meta = Map::new();
        meta.insert(meta::KEY.to_owned(), json!(key));
        meta.insert(meta::ZONE.to_owned(), json!(self.exchange.here().zone));
        if asked.why == Why::Preview {
            meta.insert(meta::PREVIEW.to_owned(), json!(true));
        }
        let is_for_a_model = asked.by == By::Model || asked.tool == CONTEXT;
        if is_for_a_model && !self.exchange.remembers() {
            // Nor by the history or an undo.
            meta.insert(meta::NO_MEMORY.to_owned(), json!(true));
        }
        let request = self.client.call_tool(self.id(), asked.tool, arguments, meta);
        let reply = self.exchange.send(&request, Some(&asked)).await?;
        let result = client::call_result(reply.status, &reply.body)
            .map_err(|error| self.error(reply.status, &error, asked.by))?;
        self.exchange.answered(&asked, &result);
        if asked.tool == CONTEXT {
            self.idle.replace(result.structured.as_ref().map(idle_in));
        }
        Ok(result)
    }

    /// Reads a resource's text.
    ///
    /// # Errors
    /// When there is none.
    pub async fn read(&self, address: &str) -> Result<ResourceContents, CallError> {
        let reply = self.exchange.send(&self.client.read_resource(self.id(), address), None).await?;
        let error = |error: &ClientError| self.error(reply.status, error, By::Person);
        let contents = client::contents(reply.status, &reply.body).map_err(|wrong| error(&wrong))?;
        let nothing = || ClientError::Malformed("the resource has no contents".to_owned());
        contents.into_iter().next().ok_or_else(|| error(&nothing()))
    }

    /// The tools of which a model is told now: [`Self::specs`] without those that have nothing to work on yet. Which those are was said
    /// with what the model is told at the start of its run; where nobody asked for that it is asked for.
    ///
    /// # Errors
    /// When they cannot be had.
    pub async fn offered(&self) -> Result<Vec<ToolSpec>, CallError> {
        let mut specs = self.specs().await?;
        let told = self.idle.take();
        let idle = match told {
            Some(idle) => idle,
            // A server that does not say it has none that are idle.
            None => match self.ask_idle().await {
                Ok(_) => self.idle.take().unwrap_or_default(),
                Err(_) => Vec::new(),
            },
        };
        specs.retain(|spec| !idle.contains(&spec.name));
        self.left_out.replace(idle);
        self.is_outdated.set(false);
        Ok(specs)
    }

    /// Asks which tools have nothing to work on, and for nothing else: what a model is told may wait for what comes over the network.
    async fn ask_idle(&self) -> Result<CallResult, CallError> {
        let only = json!({ "only_idle": true });
        self.run(CONTEXT, only, &self.exchange.new_key(), Why::Do, By::Person).await
    }

    /// Looks whether there is something now for tools that were left out, by a call that changed something.
    async fn look_for_more(&self, result: &CallResult) {
        let has_changed = result.structured.as_ref().and_then(touched).is_some_and(|count| count > 0);
        if result.is_error || !has_changed || self.left_out.borrow().is_empty() {
            return;
        }
        let told = self.ask_idle().await;
        let is_idle = |name: &String| self.idle.borrow().as_ref().is_some_and(|idle| idle.contains(name));
        if told.is_ok() && !self.left_out.borrow().iter().all(is_idle) {
            // What was told just now is what the list goes by.
            self.is_outdated.set(true);
        } else {
            self.idle.take();
        }
    }

    /// The tools the server has for a model, in its order. Those for the app's own screens are left out, and so are those that
    /// remember where the person wants none of it.
    ///
    /// # Errors
    /// When they cannot be had.
    pub async fn specs(&self) -> Result<Vec<ToolSpec>, CallError> {
        let mut specs = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MAX_TOOL_PAGES {
            let request = self.client.list_tools(self.id(), cursor.as_deref());
            let reply = self.exchange.send(&request, None).await?;
            let page = client::tools(reply.status, &reply.body)
                .map_err(|error| self.error(reply.status, &error, By::Person))?;
            let is_offered = |tool: &ToolDef| {
                tool.is_for_model() && (self.exchange.remembers() || !agent::is_user_memory_tool(&tool.name))
            };
            specs.extend(page.tools.into_iter().filter(is_offered).map(to_spec));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(specs)
    }

    fn error(&self, status: u16, error: &ClientError, by: By) -> CallError {
        CallError::of(status, self.exchange.words(error, by))
    }

    fn id(&self) -> u64 {
        self.next_id.replace(self.next_id.get() + 1)
    }

    /// Forgets that a preview of this call was refused: it is looked at anew.
    pub fn forget_refusal(&self, call: &ToolCall) {
        drop(self.take_refusal(call));
    }

    /// What a preview of this call was refused, not long ago.
    fn take_refusal(&self, call: &ToolCall) -> Option<CallResult> {
        let since_ms = self.exchange.here().now_ms - PREVIEW_MS;
        let mut refused = self.refused.borrow_mut();
        // A run that was stopped in between leaves its own behind.
        refused.retain(|(_, at_ms, _)| *at_ms >= since_ms);
        let place = refused.iter().position(|(previewed, ..)| previewed == call)?;
        Some(refused.swap_remove(place).2)
    }
}

#[async_trait(?Send)]
impl<E: Exchange> agent::Toolbox for Toolbox<E> {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        let failed = |error: CallError| Failure::new(FailureKind::RetryableNetwork, error.words());
        self.offered().await.map_err(failed)
    }

    fn is_outdated(&self) -> bool {
        self.is_outdated.get()
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        let called = match self.take_refusal(call) {
            Some(refused) => Ok(refused),
            None => self.run(&call.name, call.arguments.clone(), &key.to_string(), Why::Do, By::Model).await,
        };
        if let Ok(result) = &called {
            self.look_for_more(result).await;
        }
        let (is_error, content, structured) = match called {
            Ok(result) => (result.is_error, result.text, result.structured),
            Err(error) => (true, error.told(), None),
        };
        ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured }
    }

    async fn estimate_impact(&self, call: &ToolCall) -> Option<u32> {
        // Of a run that was stopped before the call was made: another one may have the same.
        self.forget_refusal(call);
        let arguments = call.arguments.clone();
        let short = in_short(&call.name, &arguments);
        let asked = Asked { tool: &call.name, short, known_as: &call.id.0, why: Why::Preview, by: By::Model };
        let tried = self.ask(arguments, &self.exchange.new_key(), asked).await.ok()?;
        if tried.is_error {
            // That is the call's answer. Made for real it might be possible by then, and nobody would have seen what it does.
            let now_ms = self.exchange.here().now_ms;
            self.refused.borrow_mut().push((call.clone(), now_ms, tried));
            return Some(0);
        }
        touched(tried.structured.as_ref()?)
    }
}

/// The names of the tools that have nothing to work on, in what a model is told at the start.
fn idle_in(told: &Value) -> Vec<String> {
    let names = told.get("idle").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// A tool and what it is called with, as short as it is told apart: what is brought in from a file can be 60 MB.
#[must_use]
pub fn in_short(tool: &str, arguments: &Value) -> String {
    let mut hasher = DefaultHasher::new();
    arguments.to_string().hash(&mut hasher);
    format!("{tool} {:016x}", hasher.finish())
}

/// The structured output of a call, or its text where it has none.
///
/// # Errors
/// The sentence of a call that was rejected.
pub fn output(result: CallResult) -> Result<Value, String> {
    match (result.is_error, result.structured) {
        (true, _) => Err(result.text),
        (false, Some(structured)) => Ok(structured),
        (false, None) => Ok(Value::String(result.text)),
    }
}

#[cfg(test)]
mod tests;
