//! Scenarios as texts: an example, and one made of the conversation on the screen.

use std::collections::BTreeSet;

use agent::{Disposition, Entry, EntryBody};
use serde_json::{Map, Value, json};

/// What stands in the field at first.
pub const EXAMPLE: &str = include_str!("example.yaml");

/// A scenario that says again what a person said, and wants the calls made again that were made then; none where nothing was said.
pub fn of(title: &str, entries: &[Entry]) -> Option<String> {
    let mut says: Vec<String> = Vec::new();
    let mut called: Vec<Value> = Vec::new();
    let (mut starts_at, mut declined, mut allowed) = (None, false, false);
    // Only what was carried out, and did not fail, is wanted again.
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for entry in entries {
        match &entry.body {
            EntryBody::Result { result, .. } if !result.is_error => drop(done.insert(&result.call_id.0)),
            EntryBody::Decision { approved, .. } => {
                declined |= !approved;
                allowed |= approved;
            }
            _ => {}
        }
    }
    for entry in entries {
        match &entry.body {
            EntryBody::User { text, context, .. } => {
                // Words such as “tomorrow” mean what they meant then.
                if says.is_empty() {
                    starts_at = context.civil.get(..16).map(|minute| format!("{minute}:00"));
                }
                says.push(as_template(text));
            }
            EntryBody::Response { calls, .. } => {
                for asked in calls {
                    let is_own = matches!(
                        asked.plan,
                        Disposition::Refuse { .. } | Disposition::Answered { .. } | Disposition::Question
                    );
                    if !is_own && done.contains(asked.call.id.0.as_str()) {
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
    let name: String = title
        .chars()
        .map(|letter| if "#/\\".contains(letter) || letter.is_control() { ' ' } else { letter })
        .collect();
    let name = if name.trim().is_empty() { "conversation" } else { name.trim() };
    let mut checks = vec![json!({"no_doubles": true})];
    if !called.is_empty() {
        checks.insert(0, json!({ "called": called }));
    }
    let mut scenario = json!({"name": name, "client": {"says": says}, "checks": checks});
    if declined && !allowed {
        scenario["client"]["approves"] = false.into();
    }
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
    Value::Object(kept.map(|(name, value)| (name.clone(), literal(value))).collect::<Map<_, _>>())
}

/// A person's words as a template that gives just them.
fn as_template(text: &str) -> String {
    let mut template = String::new();
    let mut rest = text;
    while let Some(at) = ["{{", "{%", "{#"].iter().filter_map(|opens| rest.find(opens)).min() {
        let (before, opens) = rest.split_at(at);
        let (opens, after) = opens.split_at(2);
        template += &format!("{before}{{{{ '{opens}' }}}}");
        rest = after;
    }
    template + rest
}

/// A value as a check wants it: a text that would be read as a pattern is one that fits only itself.
fn literal(value: &Value) -> Value {
    match value.as_str() {
        Some(text) if text.starts_with('~') => {
            let escaped: String = text
                .chars()
                .flat_map(|letter| {
                    let is_plain = letter.is_alphanumeric() || letter.is_whitespace() || !letter.is_ascii();
                    (!is_plain).then_some('\\').into_iter().chain([letter])
                })
                .collect();
            format!("~^{escaped}$").into()
        }
        _ => value.clone(),
    }
}
