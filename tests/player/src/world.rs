//! Everything outside the driver, scripted: model, tools, log, person and time, in one place without threads.
//!
//! Time stands still until nothing can go on, then jumps to the next thing that is due. The tools keep a journal by
//! idempotency key as the real ones do: a key seen before gets its first answer and does nothing.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context as TaskContext, Poll, Waker};

use agent::{
    AgentConfig, AgentState, Clock, Context, ContextBlock, ContextProvider, Entry, EntryBody, Handle, Ids,
    Log, Model, ModelStream, Rule, Show, Toolbox, view,
};
use async_trait::async_trait;
use futures::stream::{self, StreamExt};
use futures::task::ArcWake;
use protocol::{
    CallId, CallKey, Failure, FailureKind, Hints, Message, ModelRequest, ToolCall, ToolResult, ToolSpec,
};
use serde_json::{Value, json};

use crate::events::Events;
use crate::player::{Crash, draw, ending_name};
use crate::script::{Act, Answer, Beat, Reply, Script, Turn, beats, with_changes};

/// When the world begins, in Unix milliseconds.
pub const START_MS: i64 = 1_764_000_000_000;

/// The world of one transcript. It survives crashes of the driver, as the browser's storage does.
pub struct World {
    now_ms: Cell<i64>,
    /// What waits for a time: sleepers, and the person's next deeds.
    sleepers: RefCell<Vec<(i64, Waker)>>,
    deeds: RefCell<Vec<(i64, Act, CallId)>>,
    handle: RefCell<Option<Handle>>,
    steps: Vec<Vec<Vec<crate::script::Event>>>,
    turn: Cell<usize>,
    ids: Cell<u32>,
    answers: RefCell<VecDeque<Answer>>,
    assigned: RefCell<BTreeMap<CallId, Answer>>,
    /// The tool of each call that a question was asked about.
    asked_about: RefCell<BTreeMap<CallId, String>>,
    replies: RefCell<BTreeMap<String, VecDeque<Reply>>>,
    weighs: RefCell<BTreeMap<String, VecDeque<Option<u32>>>>,
    /// What each call was said to touch.
    weights: RefCell<BTreeMap<CallId, Option<u32>>>,
    outside: bool,
    todos_from_outside: bool,
    toolbox_down: Vec<usize>,
    log_fails_at: Vec<usize>,
    crash: Cell<Option<Crash>>,
    appends: Cell<usize>,
    /// The driver is dead.
    pub crashed: Cell<bool>,
    /// How runs are done from now on, with what the person allowed since.
    pub config: RefCell<AgentConfig>,
    /// What the log holds.
    pub entries: RefCell<Vec<Entry>>,
    /// What happened, a line each.
    pub trace: RefCell<Vec<String>>,
    /// What happened, whole.
    pub events: RefCell<Option<Events>>,
    /// The titles there are.
    pub todos: RefCell<Vec<String>>,
    /// The answer of every key, and the order in which keys were executed.
    journal: RefCell<BTreeMap<CallKey, (Reply, ToolResult)>>,
    /// The tools that were executed, each execution once.
    pub executed: RefCell<Vec<String>>,
}

impl World {
    /// The world of a script, before anything happened.
    #[must_use]
    pub fn new(script: &Script, crash: Option<Crash>) -> Rc<Self> {
        Rc::new(Self {
            now_ms: Cell::new(START_MS),
            sleepers: RefCell::default(),
            deeds: RefCell::default(),
            handle: RefCell::default(),
            steps: script.turns.iter().map(|turn| turn.model.clone()).collect(),
            turn: Cell::new(0),
            ids: Cell::new(0),
            answers: RefCell::default(),
            assigned: RefCell::default(),
            asked_about: RefCell::default(),
            replies: RefCell::new(queues(&script.tools)),
            weighs: RefCell::new(queues(&script.weighs)),
            weights: RefCell::default(),
            outside: script.outside,
            todos_from_outside: script.todos_from_outside,
            toolbox_down: script.toolbox_down.clone(),
            log_fails_at: script.log_fails_at.clone(),
            crash: Cell::new(crash),
            appends: Cell::new(0),
            crashed: Cell::new(false),
            config: RefCell::new(script.config.clone()),
            entries: RefCell::default(),
            trace: RefCell::default(),
            events: RefCell::new(crash.is_none().then(Events::default)),
            todos: RefCell::new(script.todos.clone()),
            journal: RefCell::default(),
            executed: RefCell::default(),
        })
    }

