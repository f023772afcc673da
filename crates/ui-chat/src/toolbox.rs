//! The tools: an MCP client over the transport to the worker.
//!
//! Chat and hands use the same one, so they never disagree. What every client does, and the agent's port, are in the crate
//! `toolbox`; here is what belongs to the page: the way by the transport, and the person's own hand.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use leptos::prelude::{LocalStorage, RwSignal, Set, StoredValue, WithUntracked, expect_context};
use mcp::client::{CallResult, Client, ClientError, Outgoing};
use mcp::meta;
use protocol::ToolSpec;
use serde_json::{Map, Value};
use toolbox::{Asked, By, Exchange, ExchangeError, Here, Incoming, in_short, output};

pub use toolbox::{CallError, Why};

use crate::transport::{About, TransportError, TransportReply, WorkerTransport};
use crate::{clock, i18n};

/// How long the same by hand, after no answer came, is taken for the same call again, in milliseconds. Later it is meant anew.
const SAME_MS: i64 = 180_000;

/// The tools' answer cannot be read, for a model.
const UNREADABLE: &str = "The tools gave no answer that can be read.";

/// The tools behind a transport.
pub struct Toolbox {
    /// The tools as the agent has them.
    pub tools: toolbox::Toolbox<WorkerExchange>,
    /// Changes when a server has notes about damaged, lost or restored data; `data_storage` has the words.
    pub notes: RwSignal<String>,
}

/// The way to the tools' server by a transport, and what is known of the calls that went it.
pub struct WorkerExchange {
    transport: Rc<WorkerTransport>,
    /// The calls by hand that no answer came to.
    unanswered: RefCell<Unanswered>,
    /// The keys and ids of calls that were under way when an earlier page ended.
    under_way: RefCell<BTreeSet<String>>,
    /// Whether what the person asked to be remembered is told to models, and kept by them.
    remembers: Box<dyn Fn() -> bool>,
    notes: RwSignal<String>,
}

impl Toolbox {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn shared() -> StoredValue<Rc<Self>, LocalStorage> {
        expect_context()
    }

    /// The tools behind this transport. `remembers` says whether models are told what the person asked to be remembered, and may
    /// keep more of it (S0-63).
    #[must_use]
    pub fn new(transport: Rc<WorkerTransport>, remembers: impl Fn() -> bool + 'static) -> Self {
        let notes = RwSignal::new(String::new());
        let way = WorkerExchange {
            transport,
            unanswered: RefCell::default(),
            under_way: RefCell::default(),
            remembers: Box::new(remembers),
            notes,
        };
        let client = Client::new("satchel-page", env!("CARGO_PKG_VERSION"));
        Self { tools: toolbox::Toolbox::new(client, way), notes }
    }

