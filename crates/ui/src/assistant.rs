//! The assistant of this app: what it is told to be. How a run is done is the agent's; what it is about is said here.

use agent::AgentConfig;

/// What the assistant is told to be. The native tests tell theirs the same.
const INSTRUCTIONS: &str = include_str!("assistant.txt").trim_ascii_end();

/// How the runs of a conversation are done, before a model is chosen and the person's approvals are known.
#[must_use]
pub fn config() -> AgentConfig {
    AgentConfig::new(INSTRUCTIONS)
}
