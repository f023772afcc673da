//! What an agent is told to be and how far it may go.

use serde::{Deserialize, Serialize};

use crate::{Approvals, ContextPolicy};

/// How a conversation's runs are done. Plain data, saved with the state; the tools are not part of it (S3-21).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentConfig {
    /// The model's name as its endpoint knows it.
    #[serde(default = "default_model")]
    pub model: String,
    /// What the assistant is told to be; date, zone and current data are added per run.
    pub instructions: String,
    /// Sampling temperature, when the person set one.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// The most tokens one response may have, when the person set a limit.
    #[serde(default)]
    pub max_output_tokens: Option<u32>,
    /// When a run ends whether it is done or not.
    #[serde(default)]
    pub limits: Limits,
    /// Which calls wait for the person.
    #[serde(default)]
    pub approvals: Approvals,
    /// What becomes of the conversation when it outgrows the model's window.
    #[serde(default)]
    pub context: ContextPolicy,
    /// A tool result longer than this, in characters, is replaced by a note that asks for less (S0-11: never
    /// cut inside JSON).
    #[serde(default = "default_max_result_chars")]
    pub max_result_chars: usize,
}

impl AgentConfig {
    /// The usual limits and approvals, the built-in model, and an assistant that is told to be this: what it is
    /// for is the app's to say.
    #[must_use]
    pub fn new(instructions: impl Into<String>) -> Self {
        Self {
            model: default_model(),
            instructions: instructions.into(),
            temperature: None,
            max_output_tokens: None,
            limits: Limits::default(),
            approvals: Approvals::default(),
            context: ContextPolicy::default(),
            max_result_chars: default_max_result_chars(),
        }
    }
}

fn default_model() -> String {
    "pocket".into()
}

fn default_max_result_chars() -> usize {
    60_000
}

/// The guards of a run (D-07). A number that is never reached turns one off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Model requests of one run.
    pub max_steps: u32,
    /// Tool calls of one run.
    pub max_tool_calls: u32,
    /// Wall clock of one run in milliseconds; a person thinking about an approval does not count.
    pub max_run_ms: u64,
    /// The same call this many times in a row ends the run.
    pub max_identical_calls: u32,
    /// The same pair of different calls (A-B) this many times in a row ends the run.
    pub max_alternations: u32,
    /// Steps in a row whose results were all seen before.
    pub max_stale_steps: u32,
    /// Tokens of one run, input and output, as the provider counts them.
    pub max_run_tokens: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: 10,
            max_tool_calls: 25,
            max_run_ms: 120_000,
            max_identical_calls: 3,
            max_alternations: 2,
            max_stale_steps: 2,
            max_run_tokens: None,
        }
    }
}
