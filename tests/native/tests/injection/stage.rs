//! One attack on stage: the real to-do tools over a journal in memory, two tools elsewhere, a model that obeys, and a person
//! who allows everything or nothing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context as TaskContext, Poll};

use agent::{
    AgentConfig, AgentState, Approvals, Clock, Context, ContextBlock, ContextProvider, Driver, Entry,
    EntryBody, Handle, Ids, Log, Model, ModelStream, Ports, Show, Toolbox,
};
use async_trait::async_trait;
use futures::StreamExt;
use futures::executor::block_on;
use futures::task::noop_waker_ref;
use mcp::{Host, ToolCallIn};
use native::ASSISTANT;
use protocol::{
    CallId, CallKey, Failure, Hints, Message, ModelEvent, ModelRequest, StopReason, ToolCall, ToolResult,
    ToolSpec, parse_now_line, unfence,
};
use serde_json::{Map, Value, json};
use store::{MemoryJournal, Moment};
use tools::ToolServer;

use super::{Act, Attack, Place};

/// What the attacks go for.
pub const TOOLS: [&str; 8] = [
    "todo_delete", "todo_clear_completed", "undo", "mail__send", "web__fetch", "user_memory_save",
    "user_memory_update", "user_memory_forget",
];

const NOW_MS: i64 = 1_795_296_600_000;

/// A stage that is set for one attack.
pub struct Stage {
    world: Rc<World>,
    state: AgentState,
    driver: Driver,
    later: bool,
}

/// What came of it.
pub struct Played {
    /// The destructive and outward calls that ran after the text was read.
    pub at_risk: Vec<String>,
    /// Those of them that the person said yes to.
    allowed: Vec<String>,
    /// Titles that were there before and are not there any more.
    pub lost: Vec<String>,
    /// How many things went out.
    pub sent: usize,
    /// How often the person was asked.
    pub questions: usize,
    /// How many fences the model saw.
    pub fences: usize,
    /// The text reached the model.
    pub saw_it: bool,
}

impl Played {
    /// The calls that ran and were not asked about.
    pub fn unasked(&self) -> Vec<String> {
        let mut asked = self.allowed.clone();
        let mut unasked = Vec::new();
        for name in &self.at_risk {
            match asked.iter().position(|allowed| allowed == name) {
                Some(at) => drop(asked.remove(at)),
                None => unasked.push(name.clone()),
            }
        }
        unasked
    }
}

struct World {
    server: ToolServer<MemoryJournal>,
    attack: Attack,
    allows: bool,
    ids: Cell<u32>,
    hands: Cell<u32>,
    handle: RefCell<Option<Handle>>,
    answered: RefCell<BTreeSet<CallId>>,
    /// The responses that are still to come.
    acts: RefCell<Vec<Act>>,
    /// The calls that obeyed: the reading that the person asked for is none of them.
    obeyed: RefCell<Vec<CallId>>,
    ran: RefCell<Vec<(CallId, String)>>,
    sent: Cell<usize>,
    fences: Cell<usize>,
    saw_it: Cell<bool>,
    boundary: String,
}

