//! The words about what is remembered over all conversations.

include!(concat!(env!("OUT_DIR"), "/memory.rs"));

/// A tool of theirs at work.
#[must_use]
pub fn memory_doing(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "user_memory_save" => memory_saving(),
        "user_memory_search" => memory_searching(),
        "user_memory_update" => memory_updating(),
        "user_memory_forget" => memory_forgetting(),
        _ => return None,
    })
}

/// What may be said after a tool of theirs: in English, which is what the built-in model reads.
#[must_use]
pub fn memory_follow_ups(last_tool: Option<&str>) -> Vec<&'static str> {
    match last_tool {
        Some("user_memory_save") => vec!["What do you remember about me?", "Undo that"],
        Some("user_memory_forget" | "user_memory_update") => vec!["Undo that"],
        Some(_) | None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use protocol::{Hints, Message, ModelEvent, ModelRequest, RunId, ToolSpec};
    use serde_json::json;

    use super::memory_follow_ups;

    #[test]
    fn what_is_suggested_is_understood_by_the_built_in_model() {
        let spec = |name: &str| ToolSpec {
            name: name.to_owned(),
            title: name.to_owned(),
            description: String::new(),
            input_schema: json!({"type": "object"}),
            hints: Hints::default(),
        };
        let tools: Vec<_> =
            ["todo_list", "undo", "user_memory_search", "history"].map(spec).map(Arc::new).into();
        for said in memory_follow_ups(Some("user_memory_save")) {
            let now = protocol::now_line("2026-11-21T22:30", "Saturday", "UTC");
            let request = ModelRequest {
                run_id: RunId("run_1".into()),
                step: 1,
                model: String::new(),
                messages: vec![
                    Arc::new(Message::System { content: now }),
                    Arc::new(Message::User { content: said.to_owned(), images: vec![] }),
                ],
                tools: tools.clone(),
                temperature: None,
                max_output_tokens: None,
            };
            let is_lost = |event: &ModelEvent| match event {
                ModelEvent::TextDelta { text } => text.contains("I can only keep to-dos by plain commands"),
                _ => false,
            };
            assert!(!builtin::respond(&request, &[&builtin::TODO_SKILL]).iter().any(is_lost), "{said}");
        }
    }
}
