//! Prompts: what a person often asks of an assistant over these tools, with the to-dos it is about.

use domain::Prompts;
use mcp::{Prompt, PromptArgument, PromptIn, PromptOut, RpcError};
use serde_json::{Value, json};
use store::{Moment, View};

use crate::list::Page;
use crate::model::Todo;
use crate::resources::{JSON, LIST};
use crate::when::civil_now;

/// All prompts.
fn prompts() -> Vec<Prompt> {
    let list = || PromptArgument {
        name: "list".into(),
        description: Some("Only this list of to-dos.".into()),
        required: false,
    };
    let prompt = |name: &str, title: &str, description: &str, arguments| Prompt {
        name: name.into(),
        title: Some(title.into()),
        description: Some(description.into()),
        arguments,
    };
    let day = PromptArgument {
        name: "day".into(),
        description: Some("The day to plan (2026-11-22); today when it is left out.".into()),
        required: false,
    };
    let request = PromptArgument {
        name: "request".into(),
        description: Some("What to do, in the person's words.".into()),
        required: true,
    };
    vec![
        prompt(
            "plan_my_day",
            "Plan my day",
            "A realistic plan for one day, from what is open.",
            vec![day, list()],
        ),
        prompt(
            "weekly_review",
            "Weekly review",
            "What was done, what is stuck, what comes next.",
            vec![list()],
        ),
        prompt("todo_assistant", "To-do assistant", "Does something with the to-dos.", vec![request, list()]),
    ]
}

/// What each prompt asks for.
fn instructions(name: &str, day: &str, request: &str) -> Option<String> {
    Some(match name {
        "plan_my_day" => format!(
            "Plan {day} with me. Begin with what is overdue, then what is due that day, then what is important. Say which \
             three things matter most, put the rest in an order, and say what can wait. Ask before you change a date. My \
             open to-dos are attached."
        ),
        "weekly_review" => format!(
            "Let us look at my week, up to {day}. Use todo_list with status done to see what I finished in the last seven \
             days. Then go through what is open: what is overdue, what has not moved, what could be dropped. Suggest at \
             most five changes, and make them when I agree. My open to-dos are attached."
        ),
        "todo_assistant" => format!(
            "Today is {day}. My open to-dos are attached. Use the todo tools, never show me an id, and tell me what you \
             changed. What I want: {request}"
        ),
        _ => return None,
    })
}

/// To-dos' prompts.
pub(crate) struct TodoPrompts;

impl Prompts for TodoPrompts {
    fn all(&self) -> Vec<Prompt> {
        prompts()
    }

    fn fill_in(&self, view: &View, now: &Moment, request: &PromptIn) -> Result<Option<PromptOut>, RpcError> {
        let text = |name: &str| request.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let today = civil_now(now).date().to_string();
        let day = if text("day").is_empty() { today.as_str() } else { text("day") };
        let Some(said) = instructions(&request.name, day, text("request")) else { return Ok(None) };
        let mut todos = view.all::<Todo>();
        if !text("list").is_empty() {
            todos.retain(|todo| todo.list.eq_ignore_ascii_case(text("list")));
        }
        let open = serde_json::to_string(&Page::of_open(todos))
            .map_err(|error| RpcError::internal(error.to_string()))?;
        let attached = json!({ "uri": LIST, "mimeType": JSON, "text": open });
        let messages = vec![
            json!({ "role": "user", "content": { "type": "text", "text": said } }),
            json!({ "role": "user", "content": { "type": "resource", "resource": attached } }),
        ];
        let known = prompts().into_iter().find(|prompt| prompt.name == request.name);
        Ok(Some(PromptOut { description: known.and_then(|prompt| prompt.description), messages }))
    }
}
