//! The to-dos of a folder, by the protocol: their server is in this process, and is asked as any client asks it.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use local::{LocalServer, StoreError};
use mcp::Host;
use mcp::client::{CallResult, Client, Outgoing};
use protocol::{CallKey, Failure, ToolCall, ToolResult, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolbox::{Asked, By, CallError, Exchange, ExchangeError, Here, Incoming, Toolbox, Why};

use crate::preview::preview;

/// The to-dos' tools over a folder: each effect once, whatever crashes, and every one can be undone.
pub struct Todos(Toolbox<InProcess>);

/// A folder whose to-dos cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot open {folder}: {reason}")]
pub struct OpenError {
    /// The folder.
    pub folder: PathBuf,
    /// What is wrong with it.
    pub reason: StoreError,
}

/// A thing that a conversation is about: an itinerary, say (S4-02).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its table.
    pub table: String,
    /// Names it in calls; never shown to a person.
    pub id: String,
    /// What a person calls it.
    pub title: String,
}

impl Subject {
    /// Those that the answer of the tool for contexts has.
    pub(crate) fn all_of(told: &Value) -> Vec<Self> {
        told.get("subjects").and_then(|all| Vec::deserialize(all).ok()).unwrap_or_default()
    }
}

/// A server in this process.
struct InProcess {
    server: LocalServer,
    /// Whether what a person asked to be remembered is told to models and kept by them.
    has_memory: bool,
}

impl Todos {
    /// The to-dos in a folder, which is made if it is not there. On a thread with a `LocalSet`.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub async fn open(folder: &Path) -> Result<Self, OpenError> {
        match local::open(folder).await {
            Ok(server) => Ok(Self::over(server)),
            Err(reason) => Err(OpenError { folder: folder.to_owned(), reason }),
        }
    }

    /// The tools of this server.
    #[must_use]
    pub fn over(server: LocalServer) -> Self {
        Self::with(InProcess { server, has_memory: true })
    }

    fn with(exchange: InProcess) -> Self {
        Self(Toolbox::new(Client::new("satchel-terminal", env!("CARGO_PKG_VERSION")), exchange))
    }

    /// Does what waits for a quiet moment, before the process ends.
    pub async fn close(&self) {
        self.0.exchange().server.host().close().await;
    }

    /// The same, with nothing of what is remembered over conversations told to a model, and no tool for it.
    #[must_use]
    pub fn without_memory(self) -> Self {
        Self::with(InProcess { has_memory: false, ..self.0.into_exchange() })
    }

    /// The structured output of a tool that changes nothing; none where it gave none.
    pub async fn read(&self, tool: &str, arguments: Value) -> Option<Value> {
        self.run(tool, arguments, Why::Do).await.ok()?.structured
    }

    /// Calls a tool for the person's own hand, as a screen of the app does: also one that models are not told of. What it answers.
    ///
    /// # Errors
    /// One sentence for a person: what was refused, or that no answer came.
    pub async fn by_hand(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let result = self.0.run(tool, arguments, &local::random(), Why::Do, By::Person).await;
        toolbox::output(result.map_err(CallError::told)?)
    }

    /// What a conversation may be about that is meant by an id or a title: one, none, or several of which a person has to say which.
    ///
    /// # Errors
    /// One sentence for a person: that no answer came.
    pub async fn subjects(&self, named: &str) -> Result<Vec<Subject>, String> {
        Ok(Subject::all_of(
            &self.by_hand(toolbox::CONTEXT, json!({ "about": named, "only_idle": true })).await?,
        ))
    }

    /// What would come of a call, in words; none where that cannot be said.
    pub async fn preview(&self, call: &ToolCall) -> Option<String> {
        self.0.forget_refusal(call);
        let tried = self.run(&call.name, call.arguments.clone(), Why::Preview).await.ok()?;
        if tried.is_error {
            return Some(format!("It would be refused: {}", tried.text));
        }
        preview(tried.structured.as_ref()?)
    }

    async fn run(&self, tool: &str, arguments: Value, why: Why) -> Result<CallResult, CallError> {
        self.0.run(tool, arguments, &local::random(), why, By::Model).await
    }
}

#[async_trait(?Send)]
impl Exchange for InProcess {
    async fn send(&self, request: &Outgoing, _: Option<&Asked<'_>>) -> Result<Incoming, ExchangeError> {
        Ok(Incoming::of(&self.server, request).await)
    }

    fn here(&self) -> Here {
        let now = local::now(None);
        Here { now_ms: now.at_ms, zone: now.zone }
    }

    fn new_key(&self) -> String {
        local::random()
    }

    fn remembers(&self) -> bool {
        self.has_memory
    }
}

#[async_trait(?Send)]
impl agent::Toolbox for Todos {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        self.0.list().await
    }

    fn is_outdated(&self) -> bool {
        self.0.is_outdated()
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        self.0.call(call, key).await
    }

    async fn estimate_impact(&self, call: &ToolCall) -> Option<u32> {
        self.0.estimate_impact(call).await
    }
}

#[cfg(test)]
mod tests {
    use agent::Toolbox as _;
    use protocol::{CallId, RunId};

    use super::*;

    /// What was tried and refused is not done a moment later, when it has become possible: nobody has seen what it does.
    #[tokio::test]
    async fn a_call_that_was_refused_when_it_was_weighed_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let in_place = async {
            let todos = Todos::open(folder.path()).await.unwrap();
            let call = |id: &str, name: &str, arguments: Value| ToolCall {
                id: CallId(id.into()),
                name: name.into(),
                arguments,
            };
            let key = |id: &str| CallKey::new(&RunId("run_1".into()), &CallId(id.into()));
            let undo = call("c1", "undo", json!({"last": 1}));
            let add = call("c2", "todo_create", json!({"title": "Milk"}));
            let total = async || todos.read("todo_list", json!({})).await.unwrap()["total"].clone();
            assert_eq!(todos.estimate_impact(&undo).await, Some(0), "there is nothing to undo");
            assert_eq!(todos.estimate_impact(&add).await, Some(1));
            assert!(!todos.call(&add, &key("k1")).await.is_error);
            let refused = todos.call(&undo, &key("k2")).await;
            assert!(refused.is_error && total().await == 1, "{}", refused.content);
            // Asked for anew it is estimated anew.
            assert_eq!(todos.estimate_impact(&undo).await, Some(1));
            assert!(!todos.call(&undo, &key("k3")).await.is_error);
            assert_eq!(total().await, 0);
            // A run that was stopped in between leaves nothing behind for the next, where it may come again under its id.
            assert_eq!(todos.estimate_impact(&undo).await, Some(0));
            assert!(!todos.call(&add, &key("k4")).await.is_error);
            assert_eq!(todos.estimate_impact(&undo).await, Some(1));
            let done = todos.call(&undo, &key("k5")).await;
            assert!(!done.is_error && total().await == 0, "{}", done.content);
        };
        tokio::task::LocalSet::new().run_until(in_place).await;
    }
}
