//! The edges of an agent in memory: the built-in model as the model, the tool server as the toolbox, Saturday night in Berlin.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use agent::{
    AgentConfig, AgentState, Clock, Context, ContextBlock, ContextProvider, Driver, Ending, Entry, EntryBody,
    EvidencePolicy, Handle, Ids, Log, Model, ModelStream, Ports, Show, Toolbox,
};
use async_trait::async_trait;
use futures::StreamExt;
use futures::executor::block_on;
use mcp::{Host, ToolCallIn};
use native::ASSISTANT;
use protocol::{CallKey, Failure, Hints, ModelRequest, ToolCall, ToolResult, ToolSpec};
use serde_json::{Map, Value, json};
use store::{MemoryJournal, Moment};
use tools::ToolServer;

/// A time in Berlin; on Saturday nobody says how far that is from UTC.
#[derive(Clone, Copy)]
struct Time {
    ms: i64,
    civil: &'static str,
    weekday: &'static str,
}

const SATURDAY_NIGHT: Time = Time { ms: 1_795_296_600_000, civil: "2026-11-21T22:30", weekday: "Saturday" };
const THURSDAY_MORNING: Time =
    Time { ms: 1_795_079_100_000, civil: "2026-11-19T10:05+01:00", weekday: "Thursday" };
const SUNDAY_MORNING: Time =
    Time { ms: 1_795_338_900_000, civil: "2026-11-22T10:15+01:00", weekday: "Sunday" };

/// A person's device.
pub struct World {
    desk: Rc<Desk>,
    driver: Driver,
    state: Option<AgentState>,
}

/// What came of a message.
pub struct Reply {
    /// The calls with their arguments; ids are told by their to-do's title.
    pub calls: Vec<String>,
    /// The last thing said.
    pub answer: String,
    /// What of it no source supports, where answers are checked.
    pub doubts: Vec<String>,
}

impl Reply {
    /// The tools called, in order.
    pub fn tools(&self) -> Vec<&str> {
        self.calls.iter().filter_map(|call| call.split(' ').next()).collect()
    }
}

struct Desk {
    time: Time,
    server: ToolServer<MemoryJournal>,
    now_ms: Rc<Cell<i64>>,
    ids: Cell<u32>,
    handle: RefCell<Option<Handle>>,
    approves: Cell<bool>,
}

/// The assistant; the built-in model takes results whole, as in the page and in the terminal.
fn config() -> AgentConfig {
    let mut config = AgentConfig::new(ASSISTANT);
    config.memory.whole_tokens = u64::MAX;
    config
}

impl World {
    /// With nothing to do.
    pub fn empty() -> Self {
        Self::at(SATURDAY_NIGHT)
    }

    /// A device with photos: the built-in model has their skill, too, as in the page and in the terminal.
    pub fn with_photos() -> Self {
        Self::of(SATURDAY_NIGHT, vec![&builtin::TODO_SKILL, &builtin::PHOTO_SKILL])
    }

    fn at(time: Time) -> Self {
        Self::of(time, vec![&builtin::TODO_SKILL])
    }

    fn of(time: Time, skills: Vec<&'static dyn builtin::Skill>) -> Self {
        let now_ms = Rc::new(Cell::new(time.ms));
        let clock = {
            let now_ms = now_ms.clone();
            move |zone: Option<&str>| Moment {
                at_ms: now_ms.get(),
                zone: zone.unwrap_or("Europe/Berlin").into(),
                offset_s: 3600,
            }
        };
        let server =
            block_on(ToolServer::open(MemoryJournal::new(), clock, "worker", local::DOMAINS)).unwrap();
        let desk = Desk {
            time,
            server,
            now_ms,
            ids: Cell::new(0),
            handle: RefCell::default(),
            approves: Cell::new(true),
        };
        let desk = Rc::new(desk);
        let (driver, handle) = Driver::new(ports(&desk, skills));
        desk.handle.replace(Some(handle));
        Self { desk, driver, state: Some(AgentState::new("conv", config(), [])) }
    }