    /// A turn begins (again): ids depend on the turn alone, so that a second beginning gives the same.
    pub fn begin_turn(&self, at: usize, turn: &Turn) {
        self.turn.set(at);
        self.ids.set(0);
        self.answers.replace(turn.person.iter().cloned().collect());
        let config = with_changes(&self.config.borrow(), &turn.config).expect("a configuration");
        self.config.replace(config);
    }

    /// Time in which nobody is there.
    pub fn pass(&self, ms: i64) {
        self.now_ms.set(self.now_ms.get() + ms);
    }

    /// A new driver takes over; what the person was about to do to the old one is void.
    pub fn attach(&self, handle: Handle) {
        self.handle.replace(Some(handle));
        self.deeds.borrow_mut().clear();
        self.sleepers.borrow_mut().clear();
    }

    /// Runs a future to its end, letting time jump; `None` when the driver crashed.
    pub fn run<T>(self: &Rc<Self>, future: impl Future<Output = T>) -> Option<T> {
        let mut future = Box::pin(future);
        let flag = Arc::new(Flag(AtomicBool::new(true)));
        let waker = futures::task::waker(flag.clone());
        let mut cx = TaskContext::from_waker(&waker);
        loop {
            while flag.0.swap(false, Ordering::Relaxed) {
                if let Poll::Ready(value) = future.as_mut().poll(&mut cx) {
                    return Some(value);
                }
                if self.crashed.get() {
                    return None;
                }
            }
            self.jump();
        }
    }

    /// Time jumps to the next thing that is due.
    fn jump(&self) {
        let sleeping = self.sleepers.borrow().iter().map(|(due_ms, _)| *due_ms).min();
        let acting = self.deeds.borrow().iter().map(|(due_ms, _, _)| *due_ms).min();
        let due_ms = sleeping.into_iter().chain(acting).min().expect("nothing can go on and nothing is due");
        self.now_ms.set(self.now_ms.get().max(due_ms));
        let (due, later) = self.sleepers.take().into_iter().partition(|(at_ms, _)| *at_ms <= due_ms);
        self.sleepers.replace(later);
        let wake: Vec<(i64, Waker)> = due;
        wake.into_iter().for_each(|(_, waker)| waker.wake());
        let (due, later): (Vec<_>, Vec<_>) =
            self.deeds.take().into_iter().partition(|(at_ms, _, _)| *at_ms <= due_ms);
        self.deeds.replace(later);
        due.into_iter().for_each(|(_, act, call_id)| self.act(act, Some(call_id)));
    }

    fn act(&self, act: Act, call_id: Option<CallId>) {
        self.note(format!("person: {act:?}").to_lowercase(), || json!(call_id));
        let handle = self.handle.borrow().clone().expect("a driver is attached");
        match (act, call_id) {
            (Act::Approve, Some(call_id)) => handle.approve(call_id),
            (Act::Allow, Some(call_id)) => {
                // Whoever shows the question keeps the rule: it has to be there after a crash.
                let tool = self.asked_about.borrow()[&call_id].clone();
                self.config.borrow_mut().approvals.tools.insert(tool, Rule::Never);
                handle.allow(call_id);
            }
            (Act::Deny, Some(call_id)) => handle.deny(call_id),
            (Act::Answer, Some(call_id)) => {
                let reply = self.assigned.borrow()[&call_id].reply.clone();
                handle.answer(call_id, reply);
            }
            (Act::Cancel, _) => handle.cancel(),
            (Act::Approve | Act::Allow | Act::Deny | Act::Answer, None) => {
                panic!("the script answers where nothing was asked")
            }
        }
    }

    /// Keeps what happened: a line to read, and all of it for the hash.
    fn note(&self, line: String, data: impl FnOnce() -> Value) {
        self.keep(&line, data);
        self.trace.borrow_mut().push(line);
    }

    /// Adds to the events. Of a play with crashes only the end is compared.
    fn keep(&self, what: &str, data: impl FnOnce() -> Value) {
        if let Some(events) = &mut *self.events.borrow_mut() {
            events.add(self.now_ms.get(), what, &data());
        }
    }

    fn sleep(self: &Rc<Self>, ms: u64) -> Sleep {
        Sleep { world: self.clone(), due_ms: self.now_ms.get() + i64::try_from(ms).unwrap() }
    }

