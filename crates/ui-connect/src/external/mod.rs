//! Callers outside this page: other programs ([`crate::relay`]) and the browser's own agent (WebMCP). What has to be asked
//! for is asked here, in the page, because the person is here.

mod ask;
mod webmcp;
pub mod words;

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

use agent::Disposition;
use futures::channel::oneshot;
use futures::future::{Either, select};
use leptos::prelude::*;
use litemap::LiteMap;
use mcp::client::CallResult;
use protocol::ToolSpec;
use serde_json::{Map, Value};
use toolbox::touched;

use crate::toolbox::Toolbox;
use crate::{approvals, clock, i18n};

pub use ask::Asks;

/// How long a question stands.
const PATIENCE_MS: u64 = 120_000;

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Another program, through the gateway.
    Program,
    /// The browser's own agent.
    Browser,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// Its name for people.
    pub title: String,
    /// What it is called with: an object.
    pub arguments: Value,
}

/// A call that the person is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    id: u64,
    who: Who,
    call: Call,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It may be done.
    Allowed,
    /// The person said no.
    Denied,
    /// The person said nothing.
    NotInTime,
    /// It was not asked: the tool itself would refuse; its words.
    Impossible(String),
}

impl Answered {
    /// What the caller's model is told; nothing when the call goes on.
    #[must_use]
    pub fn words(self) -> Option<String> {
        match self {
            Self::Allowed => None,
            Self::Denied => Some(i18n::OUTSIDE_DENIED.to_owned()),
            Self::NotInTime => Some(i18n::outside_not_in_time()),
            Self::Impossible(why) => Some(why),
        }
    }
}

/// What is no news for the screen.
#[derive(Default)]
struct Inner {
    last_id: u64,
    answers: LiteMap<u64, oneshot::Sender<bool>>,
}

/// The callers outside. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct ExternalCallers {
    toolbox: StoredValue<Rc<Toolbox>, LocalStorage>,
    /// The first one is on the screen.
    questions: RwSignal<Vec<Question>>,
    inner: StoredValue<Rc<RefCell<Inner>>, LocalStorage>,
}

impl ExternalCallers {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Lets the browser's own agent in, as far as the browser has one.
    #[must_use]
    pub fn start(toolbox: Rc<Toolbox>) -> Self {
        let external = Self {
            toolbox: StoredValue::new_local(toolbox),
            questions: RwSignal::new(Vec::new()),
            inner: StoredValue::new_local(Rc::default()),
        };
        external.mark_the_tab();
        leptos::task::spawn_local(webmcp::register(external));
        external
    }

    /// The tools that are offered.
    async fn tools(self) -> Vec<ToolSpec> {
        self.toolbox.get_value().specs().await.unwrap_or_default()
    }

    /// Calls a tool for the browser's agent, which filled in a form of the page: under the rules for that tool.
    ///
    /// # Errors
    /// One sentence for the agent.
    pub async fn fill_in(self, tool: &str, arguments: Value) -> Result<Value, String> {
        let tools = self.tools().await;
        let spec = tools.iter().find(|spec| spec.name == tool);
        let spec = spec.ok_or_else(|| i18n::TOOLS_NOT_THERE.to_owned())?;
        let CallResult { text, structured, is_error, .. } = self.call(spec, arguments).await;
        structured.filter(|_| !is_error).ok_or(text)
    }

    /// Runs a call of the browser's agent, when the person's rules or the person allow it.
    async fn call(self, spec: &ToolSpec, arguments: Value) -> CallResult {
        let toolbox = self.toolbox.get_value();
        let key = clock::new_id("outside");
        // What the program has read before only it knows. So what would be told as the person's own words is theirs to allow.
        // What was forgotten could be brought back as such by an undo.
        let asks =
            match approvals::load().disposition(spec, spec.hints.lasting || agent::takes_back(&spec.name)) {
                Disposition::Read | Disposition::Write => false,
                Disposition::Refuse { message } => return said(message),
                // A rule never comes to the last two: they are for the agent's own tools.
                Disposition::Ask | Disposition::Question | Disposition::Answered { .. } => true,
                Disposition::EstimateImpact { above } => {
                    match toolbox.try_external(&spec.name, arguments.clone()).await {
                        // Nobody can say how many: then it is asked.
                        Ok(outcome) => touched(&outcome).is_none_or(|touched| touched > above),
                        // That is the answer. The call itself is not made: by then it might be possible, and large.
                        Err(why) => return said(why),
                    }
                }
            };
        let tool = spec.name.clone();
        if asks {
            let call = Call { tool: tool.clone(), title: spec.title.clone(), arguments: arguments.clone() };
            if let Some(words) = self.ask(Who::Browser, call).await.words() {
                return said(words);
            }
        }
        toolbox.run_external(&tool, arguments, &key).await.unwrap_or_else(said)
    }

    /// Asks the person about a call. Dropped, it takes the question back.
    pub async fn ask(self, who: Who, call: Call) -> Answered {
        struct Standing(ExternalCallers, u64);
        impl Drop for Standing {
            fn drop(&mut self) {
                let Self(external, id) = *self;
                external.with_inner(|inner| drop(inner.answers.remove(&id)));
                external.questions.update(|all| all.retain(|question| question.id != id));
            }
        }
        let toolbox = self.toolbox.get_value();
        // What the tool would refuse, the person need not be asked about. It is not done either: by then it might be
        // possible, and nobody would have seen what it does.
        if let Err(why) = toolbox.try_external(&call.tool, call.arguments.clone()).await {
            return Answered::Impossible(why);
        }
        let (send, answer) = oneshot::channel();
        let id = self.with_inner(|inner| {
            inner.last_id += 1;
            inner.answers.insert(inner.last_id, send);
            inner.last_id
        });
        self.questions.update(|all| all.push(Question { id, who, call }));
        let _standing = Standing(self, id);
        match select(answer, pin!(clock::sleep(PATIENCE_MS))).await {
            Either::Left((Ok(true), _)) => Answered::Allowed,
            Either::Left((Ok(false) | Err(_), _)) => Answered::Denied,
            Either::Right(_) => Answered::NotInTime,
        }
    }

    /// The person's answer to a question.
    fn answer(self, id: u64, allowed: bool) {
        if let Some(answer) = self.with_inner(|inner| inner.answers.remove(&id)) {
            // Who asked may just have gone.
            let _ = answer.send(allowed);
        }
    }

    /// While a question stands, the tab says so: the person looks at another program.
    fn mark_the_tab(self) {
        ui_kit::effect(move |own: Option<Option<String>>| {
            let asks = self.questions.with(|questions| !questions.is_empty());
            // The title that the page has of its own, while it has another one.
            match (asks, own.flatten()) {
                (true, None) => {
                    let own = document().title();
                    document().set_title(i18n::outside_tab());
                    Some(own)
                }
                (false, Some(own)) => {
                    document().set_title(&own);
                    None
                }
                (_, own) => own,
            }
        });
    }

    fn with_inner<T>(self, change: impl FnOnce(&mut Inner) -> T) -> T {
        self.inner.with_value(|inner| change(&mut inner.borrow_mut()))
    }
}

/// A refusal, in words for a model.
fn said(text: String) -> CallResult {
    CallResult { text, structured: None, is_error: true, meta: Map::new() }
}
