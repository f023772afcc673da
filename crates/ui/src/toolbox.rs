//! The tools: an MCP client over the door to the worker, and the agent's port to it.
//!
//! Chat and hands use the same one, so they never disagree.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use agent::is_user_memory_tool;
use async_trait::async_trait;
use leptos::prelude::{RwSignal, Set, WithUntracked};
use mcp::ToolDef;
use mcp::client::{self, CallResult, Client, ClientError};
use protocol::{CallId, Failure, FailureKind, ToolCall, ToolResult, ToolSpec};
use remote::{to_spec, touched};
use serde_json::{Map, Value, json};

use crate::door::{About, Door, DoorReply};
use crate::{clock, i18n};

/// Pages of tools read at most.
const MAX_TOOL_PAGES: usize = 20;

/// In a call's `_meta`: whoever asks is told nothing of what is remembered, and changes none of it, by no tool.
pub const NO_MEMORY: &str = "dev.satchel/no-memory";

/// How long a trial's refusal is the call's answer, in milliseconds: the call comes right after its trial.
const TRIAL_MS: i64 = 60_000;

/// What a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// To be done.
    Do,
    /// Only to see what would come of it.
    Preview,
}

/// Whose call it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// The person's, by a screen of the app.
    Person,
    /// A model's: the assistant's, or that of a program outside.
    Model,
}

/// How long the same by hand, after no answer came, is taken for the same call again, in milliseconds. Later it is meant anew.
const SAME_MS: i64 = 180_000;

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No answer came: it may have been done, or may be done yet.
    NoAnswer(String),
    /// It was answered, and not done.
    Refused(String),
}

impl Trouble {
    /// The same, with what is to be thought of it where no answer came.
    #[must_use]
    pub fn told(self) -> String {
        match self {
            Self::NoAnswer(words) => i18n::perhaps_done(&words),
            Self::Refused(words) => words,
        }
    }

    /// One sentence for a person.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::NoAnswer(words) | Self::Refused(words) => words,
        }
    }
}

/// The tools behind a door.
pub struct Toolbox {
    door: Rc<Door>,
    client: Client,
    next_id: Cell<u64>,
    /// The calls by hand that no answer came to.
    unanswered: RefCell<Unanswered>,
    /// Calls of the assistant that were tried and refused, until they would be made: when, and what was said to them. By more
    /// than their ids: models of two conversations may give the same.
    refused: RefCell<BTreeMap<(CallId, String), (i64, CallResult)>>,
    /// The keys and ids of calls that were under way when an earlier page ended.
    under_way: RefCell<BTreeSet<String>>,
    /// Whether what the person asked to be remembered is told to models, and kept by them.
    remembers: Box<dyn Fn() -> bool>,
    /// Changes when a server has notes about damaged, lost or restored data; `data_storage` has the words.
    pub notes: RwSignal<String>,
}

impl Toolbox {
    /// The tools behind this door. `remembers` says whether models are told what the person asked to be remembered, and may
    /// keep more of it (S0-63).
    #[must_use]
    pub fn new(door: Rc<Door>, remembers: impl Fn() -> bool + 'static) -> Self {
        Self {
            door,
            client: Client::new("satchel-page", env!("CARGO_PKG_VERSION")),
            next_id: Cell::new(1),
            unanswered: RefCell::default(),
            refused: RefCell::default(),
            under_way: RefCell::default(),
            remembers: Box::new(remembers),
            notes: RwSignal::new(String::new()),
        }
    }

    /// Runs a tool and gives its structured output. `key` is the idempotency key: the same key again
    /// gives the first answer.
    ///
    /// # Errors
    /// One sentence for a person: what the tool refused, or what broke on the way.
    pub async fn run(&self, tool: &str, arguments: Value, key: &str, why: Why) -> Result<Value, String> {
        self.call_tool(tool, arguments, key, why, By::Person).await.map_err(Trouble::words).and_then(output)
    }

    /// Runs a tool for the person's own hand, and says under which key. The same again soon after no answer came is
    /// the same call again: if it was done after all, it is not done twice.
    pub async fn run_by_hand(&self, tool: &str, arguments: Value) -> (String, Result<Value, String>) {
        let (key, result) = self.try_by_hand(tool, arguments).await;
        (key, result.map_err(Trouble::told))
    }

    /// The same under a key of the caller's, who keeps it where no answer comes.
    pub async fn try_under(&self, tool: &str, arguments: Value, key: &str) -> Result<Value, Trouble> {
        let called = self.call_tool(tool, arguments, key, Why::Do, By::Person).await;
        called.and_then(|result| output(result).map_err(Trouble::Refused))
    }

