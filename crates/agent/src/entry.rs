//! The log of a conversation: what is saved, in order, before it is acted on (D-09).
//!
//! Entries are append-only and enough to rebuild the whole state. An entry holds what was decided
//! about it too (a call's [`Disposition`], an ending's repairs), so that a rebuild needs neither the tools nor
//! a second opinion, and a crash between two entries never leaves a call without an answer.

use std::sync::Arc;

use imbl::Vector;
use protocol::{
    CallId, Doubt, Failure, FailureKind, Image, Routed, RunId, StopReason, ToolCall, ToolResult, Usage,
};
use serde::{Deserialize, Serialize};

use crate::Context;
use crate::context::{Compaction, Measure};
use crate::memory::Kept;

/// One saved step of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Its place in the log, dense from 0.
    pub seq: u64,
    /// When it happened, in Unix milliseconds.
    pub at_ms: i64,
    /// The run it belongs to.
    pub run_id: RunId,
    /// What happened.
    #[serde(flatten)]
    pub body: EntryBody,
}

/// What an entry says. It is read by [`crate::reading`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum EntryBody {
    /// The person said something: a run starts.
    User {
        /// What they said.
        text: String,
        /// The pictures beside it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<Arc<Image>>,
        /// The random boundary of this run's fences (D-17).
        boundary: String,
        /// What the model is told about now.
        context: Context,
    },
    /// The person asked to try again after a run that did not complete: a new run about the same message.
    Retried {
        /// The random boundary of this run's fences (D-17).
        boundary: String,
        /// What the model is told about now.
        context: Context,
    },
    /// A complete response of the model.
    Response {
        /// Which step of the run, from 1.
        step: u32,
        /// The model that gave it.
        model: String,
        /// Why it was that one; none where there was only one to choose from (D-13).
        #[serde(skip_serializing_if = "Option::is_none")]
        routed: Option<Routed>,
        /// The text; empty when there were only tool calls.
        text: String,
        /// The visible reasoning.
        #[serde(skip_serializing_if = "String::is_empty")]
        thought: String,
        /// The tool calls, in the model's order, each with what will become of it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        calls: Vec<RequestedCall>,
        /// What the request cost.
        usage: Usage,
        /// Why the model stopped.
        stop: StopReason,
        /// When the request was made, in Unix milliseconds.
        started_ms: i64,
        /// The id of the step's span (D-16).
        span_id: String,
        /// How large the request was: what the provider's count is compared with (D-12).
        #[serde(skip_serializing_if = "Option::is_none")]
        sent: Option<Measure>,
        /// How sure the model says it is, from 0.0 to 1.0; only a structured response says so (S0-16).
        #[serde(skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        /// The attempts that failed before it, in order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        retries: Vec<Retry>,
    },
    /// The person decided about a call that needs approval.
    Decision {
        /// Which call.
        call_id: CallId,
        /// True when it may run.
        approved: bool,
    },
    /// A call was tried out without doing it: how much it would touch decides whether it waits for the person.
    #[serde(rename = "weighed")]
    ImpactEstimated {
        /// Which call.
        call_id: CallId,
        /// How many things it would touch; none when nobody can say.
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
    },
    /// What came of a tool call that ran.
    Result {
        /// The result.
        #[serde(serialize_with = "crate::stored_result::write")]
        result: ToolResult,
        /// When the call was made, in Unix milliseconds.
        started_ms: i64,
        /// How it is kept to be read again; a failed one is not (D-02).
        #[serde(skip_serializing_if = "Option::is_none")]
        kept: Option<Kept>,
        /// Strangers may have written what is in it (D-17).
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        outside: bool,
    },
    /// The run goes on after the page or the process was gone; the time away does not count.
    Resumed {},
    /// From here on the model sees a summary of what was before (D-10). The log keeps it all.
    Compacted(Compaction),
    /// The answer says what no result supports (S1-27), or its model is less sure of it than asked for (D-08): it is asked,
    /// once in a run, to write it again.
    Doubted {
        /// What it is told.
        message: String,
    },
    /// The run is over.
    Ended {
        /// Why.
        ending: Ending,
        /// One or two sentences for the person: why, and what was done by then. Empty when the answer says it all.
        #[serde(skip_serializing_if = "String::is_empty")]
        note: String,
        /// What came of the request that was open.
        #[serde(skip_serializing_if = "Option::is_none")]
        partial: Option<Partial>,
        /// Answers for the calls that were left open (D-05).
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<ToolResult>,
        /// What of the answer no result supports, where that was looked at (S1-27).
        #[serde(skip_serializing_if = "Vec::is_empty")]
        doubts: Vec<Doubt>,
    },
}

