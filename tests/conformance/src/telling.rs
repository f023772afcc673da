//! Tools that say something while they run.

use mcp::{Ask, Filled, Host, LogLevel, Notification, RpcError, Stop, ToolCallIn, ToolCallOut, ToolDef};
use serde_json::{Value, json};

use crate::{Fixtures, nothing, text, tool};

pub(crate) fn tools() -> Vec<ToolDef> {
    vec![
        tool("test_tool_with_progress", "Tells its progress", nothing()),
        tool("test_tool_with_logging", "Logs", nothing()),
        tool("test_logging_tool", "Logs where the request wants it", nothing()),
        tool("test_trigger_tool_change", "Says that there are other tools", nothing()),
        tool("test_trigger_prompt_change", "Says that there are other prompts", nothing()),
        tool(
            "test_slow_write",
            "Waits, then adds a to-do, unless it is cancelled before; with `ask`, asks what it is called first",
            json!({ "type": "object", "properties": {
                "title": { "type": "string" },
                "ms": { "type": "integer", "minimum": 0 },
                "ask": { "type": "boolean" },
            } }),
        ),
        tool("test_slow_writes", "How long each of the slow writes since the start has waited", nothing()),
    ]
}

pub(crate) async fn call<H: Host>(
    host: &Fixtures<H>,
    call: &ToolCallIn,
) -> Option<Result<ToolCallOut, Stop>> {
    let caller = &call.caller;
    Some(Ok(match call.name.as_str() {
        "test_tool_with_progress" => {
            for done in [0.0, 50.0, 100.0] {
                caller.progress(done, Some(100.0), Some(&format!("{done} of 100")));
                (host.sleep)(50).await;
            }
            text("Done, with progress")
        }
        "test_tool_with_logging" | "test_logging_tool" => {
            for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
                caller.log(LogLevel::Info, json!(message));
                (host.sleep)(50).await;
            }
            text("Done, with logs")
        }
        "test_trigger_tool_change" => {
            host.publish(&Notification::Tools);
            text("Said so")
        }
        "test_trigger_prompt_change" => {
            host.publish(&Notification::Prompts);
            text("Said so")
        }
        "test_slow_write" => return Some(slow_write(host, call).await),
        "test_slow_writes" => text(Value::from(host.slow_writes.borrow().clone()).to_string()),
        _ => return None,
    }))
}

/// How long a slow write waits between two looks at whether it is still wanted.
const STEP_MS: u64 = 50;

async fn slow_write<H: Host>(host: &Fixtures<H>, call: &ToolCallIn) -> Result<ToolCallOut, Stop> {
    let caller = &call.caller;
    let argument = |name: &str| call.arguments.get(name);
    let title = argument("title").and_then(Value::as_str).unwrap_or("written by test_slow_write");
    if argument("ask").is_some_and(|ask| *ask == true) {
        let sure = json!({ "sure": { "type": "boolean" } });
        let schema = json!({ "type": "object", "properties": sure, "required": ["sure"] });
        let asks = vec![("sure", Ask::form(format!("Add {title}?"), schema))];
        let answers = caller.ask(asks, Some(json!({ "title": title }))).await?;
        let is_sure =
            matches!(Filled::read(&answers["sure"]), Filled::Accepted(content) if content["sure"] == true);
        if !is_sure {
            return Ok(text("Nothing was added"));
        }
        // In the modern protocol what was asked comes back with its state, or it is not an answer to this.
        if caller.state().is_some_and(|state| state["title"] != title) {
            return Err(RpcError::internal("The state is another call's").into());
        }
    }
    let whole_ms = argument("ms").and_then(Value::as_u64).unwrap_or(2_000);
    let mut waited_ms = 0;
    caller.progress(0.0, Some(1.0), None);
    while waited_ms < whole_ms && !caller.is_cancelled() {
        (host.sleep)(STEP_MS).await;
        waited_ms += STEP_MS;
    }
    let seen = json!({ "title": title, "waitedMs": waited_ms, "cancelled": caller.is_cancelled() });
    host.slow_writes.borrow_mut().push(seen);
    let arguments = json!({ "title": title }).as_object().cloned().unwrap_or_default();
    // Whether a call that was given up writes is the tools' affair, and what the checks look at.
    host.inner.call_tool(ToolCallIn { name: "todo_create".into(), arguments, ..call.clone() }).await
}
