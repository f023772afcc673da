//! Whole conversations played before anyone has them: a simulated client talks to an assistant, and the outcome says what went wrong.
//!
//! Start at [`Scenario`] (what is played) and [`Outcome`] (what came of it).
//!
//! What it does not know: any browser, any network, any thread. It is a second user of [`agent::Driver`], with ports of its own.
#![doc = include_str!("../README.md")]

mod agents;
mod asking;
pub mod blocked;
mod chance;
mod checks;
mod client;
mod emulator;
mod engine;
mod faults;
mod look_back;
mod lost;
mod matching;
mod outcome;
mod own_tools;
mod ports;
pub mod prompts;
pub mod queue;
pub mod read;
mod real;
pub mod record;
pub mod scenario;
mod schema;
mod session;
mod template;
mod time;
pub mod webhook;

pub use emulator::{Answered, ToolEmulator};
pub use engine::{ConversationEngine, Rehearsed, SCRIPTED, job_name, starts_at_ms};
pub use outcome::{CheckResult, Cost, Judgement, Models, Note, Outcome, Seed, Verdict};
pub use ports::{Cast, Models as ModelSource, Ports, Role, Watch, Webhook};
pub use prompts::{AgentSpec, PromptSpec, PromptSpecs};
pub use record::{Record, Status, Turn};
pub use scenario::Scenario;
pub use template::{Names, TemplateError};
pub use time::{STARTS_AT, SimulatedTime, Stuck, iso};
