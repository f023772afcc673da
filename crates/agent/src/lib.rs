//! The agent as a pure step machine, and the driver that runs it through ports.
//!
//! [`step`] takes an [`AgentState`], something that happened and the time, and returns the next state
//! and what is to be done about it. It has no clock, no random, no async and no JavaScript inside: the
//! same core runs in the page, in the terminal, in rehearsal and in tests. [`Driver`] carries the
//! effects out through [`Ports`] and feeds what came of them back.
//!
//! The log of [`Entry`]s is the truth; everything else in the state is folded from it ([`AgentState::from_entries`])
//! or is what one open model response has streamed so far ([`Live`]).

mod calls;
mod config;
mod context;
mod driver;
mod entry;
pub mod evidence;
mod fold;
mod guards;
mod machine;
mod merge;
mod policy;
mod ports;
mod prompt;
mod replay;
mod run_file;
mod spans;
mod state;
mod view;
mod window;
mod words;

pub use calls::{call_key, signature};
pub use config::{AgentConfig, Limits};
pub use context::{
    ContextPolicy, Estimator, Fold, Measure, Pruning, Strategy, Summary, TokenCounter, prune_conversation,
};
pub use driver::{Driver, Handle};
pub use entry::{Context, Ending, Entry, EntryBody, Guard, Partial, Plan, RequestedCall};
pub use machine::{
    Approval, ContinueError, Effect, Input, Stamp, TurnStart, continue_conversation, resume, step,
};
pub use merge::Conflict;
pub use policy::{Approvals, Rule};
pub use ports::{Clock, Ids, Log, Model, ModelStream, Ports, Show, Surroundings, Toolbox};
pub use prompt::{TOLD_TODOS, system_prompt, system_prompt_after, todos_in_short};
pub use replay::{Difference, Replay};
pub use run_file::{RunFile, ToolHead};
pub use spans::{Span, spans};
pub use state::{
    AgentState, CallRecord, CallStatus, Live, LiveCall, LoadError, Phase, RetryNotice, Run, Status,
};
pub use view::{Item, ItemBody, last_turn, view, view_from};
pub use window::window;

#[cfg(test)]
mod tests;
