//! What a step of the machine costs in a conversation of a thousand messages, and of a hundred thousand (issue 5, acceptance 7):
//! `cargo bench -p satchel-agent`.
#![allow(clippy::unwrap_used, reason = "a bench has nobody to hand an error to")]

use std::hint::black_box;

use agent::{AgentConfig, AgentState, Context, ContextPolicy, Input, Stamp, TurnStart, step};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use protocol::{CallId, CallKey, Hints, ModelEvent, RunId, StopReason, ToolResult, ToolSpec};
use serde_json::json;

fn start(turn: usize) -> TurnStart {
    TurnStart {
        run_id: RunId(format!("run_{turn}")),
        boundary: "7f3a9c0e5b1d2468".into(),
        context: Context::default(),
    }
}

fn put(state: AgentState, input: Input) -> AgentState {
    step(state, input, Stamp { now_ms: 1_000 }).0
}

fn said(turn: usize) -> Input {
    Input::User { text: format!("What is next on day {turn}?"), images: vec![], start: start(turn) }
}

fn delta(text: &str) -> Input {
    Input::Model(ModelEvent::TextDelta { text: text.into() })
}

fn done(reason: StopReason) -> Input {
    Input::Model(ModelEvent::Done { reason })
}

fn asks() -> Input {
    Input::Model(ModelEvent::ToolCallDelta {
        index: 0,
        id: Some(CallId("call_x".into())),
        name: Some("look".into()),
        arguments: "{}".into(),
    })
}

/// A conversation of so many messages, half of them the person's, in a window that older ones are compacted from; without one,
/// all of them are in each request.
fn conversation(messages: usize, window_tokens: Option<u64>) -> AgentState {
    let tool = ToolSpec {
        name: "look".into(),
        title: "Look".into(),
        description: "Looks.".into(),
        input_schema: json!({"type": "object"}),
        hints: Hints {
            read_only: true,
            destructive: false,
            idempotent: true,
            open_world: false,
            lasting: false,
        },
    };
    let mut config = AgentConfig::new("You are an assistant.");
    config.context = ContextPolicy { window_tokens, ..ContextPolicy::default() };
    let mut state = AgentState::new("bench", config, [tool]);
    for turn in 0..messages / 2 {
        state = put(state, said(turn));
        state = put(state, delta("Paint the fence, and water the plants on the roof."));
        state = put(state, done(StopReason::Stop));
    }
    state
}

fn steps(c: &mut Criterion) {
    for (messages, window_tokens) in [(1_000, Some(4_000)), (100_000, Some(4_000)), (1_000, None)] {
        let idle = conversation(messages, window_tokens);
        let turn = messages;
        let streaming = put(put(idle.clone(), said(turn)), delta("Paint "));
        let calling = put(put(put(idle.clone(), said(turn)), asks()), done(StopReason::ToolCalls));
        let key =
            CallKey::new(&RunId(format!("run_{turn}")), &calling.run.as_ref().unwrap().calls[0].call.id);
        let result = ToolResult {
            call_id: CallId("call_x".into()),
            name: "look".into(),
            is_error: false,
            content: "A fence.".into(),
            structured: None,
        };
        let mut group = c.benchmark_group(match window_tokens {
            Some(_) => format!("{messages} messages"),
            None => format!("{messages} messages, all of them sent"),
        });
        let mut measure = |name: &str, state: &AgentState, input: Input| {
            group.bench_function(name, |bencher| {
                bencher.iter_batched(
                    || (state.clone(), input.clone()),
                    |(state, input)| black_box(put(state, input)),
                    BatchSize::SmallInput,
                );
            });
        };
        measure("a piece of an answer", &streaming, delta("the fence"));
        measure("a complete answer", &streaming, done(StopReason::Stop));
        measure("a tool's result, and the next request", &calling, Input::ToolDone { key, result });
        measure("a message, and the first request", &idle, said(turn + 1));
        group.bench_function("fork", |bencher| bencher.iter(|| black_box(idle.fork("other"))));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(60).measurement_time(std::time::Duration::from_secs(2));
    targets = steps
}
criterion_main!(benches);
