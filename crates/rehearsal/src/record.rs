//! What a conversation's result looks like to who asked for it: S2-06 to S2-17, S2-27 to S2-30 to the letter.
//!
//! What we say beyond that (checks, cost, hashes) stands beside it, in an [`Outcome`](crate::Outcome).

use protocol::ToolCall;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The tool by which either side ends the call (S2-12).
pub const END_CALL: &str = "end_call";

/// What names of tools that hand over begin with; the agent's name follows (S2-12).
pub const HANDOFF: &str = "handoff_";

/// How a conversation ended (S2-06, S2-23, D-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// One of the two ended it, or the client had nothing left to say.
    Completed,
    /// Something broke: `error` says what.
    Failed,
    /// The provider does not serve this place (S2-23).
    FailedApiBlocked,
    /// The time was over (S2-25).
    TimedOut,
    /// The turns were used up (S2-25).
    TurnLimit,
}

impl Status {
    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::FailedApiBlocked => "failed_api_blocked",
            Self::TimedOut => "timed_out",
            Self::TurnLimit => "turn_limit",
        }
    }
}

/// A conversation's result (S2-06; S2-07 with tools).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// The webhook's, if it gave one, else made (S2-26).
    pub session_id: String,
    /// The scenario's name.
    pub scenario: String,
    /// How it ended.
    pub status: Status,
    /// How many turns there are in the history.
    pub total_turns: u32,
    /// How long it took, in seconds.
    pub duration_seconds: f64,
    /// What was said and done, in order.
    pub conversation_history: Vec<Turn>,
    /// When it began, ISO 8601 in UTC.
    pub start_time: String,
    /// When it ended, ISO 8601 in UTC.
    pub end_time: String,
    /// What went wrong, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What kind of error that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    /// Always true where the conversation was run with tools, and not there where it was run without (S2-07).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools_used: Option<bool>,
}

/// A turn (S2-08; S2-09 with tools).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// Its number, from 1.
    pub turn: u32,
    /// `client`, `agent`, or with tools `agent_` and the name of the agent that speaks (S2-27).
    pub speaker: String,
    /// What was said. An agent that only called tools says nothing; a client always says something (S2-29).
    pub content: String,
    /// When, ISO 8601 in UTC (S2-30).
    pub timestamp: String,
    /// What was called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Call>,
    /// What came of the calls, in their order: text as the tool gave it, or an object where the engine answered
    /// ([`handoff_result`], [`end_call_result`], [`error_result`]). Only agents' turns have them (S2-09).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_results: Vec<Value>,
}

/// A call as providers write it (S2-10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// Begins with `call_`.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: CallKind,
    /// What is called.
    pub function: Function,
}

/// The kind of a call: there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    /// A function.
    #[default]
    Function,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// The tool.
    pub name: String,
    /// The arguments as JSON text (S2-10). Letters of any script stand in it as they are (S2-11).
    pub arguments: String,
}

impl Call {
    /// A call of the agent's core.
    #[must_use]
    pub fn of(call: &ToolCall) -> Self {
        let id = call.id.0.as_str();
        Self::new(
            if id.starts_with("call_") { id.to_owned() } else { format!("call_{id}") },
            &call.name,
            &call.arguments,
        )
    }

    /// A call with these arguments.
    #[must_use]
    pub fn new(id: String, name: &str, arguments: &Value) -> Self {
        let function = Function { name: name.to_owned(), arguments: arguments.to_string() };
        Self { id, kind: CallKind::Function, function }
    }
}

/// What a hand-over answers (S2-15).
#[must_use]
pub fn handoff_result(target: &str) -> Value {
    json!({
        "status": "handoff_completed",
        "target_agent": target,
        "message": format!("Successfully handed off conversation to {target}"),
    })
}

/// What the end of a call answers (S2-16).
#[must_use]
pub fn end_call_result() -> Value {
    json!({"status": "call_ended", "reason": "conversation completed"})
}

/// What a tool that failed answers (S2-17).
#[must_use]
pub fn error_result(message: &str) -> Value {
    json!({"error": format!("Tool execution failed: {message}")})
}

/// What a result's text means: its JSON, else the text as it is. It never fails (S2-28, `_safe_parse_tool_result`).
#[must_use]
pub fn safe_parse_tool_result(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