/// A response that was not complete. Its calls are void: none was accepted (D-15).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Partial {
    /// Which step of the run it was to be, from 1.
    pub step: u32,
    /// The model that was asked.
    pub model: String,
    /// The text so far.
    pub text: String,
    /// The visible reasoning so far.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thought: String,
    /// What it cost so far, where the provider said so.
    pub usage: Usage,
    /// When the request was made, in Unix milliseconds.
    pub started_ms: i64,
    /// The id of the step's span (D-16).
    pub span_id: String,
    /// The attempts that failed before the last one, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<Retry>,
}

/// An attempt at a model request that failed and was made again (D-15). Kept for who asks where the time went (D-16).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retry {
    /// When it failed, in Unix milliseconds.
    pub at_ms: i64,
    /// Which attempt came next, from 2; 1 where none was made yet, and something was to be said before it.
    pub attempt: u32,
    /// How long that waited first, in milliseconds.
    pub after_ms: u64,
    /// The class of what went wrong.
    pub kind: FailureKind,
    /// The same in a sentence for a person.
    pub message: String,
}

/// A tool call of a response, and what was decided about it when it was accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestedCall {
    /// The call; its id is unique in the conversation.
    pub call: ToolCall,
    /// The name a person reads.
    pub title: String,
    /// What will become of it.
    pub plan: Disposition,
    /// What brought text from outside before the model asked for this (D-17): a tool's title. Where that is why a person
    /// looks at it, and where the call may have read what was stored of that text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tainted_by: Option<String>,
}

/// What will become of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "plan", rename_all = "snake_case")]
pub enum Disposition {
    /// It runs, in parallel with its neighbours of this kind (D-06).
    Read,
    /// It runs, in order.
    Write,
    /// It runs, in order, once the person says so.
    Ask,
    /// It runs, in order, when it would touch no more things than this; else the person is asked first.
    #[serde(rename = "weigh")]
    EstimateImpact {
        /// The most it may touch unasked.
        above: u32,
    },
    /// The person answers it; it asks them something, or puts a plan to them.
    Question,
    /// It is answered already, from the conversation itself.
    Answered {
        /// The answer.
        content: String,
    },
    /// It cannot run; the model gets this answer and may correct itself.
    Refuse {
        /// What is wrong and what would be right.
        message: String,
    },
}

/// Why a run ended (S1-30). What it did until then is kept in every case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Ending {
    /// The model gave its answer.
    Complete {
        /// Why it stopped; `Length` means the answer is cut.
        stop: StopReason,
    },
    /// The person stopped it.
    Cancelled,
    /// A guard stopped it.
    Limited {
        /// Which.
        guard: Guard,
    },
    /// Something broke.
    Failed {
        /// What.
        failure: Failure,
    },
}

impl Ending {
    /// Whether a limit that the person set themselves stopped it: then whoever shows it says how that is changed.
    #[must_use]
    pub fn is_own_limit(&self) -> bool {
        matches!(self, Self::Failed { failure } if failure.is_own_limit)
    }
}

/// A limit that ends a run (D-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Too many model requests.
    MaxSteps,
    /// Too many tool calls.
    MaxToolCalls,
    /// Too long.
    WallClock,
    /// The same call again and again.
    IdenticalCalls,
    /// Two calls in turn, again and again.
    Alternation,
    /// Steps that brought nothing new.
    NoNewEvidence,
    /// Too many tokens.
    Budget,
    /// Plans that changed nothing, again and again (S1-30).
    PlanUnchanged,
}

/// The entries from a place on. What stands before costs nothing, however much it is.
pub(crate) fn entries_from(entries: &Vector<Arc<Entry>>, from: usize) -> impl Iterator<Item = &Entry> {
    entries.focus().narrow(from.min(entries.len())..).into_iter().map(|entry| &**entry)
}
