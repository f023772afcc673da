//! Tools that become tasks.

use mcp::{Ask, Filled, Host, RpcError, Stop, TaskUse, ToolCallIn, ToolCallOut, ToolDef};
use serde_json::{Value, json};

use crate::asking::{field, name_form};
use crate::{Fixtures, nothing, text, tool};

pub(crate) fn tools() -> Vec<ToolDef> {
    let of = |properties: Value| json!({ "type": "object", "properties": properties });
    vec![
        tool("greet", "Greets, at once", of(json!({ "name": { "type": "string" } }))),
        tool(
            "slow_compute",
            "Takes its time",
            of(json!({ "seconds": { "type": "number" }, "label": { "type": "string" } })),
        ),
        tool("failing_job", "Fails after a second", nothing()),
        tool("protocol_error_job", "Ends in an error of the protocol", nothing()),
        tool("confirm_delete", "Asks before it deletes", of(json!({ "filename": { "type": "string" } }))),
        tool("multi_input", "Asks two things at once", nothing()),
        tool("test_tool_with_task", "Asks first, then becomes a task", nothing()),
    ]
}

pub(crate) fn task_use(call: &ToolCallIn) -> Option<TaskUse> {
    Some(match call.name.as_str() {
        "slow_compute" | "protocol_error_job" | "confirm_delete" | "multi_input" | "test_slow_write" => {
            TaskUse::Allowed
        }
        "failing_job" => TaskUse::Required,
        "test_tool_with_task" if call.caller.answer("user_name").is_some() => TaskUse::Allowed,
        _ => return None,
    })
}

pub(crate) async fn call<H: Host>(
    host: &Fixtures<H>,
    call: &ToolCallIn,
) -> Option<Result<ToolCallOut, Stop>> {
    tools().iter().any(|tool| tool.name == call.name).then_some(())?;
    Some(run(host, call).await)
}

async fn run<H: Host>(host: &Fixtures<H>, call: &ToolCallIn) -> Result<ToolCallOut, Stop> {
    let argument = |name: &str| call.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    match call.name.as_str() {
        "greet" => Ok(text(format!("Hello, {}!", argument("name")))),
        "slow_compute" => {
            let seconds = call.arguments.get("seconds").and_then(Value::as_f64).unwrap_or(1.0);
            let mut left_ms = (seconds * 1_000.0) as i64;
            while left_ms > 0 {
                if call.caller.is_cancelled() {
                    return Err(RpcError::internal("cancelled").into());
                }
                (host.sleep)(50).await;
                left_ms -= 50;
            }
            Ok(text(format!("{} computed in {seconds} s", argument("label"))))
        }
        "failing_job" => {
            (host.sleep)(1_000).await;
            Ok(ToolCallOut::rejected("The job failed, as it always does"))
        }
        "protocol_error_job" => {
            (host.sleep)(200).await;
            Err(RpcError::internal("The job ended in an error of the protocol").into())
        }
        "confirm_delete" => {
            let confirm = json!({ "confirm": { "type": "boolean" } });
            let schema = json!({ "type": "object", "properties": confirm, "required": ["confirm"] });
            let ask = Ask::form(format!("Delete {}?", argument("filename")), schema);
            let answers = call.caller.ask(vec![("confirm", ask)], None).await?;
            Ok(match Filled::read(&answers["confirm"]) {
                Filled::Accepted(content) if content["confirm"] == true => {
                    text(format!("Deleted {}", argument("filename")))
                }
                _ => text("Nothing was deleted"),
            })
        }
        "multi_input" => {
            let confirm = json!({ "confirm": { "type": "boolean" } });
            let schema = json!({ "type": "object", "properties": confirm, "required": ["confirm"] });
            let asks = vec![("name", name_form()), ("confirm", Ask::form("Is that so?", schema))];
            let answers = call.caller.ask(asks, None).await?;
            Ok(match field(&answers, "name", "name") {
                Ok(name) => text(format!("{name}: {}", answers["confirm"]["content"]["confirm"])),
                Err(other) => text(other),
            })
        }
        _ => {
            let answers = call.caller.ask(vec![("user_name", name_form())], None).await?;
            (host.sleep)(200).await;
            Ok(match field(&answers, "user_name", "name") {
                Ok(name) => text(format!("Hello, {name}, from a task!")),
                Err(other) => text(other),
            })
        }
    }
}
