//! The trace of a conversation (D-16): a span per run, step and call, read off the log.
//!
//! The log holds every time and number already, so spans are derived and never stored. Names follow OpenTelemetry's
//! semantic conventions for generative AI; this file is the only one that knows them.

use std::collections::BTreeMap;

use protocol::{RunId, StopReason, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::calls::stable_hash;
use crate::{AgentState, Ending, EntryBody};

const OPERATION: &str = "gen_ai.operation.name";
const CONVERSATION: &str = "gen_ai.conversation.id";
const REQUEST_MODEL: &str = "gen_ai.request.model";
const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
const TOOL_NAME: &str = "gen_ai.tool.name";
const TOOL_CALL: &str = "gen_ai.tool.call.id";
const ERROR: &str = "error.type";
const RUN: &str = "satchel.run_id";
const STEP: &str = "satchel.step";
const ENDING: &str = "satchel.ending";

/// One span.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// 32 hex digits, one per run.
    pub trace_id: String,
    /// 16 hex digits.
    pub span_id: String,
    /// The span it is part of; a run has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// `invoke_agent`, `chat {model}` or `execute_tool {tool}`.
    pub name: String,
    /// Start, in Unix milliseconds.
    pub start_ms: i64,
    /// End, in Unix milliseconds; the last sign of life of a run that is open.
    pub end_ms: i64,
    /// What is known about it.
    pub attributes: BTreeMap<String, Value>,
}

/// The id of a step's span.
pub(crate) fn step_span_id(run_id: &RunId, step: u32) -> String {
    stable_hash(&["step", &run_id.0, &step.to_string()])
}

fn run_span_id(run_id: &RunId) -> String {
    stable_hash(&["run", &run_id.0])
}

fn attributes<const N: usize>(pairs: [(&str, Value); N]) -> BTreeMap<String, Value> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn chat(step: u32, model: &str, usage: &Usage) -> BTreeMap<String, Value> {
    attributes([
        (OPERATION, json!("chat")),
        (REQUEST_MODEL, json!(model)),
        (INPUT_TOKENS, json!(usage.input_tokens)),
        (OUTPUT_TOKENS, json!(usage.output_tokens)),
        (STEP, json!(step)),
    ])
}

/// All spans of a conversation, in the order they ended; a run's own span comes at its place in the log's start.
#[must_use]
pub fn spans(state: &AgentState) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut run_at = 0;
    for entry in &state.entries {
        let trace_id = format!("{}{}", run_span_id(&entry.run_id), stable_hash(&["trace", &entry.run_id.0]));
        match &entry.body {
            EntryBody::User { .. } | EntryBody::Retried { .. } => {
                run_at = spans.len();
                spans.push(Span {
                    trace_id,
                    span_id: run_span_id(&entry.run_id),
                    parent_id: None,
                    name: "invoke_agent".into(),
                    start_ms: entry.at_ms,
                    end_ms: entry.at_ms,
                    attributes: attributes([
                        (OPERATION, json!("invoke_agent")),
                        (CONVERSATION, json!(state.id)),
                        (RUN, json!(entry.run_id)),
                    ]),
                });
                continue;
            }
            EntryBody::Response { step, model, usage, stop, started_ms, span_id, .. } => {
                let mut attributes = chat(*step, model, usage);
                attributes.insert(FINISH_REASONS.to_owned(), json!([finish_reason(*stop)]));
                spans.push(Span {
                    trace_id,
                    span_id: span_id.clone(),
                    parent_id: Some(run_span_id(&entry.run_id)),
                    name: format!("chat {model}"),
                    start_ms: *started_ms,
                    end_ms: entry.at_ms,
                    attributes,
                });
            }
            EntryBody::Result { result, started_ms } => {
                let mut attributes = attributes([
                    (OPERATION, json!("execute_tool")),
                    (TOOL_NAME, json!(result.name)),
                    (TOOL_CALL, json!(result.call_id)),
                ]);
                if result.is_error {
                    attributes.insert(ERROR.to_owned(), json!("tool_error"));
                }
                spans.push(Span {
                    trace_id,
                    span_id: stable_hash(&["call", &entry.run_id.0, &result.call_id.0]),
                    parent_id: Some(run_span_id(&entry.run_id)),
                    name: format!("execute_tool {}", result.name),
                    start_ms: *started_ms,
                    end_ms: entry.at_ms,
                    attributes,
                });
            }
            EntryBody::Ended { ending, partial, .. } => {
                let (why, error) = match ending {
                    Ending::Complete { .. } => (json!("complete"), None),
                    Ending::Cancelled => (json!("cancelled"), None),
                    Ending::Limited { guard } => (json!("limited"), Some(json!(guard))),
                    Ending::Failed { failure } => (json!("failed"), Some(json!(failure.kind))),
                };
                if let Some(partial) = partial {
                    let mut attributes = chat(partial.step, &partial.model, &partial.usage);
                    attributes.insert(ERROR.to_owned(), error.clone().unwrap_or_else(|| why.clone()));
                    spans.push(Span {
                        trace_id,
                        span_id: partial.span_id.clone(),
                        parent_id: Some(run_span_id(&entry.run_id)),
                        name: format!("chat {}", partial.model),
                        start_ms: partial.started_ms,
                        end_ms: entry.at_ms,
                        attributes,
                    });
                }
                if let Some(run) = spans.get_mut(run_at) {
                    run.attributes.insert(ENDING.to_owned(), why);
                    if let Some(error) = error {
                        run.attributes.insert(ERROR.to_owned(), error);
                    }
                }
            }
            EntryBody::Decision { .. }
            | EntryBody::Weighed { .. }
            | EntryBody::Resumed {}
            | EntryBody::Compacted(_) => {}
        }
        if let Some(run) = spans.get_mut(run_at) {
            run.end_ms = entry.at_ms;
        }
    }
    spans
}

fn finish_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Stop => "stop",
        StopReason::Length => "length",
        StopReason::ToolCalls => "tool_call",
        StopReason::ContentFilter => "content_filter",
    }
}
