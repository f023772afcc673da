//! A conversation with the built-in model over a small double of the to-do tools, enough to say what they would.
//! The real tools are driven in the workspace's native tests.

#![allow(clippy::unwrap_used, clippy::expect_used, dead_code, reason = "tests may stop where they stand")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::{
    CallId, Hints, Message, ModelEvent, ModelRequest, RunId, StopReason, ToolCall, ToolSpec, fence, now_line,
};
use serde_json::{Map, Value, json};

/// What the model with the to-do skill says.
pub fn respond(request: &ModelRequest) -> Vec<ModelEvent> {
    builtin::respond(request, &[&builtin::TODO_SKILL])
}

/// The names of the tools on offer.
pub const TOOLS: [&str; 9] = [
    "todo_create", "todo_list", "todo_get", "todo_update", "todo_complete", "todo_reopen", "todo_delete",
    "todo_clear_completed", "undo",
];

/// Saturday night.
pub const NOW: &str = "2026-11-21T22:30";

/// A conversation and the to-dos it is about.
pub struct Talk {
    pub todos: Vec<Value>,
    pub messages: Vec<Message>,
    pub tools: Vec<Arc<ToolSpec>>,
    past: Vec<Vec<Value>>,
    step: u32,
    run: u32,
    next: u32,
    /// What the next write is answered with instead of being done.
    pub refuse: Option<String>,
}

/// What came of one message.
#[derive(Debug)]
pub struct Reply {
    pub calls: Vec<(String, Value)>,
    pub answer: String,
}

/// A to-do with its id made of its title.
pub fn todo(title: &str, more: Value) -> Value {
    let mut all = json!({"id": id(title), "title": title, "notes": "", "status": "open", "priority": "none", "tags": [], "list": "Inbox", "order": 1.0});
    if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
        all.extend(more);
    }
    all
}

pub fn id(title: &str) -> String {
    format!("todo_{}", title.to_lowercase().replace(' ', "_"))
}

pub fn specs(names: &[&str]) -> Vec<Arc<ToolSpec>> {
    names
        .iter()
        .map(|name| ToolSpec {
            name: (*name).to_owned(),
            title: String::new(),
            description: String::new(),
            input_schema: json!({"type": "object"}),
            hints: Hints::default(),
        })
        .map(Arc::new)
        .collect()
}

impl Talk {
    pub fn new(todos: Vec<Value>) -> Self {
        let system = format!("You are Satchel.\n{}", now_line(NOW, "Saturday", "Europe/Berlin"));
        Self {
            todos,
            messages: vec![Message::System { content: system }],
            tools: specs(&TOOLS),
            past: vec![],
            step: 0,
            run: 0,
            next: 0,
            refuse: None,
        }
    }

    pub fn request(&self) -> ModelRequest {
        ModelRequest {
            run_id: RunId(format!("run_{}", self.run)),
            step: self.step,
            model: "pocket".into(),
            messages: self.messages.iter().cloned().map(Arc::new).collect(),
            tools: self.tools.clone(),
            temperature: None,
            max_output_tokens: None,
        }
    }

    /// Says something and lets it work until it answers.
    pub fn say(&mut self, text: &str) -> Reply {
        self.run += 1;
        self.step = 0;
        self.messages.push(Message::user(text));
        let mut calls = Vec::new();
        for _ in 0..10 {
            self.step += 1;
            let request = self.request();
            let (content, tool_calls, reason) = collect(&respond(&request));
            assert_eq!(respond(&request), respond(&request), "a function of its request");
            self.messages.push(Message::Assistant {
                content: content.clone(),
                thought: String::new(),
                tool_calls: tool_calls.clone(),
            });
            // What somebody wrote is marked only until it is given.
            let given = tool_calls.iter().map(|call| call.arguments.to_string()).chain([content.clone()]);
            assert!(
                given.into_iter().all(|text| !text.contains(['\u{2}', '\u{3}']) && !text.contains("\\u000"))
            );
            if reason == StopReason::Stop {
                assert!(tool_calls.is_empty());
                // What is answered in German is German as a whole.
                let english = builtin::untranslated(&request, &[&builtin::TODO_SKILL]);
                // Signs of Unicode's private use have no place in one.
                let private = |text: &String| text.contains(|sign| ('\u{E000}'..='\u{F8FF}').contains(&sign));
                assert_eq!(
                    english.filter(|text| !private(text)),
                    None,
                    "no German for the answer to {text:?}: {content}"
                );
                let ids: Vec<&str> = self.todos.iter().filter_map(|t| t["id"].as_str()).collect();
                assert!(!ids.iter().any(|id| content.contains(id)), "an id is shown: {content}");
                return Reply { calls, answer: content };
            }
            for call in tool_calls {
                let result = self.perform(&call.name, &call.arguments);
                let (text, is_error) = match result {
                    Ok(value) => (value.to_string(), false),
                    Err(text) => (text, true),
                };
                self.messages.push(Message::Tool {
                    call_id: call.id,
                    name: call.name.clone(),
                    content: fence("b1", &call.name, &text),
                    is_error,
                });
                calls.push((call.name, call.arguments));
            }
        }
        panic!("no answer after ten steps to {text:?}: {calls:?}");
    }