    /// What a call does. Runs once per key, at the moment the call arrives.
    fn execute(&self, call: &ToolCall, key: &CallKey) -> (Reply, ToolResult) {
        if let Some(first) = self.journal.borrow().get(key) {
            return first.clone();
        }
        let reply = next(&self.replies, &call.name).unwrap_or_default();
        let (content, structured, is_error) = match &reply.text {
            Some(text) => {
                let last = text.chars().last().map(String::from).unwrap_or_default();
                (text.clone() + &last.repeat(reply.and_more), reply.structured.clone(), reply.is_error)
            }
            None => {
                let data = work(&mut self.todos.borrow_mut(), call);
                let is_error = data.get("error").is_some();
                (data.to_string(), Some(data), is_error)
            }
        };
        let result =
            ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured };
        self.executed.borrow_mut().push(call.name.clone());
        self.journal.borrow_mut().insert(key.clone(), (reply.clone(), result.clone()));
        (reply, result)
    }
}

fn queues<T: Clone>(lists: &BTreeMap<String, Vec<T>>) -> BTreeMap<String, VecDeque<T>> {
    lists.iter().map(|(name, list)| (name.clone(), list.iter().cloned().collect())).collect()
}

/// What comes next of what is scripted for a tool; the last one repeats.
fn next<T: Clone>(queues: &RefCell<BTreeMap<String, VecDeque<T>>>, tool: &str) -> Option<T> {
    let mut queues = queues.borrow_mut();
    let queue = queues.get_mut(tool)?;
    if queue.len() > 1 { queue.pop_front() } else { queue.front().cloned() }
}

/// The tools: a list of titles.
fn work(todos: &mut Vec<String>, call: &ToolCall) -> Value {
    let title = call.arguments["title"].as_str().unwrap_or_default().to_owned();
    match call.name.as_str() {
        "todo_list" => json!({"items": todos, "total": todos.len()}),
        "todo_get" => json!({"todo": todos.iter().find(|have| **have == title)}),
        "todo_create" if title.is_empty() => json!({"error": "title: is required"}),
        "todo_create" => {
            todos.push(title.clone());
            json!({"summary": format!("Added \"{title}\".")})
        }
        "todo_delete" => {
            todos.retain(|have| *have != title);
            json!({"summary": format!("Deleted \"{title}\".")})
        }
        "todo_clear_completed" => {
            todos.clear();
            json!({"summary": "Cleared."})
        }
        "mail_send" => json!({"summary": format!("Sent \"{title}\".")}),
        "web_search" => json!({"pages": ["A page."]}),
        other => panic!("no such tool in this world: {other}"),
    }
}

/// The same JSON with sorted keys, whatever order the build's JSON maps keep.
fn sorted(value: &Value) -> Value {
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

fn spec(name: &str, title: &str, read_only: bool, destructive: bool, open_world: bool) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        title: title.into(),
        description: format!("{title}."),
        input_schema: json!({"type": "object"}),
        hints: Hints { read_only, destructive, idempotent: read_only, open_world, lasting: false },
    }
}

/// The world as the driver's ports.
pub struct Transport(
    /// The world.
    pub Rc<World>,
);

impl Deref for Transport {
    type Target = World;

    fn deref(&self) -> &World {
        &self.0
    }
}

#[async_trait(?Send)]
impl Toolbox for Transport {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        if self.toolbox_down.contains(&(self.turn.get() + 1)) {
            return Err(Failure::new(FailureKind::RetryableNetwork, "The to-do tools cannot be reached."));
        }
        let mut tools = vec![
            spec("todo_clear_completed", "Clear completed", false, true, false),
            spec("todo_create", "Add a to-do", false, false, false),
            spec("todo_delete", "Delete a to-do", false, true, false),
            spec("todo_get", "Show a to-do", true, false, false),
            spec("todo_list", "List to-dos", true, false, false),
        ];
        if self.outside {
            tools.push(spec("mail_send", "Send a mail", false, false, true));
            tools.push(spec("web_search", "Search the web", true, false, true));
        }
        Ok(tools)
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        self.note(format!("call {} {key} {}", call.name, sorted(&call.arguments)), || json!(call));
        let (reply, result) = self.execute(call, key);
        if let Some(act) = reply.person {
            self.act(act, None);
        }
        self.0.sleep(reply.takes_ms.unwrap_or(5)).await;
        let outcome = if result.is_error { "error" } else { "ok" };
        self.note(format!("answer {} {key} {outcome}", call.name), || json!(result));
        result
    }

    async fn estimate_impact(&self, call: &ToolCall) -> Option<u32> {
        let known = self.weights.borrow().get(&call.id).copied();
        let count = known.unwrap_or_else(|| next(&self.weighs, &call.name).flatten());
        self.weights.borrow_mut().insert(call.id.clone(), count);
        self.0.sleep(5).await;
        self.note(format!("weigh {} {} {count:?}", call.name, call.id), || json!(call));
        count
    }
}

