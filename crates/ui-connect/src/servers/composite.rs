//! The tools of the app and those of servers elsewhere, as the one toolbox that the model sees.

use std::rc::Rc;

use async_trait::async_trait;
use futures::future::join;
use protocol::{CallKey, Failure, ToolCall, ToolResult, ToolSpec};

use super::Servers;
use crate::i18n;
use crate::toolbox::Toolbox;

/// Both kinds of tools.
pub struct CompositeToolbox {
    /// The app's own, beside the data.
    pub ours: Rc<Toolbox>,
    /// Those elsewhere.
    pub servers: Servers,
}

#[async_trait(?Send)]
impl agent::Toolbox for CompositeToolbox {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        let (ours, theirs) = join(agent::Toolbox::list(&self.ours.tools), self.servers.specs()).await;
        let mut all = ours?;
        all.extend(theirs);
        Ok(all)
    }

    fn is_outdated(&self) -> bool {
        agent::Toolbox::is_outdated(&self.ours.tools)
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        if remote::names::prefix_in(&call.name).is_none() {
            return agent::Toolbox::call(&self.ours.tools, call, key).await;
        }
        let called = self.servers.call(&call.name, call.arguments.clone(), &key.to_string()).await;
        let (content, is_error) = match called {
            Ok(said) => said,
            Err((words, true)) => (i18n::perhaps_done_there(&words), true),
            Err((words, false)) => (words, true),
        };
        // Its data is not shown as ours: a list of changes in it would look like something that can be undone.
        ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured: None }
    }

    /// What a call elsewhere would touch nobody here can say.
    async fn estimate_impact(&self, call: &ToolCall) -> Option<u32> {
        match remote::names::prefix_in(&call.name) {
            None => agent::Toolbox::estimate_impact(&self.ours.tools, call).await,
            Some(_) => None,
        }
    }
}
