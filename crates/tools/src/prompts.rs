//! Prompts: what a person often asks of an assistant over these tools, with the to-dos it is about; and how arguments
//! go on while they are typed.

use mcp::{CompleteIn, Completing, Completions, Prompt, PromptArgument, PromptIn, PromptOut, RpcError};
use serde_json::{Value, json};
use store::Journal;
use todo::{Page, Status, Todo, civil_now};

use crate::error::internal;
use crate::resources::{ITEM, JSON, LIST};
use crate::server::ToolServer;

/// All prompts.
pub(crate) fn prompts() -> Vec<Prompt> {
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

impl<J: Journal + 'static> ToolServer<J> {
    pub(crate) async fn fill_in_prompt(&self, request: PromptIn) -> Result<PromptOut, RpcError> {
        self.catch_up().await?;
        let text = |name: &str| request.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let today = civil_now(&self.now(None)).date().to_string();
        let day = if text("day").is_empty() { today.as_str() } else { text("day") };
        let said = instructions(&request.name, day, text("request"))
            .ok_or_else(|| RpcError::internal(format!("The prompt {} has no text", request.name)))?;
        let mut todos = self.db.view().all::<Todo>();
        if !text("list").is_empty() {
            todos.retain(|todo| todo.list.eq_ignore_ascii_case(text("list")));
        }
        let open = serde_json::to_string(&Page::of_open(todos))
            .map_err(|error| internal(&store::StoreError::Other(error.to_string())))?;
        let attached = json!({ "uri": LIST, "mimeType": JSON, "text": open });
        let messages = vec![
            json!({ "role": "user", "content": { "type": "text", "text": said } }),
            json!({ "role": "user", "content": { "type": "resource", "resource": attached } }),
        ];
        let known = self.prompts.iter().find(|prompt| prompt.name == request.name);
        Ok(PromptOut { description: known.and_then(|prompt| prompt.description.clone()), messages })
    }

    pub(crate) async fn completions(&self, request: CompleteIn) -> Result<Completions, RpcError> {
        self.catch_up().await?;
        let todos = self.db.view().all::<Todo>();
        let typed = request.value.to_lowercase();
        let values: Vec<String> = match (&request.of, request.argument.as_str()) {
            (Completing::Prompt(_), "list") => {
                let mut names: Vec<_> = todos.iter().map(|todo| todo.list.clone()).collect();
                names.sort();
                names.dedup();
                names.into_iter().filter(|name| name.to_lowercase().starts_with(&typed)).collect()
            }
            (Completing::Prompt(_), "day") => {
                let mut days: Vec<_> = todos
                    .iter()
                    .filter(|todo| todo.status == Status::Open)
                    .filter_map(|todo| Some(todo.due?.date().to_string()))
                    .collect();
                days.sort();
                days.dedup();
                days.into_iter().filter(|day| day.starts_with(&typed)).collect()
            }
            // By what a person knows of a to-do as well: nobody types an id.
            (Completing::Resource(template), "id") if template.starts_with(ITEM) => todos
                .iter()
                .filter(|todo| {
                    todo.id.starts_with(&request.value) || todo.title.to_lowercase().contains(&typed)
                })
                .map(|todo| todo.id.clone())
                .collect(),
            _ => Vec::new(),
        };
        Ok(Completions { total: Some(values.len()), values })
    }
}
