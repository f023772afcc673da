//! The agent as a pure step machine, and the driver that runs it through ports.
//!
//! [`step`] takes an [`AgentState`], something that happened and the time, and returns the next state
//! and what is to be done about it. It has no clock, no random, no async and no JavaScript inside: the
//! same core runs in the page, in the terminal, in rehearsal and in tests. [`Driver`] carries the
//! effects out through [`Ports`] and feeds what came of them back.
//!
//! The log of [`Entry`]s is the truth; everything else in the state is reduced from it ([`AgentState::from_entries`])
//! or is what one open model response has streamed so far ([`Live`]).
#![doc = include_str!("../README.md")]

mod calls;
mod canonical;
mod config;
mod context;
mod driver;
mod entry;
mod guards;
mod input;
mod machine;
mod memory;
mod merge;
mod metrics;
mod otlp;
mod outline;
mod own;
mod policy;
mod ports;
mod prompt;
mod questions;
mod reading;
mod reduce;
mod replay;
mod run_file;
mod sentences;
mod sources;
mod spans;
mod spent;
mod state;
mod stored_result;
mod task_plan;
mod templates;
mod told;
mod untrusted;
mod view;
mod window;
mod words;

pub use calls::signature;
pub use canonical::{Canonical, data_ref};
pub use config::{AgentConfig, EvidencePolicy, Limits};
pub use context::{
    Compaction, ContextPolicy, Estimator, Measure, Pruning, Strategy, Summary, TokenCounter,
    prune_conversation,
};
pub use driver::{Driver, Handle};
pub use entry::{Disposition, Ending, Entry, EntryBody, Guard, Partial, RequestedCall, Retry};
pub use input::{Approval, ContinueError, Effect, Input, Stamp, TurnStart, UserMessage};
pub use machine::{continue_conversation, resume, step};
pub use memory::{
    Kept, MemoryPolicy, Reference, ReferenceError, Stored, list_available_references, resolve_reference,
};
pub use merge::Conflict;
pub use metrics::{Metrics, Rating, Routing, Satisfaction, Spread, Tally};
pub use otlp::otlp_json;
pub use outline::{Outline, TalkPhase, feedback_in, outline, refine};
pub use own::{OwnTools, reply};
pub use policy::{Approvals, Rule, takes_back};
pub use ports::{Checker, Clock, ContextProvider, Ids, Log, Model, ModelStream, Ports, Show, Toolbox};
pub use prompt::{is_user_memory_tool, system_prompt, system_prompt_after};
pub use questions::{Choice, Form, Format, Question, Questions, Validation, answer_in_words};
pub use replay::{Difference, Replay};
pub use run_file::{RunFile, ToolHead};
pub use sources::sources;
pub use spans::{Decision, Happening, Span, SpanError, SpanEvent, Work, spans, spans_of};
pub use spent::Spent;
pub use state::{
    AgentState, CallRecord, CallStatus, Live, LiveCall, LoadError, Phase, RetryNotice, Run, Status,
};
pub use task_plan::{Confidence, PlanStep, Planning, StepStatus, TaskPlan};
pub use templates::{DEBUGGING, QUESTION_ANSWER, RESEARCH, TEMPLATES, Template};
pub use told::{Context, ContextBlock};
pub use untrusted::holds_untrusted_text;
pub use view::{Item, ItemBody, last_turn, view, view_from};
pub use window::window;

#[cfg(test)]
mod tests;
