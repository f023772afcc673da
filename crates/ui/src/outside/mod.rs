//! Programs outside this page that use its tools: the browser's own agent (WebMCP).
//!
//! What they may do by themselves is what the page's assistant may: the person's rules decide ([`crate::approvals`]). What
//! has to be asked for is asked here, in the page, because the person is here.

mod dialog;
mod webmcp;

use std::rc::Rc;

use agent::{Plan, Toolbox as _};
use futures::channel::oneshot;
use leptos::prelude::*;
use mcp::client::CallResult;
use protocol::{CallId, ToolCall, ToolSpec};
use serde_json::{Map, Value};

use crate::toolbox::{Toolbox, Why};
use crate::{approvals, clock, i18n};

pub use dialog::OutsideDialog;
pub use webmcp::respond;

/// What somebody outside wants to do, and waits for.
struct Question {
    /// The tool, for people.
    title: String,
    /// What would come of it.
    outcome: String,
    answer: oneshot::Sender<bool>,
}

/// The callers outside. Copies are the same.
#[derive(Clone, Copy)]
pub struct Outside {
    toolbox: StoredValue<Rc<Toolbox>, LocalStorage>,
    /// The first one is on the screen.
    questions: RwSignal<Vec<Question>, LocalStorage>,
}

impl Outside {
    /// Lets them in, as far as the browser knows such callers.
    #[must_use]
    pub fn start(toolbox: Rc<Toolbox>) -> Self {
        let outside =
            Self { toolbox: StoredValue::new_local(toolbox), questions: RwSignal::new_local(Vec::new()) };
        leptos::task::spawn_local(webmcp::register(outside));
        outside
    }

    /// The tools that are offered.
    async fn tools(self) -> Vec<ToolSpec> {
        self.toolbox.get_value().specs().await.unwrap_or_default()
    }

    /// Runs a call for somebody outside, when the person's rules or the person allow it.
    async fn call(self, spec: &ToolSpec, arguments: Value) -> CallResult {
        let toolbox = self.toolbox.get_value();
        let key = clock::new_id("outside");
        let call = ToolCall { id: CallId(key.clone()), name: spec.name.clone(), arguments };
        let asks = match approvals::load().plan(spec) {
            Plan::Read | Plan::Write => false,
            Plan::Refuse { message } => return said(true, message),
            Plan::Ask => true,
            // Nobody can say how many: then it is asked.
            Plan::Weigh { above } => toolbox.weigh(&call).await.is_none_or(|touched| touched > above),
        };
        if asks {
            let preview = clock::new_id("preview");
            let would = toolbox.run(&spec.name, call.arguments.clone(), &preview, Why::Preview).await;
            let outcome = match would {
                Ok(outcome) => clock::summary(outcome["summary"].as_str().unwrap_or_default()),
                // What cannot be done needs no permission: the caller hears why.
                Err(why) => return said(true, why),
            };
            if !self.ask(spec.title.clone(), outcome).await {
                return said(true, i18n::OUTSIDE_DENIED.to_owned());
            }
        }
        toolbox.run_outside(&spec.name, call.arguments, &key).await.unwrap_or_else(|why| said(true, why))
    }

    /// Asks the person. No is also what it is when the page goes.
    async fn ask(self, title: String, outcome: String) -> bool {
        let (answer, answered) = oneshot::channel();
        self.questions.update(|questions| questions.push(Question { title, outcome, answer }));
        answered.await.unwrap_or_default()
    }

    /// The person answers the question that is on the screen.
    fn answer(self, yes: bool) {
        let first = self
            .questions
            .try_update(|questions| if questions.is_empty() { None } else { Some(questions.remove(0)) });
        if let Some(Some(question)) = first {
            let _ = question.answer.send(yes);
        }
    }
}

/// A result that is only words.
fn said(is_error: bool, text: String) -> CallResult {
    CallResult { text, structured: None, is_error, meta: Map::new() }
}