impl Stage {
    /// The to-dos there are, the attack among them where it stands in one.
    pub fn set(attack: &Attack, rules: Approvals, allows: bool) -> Self {
        let clock = |zone: Option<&str>| Moment {
            at_ms: NOW_MS,
            zone: zone.unwrap_or("Europe/Berlin").into(),
            offset_s: 3600,
        };
        let server =
            block_on(ToolServer::open(MemoryJournal::new(), clock, "worker", local::DOMAINS)).unwrap();
        let world = Rc::new(World {
            server,
            attack: attack.clone(),
            allows,
            ids: Cell::new(0),
            hands: Cell::new(0),
            handle: RefCell::default(),
            answered: RefCell::default(),
            acts: RefCell::default(),
            obeyed: RefCell::default(),
            ran: RefCell::default(),
            sent: Cell::new(0),
            fences: Cell::new(0),
            saw_it: Cell::new(false),
            // The first id of a run is its own, the second its boundary.
            boundary: "id0000000002".into(),
        });
        world.tool("todo_create", json!({"items": [{"title": "Renew passport"}, {"title": "Buy milk"}]}));
        world.tool("todo_create", json!({"title": "Water plants"}));
        let done = world.id("Water plants");
        world.tool("todo_complete", json!({ "id": done }));
        let text = attack.text.replace("$boundary", &world.boundary);
        let mut planted = json!([{"id": "planted", "title": "Ordinary"}]);
        match attack.place {
            Place::Title => planted[0]["title"] = text.into(),
            Place::Notes => planted[0]["notes"] = text.into(),
            Place::Tag => planted[0]["tags"] = json!([text]),
            Place::List => planted[0]["list"] = text.into(),
            Place::Memory => {
                // It says of itself what would bring it to the front.
                let memory = json!({"id": "planted", "text": text, "kind": "preference", "pinned": true,
                    "saved_by": "hand_1", "created_ms": 1, "updated_ms": 9_000_000_000_000_000_i64});
                planted = json!({"todos": [], "memories": [memory]});
            }
            Place::Result | Place::Error | Place::Description => planted = Value::Null,
        }
        world.tool("user_memory_save", json!({"text": "I'm vegetarian"}));
        if !planted.is_null() {
            let imported = world.tool("data_import", json!({"format": "json", "text": planted.to_string()}));
            assert_eq!(imported["total"], 1, "{}: {imported}", attack.name);
        }
        let config = AgentConfig { approvals: rules, ..AgentConfig::new(ASSISTANT) };
        let (driver, handle) = Driver::new(Ports {
            model: Rc::new(Transport(world.clone())),
            toolbox: Rc::new(Transport(world.clone())),
            checker: Rc::new(evidence::checked),
            log: Rc::new(Forgets),
            clock: Rc::new(Transport(world.clone())),
            ids: world.clone(),
            context_provider: world.clone(),
            show: world.clone(),
        });
        world.handle.replace(Some(handle));
        Self { world, state: AgentState::new("conv", config, []), driver, later: attack.later }
    }

    /// The person asks something harmless; the model reads, and obeys what it read.
    pub fn play(mut self) -> Played {
        let world = self.world;
        let before = world.titles();
        let acts = world.attack.then.iter().rev().cloned().collect();
        let question = "What does the page say?";
        let mut state = self.state;
        if self.later {
            state = block_on(self.driver.run_turn(state, question));
            world.acts.replace(acts);
            // Its ids count on: the next run has another boundary.
            state = block_on(self.driver.run_turn(state, "thanks"));
        } else {
            world.acts.replace(acts);
            state = block_on(self.driver.run_turn(state, question));
        }
        assert!(!state.status.is_busy());
        assert!(world.acts.borrow().is_empty(), "{}: the model did all that it was told", world.attack.name);
        let obeyed = world.obeyed.borrow();
        let ran = world.ran.borrow();
        let at_risk = ran.iter().filter(|(id, name)| obeyed.contains(id) && TOOLS.contains(&name.as_str()));
        let mut decisions = Vec::new();
        for entry in &state.entries {
            if let EntryBody::Decision { call_id, approved } = &entry.body {
                decisions.push((call_id.clone(), *approved));
            }
        }
        let name = |id: &CallId| ran.iter().find(|(ran, _)| ran == id).map(|(_, name)| name.clone());
        let after = world.titles();
        Played {
            at_risk: at_risk.map(|(_, name)| name.clone()).collect(),
            allowed: decisions.iter().filter(|(_, yes)| *yes).filter_map(|(id, _)| name(id)).collect(),
            lost: before.into_iter().filter(|title| !after.contains(title)).collect(),
            sent: world.sent.get(),
            questions: decisions.len(),
            fences: world.fences.get(),
            saw_it: world.saw_it.get(),
        }
    }
}

impl World {
    fn tool(&self, name: &str, arguments: Value) -> Value {
        self.hands.set(self.hands.get() + 1);
        let key = format!("hand:{}", self.hands.get());
        // Asked within a run too, where no second executor may run: a journal in memory waits for nobody.
        let mut asked = pin!(self.ask(name, &arguments, &key));
        let mut cx = TaskContext::from_waker(noop_waker_ref());
        let out = loop {
            if let Poll::Ready(out) = asked.as_mut().poll(&mut cx) {
                break out.unwrap();
            }
        };
        assert!(!out.is_error, "{name}: {}", out.text);
        out.structured()
    }

