//! From what a model streamed to calls that can be made: ids, arguments, and what will become of each.

use std::fmt::Write as _;

use imbl::OrdSet;
use protocol::{CallId, StopReason, ToolCall, canonical_json};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::policy::is_at_risk;
use crate::{AgentState, Disposition, LiveCall, RequestedCall, memory, own};

/// The longest call id kept as the model sent it; with the run's id it stays well within the 128 characters
/// of an idempotency key.
const MAX_CALL_ID: usize = 64;

/// `name(hash)`: the same for the same call whatever the order of its arguments' keys, today and tomorrow (S0-19).
#[must_use]
pub fn signature(call: &ToolCall) -> String {
    format!("{}({})", call.name, stable_hash(&[&canonical_json(&call.arguments)]))
}

/// The first 16 hex digits of SHA-256 over parts that cannot run into each other.
pub(crate) fn stable_hash(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    let mut hex = String::with_capacity(16);
    for byte in hasher.finalize().iter().take(8) {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// Turns the calls of a response into requested calls. One that ran into its length limit may end in half a call,
/// and one that was filtered may hold half of what it meant.
pub(crate) fn accept(
    state: &AgentState,
    live: &[LiveCall],
    step: u32,
    stop: StopReason,
    now_ms: i64,
) -> Vec<RequestedCall> {
    let mut taken = state.call_ids.clone();
    let mut task_plan = state.plan.clone();
    let mut requested = Vec::with_capacity(live.len());
    for (index, raw) in live.iter().enumerate() {
        let id = unique_id(raw.id.as_ref(), step, index, &mut taken);
        let (arguments, problem) = match parse_arguments(&raw.arguments) {
            Ok(map) => (Value::Object(map), None),
            Err(problem) => (Value::String(raw.arguments.clone()), Some(problem)),
        };
        let spec = state.tools().find(|tool| tool.name == raw.name);
        let plan = if stop == StopReason::ContentFilter {
            Disposition::Refuse {
                message: "Not run: the provider's content filter stopped the response.".into(),
            }
        } else if stop == StopReason::Length && index + 1 == live.len() {
            Disposition::Refuse {
                message: "Not run: the response reached its length limit before this call was complete. \
                          Ask for less at a time."
                    .into(),
            }
        } else if let Some(spec) = spec {
            let wrong = problem
                .or_else(|| memory::resolved(state, &arguments, now_ms).err().map(|error| error.to_string()));
            wrong
                .map(|message| Disposition::Refuse { message })
                .or_else(|| own::needs_plan(state, &spec.hints))
                .unwrap_or_else(|| state.config.approvals.disposition(spec, state.tainted_by.is_some()))
        } else {
            own::disposition(state, &raw.name, &arguments, problem, now_ms, &mut task_plan)
                .unwrap_or_else(|| Disposition::Refuse { message: unknown_tool(state, &raw.name) })
        };
        // A person looks at what is at risk; and what is answered here may read what was stored of that text.
        let matters = matches!(plan, Disposition::Answered { .. })
            || (plan == Disposition::Ask && spec.is_some_and(is_at_risk));
        let tainted_by = state.tainted_by.clone().filter(|_| matters);
        requested.push(RequestedCall {
            call: ToolCall { id, name: raw.name.clone(), arguments },
            title: spec.map_or_else(
                || own::title(&raw.name).unwrap_or(&raw.name).to_owned(),
                |spec| spec.title.clone(),
            ),
            plan,
            tainted_by,
        });
    }
    requested
}

/// The arguments as an object. The tool itself checks them against its schema, once references are resolved (D-18).
fn parse_arguments(text: &str) -> Result<Map<String, Value>, String> {
    // Some providers send nothing for a call without arguments.
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let value: Value = serde_json::from_str(text).map_err(|error| {
        format!("The arguments are not valid JSON ({error}). Send the call again with one JSON object.")
    })?;
    match value {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        // Some models encode the object twice.
        Value::String(inner) => match serde_json::from_str(&inner) {
            Ok(Value::Object(map)) => Ok(map),
            _ => Err("The arguments are a JSON string, but must be one JSON object.".into()),
        },
        Value::Array(_) => Err("The arguments are a JSON array, but must be one JSON object.".into()),
        Value::Bool(_) | Value::Number(_) => Err("The arguments must be one JSON object.".into()),
    }
}

/// The provider's id when it is usable and new in this conversation, else one of ours. It is deterministic, so
/// that a rebuilt state gives the same.
fn unique_id(raw: Option<&CallId>, step: u32, index: usize, taken: &mut OrdSet<CallId>) -> CallId {
    let base = raw
        .map(|id| id.0.as_str())
        .filter(|id| !id.is_empty() && id.len() <= MAX_CALL_ID && id.bytes().all(|b| b.is_ascii_graphic()))
        .map_or_else(|| format!("call_{step}_{index}"), str::to_owned);
    free_id(&CallId(base), taken)
}

/// The id itself where it is new, else the next one like it that is.
pub(crate) fn free_id(base: &CallId, taken: &mut OrdSet<CallId>) -> CallId {
    let CallId(base) = base;
    let mut id = CallId(base.clone());
    let mut n = 2;
    while taken.insert(id.clone()).is_some() {
        // No longer than one that is kept: a replay has to keep it too.
        let suffix = format!("_{n}");
        let start = base.get(..MAX_CALL_ID - suffix.len()).unwrap_or(base);
        id = CallId(format!("{start}{suffix}"));
        n += 1;
    }
    id
}

/// Whether a call was refused because there was no such tool.
pub(crate) fn is_unknown_tool(refusal: &str) -> bool {
    refusal.starts_with(NO_TOOL)
}

const NO_TOOL: &str = "There is no tool";

fn unknown_tool(state: &AgentState, name: &str) -> String {
    let available: Vec<&str> = state.offered_tools().map(|tool| tool.name.as_str()).collect();
    if name.is_empty() {
        format!("The call names no tool. Available: {}.", available.join(", "))
    } else {
        format!("{NO_TOOL} \"{name}\". Available: {}.", available.join(", "))
    }
}
