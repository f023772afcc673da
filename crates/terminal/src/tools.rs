//! Tools of one's own, without any server around them.

use std::cell::OnceCell;

use async_trait::async_trait;
use futures::lock::Mutex;
use mcp::{Registry, ToolError};
use protocol::{CallKey, Failure, ToolCall, ToolResult, ToolSpec};

/// The tools of a registry over a context of theirs. They run one at a time; a key that comes again is not remembered, so
/// tools whose effects must not happen twice after a crash look after that themselves ([`crate::Todos`] do).
pub struct Tools<Cx> {
    registry: Registry<Cx>,
    cx: Mutex<Cx>,
    specs: OnceCell<Vec<ToolSpec>>,
}

impl<Cx> Tools<Cx> {
    /// These tools, over this context.
    pub fn new(registry: Registry<Cx>, cx: Cx) -> Self {
        Self { registry, cx: Mutex::new(cx), specs: OnceCell::new() }
    }
}

#[async_trait(?Send)]
impl<Cx> agent::Toolbox for Tools<Cx> {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        let specs = self
            .specs
            .get_or_init(|| self.registry.definitions().iter().cloned().map(toolbox::to_spec).collect());
        Ok(specs.clone())
    }

    async fn call(&self, call: &ToolCall, _key: &CallKey) -> ToolResult {
        let called = match self.registry.get(&call.name) {
            Some(tool) => tool.call(call.arguments.clone(), &mut *self.cx.lock().await).await,
            None => Err(ToolError::Rejected(format!("Unknown tool: {}", call.name))),
        };
        let is_error = called.is_err();
        let content = called.unwrap_or_else(|error| error.to_string());
        let structured = if is_error { None } else { serde_json::from_str(&content).ok() };
        ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured }
    }
}