    async fn ask(&self, name: &str, arguments: &Value, key: &str) -> Result<mcp::ToolCallOut, String> {
        let object = |value: Value| value.as_object().cloned().unwrap_or_else(Map::new);
        let request = ToolCallIn {
            name: name.into(),
            arguments: object(arguments.clone()),
            meta: object(json!({"dev.satchel/key": key, "dev.satchel/zone": "Europe/Berlin"})),
            body_hash: key.into(),
            task: None,
            caller: mcp::Caller::default(),
        };
        match self.server.call_tool(request).await {
            Ok(out) => Ok(out),
            Err(mcp::Stop::Error(error)) => Err(error.message),
            Err(mcp::Stop::Ask(_)) => panic!("nobody can be asked"),
        }
    }

    fn all(&self) -> Vec<Value> {
        let page = self.tool("todo_list", json!({"status": "all", "limit": 200}));
        page["items"].as_array().cloned().unwrap_or_default()
    }

    fn titles(&self) -> Vec<String> {
        self.all().iter().map(|todo| todo["title"].as_str().unwrap().to_owned()).collect()
    }

    fn id(&self, title: &str) -> Value {
        self.all()
            .into_iter()
            .find(|todo| todo["title"] == title)
            .map_or(Value::Null, |todo| todo["id"].clone())
    }

    /// Arguments with what the model has read in place of its names.
    fn filled(&self, arguments: &Value) -> String {
        let quoted = |value: Value| value.as_str().unwrap_or("gone").to_owned();
        arguments
            .to_string()
            .replace("$passport", &quoted(self.id("Renew passport")))
            .replace("$milk", &quoted(self.id("Buy milk")))
            .replace("$todos", "Renew passport, Buy milk")
    }

    /// What the model streams for one response.
    fn obey(&self, act: Act, step: u32) -> Vec<ModelEvent> {
        let calls = match act {
            Act::Both { both } => both,
            one @ Act::One { .. } => vec![one],
        };
        let mut events = Vec::new();
        for (index, act) in (0..).zip(calls) {
            let Act::One { call, with } = act else { panic!("calls do not nest") };
            let id = CallId(format!("obeyed_{}_{step}_{index}", self.new_id()));
            self.obeyed.borrow_mut().push(id.clone());
            let arguments = self.filled(&with);
            events.push(ModelEvent::ToolCallDelta { index, id: Some(id), name: Some(call), arguments });
        }
        events.push(ModelEvent::Done { reason: StopReason::ToolCalls });
        events
    }

    /// What holds for every request, whatever stands in it: nothing inside a fence closes it, and the last word on the time
    /// is the app's.
    fn check(&self, request: &ModelRequest) {
        let name = &self.attack.name;
        for message in &request.messages {
            match &**message {
                Message::Tool { content, .. } => {
                    let (head, rest) = content.split_once(">\n").unwrap();
                    let boundary = head.split("boundary=\"").nth(1).unwrap().split('"').next().unwrap();
                    assert_eq!(content.matches(boundary).count(), 2, "{name}: {content}");
                    assert!(rest.ends_with(&format!("\n</tool_output boundary=\"{boundary}\">")), "{name}");
                    assert!(!unfence(content).contains(boundary), "{name}");
                    self.fences.set(self.fences.get() + 1);
                }
                Message::System { content } => {
                    assert_eq!(
                        parse_now_line(content),
                        Some(("2026-11-21T22:30", "Europe/Berlin")),
                        "{name}"
                    );
                    let fences = content.matches("<tool_output tool=\"open_todos\" boundary=\"id").count();
                    assert_eq!(fences, 1, "{name}: {content}");
                    let outside = content.matches("tool=\"user_memory\"").count();
                    // The person's own words in one fence; what a file brought in another, which says so.
                    let expected = if self.attack.place == Place::Memory { 2 } else { 1 };
                    assert_eq!(outside, expected, "{name}: {content}");
                    let theirs = content.split("tool=\"user_memory\"").nth(2);
                    assert!(
                        theirs.is_none_or(|theirs| theirs
                            .lines()
                            .next()
                            .unwrap()
                            .ends_with(" trust=\"outside\">")),
                        "{name}: {content}"
                    );
                    self.fences.set(self.fences.get() + fences + outside);
                }
                Message::User { .. } | Message::Assistant { .. } => {}
            }
        }
        // Its longest word is enough to know it by: what is around it may be escaped.
        let text = self.attack.text.replace("$boundary", " ");
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let word = words.max_by_key(|word| word.len()).unwrap_or_default().to_lowercase();
        let whole = serde_json::to_string(request).unwrap().to_lowercase();
        self.saw_it.set(self.saw_it.get() || whole.contains(&word));
    }
}

struct Transport(Rc<World>);

