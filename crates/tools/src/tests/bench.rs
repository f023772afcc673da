//! A server over a journal in memory, and a to-do list as lines of text.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use futures::executor::block_on;
use mcp::{Caller, Host, RpcError, Stop, ToolCallIn, ToolCallOut};
use serde_json::{Map, Value, json};
use store::{MemoryJournal, Moment};
use todo::{Status, Todo};

use crate::ToolServer;

/// 2026-11-21T22:30 in Berlin, a Saturday.
pub(super) const NOW_MS: i64 = 1_795_296_600_000;

/// What the server serves in these tests.
pub(super) const DOMAINS: crate::Domains = &[&todo::Todos, &memory::Memories];

thread_local! {
    /// The schemas of each tool's input and output, compiled once.
    static SCHEMAS: RefCell<HashMap<String, [Option<jsonschema::Validator>; 2]>> = RefCell::default();
}

/// A server, its journal and its clock. Every answer it gives is checked against the tool's schema.
pub(super) struct Bench {
    pub server: ToolServer<MemoryJournal>,
    pub journal: MemoryJournal,
    pub now_ms: Rc<Cell<i64>>,
    /// What was announced: tool and revision.
    pub announced: Rc<RefCell<Vec<(String, u64)>>>,
    /// Whether answers are checked against the schemas; a property with many thousand calls does without.
    pub is_checking: Cell<bool>,
    calls: Cell<u32>,
}

impl Bench {
    pub fn new() -> Self {
        Self::over(MemoryJournal::new(), "worker_a")
    }

    /// Another server over a journal that may be in use.
    pub fn over(journal: MemoryJournal, instance: &str) -> Self {
        let now_ms = Rc::new(Cell::new(NOW_MS));
        let clock = {
            let now_ms = now_ms.clone();
            move |zone: Option<&str>| Moment {
                at_ms: now_ms.get(),
                zone: zone.unwrap_or("Europe/Berlin").into(),
                offset_s: 3600,
            }
        };
        let announced = Rc::new(RefCell::new(Vec::new()));
        let heard = announced.clone();
        let server = block_on(ToolServer::open(journal.clone(), clock, instance, DOMAINS))
            .unwrap()
            .on_change(move |change| heard.borrow_mut().push((change.tool.clone(), change.rev)));
        Self { server, journal, now_ms, announced, is_checking: Cell::new(true), calls: Cell::new(0) }
    }

    /// The same, by a server that believes that nobody else writes there.
    pub fn alone_over(journal: MemoryJournal, instance: &str) -> Self {
        let bench = Self::over(journal, instance);
        Self { server: bench.server.alone_while(|| true), ..bench }
    }

    /// The same behind a transport that may dispatch a request twice: a browser's.
    pub fn behind_a_browser(journal: MemoryJournal, instance: &str) -> Self {
        let bench = Self::over(journal, instance);
        Self { server: bench.server.dispatched_twice(), ..bench }
    }

    /// A call with a key of its own.
    pub fn call(&self, tool: &str, arguments: Value) -> ToolCallOut {
        self.calls.set(self.calls.get() + 1);
        self.keyed(&format!("{}#{}", self.server.instance, self.calls.get()), tool, arguments)
    }

    /// A call with a given key.
    pub fn keyed(&self, key: &str, tool: &str, arguments: Value) -> ToolCallOut {
        self.with_meta(tool, arguments, json!({ "dev.satchel/key": key })).unwrap()
    }

    /// A call with a `_meta`.
    pub fn with_meta(&self, tool: &str, arguments: Value, meta: Value) -> Result<ToolCallOut, RpcError> {
        block_on(self.send(tool, arguments, meta, "body"))
    }