#[async_trait(?Send)]
impl Model for Transport {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        assert_well_formed(&request.messages);
        self.note(
            format!("model {} step {}: {}", request.run_id, request.step, roles(&request.messages)),
            || json!(request),
        );
        let step = usize::try_from(request.step - 1).unwrap();
        let events = self.steps[self.turn.get()].get(step).expect("the script has no such step").clone();
        let mut beats = beats(&events);
        if let Some(Beat::Refuse(failure)) = beats.first() {
            return Err(failure.clone());
        }
        beats.reverse();
        let world = self.0.clone();
        Ok(stream::unfold((world, beats), |(world, mut beats)| async move {
            loop {
                match beats.pop()? {
                    Beat::Event(event) => {
                        world.sleep(1).await;
                        return Some((Ok(event), (world, beats)));
                    }
                    Beat::Fail(failure) => return Some((Err(failure), (world, beats))),
                    Beat::Refuse(_) => panic!("a refusal is the only thing of its step"),
                    Beat::WaitMs(ms) => world.sleep(ms).await,
                    Beat::Person(act) => world.act(act, None),
                }
            }
        })
        .boxed_local())
    }
}

/// What every provider insists on (D-05): a system message first, and after each assistant message exactly one result
/// per call, in order.
pub fn assert_well_formed(messages: &[Arc<Message>]) {
    assert!(
        matches!(messages.first().map(|one| &**one), Some(Message::System { .. })),
        "the system message comes first"
    );
    let mut owed: VecDeque<CallId> = VecDeque::new();
    let mut seen = std::collections::BTreeSet::new();
    for message in messages {
        match &**message {
            Message::Tool { call_id, .. } => {
                assert_eq!(owed.pop_front().as_ref(), Some(call_id), "a result in its place");
            }
            Message::System { .. } | Message::User { .. } | Message::Assistant { .. } => {
                assert!(owed.is_empty(), "calls without a result: {owed:?}");
            }
        }
        if let Message::Assistant { content, tool_calls, .. } = &**message {
            assert!(!content.is_empty() || !tool_calls.is_empty(), "an empty assistant message");
            for call in tool_calls {
                assert!(seen.insert(call.id.clone()), "a call id twice: {}", call.id);
                owed.push_back(call.id.clone());
            }
        }
    }
    assert!(owed.is_empty(), "calls without a result: {owed:?}");
}

fn roles(messages: &[Arc<Message>]) -> String {
    let roles = messages.iter().map(|message| match &**message {
        Message::System { .. } => "system",
        Message::User { .. } => "user",
        Message::Assistant { .. } => "assistant",
        Message::Tool { .. } => "tool",
    });
    roles.collect::<Vec<_>>().join(" ")
}