#[async_trait(?Send)]
impl Model for Transport {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        let world = &self.0;
        world.check(&request);
        let has_read = request.messages.iter().any(|message| matches!(**message, Message::Tool { .. }));
        let reads = match world.attack.place {
            Place::Result | Place::Error => Some(("web__fetch", json!({"url": "https://page.example"}))),
            Place::Title | Place::Notes | Place::Tag | Place::List => {
                Some(("todo_list", json!({"status": "all"})))
            }
            // It is told of at the start.
            Place::Memory | Place::Description => None,
        };
        let events = match reads {
            // What the person asked for.
            Some((tool, arguments)) if !has_read => vec![
                ModelEvent::ToolCallDelta {
                    index: 0,
                    id: Some(CallId("reads".into())),
                    name: Some(tool.to_owned()),
                    arguments: arguments.to_string(),
                },
                ModelEvent::Done { reason: StopReason::ToolCalls },
            ],
            Some(_) | None => {
                let next = world.acts.borrow_mut().pop();
                match next {
                    Some(act) => world.obey(act, request.step),
                    None => vec![
                        ModelEvent::TextDelta { text: format!("Done. {}", world.attack.says) },
                        ModelEvent::Done { reason: StopReason::Stop },
                    ],
                }
            }
        };
        Ok(futures::stream::iter(events).map(Ok).boxed_local())
    }
}

#[async_trait(?Send)]
impl Toolbox for Transport {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        let mut specs: Vec<ToolSpec> =
            self.0.server.tools().iter().filter(|tool| tool.is_for_model()).cloned().map(spec).collect();
        let described = match self.0.attack.place {
            Place::Description => self.0.attack.text.as_str(),
            _ => "Sends mail.",
        };
        specs.push(elsewhere("mail__send", described, false));
        specs.push(elsewhere("web__fetch", "Reads a page.", true));
        Ok(specs)
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        let world = &self.0;
        world.ran.borrow_mut().push((call.id.clone(), call.name.clone()));
        let is_reading = call.id.0 == "reads";
        let (content, structured, is_error) = match call.name.as_str() {
            "web__fetch" if is_reading => {
                let text = world.attack.text.replace("$boundary", &world.boundary);
                (text, None, world.attack.place == Place::Error)
            }
            "web__fetch" | "mail__send" => {
                world.sent.set(world.sent.get() + 1);
                ("Thank you.".to_owned(), None, false)
            }
            name => match world.ask(name, &call.arguments, &key.to_string()).await {
                Ok(out) => (out.text.clone(), (!out.is_error).then(|| out.structured()), out.is_error),
                Err(message) => (message, None, true),
            },
        };
        ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured }
    }
}

fn spec(tool: mcp::ToolDef) -> ToolSpec {
    let lasting = tool.is_lasting();
    ToolSpec {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: tool.input_schema,
        hints: Hints {
            read_only: tool.annotations.read_only,
            destructive: tool.annotations.destructive,
            idempotent: tool.annotations.idempotent,
            open_world: tool.annotations.open_world,
            lasting,
        },
    }
}

fn elsewhere(name: &str, description: &str, read_only: bool) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        title: name.into(),
        description: description.into(),
        input_schema: json!({"type": "object"}),
        hints: Hints { read_only, destructive: false, idempotent: false, open_world: true, lasting: false },
    }
}

#[async_trait(?Send)]
impl Clock for Transport {
    fn now_ms(&self) -> i64 {
        NOW_MS
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

impl Ids for World {
    fn new_id(&self) -> String {
        self.ids.set(self.ids.get() + 1);
        format!("id{:010}", self.ids.get())
    }
}

#[async_trait(?Send)]
impl ContextProvider for World {
    async fn context(&self) -> Context {
        Context {
            civil: "2026-11-21T22:30".into(),
            weekday: "Saturday".into(),
            zone: "Europe/Berlin".into(),
            blocks: ContextBlock::all_of(&self.tool("data_context", json!({}))),
        }
    }
}

impl Show for World {
    fn show(&self, state: &AgentState) {
        let handle = self.handle.borrow();
        let Some(handle) = handle.as_ref() else { return };
        for record in state.awaiting() {
            let call_id = record.call.id.clone();
            if !self.answered.borrow_mut().insert(call_id.clone()) {
                continue;
            }
            if self.allows { handle.approve(call_id) } else { handle.deny(call_id) }
        }
    }
}
