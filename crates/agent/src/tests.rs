//! Tests of the crate: what a stranger sees is snapshotted, what must always hold is tried with random inputs. Whole
//! conversations are folders in `tests/transcripts`.

mod context;
mod driver;
mod machine;
mod merge;
mod own;
mod policy;
mod random;
mod replay;
mod shapes;
mod sources;
mod taint;
mod trace;

use protocol::{CallId, Hints, ModelEvent, RunId, StopReason, ToolResult, ToolSpec};
use serde_json::json;

use crate::{AgentConfig, AgentState, Context, ContextBlock, Effect, Input, Stamp, TurnStart, step};

fn spec(name: &str, read_only: bool, destructive: bool) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        title: format!("The {name}"),
        description: String::new(),
        input_schema: json!({"type": "object"}),
        hints: Hints { read_only, destructive, idempotent: false, open_world: false, lasting: false },
    }
}

/// A read, a write and a destructive one.
fn tools() -> Vec<ToolSpec> {
    vec![spec("read", true, false), spec("write", false, false), spec("delete", false, true)]
}

fn config() -> AgentConfig {
    AgentConfig::new("You are a test.")
}

fn fresh() -> AgentState {
    AgentState::new("conv_1", config(), tools())
}

/// The open to-dos as a model is told of them.
fn todos(text: &str) -> ContextBlock {
    ContextBlock {
        name: "open_todos".into(),
        title: "Open to-dos".into(),
        lead: "Open to-dos:".into(),
        text: text.into(),
        ..ContextBlock::default()
    }
}

/// What is remembered, as a model is told of it.
fn memories(text: &str) -> ContextBlock {
    let (name, title) = ("user_memory".into(), "What is remembered".into());
    let lead = "What is remembered:".into();
    ContextBlock { name, title, lead, text: text.into(), stable: true, outside: false }
}

fn start(n: u32) -> TurnStart {
    let context = Context {
        civil: "2026-11-21T22:30".into(),
        weekday: "Saturday".into(),
        zone: "Europe/Berlin".into(),
        blocks: vec![todos("Milk")],
    };
    TurnStart { run_id: RunId(format!("run_{n}")), boundary: format!("b{n}"), context }
}

fn user(n: u32) -> Input {
    Input::User { text: format!("message {n}"), images: vec![], start: start(n) }
}

fn text(text: &str) -> Input {
    Input::Model(ModelEvent::TextDelta { text: text.into() })
}

fn call(index: u32, id: &str, name: &str, arguments: &str) -> Input {
    Input::Model(ModelEvent::ToolCallDelta {
        index,
        id: Some(CallId(id.into())),
        name: Some(name.into()),
        arguments: arguments.into(),
    })
}

fn done(reason: StopReason) -> Input {
    Input::Model(ModelEvent::Done { reason })
}

fn result(key: &str, content: &str) -> Input {
    let result = ToolResult {
        call_id: CallId("whatever".into()),
        name: "whatever".into(),
        is_error: false,
        content: content.into(),
        structured: None,
    };
    Input::ToolDone { key: key.parse().unwrap(), result }
}

/// Plays inputs a millisecond apart, and keeps all effects. Answers are checked at once.
fn play(state: AgentState, inputs: impl IntoIterator<Item = Input>) -> (AgentState, Vec<Effect>) {
    let first_ms = 1000 + state.entries.last().map_or(0, |entry| entry.at_ms);
    let mut all = Vec::new();
    let mut state = state;
    for (now_ms, input) in (first_ms..).zip(inputs) {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            let (next, effects) = step(state, input, Stamp { now_ms });
            state = next;
            inputs.extend(effects.iter().filter_map(found));
            all.extend(effects);
        }
    }
    (state, all)
}

/// What a check that was asked for finds.
fn found(effect: &Effect) -> Option<Input> {
    match effect {
        Effect::Check { answer, text, sources } => {
            Some(Input::Checked { answer: *answer, found: Ok(evidence::checked(text, sources)) })
        }
        _ => None,
    }
}

/// The kinds of effects, in order, without redraws.
fn kinds(effects: &[Effect]) -> Vec<String> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Save(entry) => Some(format!("save {}", entry.seq)),
            Effect::CallModel(request) => Some(format!("model {}", request.step)),
            Effect::CallTool { key, .. } => Some(format!("tool {key}")),
            Effect::EstimateImpact { key, .. } => Some(format!("weigh {key}")),
            Effect::Check { answer, .. } => Some(format!("check {answer}")),
            Effect::AskUser(approval) => Some(format!("ask {}", approval.key)),
            Effect::Show => None,
        })
        .collect()
}
