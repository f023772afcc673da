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

/// What may be said after a tool of theirs.
#[must_use]
pub fn memory_follow_ups(last_tool: Option<&str>) -> Vec<&'static str> {
    match last_tool {
        Some("user_memory_save") => vec![say_what_is_remembered(), say_undo_that()],
        Some("user_memory_forget" | "user_memory_update") => vec![say_undo_that()],
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
        let german = include_str!("../../locales/de/memory.ftl");
        let german = german.lines().filter(|line| line.starts_with("say-"));
        let german: Vec<&str> = german.filter_map(|line| Some(line.split_once(" = ")?.1)).collect();
        assert_eq!(german.len(), 2);
        for said in memory_follow_ups(Some("user_memory_save")).into_iter().chain(german) {
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
            let answer: String = builtin::respond(&request, &[&builtin::TODO_SKILL])
                .into_iter()
                .filter_map(|event| match event {
                    ModelEvent::TextDelta { text } => Some(text),
                    _ => None,
                })
                .collect();
            let lost = ["I can only keep to-dos by plain commands", "verstehe nur einfache Befehle"];
            assert!(!lost.iter().any(|words| answer.contains(words)), "{said}: {answer}");
        }
    }
}