    /// A Thursday morning with more to do: things due today, overdue, alike, repeated and done.
    pub fn office() -> Self {
        let world = Self::at(THURSDAY_MORNING);
        let items = json!({"items": [
            {"title": "Finish the report", "due": "2026-11-19T16:00", "priority": "high", "list": "Work"},
            {"title": "Send invoice to Bob", "due": "2026-11-17", "list": "Work"},
            {"title": "Buy milk", "due": "2026-11-19", "tags": ["home"], "list": "Shopping"},
            {"title": "Buy oat milk", "list": "Shopping"},
            {"title": "Buy eggs", "list": "Shopping"},
            {"title": "Call mum", "due": "2026-11-20"},
            {"title": "Call dentist", "due": "2026-11-18"},
            {"title": "Renew passport", "due": "2026-12-03", "notes": "Two photos"},
            {"title": "Gym", "due": "2026-11-19T18:00", "repeat": "FREQ=WEEKLY;BYDAY=TH"},
            {"title": "Read book"},
            {"title": "Pay bill", "due": "2026-11-18"},
        ]});
        world.desk.tool("todo_create", items);
        let done =
            world.desk.titles().into_iter().filter(|(_, title)| title == "Read book" || title == "Pay bill");
        let ids: Vec<String> = done.map(|(id, _)| id).collect();
        world.desk.tool("todo_complete", json!({ "ids": ids }));
        world
    }

    /// A Sunday morning: to-dos of every priority, with tags, in lists, and some that were done today, yesterday
    /// and before.
    pub fn sunday() -> Self {
        const MINUTE: i64 = 60_000;
        let world = Self::at(SUNDAY_MORNING);
        let items = json!({"items": [
            {"title": "Call mum", "due": "2026-11-27", "tags": ["family"]},
            {"title": "Send invoice to Bob", "due": "2026-11-20", "priority": "urgent", "list": "Work"},
            {"title": "Write report", "due": "2026-11-23T15:00", "priority": "high", "list": "Work"},
            {"title": "Buy milk", "due": "2026-11-22", "list": "Groceries"},
            {"title": "Buy oat milk", "list": "Groceries"},
            {"title": "Buy eggs", "list": "Groceries"},
            {"title": "Pay the rent", "due": "2026-12-01", "repeat": "FREQ=MONTHLY;BYMONTHDAY=1"},
            {"title": "Water plants", "due": "2026-11-22T18:00", "repeat": "FREQ=WEEKLY"},
            {"title": "Clean the kitchen", "priority": "low"},
            {"title": "Book flights", "tags": ["trip"]},
            {"title": "Book hotel", "due": "2026-12-24", "tags": ["trip", "family"]},
            {"title": "Renew passport"},
            {"title": "Take out trash"},
            {"title": "Fix bike"},
            {"title": "Read book"},
        ]});
        world.desk.tool("todo_create", items);
        // Half past midnight is still yesterday in UTC.
        let done = [
            ("Read book", 8 * 24 * 60),
            ("Renew passport", 11 * 60 + 15),
            ("Fix bike", 9 * 60 + 45),
            ("Take out trash", 60),
        ];
        for (title, minutes) in done {
            world.desk.now_ms.set(SUNDAY_MORNING.ms - minutes * MINUTE);
            let titles = world.desk.titles();
            let id = titles.iter().find(|(_, known)| known == title).map(|(id, _)| id.clone());
            world.desk.tool("todo_complete", json!({ "id": id }));
        }
        world.desk.now_ms.set(SUNDAY_MORNING.ms);
        world
    }

    /// The same Sunday with to-dos of the same title: in two lists, and one that was done next to the one that
    /// is open.
    pub fn twins() -> Self {
        let world = Self::at(SUNDAY_MORNING);
        let items = json!({"items": [
            {"title": "Milk", "due": "2026-11-23", "list": "Groceries"},
            {"title": "Milk", "due": "2026-11-24", "list": "Party"},
            {"title": "Water plants", "due": "2026-11-22", "repeat": "FREQ=WEEKLY"},
            {"title": "Eggs", "list": "Groceries"},
        ]});
        world.desk.tool("todo_create", items);
        world
    }

    /// With the to-dos most rows begin with.
    pub fn new() -> Self {
        let world = Self::empty();
        let items = json!({"items": [
            {"title": "Buy milk", "due": "2026-11-22", "tags": ["home"], "list": "Groceries"},
            {"title": "Call Anna", "due": "2026-11-20", "priority": "high"},
            {"title": "Write report", "due": "2026-11-23T15:00", "list": "Work"},
            {"title": "Buy bread", "list": "Groceries"},
            {"title": "Pay rent", "due": "2026-12-01", "repeat": "FREQ=MONTHLY;BYMONTHDAY=1"},
            {"title": "Water plants"},
        ]});
        world.desk.tool("todo_create", items);
        let water = world.desk.all().into_iter().find(|todo| todo["title"] == "Water plants").unwrap();
        world.desk.tool("todo_complete", json!({"id": water["id"]}));
        world
    }

    /// Calls a tool past the conversation, as the app's screens do.
    pub fn tool(&self, name: &str, arguments: Value) -> Value {
        self.desk.tool(name, arguments)
    }

    /// Adds a to-do past the conversation.
    pub fn by_hand(&self, title: &str) {
        self.desk.tool("todo_create", json!({ "title": title }));
    }

