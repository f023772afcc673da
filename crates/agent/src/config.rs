//! What an agent is told to be and how far it may go.

use protocol::Routed;
use serde::{Deserialize, Serialize};

use crate::{Approvals, ContextPolicy, MemoryPolicy, OwnTools};

/// How a conversation's runs are done. Plain data, saved with the state; the tools are not part of it (S3-21).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentConfig {
    /// The model's name as its endpoint knows it.
    #[serde(default = "default_model")]
    pub model: String,
    /// Why it is that one; none where there is only one model to choose from (D-13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routed: Option<Routed>,
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
    /// Which results travel whole, and how long stored ones can be read.
    #[serde(default)]
    pub memory: MemoryPolicy,
    /// Which of its own tools the agent offers.
    #[serde(default)]
    pub own_tools: OwnTools,
    /// What is done about what an answer says and no result supports.
    #[serde(default)]
    pub evidence: EvidencePolicy,
}

/// What is done about what an answer says and no result supports (S1-27).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidencePolicy {
    /// Nobody looks.
    #[default]
    Off,
    /// It is marked.
    Mark,
    /// The model is asked once to write it again; what is still not supported then is marked.
    Repair,
}

impl AgentConfig {
    /// The usual limits and approvals, the built-in model, and an assistant that is told to be this: what it is
    /// for is the app's to say.
    #[must_use]
    pub fn new(instructions: impl Into<String>) -> Self {
        Self {
            model: default_model(),
            routed: None,
            instructions: instructions.into(),
            temperature: None,
            max_output_tokens: None,
            limits: Limits::default(),
            approvals: Approvals::default(),
            context: ContextPolicy::default(),
            memory: MemoryPolicy::default(),
            own_tools: OwnTools::default(),
            evidence: EvidencePolicy::default(),
        }
    }
}

fn default_model() -> String {
    "pocket".into()
}

/// The guards of a run (D-07). A number that is never reached turns one off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Plans in a row that are the one before, or updates that change nothing (S1-30).
    pub max_stale_plans: u32,
    /// Tokens of one run, input and output, as the provider counts them.
    pub max_run_tokens: Option<u64>,
    /// How sure a model that says so (the structured mode's do) has to be of its answer for the run to end on it, from
    /// 0.0 to 1.0 (D-08, S1-30). One that is less sure is asked once more; the second answer stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<f64>,
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
            max_stale_plans: 2,
            max_run_tokens: None,
            min_confidence: None,
        }
    }
}