    /// Runs a tool and gives its structured output. `key` is the idempotency key: the same key again
    /// gives the first answer.
    ///
    /// # Errors
    /// One sentence for a person: what the tool refused, or what broke on the way.
    pub fn run<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
        why: Why,
    ) -> LocalBoxFuture<'a, Result<Value, String>> {
        Box::pin(async move {
            self.tools
                .run(tool, arguments, key, why, By::Person)
                .await
                .map_err(CallError::words)
                .and_then(output)
        })
    }

    /// Runs a tool for the person's own hand, and says under which key. The same again soon after no answer came is
    /// the same call again: if it was done after all, it is not done twice.
    pub fn run_manually<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
    ) -> LocalBoxFuture<'a, (String, Result<Value, String>)> {
        Box::pin(async move {
            let (key, result) = self.try_manually(tool, arguments).await;
            (key, result.map_err(ui_kit::told))
        })
    }

    /// The same under a key of the caller's, who keeps it where no answer comes.
    pub fn try_under<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> LocalBoxFuture<'a, Result<Value, CallError>> {
        Box::pin(async move {
            let called = self.tools.run(tool, arguments, key, Why::Do, By::Person).await;
            called.and_then(|result| output(result).map_err(CallError::Refused))
        })
    }

    /// The same, and tells what was refused from what may have been done.
    pub fn try_manually<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
    ) -> LocalBoxFuture<'a, (String, Result<Value, CallError>)> {
        Box::pin(async move {
            // In short: what is brought in from a file can be 60 MB.
            let asked = in_short(tool, &arguments);
            let about = match arguments.get("id").and_then(Value::as_str) {
                // It is about whatever was done last.
                None if agent::takes_back(tool) => ANYTHING.to_owned(),
                id => id.unwrap_or_default().to_owned(),
            };
            let key = self.tools.exchange().unanswered.borrow_mut().key_of(&asked, clock::now_ms());
            let key = key.unwrap_or_else(|| clock::new_id("hand"));
            let result = self.tools.run(tool, arguments, &key, Why::Do, By::Person).await;
            let mut unanswered = self.tools.exchange().unanswered.borrow_mut();
            match &result {
                Ok(result) if !result.is_error => unanswered.was_changed(&about),
                Err(CallError::NoAnswer(_)) => unanswered.add(asked, key.clone(), about, clock::now_ms()),
                Ok(_) | Err(CallError::Refused(_)) => {}
            }
            drop(unanswered);
            (key, result.and_then(|result| output(result).map_err(CallError::Refused)))
        })
    }

    /// A call that was under way when an earlier page ended comes again: by its key, or where it was tried out, by its id. It may
    /// be what that page hung in.
    pub fn comes_again(&self, calls: impl IntoIterator<Item = String>) {
        self.tools.exchange().under_way.borrow_mut().extend(calls);
    }

    /// Runs a tool for a program outside, and gives the whole answer.
    ///
    /// # Errors
    /// One sentence for whoever called; it says so where the call may have been done.
    pub fn run_external<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> LocalBoxFuture<'a, Result<CallResult, String>> {
        Box::pin(async move {
            self.tools.run(tool, arguments, key, Why::Do, By::Model).await.map_err(CallError::told)
        })
    }

    /// Tries a call of a program outside, without doing it.
    ///
    /// # Errors
    /// One sentence for whoever called: what the tool would refuse.
    pub fn try_external<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
    ) -> LocalBoxFuture<'a, Result<Value, String>> {
        Box::pin(async move {
            let key = clock::new_id("preview");
            let tried = self.tools.run(tool, arguments, &key, Why::Preview, By::Model).await;
            tried.map_err(CallError::words).and_then(output)
        })
    }

    /// Reads a resource's text.
    ///
    /// # Errors
    /// One sentence for a person.
    pub fn read<'a>(&'a self, address: &'a str) -> LocalBoxFuture<'a, Result<String, String>> {
        Box::pin(async move {
            let content = self.tools.read(address).await.map_err(CallError::words)?;
            self.tools.exchange().hear_notes(&content.meta);
            Ok(content.text)
        })
    }

    /// Whether models are told what the person asked to be remembered.
    pub fn remembers(&self) -> bool {
        self.tools.exchange().remembers()
    }

    /// The tools the server offers to a model.
    ///
    /// # Errors
    /// One sentence for a person.
    pub fn specs<'a>(&'a self) -> LocalBoxFuture<'a, Result<Vec<ToolSpec>, String>> {
        Box::pin(async move { self.tools.specs().await.map_err(CallError::words) })
    }
}

impl WorkerExchange {
    /// Every answer says whose notes about the data there are.
    fn hear_notes(&self, meta: &Map<String, Value>) {
        let notes = meta.get(meta::NOTES).and_then(Value::as_str).unwrap_or_default();
        if self.notes.with_untracked(|before| before != notes) {
            self.notes.set(notes.to_owned());
        }
    }