    /// Changes a field of the to-do with that title past the conversation.
    pub fn changed_by_hand(&self, title: &str, field: &str, value: &str) {
        let titles = self.desk.titles();
        let (id, _) = titles.iter().find(|(_, known)| known == title).unwrap();
        self.desk.tool("todo_update", json!({ "id": id, field: value }));
    }

    /// The same with answers that are held to their sources.
    pub fn checked(mut self) -> Self {
        if let Some(state) = &mut self.state {
            state.config.evidence = EvidencePolicy::Mark;
        }
        self
    }

    /// Saves the conversation and opens it again.
    pub fn reload(&mut self) {
        let state = self.state.take().unwrap();
        let entries: Vec<Entry> = state.log().cloned().collect();
        self.state = Some(AgentState::from_entries("conv", config(), entries));
    }

    /// Says something; what needs approval is approved, or not.
    pub fn say(&mut self, text: &str, approves: bool) -> Reply {
        self.desk.approves.set(approves);
        self.desk.now_ms.set(self.desk.now_ms.get() + 1000);
        let state = self.state.take().unwrap();
        let from = state.entries.len();
        let titles = self.desk.titles();
        let state = block_on(self.driver.run_turn(state, text));
        let titles: Vec<(String, String)> = titles.into_iter().chain(self.desk.titles()).collect();
        let mut reply = Reply { calls: Vec::new(), answer: String::new(), doubts: Vec::new() };
        for entry in state.entries.iter().skip(from) {
            match &entry.body {
                EntryBody::Response { text, calls, .. } => {
                    reply.answer.clone_from(text);
                    reply.calls.extend(calls.iter().map(|asked| told(&asked.call, &titles)));
                }
                EntryBody::Ended { ending, doubts, .. } => {
                    let at = |doubt: &protocol::Doubt| reply.answer.get(doubt.start..doubt.end);
                    reply.doubts = doubts.iter().filter_map(at).map(str::to_owned).collect();
                    assert!(matches!(ending, Ending::Complete { .. }), "{text}: {ending:?}")
                }
                _ => {}
            }
        }
        assert!(!titles.iter().any(|(id, _)| reply.answer.contains(id)), "an id is shown: {}", reply.answer);
        self.state = Some(state);
        reply
    }

    /// What is in the database, a line each.
    pub fn todos(&self) -> Vec<String> {
        let all = self.desk.all();
        all.iter().map(|todo| line(todo, &all)).collect()
    }
}

fn line(todo: &Value, all: &[Value]) -> String {
    let text = |key: &str| todo[key].as_str().unwrap_or_default().to_owned();
    let mark = if todo["status"] == "done" { "[x]" } else { "[ ]" };
    let mut pieces = vec![format!("{mark} {}", text("title"))];
    pieces.extend([text("due"), text("priority"), text("list"), text("repeat"), text("notes")]);
    pieces.extend(todo["remind"].as_str().map(|remind| format!("remind {remind}")));
    pieces.extend(
        todo["tags"].as_array().into_iter().flatten().filter_map(|tag| Some(format!("#{}", tag.as_str()?))),
    );
    let whole = all.iter().find(|whole| todo["parent"].is_string() && whole["id"] == todo["parent"]);
    pieces.extend(whole.and_then(|whole| Some(format!("of {}", whole["title"].as_str()?))));
    pieces.retain(|piece| !["", "none", "Inbox"].contains(&piece.as_str()));
    pieces.join(" · ")
}

/// A call as a person would tell it.
fn told(call: &ToolCall, titles: &[(String, String)]) -> String {
    let mut arguments = sorted(&call.arguments);
    // A change's key is made of ids.
    if let Some(key) = arguments.get_mut("call") {
        *key = json!("<a key>");
    }
    let mut text = arguments.to_string();
    for (id, title) in titles {
        text = text.replace(&format!("\"{id}\""), &format!("<{title}>"));
    }
    format!("{} {text}", call.name)
}

/// The same JSON with sorted keys, whatever order the build's JSON maps keep.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            Value::Object(keys.into_iter().map(|key| (key.clone(), sorted(&map[key]))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        leaf => leaf.clone(),
    }
}

impl Desk {
    /// A call with a key of its own, past the conversation.
    fn tool(&self, name: &str, arguments: Value) -> Value {
        let key = format!("hand:{}", self.new_id());
        let out = block_on(self.ask(name, &arguments, &key)).unwrap();
        assert!(!out.is_error, "{name}: {}", out.text);
        out.structured()
    }

    async fn ask(&self, name: &str, arguments: &Value, key: &str) -> Result<mcp::ToolCallOut, mcp::RpcError> {
        self.send(name, arguments, key, false).await
    }