    pub async fn send(
        &self,
        tool: &str,
        arguments: Value,
        meta: Value,
        body: &str,
    ) -> Result<ToolCallOut, RpcError> {
        let request = ToolCallIn {
            name: tool.into(),
            arguments: object(arguments.clone()),
            meta: object(meta),
            body_hash: body.into(),
            task: None,
            caller: Caller::default(),
        };
        let out = match self.server.call_tool(request).await {
            Ok(out) => out,
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Ask(asked)) => panic!("nobody can be asked: {asked:?}"),
        };
        if !out.is_error && self.is_checking.get() {
            self.check_schemas(tool, &arguments, &out);
        }
        Ok(out)
    }

    /// What is answered fits the output schema; what is accepted fits the input schema.
    fn check_schemas(&self, tool: &str, arguments: &Value, out: &ToolCallOut) {
        SCHEMAS.with_borrow_mut(|known| {
            let [input, output] = known.entry(tool.to_owned()).or_insert_with(|| {
                let tool = self.server.tools().iter().find(|definition| definition.name == tool).unwrap();
                // What is for the app alone says nothing of its results.
                [&tool.input_schema, &tool.output_schema]
                    .map(|schema| (!schema.is_null()).then(|| jsonschema::validator_for(schema).unwrap()))
            });
            for (schema, value) in [(input, arguments), (output, &out.structured())] {
                if let Some(Err(error)) = schema.as_ref().map(|schema| schema.validate(value)) {
                    panic!("{tool}: {value} does not fit its schema: {error}");
                }
            }
        });
    }

    /// A resource's content, which is JSON.
    pub fn resource(&self, uri: &str) -> Value {
        serde_json::from_str(&block_on(self.server.read_resource(uri)).unwrap().text).unwrap()
    }

    pub fn todos(&self) -> Vec<Rc<Todo>> {
        let mut todos = self.server.db().view().all::<Todo>();
        todos.sort_by(|left, right| {
            left.order.total_cmp(&right.order).then_with(|| by_done(left).cmp(&by_done(right)))
        });
        todos
    }

    /// No to-do has a parent that is not there, or is its own ancestor.
    pub fn has_sound_families(&self) -> bool {
        let todos = self.todos();
        let parent_of = |id: &str| todos.iter().find(|todo| todo.id == id).map(|todo| todo.parent.clone());
        todos.iter().all(|todo| {
            let mut above = todo.parent.clone();
            for _ in 0..=todos.len() {
                let Some(id) = above else { return true };
                let Some(parent) = parent_of(&id) else { return false };
                above = parent;
            }
            false
        })
    }

    /// Everything there is, as JSON.
    pub fn export(&self) -> String {
        serde_json::to_string_pretty(&self.todos().iter().map(|todo| (**todo).clone()).collect::<Vec<_>>())
            .unwrap()
    }

    /// Fills an empty list with lines as [`Bench::lines`] writes them.
    pub fn fill(&self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (status, rest) = line.split_at(4);
            let mut parts = rest.split("; ");
            let mut arguments = json!({ "title": parts.next().unwrap() });
            for part in parts {
                let (field, value) = match part.split_once(' ') {
                    Some(("due", due)) => ("due", json!(due)),
                    Some(("in", list)) => ("list", json!(list)),
                    Some(("under", parent)) => ("parent", json!(format!("${parent}"))),
                    Some(("remind", remind)) => ("remind", json!(remind)),
                    Some(("every", rule)) => ("repeat", json!(rule)),
                    Some(("notes", notes)) => ("notes", json!(notes)),
                    _ if part.starts_with('#') => (
                        "tags",
                        json!(part.split(' ').map(|tag| tag.trim_start_matches('#')).collect::<Vec<_>>()),
                    ),
                    _ => ("priority", json!(part)),
                };
                arguments[field] = value;
            }
            let id = self.call("todo_create", self.with_ids(&arguments)).structured()["changes"][0]["after"]
                ["id"]
                .clone();
            if status == "[x] " {
                self.call("todo_complete", json!({ "id": id }));
            }
        }
        assert_eq!(self.lines(), tidy(lines), "the fixture is not what it says");
    }

    /// The to-dos as lines: `[ ] Buy milk; due 2026-11-22; high; #home; in Groceries`.
    pub fn lines(&self) -> String {
        let todos = self.todos();
        let lines: Vec<String> = todos.iter().map(|todo| line(todo, &todos)).collect();
        lines.join("\n")
    }

    /// Puts the id of a to-do in the place of each text like `$Buy milk`.
    pub fn with_ids(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('$') {
                Some(title) => {
                    let todos = self.todos();
                    let todo = todos.iter().find(|todo| todo.title == title);
                    json!(todo.unwrap_or_else(|| panic!("no to-do {title:?}")).id)
                }
                None => value.clone(),
            },
            Value::Array(items) => items.iter().map(|item| self.with_ids(item)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), self.with_ids(value))).collect()
            }
            _ => value.clone(),
        }
    }
}

fn by_done(todo: &Todo) -> (bool, &str) {
    (todo.status == Status::Open, &todo.title)
}

fn line(todo: &Todo, all: &[Rc<Todo>]) -> String {
    let mut parts = vec![format!("[{}] {}", if todo.status == Status::Done { 'x' } else { ' ' }, todo.title)];
    parts.extend(todo.due.map(|due| format!("due {due}")));
    let priority = json!(todo.priority);
    parts.extend(priority.as_str().filter(|name| *name != "none").map(str::to_owned));
    let tags: Vec<String> = todo.tags.iter().map(|tag| format!("#{tag}")).collect();
    parts.extend((!tags.is_empty()).then(|| tags.join(" ")));
    parts.extend((todo.list != todo::INBOX).then(|| format!("in {}", todo.list)));
    if let Some(parent) = &todo.parent {
        let parent = all.iter().find(|other| other.id == *parent).map_or("nobody", |parent| &parent.title);
        parts.push(format!("under {parent}"));
    }
    parts.extend(todo.repeat.as_ref().map(|rule| format!("every {rule}")));
    parts.extend(todo.remind.map(|remind| format!("remind {remind}")));
    parts.extend((!todo.notes.is_empty()).then(|| format!("notes {}", todo.notes)));
    // What belongs together must be there together.
    assert_eq!(todo.completed.is_some(), todo.status == Status::Done, "{}", todo.title);
    assert_eq!(todo.zone.is_some(), matches!(todo.due, Some(todo::Due::At(_))), "{}", todo.title);
    parts.join("; ")
}

/// Lines without their indentation.
pub(super) fn tidy(lines: &str) -> String {
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        other => panic!("{other} is no object"),
    }
}