    async fn send_once(&self, request: &Outgoing, about: &About, by: By) -> Result<Incoming, ExchangeError> {
        let reply = self.transport.call(&request.headers, request.body.clone(), about).await;
        let words = |error: TransportError| match by {
            By::Person => i18n::tools_out_of_reach(&error.in_words()),
            By::Model => error.to_string(),
        };
        let TransportReply { status, body, .. } = reply.map_err(|error| ExchangeError(words(error)))?;
        Ok(Incoming { status, body })
    }
}

#[async_trait(?Send)]
impl Exchange for WorkerExchange {
    async fn send(&self, request: &Outgoing, asked: Option<&Asked<'_>>) -> Result<Incoming, ExchangeError> {
        let Some(asked) = asked else {
            return self.send_once(request, &About::default(), By::Person).await;
        };
        let about = About {
            tool: asked.tool.to_owned(),
            call: asked.short.clone(),
            // What is shown of a model's call before it is allowed is the model's as well.
            is_a_models: asked.by == By::Model || asked.why == Why::Preview,
            is_repeated: self.under_way.borrow_mut().remove(asked.known_as),
        };
        let reply = self.send_once(request, &about, asked.by).await?;
        // The server broke off, and may have done it by then. Under the same key it says what it did, or does it now.
        if reply.status >= 500 { self.send_once(request, &about, asked.by).await } else { Ok(reply) }
    }

    fn here(&self) -> Here {
        Here { now_ms: clock::now_ms(), zone: clock::zone() }
    }

    fn new_key(&self) -> String {
        clock::new_id("preview")
    }

    fn remembers(&self) -> bool {
        (self.remembers)()
    }

    fn answered(&self, asked: &Asked<'_>, result: &CallResult) {
        self.hear_notes(&result.meta);
        // Whoever took it back: what was asked before and got no answer may be what is gone now.
        if asked.why == Why::Do && agent::takes_back(asked.tool) && !result.is_error {
            self.unanswered.borrow_mut().was_changed(ANYTHING);
        }
    }

    fn words(&self, error: &ClientError, by: By) -> String {
        match error {
            ClientError::Rpc(error) => error.message.clone(),
            ClientError::NotMcp { .. } | ClientError::Malformed(_) if by == By::Model => {
                UNREADABLE.to_owned()
            }
            ClientError::NotMcp { .. } => i18n::tools_not_there().to_owned(),
            ClientError::Malformed(_) => i18n::tools_unreadable().to_owned(),
        }
    }
}

/// In place of an id: any change is one of what a call is about.
const ANYTHING: &str = "*";

/// Calls by hand that no answer came to: the same again soon is the same call again, and is done once.
#[derive(Default)]
struct Unanswered(Vec<NoAnswer>);

/// One of them.
struct NoAnswer {
    /// What was asked, in short.
    asked: String,
    key: String,
    /// The id of what it is about, or [`ANYTHING`]; empty where it is about nothing that was there.
    about: String,
    at_ms: i64,
}

impl Unanswered {
    fn add(&mut self, asked: String, key: String, about: String, at_ms: i64) {
        self.0.retain(|known| known.asked != asked);
        self.0.push(NoAnswer { asked, key, about, at_ms });
    }

    /// The key under which this was asked, while the same is taken for it again.
    fn key_of(&mut self, asked: &str, now_ms: i64) -> Option<String> {
        let known = self.0.swap_remove(self.0.iter().position(|known| known.asked == asked)?);
        (0..SAME_MS).contains(&(now_ms - known.at_ms)).then_some(known.key)
    }

    /// Something else was done with this since: what was asked about it before is meant anew the next time. With
    /// [`ANYTHING`] that is all of it.
    fn was_changed(&mut self, about: &str) {
        if about == ANYTHING {
            self.0.clear();
        }
        self.0.retain(|known| known.about != ANYTHING && (known.about.is_empty() || known.about != about));
    }
}

#[cfg(test)]
mod tests {
    use super::{SAME_MS, Unanswered};

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
}
