//! Tools that say something while they run.

use mcp::{Host, LogLevel, News, Stop, ToolCallIn, ToolCallOut, ToolDef};
use serde_json::json;

use crate::{Fixtures, nothing, text, tool};

pub(crate) fn tools() -> Vec<ToolDef> {
    vec![
        tool("test_tool_with_progress", "Tells its progress", nothing()),
        tool("test_tool_with_logging", "Logs", nothing()),
        tool("test_logging_tool", "Logs where the request wants it", nothing()),
        tool("test_trigger_tool_change", "Says that there are other tools", nothing()),
        tool("test_trigger_prompt_change", "Says that there are other prompts", nothing()),
        tool("test_slow_write", "Waits, then adds a to-do, unless it is cancelled before", nothing()),
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
            host.publish(&News::Tools);
            text("Said so")
        }
        "test_trigger_prompt_change" => {
            host.publish(&News::Prompts);
            text("Said so")
        }
        "test_slow_write" => {
            caller.progress(0.0, Some(1.0), None);
            let mut left_ms = 2_000;
            while left_ms > 0 && !caller.is_cancelled() {
                (host.sleep)(50).await;
                left_ms -= 50;
            }
            let arguments = json!({ "title": "written by test_slow_write" });
            let arguments = arguments.as_object().cloned().unwrap_or_default();
            let write = ToolCallIn { name: "todo_create".into(), arguments, ..call.clone() };
            return Some(host.inner.call_tool(write).await);
        }
        _ => return None,
    }))
}
