//! What a call came to: its data, or a sentence for a person on what went wrong.

use protocol::tool_name_now;
use serde_json::Value;

use crate::conversation::Done;
use crate::skill::Words;
use crate::text::escape;

/// For a result that is no data.
pub fn unreadable(words: &Words) -> String {
    format!(
        "The tool's answer is not one I can read, so I cannot say what it did. Ask me to show your {}.",
        words.things
    )
}

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
///
/// # Errors
/// The sentence.
pub fn read(done: &Done, words: &Words) -> Result<Value, String> {
    let text = done.result.as_deref().unwrap_or_default();
    if !done.is_error {
        return match serde_json::from_str(text) {
            // What only looks can be asked for again, in smaller pieces.
            Err(_) if words.pages(tool_name_now(&done.call.name)) => Ok(Value::Null),
            read => read.map_err(|_| unreadable(words)),
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
        return Err(format!(
            "That did not work: the {} is not there any more. Say “{}” to see what is.",
            words.thing, words.show
        ));
    }
    let message = message.trim_end_matches('.');
    let why = if message.is_empty() { "no reason was given".to_owned() } else { escape(message) };
    Err(format!("That did not work: {why}."))
}
