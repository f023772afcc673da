//! What may be said after a call about to-dos: every one is understood by every model, the built-in one too. Pure.

use serde_json::Value;
use ui_kit::LastCall;
use ui_kit::language::Word;

use crate::held::Counts;
use crate::model::{Status, list_page};

include!(concat!(env!("OUT_DIR"), "/suggestions.rs"));

/// What may be said first.
pub const FIRST_WORDS: [Word; 5] = [first_add, first_with_parts, first_week, first_two_commands, first_help];

/// From how many open to-dos on a plan says more than the list.
const WORTH_A_PLAN: usize = 4;

/// What may be said next, most fitting first.
#[must_use]
pub fn follow_ups(last: Option<LastCall>, counts: &Counts) -> Vec<&'static str> {
    // What stands first in a list that shows done ones may be one of those.
    let last_tool = last.filter(|last| last.answer.is_none_or(begins_open)).map(|last| last.tool);
    let mut texts = Vec::new();
    match last_tool {
        Some("todo_create") => texts.extend([say_show(), say_undo()]),
        Some("todo_list") if counts.open() > 0 => texts.push(say_first_done()),
        Some("todo_complete" | "todo_update" | "todo_reopen" | "todo_delete" | "todo_clear_completed") => {
            texts.extend([say_undo(), say_left()]);
        }
        Some(_) | None => {}
    }
    if counts.overdue > 0 {
        texts.push(say_overdue());
    }
    if counts.done > 2 && last_tool != Some("todo_clear_completed") {
        texts.push(say_clear());
    }
    if counts.open() >= WORTH_A_PLAN {
        texts.push(say_plan());
    }
    texts
}

/// What may be said when there is nothing else to say.
#[must_use]
pub fn at_rest(counts: &Counts) -> Option<&'static str> {
    (counts.open() > 0).then(say_today)
}

/// Whether the first of the to-dos that a list shows can be done. What is no list is no worse for it.
fn begins_open(answer: &Value) -> bool {
    let shown = list_page(answer);
    shown.is_none_or(|(todos, ..)| todos.first().is_some_and(|todo| todo.status == Status::Open))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use protocol::{Hints, Message, ModelEvent, ModelRequest, RunId, ToolSpec};
    use serde_json::{Value, json};
    use ui_kit::LastCall;

    use super::{FIRST_WORDS, at_rest, follow_ups};
    use crate::held::Counts;

    fn counts(no_date: usize) -> Counts {
        Counts { no_date, ..Counts::default() }
    }

    #[test]
    fn what_fits_the_last_call_comes_first() {
        let listed = |answer: Option<&Value>, open| {
            follow_ups(Some(LastCall { tool: "todo_list", answer }), &counts(open))
        };
        assert_eq!(listed(None, 0), Vec::<&str>::new());
        assert_eq!(listed(None, 4), ["Mark the first one as done", "Plan my week"]);
        let done = json!({"items": [{"id": "a", "title": "A", "status": "done"}]});
        assert_eq!(listed(Some(&done), 1), Vec::<&str>::new());
        assert_eq!((at_rest(&counts(0)), at_rest(&counts(1))), (None, Some("What’s due today?")));
    }

    #[test]
    fn what_is_suggested_is_understood_by_the_built_in_model() {
        let tools = ["todo_create", "todo_list", "todo_get", "todo_complete", "todo_update", "undo"];
        let more = ["todo_delete", "todo_clear_completed", "user_memory_search", "history"];
        let counts = |overdue| Counts { overdue, no_date: 7, done: 9, ..Counts::default() };
        let lasts = [None, Some("todo_create"), Some("todo_list"), Some("todo_delete")];
        let next = lasts.into_iter().flat_map(|last| {
            let last = last.map(|tool| LastCall { tool, answer: None });
            follow_ups(last, &counts(2)).into_iter().chain(at_rest(&counts(0)))
        });
        for said in FIRST_WORDS.into_iter().map(|word| word()).chain(next) {
            assert!(is_understood(said, &tools, &more), "{said}");
        }
    }

    #[test]
    fn so_is_every_german_suggestion() {
        let tools = ["todo_create", "todo_list", "todo_get", "todo_complete", "todo_update", "undo"];
        let more = ["todo_delete", "todo_clear_completed", "user_memory_search", "history"];
        let german = include_str!("../locales/de/suggestions.ftl");
        let said: Vec<&str> = german.lines().filter_map(|line| Some(line.split_once(" = ")?.1)).collect();
        assert_eq!(said.len(), 13);
        for said in said {
            assert!(is_understood(said, &tools, &more), "{said}");
        }
    }

    /// Whether the built-in model makes something of a message, with these tools.
    fn is_understood(said: &str, tools: &[&str], more: &[&str]) -> bool {
        let spec = |name: &&str| {
            let (name, input_schema) = ((*name).to_owned(), json!({"type": "object"}));
            let (title, description) = (name.clone(), String::new());
            Arc::new(ToolSpec { title, name, description, input_schema, hints: Hints::default() })
        };
        let request = ModelRequest {
            run_id: RunId("run_1".into()),
            step: 1,
            model: String::new(),
            messages: vec![
                Arc::new(Message::System {
                    content: protocol::now_line("2026-11-21T22:30", "Saturday", "UTC"),
                }),
                Arc::new(Message::User { content: said.to_owned(), images: vec![] }),
            ],
            tools: tools.iter().chain(more).map(spec).collect(),
            temperature: None,
            max_output_tokens: None,
        };
        let said_back: String = builtin::respond(&request, &[&builtin::TODO_SKILL])
            .into_iter()
            .filter_map(|event| match event {
                ModelEvent::TextDelta { text } => Some(text),
                _ => None,
            })
            .collect();
        let lost = ["I can only keep to-dos by plain commands", "verstehe nur einfache Befehle"];
        !lost.iter().any(|words| said_back.contains(words))
    }
}