    /// The same, and tells what was refused from what may have been done.
    pub async fn try_by_hand(&self, tool: &str, arguments: Value) -> (String, Result<Value, Trouble>) {
        // In short: what is brought in from a file can be 60 MB.
        let asked = in_short(tool, &arguments);
        let about = match arguments.get("id").and_then(Value::as_str) {
            // It is about whatever was done last.
            None if agent::takes_back(tool) => ANYTHING.to_owned(),
            id => id.unwrap_or_default().to_owned(),
        };
        let key = self.unanswered.borrow_mut().key_of(&asked, clock::now_ms());
        let key = key.unwrap_or_else(|| clock::new_id("hand"));
        let result = self.call_tool(tool, arguments, &key, Why::Do, By::Person).await;
        let mut unanswered = self.unanswered.borrow_mut();
        match &result {
            Ok(result) if !result.is_error => unanswered.was_changed(&about),
            Err(Trouble::NoAnswer(_)) => unanswered.add(asked, key.clone(), about, clock::now_ms()),
            Ok(_) | Err(Trouble::Refused(_)) => {}
        }
        drop(unanswered);
        (key, result.and_then(|result| output(result).map_err(Trouble::Refused)))
    }

    /// A call that was under way when an earlier page ended comes again: by its key, or where it was tried out, by its id. It may
    /// be what that page hung in.
    pub fn comes_again(&self, calls: impl IntoIterator<Item = String>) {
        self.under_way.borrow_mut().extend(calls);
    }

    /// Runs a tool for a program outside, and gives the whole answer.
    ///
    /// # Errors
    /// One sentence for whoever called; it says so where the call may have been done.
    pub async fn run_outside(&self, tool: &str, arguments: Value, key: &str) -> Result<CallResult, String> {
        self.call_tool(tool, arguments, key, Why::Do, By::Model).await.map_err(Trouble::told)
    }

    /// Tries a call of a program outside, without doing it.
    ///
    /// # Errors
    /// One sentence for whoever called: what the tool would refuse.
    pub async fn try_outside(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let key = clock::new_id("preview");
        let tried = self.call_tool(tool, arguments, &key, Why::Preview, By::Model).await;
        tried.map_err(Trouble::words).and_then(output)
    }

    /// Reads a resource's text.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn read(&self, address: &str) -> Result<String, String> {
        let reply = self.send(&self.client.read_resource(self.id(), address), &About::default()).await?;
        let contents = client::contents(reply.status, &reply.body).map_err(|error| in_words(&error))?;
        let content = contents.into_iter().next().ok_or_else(|| i18n::TOOLS_UNREADABLE.to_owned())?;
        self.hear_notes(&content.meta);
        Ok(content.text)
    }

    /// Every answer says whose notes about the data there are.
    fn hear_notes(&self, meta: &Map<String, Value>) {
        let notes = meta.get("dev.satchel/notes").and_then(Value::as_str).unwrap_or_default();
        if self.notes.with_untracked(|before| before != notes) {
            self.notes.set(notes.to_owned());
        }
    }

    async fn call_tool(
        &self,
        tool: &str,
        arguments: Value,
        key: &str,
        why: Why,
        by: By,
    ) -> Result<CallResult, Trouble> {
        let about = About {
            tool: tool.to_owned(),
            call: in_short(tool, &arguments),
            // What is shown of a model's call before it is allowed is the model's as well.
            is_a_models: by == By::Model || why == Why::Preview,
            is_repeated: self.under_way.borrow_mut().remove(key),
        };
        let mut meta = Map::new();
        meta.insert("dev.satchel/key".to_owned(), json!(key));
        meta.insert("dev.satchel/zone".to_owned(), json!(clock::zone()));
        if why == Why::Preview {
            meta.insert("dev.satchel/preview".to_owned(), json!(true));
        }
        if by == By::Model && !self.remembers() {
            meta.insert(NO_MEMORY.to_owned(), json!(true));
        }
        let request = self.client.call_tool(self.id(), tool, arguments, meta);
        let mut reply = self.send(&request, &about).await.map_err(Trouble::NoAnswer)?;
        // The server broke off, and may have done it by then. Under the same key it says what it did, or does it now.
        if is_broken(&reply) {
            reply = self.send(&request, &about).await.map_err(Trouble::NoAnswer)?;
        }
        let result = result_in(&reply)?;
        self.hear_notes(&result.meta);
        // Whoever took it back: what was asked before and got no answer may be what is gone now.
        if why == Why::Do && agent::takes_back(tool) && !result.is_error {
            self.unanswered.borrow_mut().was_changed(ANYTHING);
        }
        Ok(result)
    }

    /// Whether models are told what the person asked to be remembered.
    pub fn remembers(&self) -> bool {
        (self.remembers)()
    }

    /// The tools the server offers to a model, in its order. Those for the app's own screens are left out, and so are those that
    /// remember where the person wants none of it.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn specs(&self) -> Result<Vec<ToolSpec>, String> {
        let mut specs = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MAX_TOOL_PAGES {
            let request = self.client.list_tools(self.id(), cursor.as_deref());
            let reply = self.send(&request, &About::default()).await?;
            let page = client::tools(reply.status, &reply.body).map_err(|error| in_words(&error))?;
            let is_offered = |tool: &ToolDef| {
                tool.is_for_model() && (self.remembers() || !is_user_memory_tool(&tool.name))
            };
            specs.extend(page.tools.into_iter().filter(is_offered).map(to_spec));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(specs)
    }

    async fn send(&self, request: &client::Outgoing, about: &About) -> Result<DoorReply, String> {
        self.door
            .call(&request.headers, request.body.clone(), about)
            .await
            .map_err(|error| i18n::tools_out_of_reach(&error.to_string()))
    }

    fn id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        id
    }
}

