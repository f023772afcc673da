//! Scenarios as texts: an example, and one made of the conversation on the screen.

use std::collections::BTreeSet;

use agent::{Disposition, Entry, EntryBody};
use serde_json::{Map, Value, json};

/// What stands in the field at first.
pub const EXAMPLE: &str = include_str!("example.yaml");

/// A scenario that says again what a person said, and wants the calls made again that were made then; none where nothing was said.
pub fn of(title: &str, entries: &[Entry]) -> Option<String> {
    let mut says: Vec<&str> = Vec::new();
    let mut called: Vec<Value> = Vec::new();
    let mut starts_at = None;
    let mut failed: BTreeSet<&str> = BTreeSet::new();
    for entry in entries {
        if let EntryBody::Result { result, .. } = &entry.body
            && result.is_error
        {
            failed.insert(&result.call_id.0);
        }
    }
    for entry in entries {
        match &entry.body {
            EntryBody::User { text, context, .. } => {
                // Words such as “tomorrow” mean what they meant then.
                if says.is_empty() {
                    starts_at = context.civil.get(..16).map(|minute| format!("{minute}:00"));
                }
                says.push(text);
            }
            EntryBody::Response { calls, .. } => {
                for asked in calls {
                    let was_made =
                        !matches!(asked.plan, Disposition::Refuse { .. } | Disposition::Answered { .. });
                    if was_made && !failed.contains(asked.call.id.0.as_str()) {
                        called.push(json!({"tool": asked.call.name, "with": lasting(&asked.call.arguments)}));
                    }
                }
            }
            _ => {}
        }
    }
    if says.is_empty() {
        return None;
    }
    called.dedup();
    let name: String =
        title.chars().map(|letter| if "#/\\\n".contains(letter) { ' ' } else { letter }).collect();
    let name = if name.trim().is_empty() { "conversation" } else { name.trim() };
    let mut checks = vec![json!({"no_doubles": true})];
    if !called.is_empty() {
        checks.insert(0, json!({ "called": called }));
    }
    let mut scenario = json!({"name": name, "client": {"says": says}, "checks": checks});
    if let Some(starts_at) = starts_at {
        scenario["starts_at"] = starts_at.into();
    }
    serde_json::to_string_pretty(&scenario).ok()
}

/// Arguments without what is another one each time: ids, versions.
fn lasting(arguments: &Value) -> Value {
    let Value::Object(fields) = arguments else { return json!({}) };
    let is_lasting = |name: &str, value: &Value| {
        let is_id = name == "id"
            || name.ends_with("_id")
            || name == "ids"
            || name == "after"
            || name.ends_with("version");
        !is_id && (value.is_string() || value.is_number() || value.is_boolean())
    };
    let kept = fields.iter().filter(|(name, value)| is_lasting(name, value));
    Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>())
}
