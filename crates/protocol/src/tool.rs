//! Tools as a model sees them: the offer, the call, the result.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The id of one tool call, chosen by the model that asked (or made up for it when it sent none).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub String);

/// The id of one run: a user message up to its final answer (S1-32, D-16).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub String);

impl std::fmt::Display for CallId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a tool does to the world, as MCP's tool annotations say it. The defaults are the
/// specification's pessimistic ones, so that a tool which says nothing is treated with care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hints {
    /// Changes nothing; such calls of one response run in parallel (D-06).
    pub read_only: bool,
    /// May destroy; needs the person's approval before it runs.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// Reaches outside the device.
    pub open_world: bool,
    /// What it keeps is told to models in later conversations with the standing of the person's own words. Text of
    /// strangers must not get there unseen (D-17).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lasting: bool,
}

impl Default for Hints {
    fn default() -> Self {
        Self { read_only: false, destructive: true, idempotent: false, open_world: true, lasting: false }
    }
}

/// The names of tools of the app's own that have another one now: what was saved under them goes on.
const EARLIER: [(&str, &str); 3] =
    [("todo_undo", "undo"), ("todo_redo", "redo"), ("todo_history", "history")];

/// The name that a tool has now, by the one it was saved under.
#[must_use]
pub fn tool_name_now(saved: &str) -> &str {
    EARLIER.iter().find(|(earlier, _)| *earlier == saved).map_or(saved, |(_, now)| now)
}

/// Between a server's prefix and the name of its tool, in the name that a model calls it by. No tool of the app's own has it.
pub const BETWEEN: &str = "__";

/// A tool as it is offered to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The name the model calls it by: 1 to 128 of `[A-Za-z0-9_.-]`.
    pub name: String,
    /// The name a person reads.
    pub title: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema (2020-12) of the arguments; the root is an object.
    pub input_schema: Value,
    /// What it does to the world.
    pub hints: Hints,
}

/// One tool call a model asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Pairs the call with its result (D-05).
    pub id: CallId,
    /// Which tool.
    pub name: String,
    /// The arguments. An object, or a string holding the model's text when it was no valid JSON.
    pub arguments: Value,
}

/// What came of one tool call. Every call gets exactly one (D-05).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call this answers.
    pub call_id: CallId,
    /// The tool that was called.
    pub name: String,
    /// True when the tool refused or failed; `content` then says why.
    pub is_error: bool,
    /// The text for the model, not yet fenced (see [`crate::fence`]).
    pub content: String,
    /// The same as data, when the tool returns any. Never sent to the model as such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
}