#[async_trait(?Send)]
impl Log for Transport {
    async fn append(&self, _conversation_id: &str, entry: &Entry) -> Result<(), Failure> {
        let count = self.appends.get() + 1;
        self.appends.set(count);
        if self.log_fails_at.contains(&count) {
            self.note(format!("save fails: {}", label(entry)), || json!(entry));
            return Err(Failure::new(FailureKind::Validation, "The disk is full."));
        }
        if self.crash.get() == Some(Crash::Before(count)) {
            self.crash();
            std::future::pending::<()>().await;
        }
        assert_eq!(entry.seq, self.entries.borrow().len() as u64, "the log has no holes");
        self.note(format!("save {}", label(entry)), || json!(entry));
        self.entries.borrow_mut().push(entry.clone());
        let dies = match self.crash.get() {
            Some(Crash::After(at)) => at == count,
            Some(Crash::AfterEach) => !matches!(entry.body, EntryBody::Resumed {}),
            Some(Crash::Before(_)) | None => false,
        };
        if dies {
            self.crash();
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}

impl World {
    fn crash(&self) {
        self.note("CRASH".into(), || Value::Null);
        if self.crash.get() != Some(Crash::AfterEach) {
            self.crash.set(None);
        }
        self.crashed.set(true);
    }
}

fn label(entry: &Entry) -> String {
    match &entry.body {
        EntryBody::User { .. } => "user".into(),
        EntryBody::Retried { .. } => "retried".into(),
        EntryBody::Response { step, calls, .. } => format!("response {step} ({} calls)", calls.len()),
        EntryBody::Decision { call_id, approved } => {
            format!("decision {call_id} {}", if *approved { "approved" } else { "declined" })
        }
        EntryBody::ImpactEstimated { call_id, count } => format!("weighed {call_id} {count:?}"),
        EntryBody::Result { result, .. } => format!("result {}", result.call_id),
        EntryBody::Resumed {} => "resumed".into(),
        EntryBody::Doubted { .. } => "doubted".into(),
        EntryBody::Compacted(fold) => {
            format!("folded up to {}, results up to {}", fold.from, fold.results_from)
        }
        EntryBody::Ended { ending, .. } => format!("ended {}", ending_name(ending)),
    }
}

impl Show for World {
    fn show(&self, state: &AgentState) {
        self.keep("show", || {
            let drawn: Vec<(String, String)> =
                view(state).into_iter().map(|item| (item.key, draw(&item.body))).collect();
            json!([drawn, state.status, state.live])
        });
        for record in state.awaiting() {
            let call_id = &record.call.id;
            if self.deeds.borrow().iter().any(|(_, _, about)| about == call_id) {
                continue;
            }
            let fresh = !self.assigned.borrow().contains_key(call_id);
            if fresh {
                let answer = self.answers.borrow_mut().pop_front().expect("the person has an answer");
                self.assigned.borrow_mut().insert(call_id.clone(), answer);
                self.asked_about.borrow_mut().insert(call_id.clone(), record.call.name.clone());
                let why = record.tainted_by.iter().map(|title| format!(" after \"{title}\""));
                let why: String = why.collect();
                self.note(format!("ask {} {call_id}{why}", record.call.name), || json!(record.call));
            }
            let answer = self.assigned.borrow()[call_id].clone();
            let deed = (self.now_ms.get() + answer.after_ms, answer.act, call_id.clone());
            self.deeds.borrow_mut().extend(std::iter::repeat_n(deed, answer.times));
        }
        if let Some(retry) = &state.live.retry {
            assert!(
                state.live.text.is_empty() && state.live.calls.is_empty(),
                "a retry voids the partial response"
            );
            self.note(format!("notice: retry {} after {} ms", retry.attempt, retry.after_ms), || {
                json!(retry)
            });
        }
    }
}

#[async_trait(?Send)]
impl Clock for Transport {
    fn now_ms(&self) -> i64 {
        self.now_ms.get()
    }

    async fn sleep(&self, ms: u64) {
        self.0.sleep(ms).await;
    }
}

impl Ids for World {
    fn new_id(&self) -> String {
        let n = self.ids.get() + 1;
        self.ids.set(n);
        format!("t{}x{n}", self.turn.get() + 1)
    }
}

#[async_trait(?Send)]
impl ContextProvider for World {
    async fn context(&self) -> Context {
        Context {
            civil: "2026-11-21T22:30".into(),
            weekday: "Saturday".into(),
            zone: "Europe/Berlin".into(),
            blocks: vec![ContextBlock {
                name: "open_todos".into(),
                title: "Open to-dos".into(),
                lead: "Open to-dos when this message was sent, in short (use the tools for more):".into(),
                text: self.todos.borrow().join("\n"),
                outside: self.todos_from_outside,
                stable: false,
            }],
        }
    }
}

struct Sleep {
    world: Rc<World>,
    due_ms: i64,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<()> {
        if self.world.now_ms.get() >= self.due_ms {
            return Poll::Ready(());
        }
        self.world.sleepers.borrow_mut().push((self.due_ms, cx.waker().clone()));
        Poll::Pending
    }
}

struct Flag(AtomicBool);

impl ArcWake for Flag {
    fn wake_by_ref(arc_self: &Arc<Self>) {
        arc_self.0.store(true, Ordering::Relaxed);
    }
}