    fn perform(&mut self, tool: &str, args: &Value) -> Result<Value, String> {
        let text = |key: &str| args.get(key).and_then(Value::as_str);
        if tool == "todo_list" {
            return Ok(self.list(args));
        }
        if tool == "todo_get" {
            return self.find(text("id").unwrap_or_default()).map(|at| json!({"todo": self.todos[at]}));
        }
        if let Some(text) = self.refuse.take() {
            return Err(text);
        }
        let before = self.todos.clone();
        let ids: Vec<String> = match (text("id"), args.get("ids").and_then(Value::as_array)) {
            (Some(id), _) => vec![id.to_owned()],
            (None, Some(ids)) => ids.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            (None, None) => vec![],
        };
        match tool {
            "todo_create" => {
                let items = args
                    .get("items")
                    .and_then(Value::as_array)
                    .cloned()
                    .unwrap_or_else(|| vec![args.clone()]);
                for item in items {
                    self.next += 1;
                    let mut made = todo(item["title"].as_str().ok_or("title is missing")?, item.clone());
                    made["id"] = json!(format!("todo_new{}", self.next));
                    self.todos.push(made);
                }
            }
            "todo_update" => {
                for id in &ids {
                    let at = self.find(id)?;
                    change(&mut self.todos[at], args.as_object().ok_or("not an object")?);
                }
            }
            "todo_complete" | "todo_reopen" => {
                for id in &ids {
                    let at = self.find(id)?;
                    self.todos[at]["status"] = json!(if tool == "todo_complete" { "done" } else { "open" });
                }
            }
            "todo_delete" => {
                for id in &ids {
                    let at = self.find(id)?;
                    self.todos.remove(at);
                }
            }
            "todo_clear_completed" => {
                self.todos.retain(|t| t["status"] != "done" || text("list").is_some_and(|l| t["list"] != l))
            }
            "undo" => {
                for _ in 0..args.get("last").and_then(Value::as_u64).unwrap_or(1) {
                    self.todos = self.past.pop().ok_or("There is nothing to undo.")?;
                }
                return Ok(json!({"summary": "", "changes": differences(&before, &self.todos)}));
            }
            other => return Err(format!("no tool {other}")),
        }
        self.past.push(before.clone());
        Ok(json!({"summary": "", "changes": differences(&before, &self.todos)}))
    }

    fn find(&self, id: &str) -> Result<usize, String> {
        self.todos
            .iter()
            .position(|t| t["id"] == id)
            .ok_or_else(|| format!("No to-do has the id {id}; call todo_list to see the ids."))
    }

    fn list(&self, args: &Value) -> Value {
        let text = |key: &str| args.get(key).and_then(Value::as_str);
        let status = text("status").unwrap_or("open");
        let day = |t: &Value| t["due"].as_str().map(|d| d[..10].to_owned());
        let items: Vec<&Value> = self
            .todos
            .iter()
            .filter(|t| status == "all" || t["status"] == status)
            .filter(|t| text("list").is_none_or(|l| t["list"] == l))
            .filter(|t| text("tag").is_none_or(|tag| t["tags"].as_array().unwrap().contains(&json!(tag))))
            .filter(|t| text("priority").is_none_or(|p| t["priority"] == p))
            .filter(|t| {
                text("text")
                    .is_none_or(|w| t["title"].as_str().unwrap().to_lowercase().contains(&w.to_lowercase()))
            })
            .filter(|t| text("due_from").is_none_or(|d| day(t).is_some_and(|due| due.as_str() >= d)))
            .filter(|t| text("due_to").is_none_or(|d| day(t).is_some_and(|due| due.as_str() <= d)))
            .filter(|t| {
                args.get("overdue") != Some(&json!(true))
                    || t["status"] == "open" && day(t).is_some_and(|due| due.as_str() < &NOW[..10])
            })
            .collect();
        let limit = usize::try_from(args.get("limit").and_then(Value::as_u64).unwrap_or(50)).unwrap();
        let from: usize = text("cursor").map_or(0, |cursor| cursor.parse().unwrap());
        let page: Vec<&Value> = items.iter().skip(from).take(limit).copied().collect();
        let mut answer = json!({"total": items.len(), "items": page});
        if from + limit < items.len() {
            answer["next_cursor"] = json!((from + limit).to_string());
        }
        answer
    }
}

