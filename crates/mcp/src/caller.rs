//! Who called, as far as a tool can see and speak to them while it works.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures::channel::mpsc::UnboundedSender;
use futures::future::{Either, LocalBoxFuture, poll_fn, select};
use serde_json::{Map, Value, json};

use crate::ask::{Ask, InputRequired, Stop};
use crate::rpc::RpcError;

/// How grave a log message is (RFC 5424's levels), least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the words of RFC 5424")]
pub enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl LogLevel {
    const WORDS: [(&str, Self); 8] = [
        ("debug", Self::Debug),
        ("info", Self::Info),
        ("notice", Self::Notice),
        ("warning", Self::Warning),
        ("error", Self::Error),
        ("critical", Self::Critical),
        ("alert", Self::Alert),
        ("emergency", Self::Emergency),
    ];

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, level)| *level)
    }

    pub(crate) fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

/// Sends a request to the client and waits for its answer (older protocol versions).
pub(crate) type Peer = Rc<dyn Fn(Ask) -> LocalBoxFuture<'static, Result<Value, RpcError>>>;

/// The other side of a call. A handle: clones speak to the same client.
#[derive(Clone, Default)]
pub struct Caller(Rc<Inner>);

#[derive(Clone, Default)]
pub(crate) struct Inner {
    /// `ClientCapabilities`, as this request or its session declares them.
    pub capabilities: Map<String, Value>,
    pub progress_token: Option<Value>,
    pub log_level: Option<LogLevel>,
    /// Where notifications go; nowhere when the answer is one object.
    pub notices: Option<UnboundedSender<String>>,
    /// The answers that came with this request.
    pub answers: Map<String, Value>,
    /// What the tool wanted to see again.
    pub state: Option<Value>,
    /// Arguments that were filled in in an earlier round.
    pub filled: Option<Map<String, Value>>,
    /// Answers are kept between the rounds (tasks), so that only what is missing is asked for again.
    pub keeps_answers: bool,
    pub peer: Option<Peer>,
    pub cancel: Cancel,
    pub progressed: Cell<Option<f64>>,
}

impl std::fmt::Debug for Caller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Caller").field("capabilities", &self.0.capabilities).finish_non_exhaustive()
    }
}

impl Caller {
    pub(crate) fn new(inner: Inner) -> Self {
        Self(Rc::new(inner))
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    /// Whether the client can show a form to a person.
    #[must_use]
    pub fn can_fill_forms(&self) -> bool {
        self.can(&Ask::form("", Value::Null))
    }

    /// Whether the client declares that it can answer this.
    #[must_use]
    pub fn can(&self, ask: &Ask) -> bool {
        let declared = self.0.capabilities.get(ask.capability());
        match ask.capability() {
            // An empty object means forms; one that names modes names forms among them, or not.
            "elicitation" => declared
                .and_then(Value::as_object)
                .is_some_and(|modes| modes.is_empty() || modes.contains_key("form")),
            _ => declared.is_some_and(Value::is_object),
        }
    }

    /// Whether the client speaks an extension of the protocol.
    #[must_use]
    pub fn has_extension(&self, name: &str) -> bool {
        self.0.capabilities.get("extensions").and_then(|known| known.get(name)).is_some_and(Value::is_object)
    }

    /// What the tool wanted to see again when it asked.
    #[must_use]
    pub fn state(&self) -> Option<&Value> {
        self.0.state.as_ref()
    }

    /// The answer that came under a key, whatever its shape.
    #[must_use]
    pub fn answer(&self, key: &str) -> Option<&Value> {
        self.0.answers.get(key)
    }

    /// Asks, and gives the answers by key. `state` comes back with them ([`Caller::state`]).
    ///
    /// # Errors
    /// [`Stop`]: to be passed on. The call ends here and comes again with the answers, or the client cannot answer such
    /// a request, or is gone.
    pub async fn ask(
        &self,
        asks: Vec<(&str, Ask)>,
        state: Option<Value>,
    ) -> Result<Map<String, Value>, Stop> {
        if let Some((_, ask)) = asks.iter().find(|(_, ask)| !self.can(ask)) {
            let mut required = Map::new();
            required.insert(ask.capability().to_owned(), json!({}));
            return Err(RpcError::missing_capability(Value::Object(required)).into());
        }
        let mut answers = Map::new();
        if let Some(peer) = &self.0.peer {
            for (key, ask) in asks {
                let answer = match select(peer(ask.clone()), pin!(self.cancelled())).await {
                    Either::Left((answer, _)) => answer?,
                    Either::Right(_) => return Err(RpcError::cancelled().into()),
                };
                if !ask.takes(&answer) {
                    let fault = format!("The answer to {} has a wrong shape", ask.method);
                    return Err(RpcError::invalid_params(fault).into());
                }
                answers.insert(key.to_owned(), answer);
            }
            return Ok(answers);
        }
        let mut requests = Map::new();
        for (key, ask) in &asks {
            match self.0.answers.get(*key).filter(|answer| ask.takes(answer)) {
                Some(answer) => drop(answers.insert((*key).to_owned(), answer.clone())),
                None => drop(requests.insert((*key).to_owned(), ask.to_json())),
            }
        }
        if requests.is_empty() {
            return Ok(answers);
        }
        if !self.0.keeps_answers {
            requests = order::gather(asks.iter().map(|(key, ask)| ((*key).to_owned(), ask.to_json())));
        }
        Err(Stop::Ask(InputRequired { requests, state, filled: None }))
    }

    /// Tells how far the call is, if the client wants to know. Progress only grows; what does not is not sent.
    pub fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.0.progress_token else { return };
        if self.0.progressed.get().is_some_and(|before| progress <= before) {
            return;
        }
        self.0.progressed.set(Some(progress));
        let mut params = json!({ "progressToken": token, "progress": number(progress) });
        if let Some(total) = total {
            params["total"] = number(total);
        }
        if let Some(message) = message {
            params["message"] = message.into();
        }
        self.notify("notifications/progress", &params);
    }

    /// Sends a log message, if the client wants such.
    pub fn log(&self, level: LogLevel, data: Value) {
        if self.0.log_level.is_some_and(|least| level >= least) {
            let params = json!({ "level": level.word(), "logger": "tools", "data": data });
            self.notify("notifications/message", &params);
        }
    }

    fn notify(&self, method: &str, params: &Value) {
        if let Some(notices) = &self.0.notices {
            let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
            // Who went away needs no news.
            drop(notices.unbounded_send(message.to_string()));
        }
    }

    /// Whether the client gave the call up. What is not in the journal yet is not to be put there.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancel.is_set()
    }

    /// Resolves when the client gives the call up.
    pub async fn cancelled(&self) {
        self.0.cancel.wait().await;
    }
}

/// Whole numbers without a fraction: half the clients print them.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { Value::from(value as i64) } else { Value::from(value) }
}

/// A call's end, called for from outside. A handle.
#[derive(Clone, Default)]
pub(crate) struct Cancel(Rc<(Cell<bool>, RefCell<Vec<Waker>>)>);

impl Cancel {
    pub(crate) fn set(&self) {
        self.0.0.set(true);
        self.0.1.take().into_iter().for_each(Waker::wake);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.0.get()
    }

    async fn wait(&self) {
        poll_fn(|context| {
            if self.is_set() {
                return Poll::Ready(());
            }
            let mut wakers = self.0.1.borrow_mut();
            wakers.retain(|waker| !waker.will_wake(context.waker()));
            wakers.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}
