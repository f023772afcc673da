//! The to-dos of a folder, by the protocol: their server is in this process, and is asked as any client asks it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;

use async_trait::async_trait;
use local::FileServer;
use mcp::client::{self, CallResult, Client, ClientError};
use mcp::{Host, HttpIn, ToolDef};
use protocol::{CallId, Failure, FailureKind, ToolCall, ToolResult, ToolSpec};
use serde_json::{Map, Value, json};

use crate::outlook::outlook;

/// Pages of tools read at most.
const MAX_TOOL_PAGES: usize = 20;

/// The to-dos' tools over a folder: each effect once, whatever crashes, and every one can be undone.
pub struct Todos {
    server: FileServer,
    client: Client,
    next_id: Cell<u64>,
    /// Whether what a person asked to be remembered is told to models and kept by them.
    has_memory: bool,
    /// Calls that were tried and refused, until they would be made, and what was said to them.
    refused: RefCell<BTreeMap<CallId, (ToolCall, CallResult)>>,
}

impl Todos {
    /// The to-dos in a folder, which is made if it is not there. On a thread with a `LocalSet`.
    ///
    /// # Errors
    /// When the folder cannot be read or written, in words.
    pub async fn open(folder: &Path) -> Result<Self, String> {
        local::open(folder)
            .await
            .map(Self::over)
            .map_err(|error| format!("cannot open {}: {error}", folder.display()))
    }

    /// The tools of this server.
    #[must_use]
    pub fn over(server: FileServer) -> Self {
        Self {
            server,
            client: Client::new("satchel-terminal", env!("CARGO_PKG_VERSION")),
            next_id: Cell::new(1),
            has_memory: true,
            refused: RefCell::default(),
        }
    }

    /// Does what waits for a quiet moment, before the process ends.
    pub async fn close(&self) {
        self.server.host().close().await;
    }

    /// The same, with nothing of what is remembered over conversations told to a model, and no tool for it.
    #[must_use]
    pub fn without_memory(self) -> Self {
        Self { has_memory: false, ..self }
    }

    /// The structured output of a tool that changes nothing; none where it gave none.
    pub async fn read(&self, tool: &str, arguments: Value) -> Option<Value> {
        self.tell(tool, arguments, &local::random(), false).await.ok()?.structured
    }

    /// What would come of a call, in words; none where that cannot be said.
    pub async fn preview(&self, call: &ToolCall) -> Option<String> {
        self.refused.borrow_mut().remove(&call.id);
        let tried = self.tell(&call.name, call.arguments.clone(), &local::random(), true).await.ok()?;
        if tried.is_error {
            return Some(format!("It would be refused: {}", tried.text));
        }
        outlook(tried.structured.as_ref()?)
    }

    async fn tell(
        &self,
        tool: &str,
        arguments: Value,
        key: &str,
        is_preview: bool,
    ) -> Result<CallResult, String> {
        let mut meta = Map::new();
        meta.insert("dev.satchel/key".to_owned(), json!(key));
        meta.insert("dev.satchel/zone".to_owned(), json!(local::now(None).zone));
        if is_preview {
            meta.insert("dev.satchel/preview".to_owned(), json!(true));
        }
        if !self.has_memory {
            // Nor by the history or an undo.
            meta.insert("dev.satchel/no-memory".to_owned(), json!(true));
        }
        let request = self.client.call_tool(self.id(), tool, arguments, meta);
        let (status, body) = self.send(request).await;
        client::call_result(status, &body).map_err(|error| in_words(&error))
    }

    async fn send(&self, request: client::Outgoing) -> (u16, String) {
        let answer = self.server.handle(HttpIn::post(request.headers, request.body)).await;
        (answer.status, String::from_utf8(answer.body.into_bytes().await).unwrap_or_default())
    }

    fn id(&self) -> u64 {
        self.next_id.replace(self.next_id.get() + 1)
    }
}

#[async_trait(?Send)]
impl agent::Toolbox for Todos {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        let mut specs = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MAX_TOOL_PAGES {
            let (status, body) = self.send(self.client.list_tools(self.id(), cursor.as_deref())).await;
            let page = client::tools(status, &body)
                .map_err(|error| Failure::new(FailureKind::RetryableNetwork, in_words(&error)))?;
            let is_offered = |tool: &ToolDef| {
                tool.is_for_model() && (self.has_memory || !agent::is_user_memory_tool(&tool.name))
            };
            specs.extend(page.tools.into_iter().filter(is_offered).map(remote::to_spec));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(specs)
    }

    async fn call(&self, call: &ToolCall, key: &str) -> ToolResult {
        let tried = self.refused.borrow_mut().remove(&call.id).filter(|(tried, _)| tried == call);
        let called = match tried {
            Some((_, refused)) => Ok(refused),
            None => self.tell(&call.name, call.arguments.clone(), key, false).await,
        };
        let (is_error, content, structured) = match called {
            Ok(result) => (result.is_error, result.text, result.structured),
            Err(message) => (true, message, None),
        };
        ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured }
    }

    async fn weigh(&self, call: &ToolCall) -> Option<u32> {
        // Of a run that was stopped before the call was made: another one may have the same id.
        self.refused.borrow_mut().remove(&call.id);
        let tried = self.tell(&call.name, call.arguments.clone(), &local::random(), true).await.ok()?;
        if tried.is_error {
            // That is the call's answer. Made for real it might be possible by then, and nobody would have seen what it does.
            self.refused.borrow_mut().insert(call.id.clone(), (call.clone(), tried));
            return Some(0);
        }
        remote::touched(tried.structured.as_ref()?)
    }
}

fn in_words(error: &ClientError) -> String {
    match error {
        ClientError::Rpc(error) => error.message.clone(),
        other => format!("The tools gave no answer that can be read: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use agent::Toolbox;

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
            let undo = call("c1", "undo", json!({"last": 1}));
            let add = call("c2", "todo_create", json!({"title": "Milk"}));
            let total = async || todos.read("todo_list", json!({})).await.unwrap()["total"].clone();
            assert_eq!(todos.weigh(&undo).await, Some(0), "there is nothing to undo");
            assert_eq!(todos.weigh(&add).await, Some(1));
            assert!(!todos.call(&add, "k1").await.is_error);
            let refused = todos.call(&undo, "k2").await;
            assert!(refused.is_error && total().await == 1, "{}", refused.content);
            // Asked for anew it is weighed anew.
            assert_eq!(todos.weigh(&undo).await, Some(1));
            assert!(!todos.call(&undo, "k3").await.is_error);
            assert_eq!(total().await, 0);
            // A run that was stopped in between leaves nothing behind for the next, where it may come again under its id.
            assert_eq!(todos.weigh(&undo).await, Some(0));
            assert!(!todos.call(&add, "k4").await.is_error);
            assert_eq!(todos.weigh(&undo).await, Some(1));
            let done = todos.call(&undo, "k5").await;
            assert!(!done.is_error && total().await == 0, "{}", done.content);
        };
        tokio::task::LocalSet::new().run_until(in_place).await;
    }
}