fn change(todo: &mut Value, args: &Map<String, Value>) {
    let mut tags: BTreeSet<String> =
        todo["tags"].as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_owned()).collect();
    for (key, value) in args {
        let words = || value.as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_owned());
        match key.as_str() {
            "id" | "ids" => {}
            "add_tags" => tags.extend(words()),
            "remove_tags" => words().for_each(|w| {
                tags.remove(&w);
            }),
            "tags" => tags = words().collect(),
            _ if value.is_null() => {
                todo.as_object_mut().unwrap().remove(key);
            }
            _ => todo[key] = value.clone(),
        }
    }
    todo["tags"] = json!(tags);
}

fn differences(before: &[Value], after: &[Value]) -> Vec<Value> {
    let find =
        |all: &[Value], id: &Value| all.iter().find(|t| t["id"] == *id).cloned().unwrap_or(Value::Null);
    let gone = before
        .iter()
        .filter(|t| find(after, &t["id"]).is_null())
        .map(|t| json!({"before": t, "after": null}));
    let there = after
        .iter()
        .map(|t| (find(before, &t["id"]), t))
        .filter(|(b, a)| b != *a)
        .map(|(b, a)| json!({"before": b, "after": a}));
    gone.chain(there).collect()
}

/// A stream put together, and its shape checked: dense indexes, JSON out of fragments, one end.
pub fn collect(events: &[ModelEvent]) -> (String, Vec<ToolCall>, StopReason) {
    let mut text = String::new();
    let mut calls: Vec<(CallId, String, String)> = Vec::new();
    let mut done = None;
    for event in events {
        assert!(done.is_none(), "an event after the end");
        match event {
            ModelEvent::TextDelta { text: more } => {
                assert!(more.chars().count() <= 24);
                text.push_str(more);
            }
            ModelEvent::ToolCallDelta { index, id, name, arguments } => {
                let index = usize::try_from(*index).unwrap();
                if index == calls.len() {
                    calls.push((id.clone().unwrap(), name.clone().unwrap(), String::new()));
                }
                calls[index].2.push_str(arguments);
            }
            ModelEvent::Usage { usage } => assert!(usage.output_tokens > 0),
            ModelEvent::Done { reason } => done = Some(*reason),
            other => panic!("unexpected {other:?}"),
        }
    }
    let calls: Vec<ToolCall> = calls
        .into_iter()
        .map(|(id, name, arguments)| ToolCall {
            id,
            name,
            arguments: serde_json::from_str(&arguments).expect("fragments make JSON"),
        })
        .collect();
    let done = done.expect("an end");
    assert_eq!(done == StopReason::ToolCalls, !calls.is_empty());
    (text, calls, done)
}

/// The to-dos most rows begin with.
pub fn home() -> Vec<Value> {
    vec![
        todo("Buy milk", json!({"due": "2026-11-22", "tags": ["home"], "list": "Groceries"})),
        todo("Call Anna", json!({"due": "2026-11-20", "priority": "high"})),
        todo("Write report", json!({"due": "2026-11-23T15:00", "list": "Work"})),
        todo("Buy bread", json!({"list": "Groceries"})),
        todo("Pay rent", json!({"due": "2026-12-01", "repeat": "FREQ=MONTHLY;BYMONTHDAY=1"})),
        todo("Water plants", json!({"status": "done"})),
    ]
}

/// The same JSON with sorted keys, whatever order the build's JSON maps keep.
pub fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let in_order: BTreeMap<&String, Value> =
                map.iter().map(|(key, value)| (key, sorted(value))).collect();
            Value::Object(in_order.into_iter().map(|(key, value)| (key.clone(), value)).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        leaf => leaf.clone(),
    }
}