fn result_of(call: &ToolCall, result: CallResult) -> ToolResult {
    let CallResult { text: content, structured, is_error, .. } = result;
    ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured }
}

/// A tool and what it is called with, as short as it is told apart.
fn in_short(tool: &str, arguments: &Value) -> String {
    let mut hasher = DefaultHasher::new();
    arguments.to_string().hash(&mut hasher);
    format!("{tool} {:016x}", hasher.finish())
}

/// What a call of a model is known by, beside those of other conversations.
fn told_apart(call: &ToolCall) -> (CallId, String) {
    (call.id.clone(), in_short(&call.name, &call.arguments))
}

/// In place of an id: any change is one of what a call is about.
const ANYTHING: &str = "*";

/// Calls by hand that no answer came to: the same again soon is the same call again, and is done once.
#[derive(Default)]
struct Unanswered(BTreeMap<String, NoAnswer>);

/// One of them.
struct NoAnswer {
    key: String,
    /// The id of what it is about, or [`ANYTHING`]; empty where it is about nothing that was there.
    about: String,
    at_ms: i64,
}

impl Unanswered {
    fn add(&mut self, asked: String, key: String, about: String, at_ms: i64) {
        self.0.insert(asked, NoAnswer { key, about, at_ms });
    }

    /// The key under which this was asked, while the same is taken for it again.
    fn key_of(&mut self, asked: &str, now_ms: i64) -> Option<String> {
        let known = self.0.remove(asked)?;
        (0..SAME_MS).contains(&(now_ms - known.at_ms)).then_some(known.key)
    }

    /// Something else was done with this since: what was asked about it before is meant anew the next time. With
    /// [`ANYTHING`] that is all of it.
    fn was_changed(&mut self, about: &str) {
        if about == ANYTHING {
            self.0.clear();
        }
        self.0.retain(|_, known| known.about != ANYTHING && (known.about.is_empty() || known.about != about));
    }
}

/// Whether the server could not finish what it began.
fn is_broken(reply: &DoorReply) -> bool {
    reply.status >= 500
}

/// The result in an answer, or what is to be thought of a call without one.
fn result_in(reply: &DoorReply) -> Result<CallResult, Trouble> {
    client::call_result(reply.status, &reply.body).map_err(|error| {
        let words = in_words(&error);
        if is_broken(reply) { Trouble::NoAnswer(words) } else { Trouble::Refused(words) }
    })
}

/// The structured output, or the sentence that says why there is none.
fn output(result: CallResult) -> Result<Value, String> {
    match (result.is_error, result.structured) {
        (true, _) => Err(result.text),
        (false, Some(structured)) => Ok(structured),
        (false, None) => Ok(Value::String(result.text)),
    }
}

