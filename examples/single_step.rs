//! One step at a time: the agent is a pure function, and whoever calls it carries out what it asks for. Here that is
//! the built-in model, and a to-do that is only pretended: nothing is connected to anything.

use agent::{AgentConfig, AgentState, Context, Effect, Input, Stamp, TurnStart, step};
use protocol::{Hints, RunId, ToolResult, ToolSpec};
use serde_json::json;

fn main() {
    let create = ToolSpec {
        name: "todo_create".into(),
        title: "Add to-dos".into(),
        description: "Adds to-dos.".into(),
        input_schema: json!({"type": "object"}),
        hints: Hints {
            read_only: false,
            destructive: false,
            idempotent: false,
            open_world: false,
            lasting: false,
        },
    };
    let context = Context { civil: "2026-11-21T22:30+01:00".into(), ..Context::default() };
    let start = TurnStart { run_id: RunId("run_1".into()), boundary: "0123456789ab".into(), context };
    let mut state = AgentState::new("conversation", AgentConfig::new("You keep to-dos."), [create]);
    let mut inputs = vec![Input::User { text: "Add buy milk".into(), images: vec![], start }];
    for now_ms in 0.. {
        let Some(input) = inputs.pop() else { break };
        let (next, effects) = step(state, input, Stamp { now_ms });
        state = next;
        println!("{now_ms}: {:?}, {} entries", state.status, state.entries.len());
        for effect in effects {
            match effect {
                // Inputs are taken from the end.
                Effect::CallModel(request) => {
                    inputs.push(Input::ModelEnded);
                    inputs.extend(
                        builtin::respond(&request, &[&builtin::TODO_SKILL])
                            .into_iter()
                            .rev()
                            .map(Input::Model),
                    );
                }
                Effect::CallTool { call, key } => {
                    let added = json!({"id": "todo_1", "title": "Buy milk", "status": "open"});
                    let changes = json!({"changes": [{"before": null, "after": added}]});
                    let result = ToolResult {
                        call_id: call.id,
                        name: call.name,
                        is_error: false,
                        content: changes.to_string(),
                        structured: Some(changes),
                    };
                    inputs.push(Input::ToolDone { key, result });
                }
                _ => {}
            }
        }
    }
    println!("{}", state.answer().unwrap_or_default());
}
