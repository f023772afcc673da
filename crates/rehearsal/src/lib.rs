//! Whole conversations played before anyone has them: a simulated client talks to an assistant, and the outcome says what went wrong.
//!
//! Start at [`Scenario`] (what is played) and [`Outcome`] (what came of it).
//!
//! What it does not know: any browser, any network, any thread. It is a second user of [`agent::Driver`], with ports of its own.
#![doc = include_str!("../README.md")]

mod outcome;
pub mod prompts;
pub mod record;
pub mod scenario;

pub use outcome::{CheckResult, Cost, Judgement, Models, Note, Outcome, Seed, Verdict};
pub use prompts::{AgentSpec, PromptSpec, PromptSpecs};
pub use record::{Record, Status, Turn};
pub use scenario::Scenario;
