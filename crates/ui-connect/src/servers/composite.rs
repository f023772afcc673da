//! The tools of the app and those of servers elsewhere, as the one toolbox that the model sees.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use async_trait::async_trait;
use futures::future::join;
use protocol::{CallKey, Failure, ToolCall, ToolResult, ToolSpec};

use super::Servers;
use super::searches::{SEARCHES, takes_demo};
use crate::i18n;
use crate::toolbox::Toolbox;

/// Both kinds of tools.
pub struct CompositeToolbox {
    /// The app's own, beside the data.
    pub ours: Rc<Toolbox>,
    /// Those elsewhere.
    pub servers: Servers,
    /// The searches that the model was last told go elsewhere, and to which tool there. One that it was not told of stays here: its call was
    /// not looked at as one that goes there.
    told: RefCell<BTreeMap<String, String>>,
}

impl CompositeToolbox {
    /// Both as one.
    #[must_use]
    pub fn new(ours: Rc<Toolbox>, servers: Servers) -> Self {
        Self { ours, servers, told: RefCell::default() }
    }

    fn goes_elsewhere(&self, tool: &str) -> bool {
        let there = self.servers.answerer(tool).map(|found| found.name());
        there.is_some() && self.told.borrow().get(tool) == there.as_ref()
    }
}

#[async_trait(?Send)]
impl agent::Toolbox for CompositeToolbox {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        let (ours, theirs) = join(agent::Toolbox::list(&self.ours.tools), self.servers.specs()).await;
        let mut all = ours?;
        let told =
            all.iter_mut().filter_map(|spec| Some((spec.name.clone(), self.servers.tell_search(spec)?)));
        self.told.replace(told.collect());
        all.extend(theirs);
        Ok(all)
    }

    fn is_outdated(&self) -> bool {
        agent::Toolbox::is_outdated(&self.ours.tools)
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        if remote::names::prefix_in(&call.name).is_none() {
            let mut call = Cow::Borrowed(call);
            if SEARCHES.contains(&&*call.name) {
                let wants_demo = takes_demo(&mut call.to_mut().arguments);
                if !wants_demo && self.goes_elsewhere(&call.name) {
                    return self.servers.search(Rc::clone(&self.ours), call.into_owned(), key).await;
                }
            }
            let call = &*call;
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
            None if self.goes_elsewhere(&call.name) => None,
            None => agent::Toolbox::estimate_impact(&self.ours.tools, call).await,
            Some(_) => None,
        }
    }
}
