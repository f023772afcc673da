//! What can happen to a conversation, and what is to be done about it.

use std::sync::Arc;

use protocol::{
    CallId, CallKey, Checked, Failure, Image, ModelEvent, ModelRequest, RunId, Source, ToolCall, ToolResult,
    ToolSpec,
};
use serde_json::Value;

use crate::{Compaction, Context, Entry};

/// When something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Unix milliseconds.
    pub now_ms: i64,
}

/// What a new run needs from outside: the machine has no random and no calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnStart {
    /// A new random id. It is the message's id too: one that is in the log already changes nothing (S1-34).
    pub run_id: RunId,
    /// A new random boundary for the run's fences (D-17).
    pub boundary: String,
    /// What the model is told about now.
    pub context: Context,
}

/// What a person says in one message. A text alone is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserMessage {
    /// The text; may be empty beside pictures.
    pub text: String,
    /// The pictures, in their order.
    pub images: Vec<Arc<Image>>,
}

impl<T: Into<String>> From<T> for UserMessage {
    fn from(text: T) -> Self {
        Self { text: text.into(), images: Vec::new() }
    }
}

/// Something that happened. One that does not fit the state (a late result, an answer nobody asked for) changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The person said something.
    User {
        /// What they said.
        text: String,
        /// The pictures beside it (S0-63); what the model makes of them is the model's.
        images: Vec<Arc<Image>>,
        /// The run it starts.
        start: TurnStart,
    },
    /// The person wants the last run, which did not complete, tried again (S4-26).
    Retry {
        /// The run it starts.
        start: TurnStart,
    },
    /// The state was rebuilt and its open run is to go on.
    Resume,
    /// The tools of this moment, where a run began before they were known ([`crate::Driver`]); or why nobody can say which there
    /// are. Then those the conversation had stay, and a run without any ends before the model is asked: it would only invent.
    Tools(Result<Vec<ToolSpec>, Failure>),
    /// The model streamed something.
    Model(ModelEvent),
    /// The request failed, or the stream did.
    ModelFailed(Failure),
    /// The stream is over; without a `Done` before, it was cut.
    ModelEnded,
    /// A tool call has its result.
    ToolDone {
        /// The key it was called with.
        key: CallKey,
        /// The result.
        result: ToolResult,
    },
    /// A call was tried out without doing it.
    ImpactEstimated {
        /// The key it will run under.
        key: CallKey,
        /// How many things it would touch; none when nobody can say.
        count: Option<u32>,
    },
    /// An answer was held to its sources, or why it could not be.
    Checked {
        /// Which answer: the place of its entry in the log.
        answer: u64,
        /// What was found.
        found: Result<Checked, Failure>,
    },
    /// The person allows a call.
    Approve(CallId),
    /// The person allows a call, and the calls of the same tool from here on.
    Allow(CallId),
    /// The person declines a call.
    Deny(CallId),
    /// The person answers a call that asks them something, or approves a plan as they changed it.
    Answer {
        /// Which call.
        call_id: CallId,
        /// What they answered: for questions, an answer by each question's id; for a plan, `{"steps": …}` where they changed
        /// them. What is no answer changes nothing: [`crate::reply`] says why.
        reply: Value,
    },
    /// The person wants older turns compacted now.
    Compact,
    /// Older turns were compacted elsewhere, and how: by a model that was asked to, or in the run that is played again.
    Compacted(Compaction),
    /// The person stops the run.
    Cancel,
    /// Time has passed.
    Tick,
    /// An entry could not be saved; what came after it in the list was not done.
    LogFailed(Failure),
}

/// Something to do, in the order of the list. After a `Save` that fails, keep its entry and those of the saves behind it for
/// the next time, drop the rest and say [`Input::LogFailed`].
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "an effect lives for a moment, and a box in it would be for every caller"
)]
pub enum Effect {
    /// Save this entry before anything that follows.
    Save(Arc<Entry>),
    /// Ask the model; its stream comes back as [`Input::Model`], [`Input::ModelFailed`] and [`Input::ModelEnded`].
    CallModel(ModelRequest),
    /// Call a tool; its result comes back as [`Input::ToolDone`]. Several may be under way at once.
    CallTool {
        /// The call.
        call: ToolCall,
        /// Its idempotency key.
        key: CallKey,
    },
    /// Try a call out without doing it; how much it would touch comes back as [`Input::ImpactEstimated`].
    EstimateImpact {
        /// The call.
        call: ToolCall,
        /// The key it will run under. The trial has to use another one.
        key: CallKey,
    },
    /// Hold an answer to what it may rest on; what was found comes back as [`Input::Checked`]. The run ends with it.
    Check {
        /// Which answer: the place of its entry in the log.
        answer: u64,
        /// What it says.
        text: String,
        /// What it may rest on.
        sources: Vec<Source>,
    },
    /// Ask the person; the answer comes back as [`Input::Approve`] or [`Input::Deny`].
    AskUser(Approval),
    /// Draw the state.
    Show,
}

/// A question to the person: may this call run?
#[derive(Clone, Debug, PartialEq)]
pub struct Approval {
    /// The call.
    pub call: ToolCall,
    /// The name a person reads.
    pub title: String,
    /// The idempotency key it will run under.
    pub key: CallKey,
}

/// Why a conversation could not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContinueError {
    /// A run is open (S3-06).
    Incomplete,
}

impl std::fmt::Display for ContinueError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Incomplete => f.write_str(
                "Cannot continue from an incomplete conversation. Previous state must be Complete or Failed.",
            ),
        }
    }
}

impl std::error::Error for ContinueError {}