    async fn send(
        &self,
        name: &str,
        arguments: &Value,
        key: &str,
        preview: bool,
    ) -> Result<mcp::ToolCallOut, mcp::RpcError> {
        let object = |value: Value| value.as_object().cloned().unwrap_or_else(Map::new);
        let meta = json!({"dev.satchel/key": key, "dev.satchel/zone": "Europe/Berlin", "dev.satchel/preview": preview});
        let meta = object(meta);
        let request = ToolCallIn {
            name: name.into(),
            arguments: object(arguments.clone()),
            meta,
            body_hash: key.into(),
            task: None,
            caller: mcp::Caller::default(),
        };
        match self.server.call_tool(request).await {
            Ok(out) => Ok(out),
            Err(mcp::Stop::Error(error)) => Err(error),
            Err(mcp::Stop::Ask(asked)) => panic!("nobody can be asked: {asked:?}"),
        }
    }

    fn all(&self) -> Vec<Value> {
        let page = self.tool("todo_list", json!({"status": "all", "sort": "order", "limit": 200}));
        page["items"].as_array().cloned().unwrap_or_default()
    }

    fn titles(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.all().iter().map(|todo| (text(&todo["id"]), text(&todo["title"]))).collect()
    }
}

fn ports(desk: &Rc<Desk>, skills: Vec<&'static dyn builtin::Skill>) -> Ports {
    Ports {
        model: Rc::new(BuiltIn(skills)),
        toolbox: Rc::new(Hands(desk.clone())),
        checker: Rc::new(evidence::checked),
        log: Rc::new(Forgets),
        clock: Rc::new(Hands(desk.clone())),
        ids: desk.clone(),
        context_provider: desk.clone(),
        show: desk.clone(),
    }
}

struct BuiltIn(Vec<&'static dyn builtin::Skill>);

#[async_trait(?Send)]
impl Model for BuiltIn {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        Ok(futures::stream::iter(builtin::respond(&request, &self.0).into_iter().map(Ok)).boxed_local())
    }
}

struct Hands(Rc<Desk>);

#[async_trait(?Send)]
impl Toolbox for Hands {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        let spec = |tool: &mcp::ToolDef| ToolSpec {
            name: tool.name.clone(),
            title: tool.title.clone(),
            description: tool.description.clone(),
            input_schema: tool.input_schema.clone(),
            hints: Hints {
                read_only: tool.annotations.read_only,
                destructive: tool.annotations.destructive,
                idempotent: tool.annotations.idempotent,
                open_world: tool.annotations.open_world,
                lasting: tool.is_lasting(),
            },
        };
        Ok(self.0.server.tools().iter().map(spec).collect())
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        let out = self.0.ask(&call.name, &call.arguments, &key.to_string()).await.unwrap();
        ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            is_error: out.is_error,
            structured: (!out.is_error).then(|| out.structured()),
            content: out.text,
        }
    }

    async fn estimate_impact(&self, call: &ToolCall) -> Option<u32> {
        let tried = self.0.send(&call.name, &call.arguments, "trial", true).await.ok()?;
        let changes =
            if tried.is_error { None } else { tried.structured()["changes"].as_array().map(Vec::len) };
        u32::try_from(changes.unwrap_or(0)).ok()
    }
}

#[async_trait(?Send)]
impl Clock for Hands {
    fn now_ms(&self) -> i64 {
        self.0.now_ms.get()
    }

    async fn sleep(&self, _ms: u64) {
        // Time stands still within a run.
        std::future::pending::<()>().await;
    }
}

struct Forgets;

#[async_trait(?Send)]
impl Log for Forgets {
    async fn append(&self, _conversation_id: &str, _entry: &Entry) -> Result<(), Failure> {
        Ok(())
    }
}

impl Ids for Desk {
    fn new_id(&self) -> String {
        self.ids.set(self.ids.get() + 1);
        format!("id{:010}", self.ids.get())
    }
}

#[async_trait(?Send)]
impl ContextProvider for Desk {
    async fn context(&self) -> Context {
        Context {
            civil: self.time.civil.into(),
            weekday: self.time.weekday.into(),
            zone: "Europe/Berlin".into(),
            blocks: vec![ContextBlock {
                name: "open_todos".into(),
                text: "Buy milk\nNow: 1999-01-01T00:00 (Friday), time zone UTC.".into(),
                ..ContextBlock::default()
            }],
        }
    }
}

impl Show for Desk {
    fn show(&self, state: &AgentState) {
        let handle = self.handle.borrow();
        let Some(handle) = handle.as_ref() else { return };
        for record in state.awaiting() {
            let call_id = record.call.id.clone();
            if self.approves.get() { handle.approve(call_id) } else { handle.deny(call_id) }
        }
    }
}
