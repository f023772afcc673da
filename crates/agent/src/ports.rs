//! What the driver needs from the outside: each a small trait, implemented at an edge or by a test.

use std::rc::Rc;

use async_trait::async_trait;
use futures::stream::LocalBoxStream;
use protocol::{CallKey, Checked, Failure, ModelEvent, ModelRequest, Source, ToolCall, ToolResult, ToolSpec};

use crate::{AgentState, Context, Entry};

/// The events of one response. Dropping it stops the request.
pub type ModelStream = LocalBoxStream<'static, Result<ModelEvent, Failure>>;

/// Any model. Retries (D-15) are its own business; it says so with [`ModelEvent::Retrying`].
#[async_trait(?Send)]
pub trait Model {
    /// Starts a response.
    ///
    /// # Errors
    /// When it could not be started; the run then ends.
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure>;
}

/// The tools.
#[async_trait(?Send)]
pub trait Toolbox {
    /// The tools on offer, in a stable order.
    ///
    /// # Errors
    /// When the tool server cannot be reached.
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure>;

    /// Whether other tools are on offer since they were listed, by a call that was made since: the model's next request waits until they
    /// are listed again.
    fn is_outdated(&self) -> bool {
        false
    }

    /// Carries out a call. `key` is its idempotency key: the same key again must give the first answer. What
    /// goes wrong is a result with `is_error`, for the model to read.
    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult;

    /// How many things a call would touch, found out without doing it; none when that cannot be said, and the person
    /// is asked.
    async fn estimate_impact(&self, _call: &ToolCall) -> Option<u32> {
        None
    }
}

/// Who holds answers to their sources (S1-27). A function that does it at once is one.
#[async_trait(?Send)]
pub trait Checker {
    /// What of an answer none of its sources supports.
    ///
    /// # Errors
    /// When it cannot be checked here and now; the answer then stands and says that it was not.
    async fn check(&self, answer: &str, sources: &[Source]) -> Result<Checked, Failure>;
}

#[async_trait(?Send)]
impl<F: Fn(&str, &[Source]) -> Checked> Checker for F {
    async fn check(&self, answer: &str, sources: &[Source]) -> Result<Checked, Failure> {
        Ok(self(answer, sources))
    }
}

/// Where entries are kept.
#[async_trait(?Send)]
pub trait Log {
    /// Saves one entry of a conversation; entries come in the order of their `seq`, each once. Done when the
    /// entry would survive a crash.
    ///
    /// # Errors
    /// When it could not be saved. The run then ends and the entry is offered again before the next one.
    async fn append(&self, conversation_id: &str, entry: &Entry) -> Result<(), Failure>;
}

/// The time.
#[async_trait(?Send)]
pub trait Clock {
    /// Now, in Unix milliseconds.
    fn now_ms(&self) -> i64;

    /// Done after so many milliseconds.
    async fn sleep(&self, ms: u64);
}

/// Random ids.
pub trait Ids {
    /// A new id, hard to guess: at least 12 characters of `[A-Za-z0-9]`.
    fn new_id(&self) -> String;
}

/// What the model is told about the moment a run starts.
#[async_trait(?Send)]
pub trait ContextProvider {
    /// Date, zone and the open to-dos in short.
    async fn context(&self) -> Context;
}

/// Who draws the state.
pub trait Show {
    /// The state has changed. Called after what is in it has been saved.
    fn show(&self, state: &AgentState);
}

impl<F: Fn(&AgentState)> Show for F {
    fn show(&self, state: &AgentState) {
        self(state);
    }
}

/// All of them.
#[derive(Clone)]
pub struct Ports {
    /// Any model.
    pub model: Rc<dyn Model>,
    /// The tools.
    pub toolbox: Rc<dyn Toolbox>,
    /// Who holds answers to their sources.
    pub checker: Rc<dyn Checker>,
    /// Where entries are kept.
    pub log: Rc<dyn Log>,
    /// The time.
    pub clock: Rc<dyn Clock>,
    /// Random ids.
    pub ids: Rc<dyn Ids>,
    /// What the model is told about the moment a run starts.
    pub context_provider: Rc<dyn ContextProvider>,
    /// Who draws the state.
    pub show: Rc<dyn Show>,
}
