//! What a call came to: its data, or a sentence for a person on what went wrong.

use protocol::tool_name_now;
use serde_json::Value;

use crate::answer;
use crate::known::Done;

/// For a result that is no data.
pub const UNREADABLE: &str =
    "The tool's answer is not one I can read, so I cannot say what it did. Ask me to show your to-dos.";

/// The ids a call names.
pub fn ids(arguments: &Value) -> impl Iterator<Item = &str> {
    let many = arguments.get("ids").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    many.iter().chain(arguments.get("id")).filter_map(Value::as_str).filter(|id| !id.is_empty())
}

/// Whether the person said no to a call.
pub fn declined(done: &Done) -> bool {
    let text = done.result.as_deref().unwrap_or_default().to_lowercase();
    done.is_error
        && ["person", "user"].iter().any(|who| {
            ["declined", "denied", "rejected"].iter().any(|no| text.contains(&format!("{who} {no}")))
        })
}

/// A result's data, or a sentence on what went wrong.
pub fn read(done: &Done) -> Result<Value, String> {
    let text = done.result.as_deref().unwrap_or_default();
    if !done.is_error {
        return match serde_json::from_str(text) {
            // What only looks can be asked for again, in smaller pieces.
            Err(_) if matches!(tool_name_now(&done.call.name), "todo_list" | "history") => Ok(Value::Null),
            read => read.map_err(|_| UNREADABLE.to_owned()),
        };
    }
    if declined(done) {
        return Err("As you decided, I left that alone: nothing was changed.".to_owned());
    }
    let message = serde_json::from_str::<Value>(text)
        .ok()
        .and_then(|v| Some(v.get("error").or(v.get("message"))?.as_str()?.to_owned()))
        .unwrap_or_else(|| text.trim().to_owned());
    // A tool speaks of ids, a person does not (S1-16).
    if ids(&done.call.arguments).any(|id| message.contains(id)) {
        return Err(
            "That did not work: the to-do is not there any more. Say “show my todos” to see what is."
                .to_owned(),
        );
    }
    let why = if message.is_empty() { "no reason was given".to_owned() } else { answer::escape(&message) };
    Err(format!("That did not work: {}", why.trim_end_matches('.').to_owned() + "."))
}