#[async_trait(?Send)]
impl agent::Toolbox for Toolbox {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        self.specs().await.map_err(|message| Failure::new(FailureKind::RetryableNetwork, message))
    }

    async fn call(&self, call: &ToolCall, key: &str) -> ToolResult {
        // A run that was stopped in between leaves its own behind, and another conversation may have the same id.
        let since_ms = clock::now_ms() - TRIAL_MS;
        let tried = self.refused.borrow_mut().remove(&told_apart(call));
        if let Some((_, refused)) = tried.filter(|(at_ms, _)| *at_ms >= since_ms) {
            return result_of(call, refused);
        }
        let called = self.call_tool(&call.name, call.arguments.clone(), key, Why::Do, By::Model).await;
        result_of(
            call,
            called.unwrap_or_else(|trouble| CallResult {
                text: trouble.told(),
                structured: None,
                is_error: true,
                meta: Map::new(),
            }),
        )
    }

    async fn weigh(&self, call: &ToolCall) -> Option<u32> {
        // Of a run that was stopped before the call was made: another one may have the same id.
        self.refused.borrow_mut().remove(&told_apart(call));
        let key = clock::new_id("preview");
        if self.under_way.borrow_mut().remove(&call.id.0) {
            self.comes_again([key.clone()]);
        }
        let tried =
            self.call_tool(&call.name, call.arguments.clone(), &key, Why::Preview, By::Model).await.ok()?;
        if tried.is_error {
            // That is the call's answer. Made for real it might be possible by then, and nobody would have seen what it does.
            self.refused.borrow_mut().insert(told_apart(call), (clock::now_ms(), tried));
            return Some(0);
        }
        touched(tried.structured.as_ref()?)
    }
}

/// What the client could not do, for a person.
fn in_words(error: &ClientError) -> String {
    match error {
        ClientError::Rpc(error) => error.message.clone(),
        ClientError::NotMcp { .. } => i18n::TOOLS_NOT_THERE.to_owned(),
        ClientError::Malformed(_) => i18n::TOOLS_UNREADABLE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{SAME_MS, Unanswered, result_in};
    use crate::door::DoorReply;

    fn unanswered(about: &str) -> Unanswered {
        let mut unanswered = Unanswered::default();
        unanswered.add("complete a".to_owned(), "hand_1".to_owned(), about.to_owned(), 1_000);
        unanswered
    }

    #[test]
    fn the_same_by_hand_is_the_same_call_for_a_short_while() {
        let key_at = |now_ms| unanswered("a").key_of("complete a", now_ms);
        assert_eq!(key_at(1_000 + SAME_MS - 1), Some("hand_1".to_owned()));
        assert_eq!(key_at(1_000 + SAME_MS), None);
        // A clock that was set back says nothing about how long ago it was.
        assert_eq!(key_at(0), None);
    }

    #[test]
    fn what_was_changed_since_is_meant_anew() {
        // Checked off without an answer, and done; opened again; checked off: that is no second try.
        let mut known = unanswered("todo_a");
        known.was_changed("todo_a");
        assert_eq!(known.key_of("complete a", 2_000), None);
        for (about, other) in [("todo_a", "todo_b"), ("todo_a", ""), ("", "todo_a"), ("", "")] {
            let mut known = unanswered(about);
            known.was_changed(other);
            assert!(known.key_of("complete a", 2_000).is_some(), "{about} {other}");
        }
        // What was taken back may have been any of them: a file that is brought in again is meant anew.
        for about in ["todo_a", "", super::ANYTHING] {
            let mut known = unanswered(about);
            known.was_changed(super::ANYTHING);
            assert_eq!(known.key_of("complete a", 2_000), None, "{about}");
        }
        // The last change is another one by now.
        let mut known = unanswered(super::ANYTHING);
        known.was_changed("");
        assert_eq!(known.key_of("complete a", 2_000), None);
    }

    /// Who is told nothing of it does it again, and it is done twice.
    #[test]
    fn a_write_of_which_nobody_knows_the_outcome_may_have_been_done_and_a_refused_one_was_not() {
        let rpc = |code: i64| {
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "No room"}}).to_string()
        };
        let rows = [
            (500, rpc(-32603), true),
            (503, "<h1>gone</h1>".to_owned(), true),
            (504, String::new(), true),
            (200, rpc(-32603), false),
            (400, rpc(-32602), false),
            (404, "nobody".to_owned(), false),
        ];
        for (status, body, is_open) in rows {
            let reply = DoorReply { status, headers: Default::default(), body };
            let told = result_in(&reply).unwrap_err().told();
            assert_eq!(told.contains("It may or may not have been done"), is_open, "{status}: {told}");
        }
    }

    #[test]
    fn a_model_is_told_of_the_tools_that_are_for_it() {
        for (meta, is_for_model) in [
            (json!(null), true),
            (json!({"ui": {"resourceUri": "ui://x"}}), true),
            (json!({"ui": {"visibility": ["model", "app"]}}), true),
            (json!({"ui": {"visibility": ["app"]}}), false),
            (json!({"ui": {"visibility": []}}), false),
        ] {
            let tool = json!({"name": "x", "inputSchema": {"type": "object"}, "_meta": meta});
            let tool: mcp::ToolDef = serde_json::from_value(tool).unwrap();
            assert_eq!(tool.is_for_model(), is_for_model, "{meta}");
        }
    }
}
