//! One server elsewhere: connect, list its tools, call them. It speaks the revision without a handshake where the
//! server does, else the newest with one (2026-07-28, basic/versioning, "backward compatibility").

mod beside;
mod exchange;
mod handshake;
mod listen;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use llm::{Timer, Transport};
use mcp::client::Client;
use mcp::{RpcError, ToolDef};
use serde_json::{Map, Value, json};

use crate::person::{self, Person};
use crate::reply::within;
use crate::tool_answer::{self, ToolAnswer};
use crate::{Address, Limits, RemoteError, TokenProvider, mirror, words};
use beside::Beside;
use handshake::Spoken;

/// What a server says while it works on a call: a sentence, how far it is, how far it goes.
pub type Progress<'a> = dyn Fn(&str, f64, Option<f64>) + 'a;

/// What a server said of itself. All of it is its own word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Welcome {
    /// Its name for people, else for programs; empty where it has none.
    pub name: String,
    /// The revision that is spoken with it.
    pub revision: String,
}

/// What a server offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offer {
    /// The tools for a model, in the server's order.
    pub tools: Vec<ToolDef>,
    /// How many were left out because they break the rules, are too large or too many, or have another's name.
    pub left_out: usize,
}

/// A client of one server elsewhere: connects, lists its tools, calls them. A request that was refused for its token is sent
/// again with a better one, where there is one.
pub struct Server {
    address: Address,
    http: Rc<dyn Transport>,
    timer: Rc<dyn Timer>,
    token_provider: Rc<dyn TokenProvider>,
    person: Option<Rc<dyn Person>>,
    limits: Limits,
    client: Client,
    next_id: Cell<u64>,
    spoken: RefCell<Option<Spoken>>,
    /// It says nothing on its own.
    is_silent: Cell<bool>,
    /// The arguments that go into headers, by tool.
    mirrored: RefCell<BTreeMap<String, Vec<(String, String)>>>,
}

impl Server {
    /// The server at an address. Nothing is sent before it is asked for something.
    #[must_use]
    pub fn new(
        address: Address,
        http: Rc<dyn Transport>,
        timer: Rc<dyn Timer>,
        token_provider: Rc<dyn TokenProvider>,
    ) -> Self {
        Self {
            address,
            http,
            timer,
            token_provider,
            person: None,
            limits: Limits::default(),
            client: Client::new("satchel", env!("CARGO_PKG_VERSION")),
            next_id: Cell::new(1),
            spoken: RefCell::default(),
            is_silent: Cell::default(),
            mirrored: RefCell::default(),
        }
    }

    /// The same with somebody to answer its questions.
    #[must_use]
    pub fn with_person(mut self, person: Rc<dyn Person>) -> Self {
        self.client = self.client.with_capabilities(json!({ "elicitation": { "form": {} } }));
        self.person = Some(person);
        self
    }

    /// The same with other bounds.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Finds out what the server is and what it speaks; every other request does the same where it was not done yet.
    ///
    /// # Errors
    /// See [`RemoteError`].
    pub async fn connect(&self) -> Result<Welcome, RemoteError> {
        self.spoken.take();
        self.is_silent.set(false);
        self.welcome().await
    }

    /// What the server said of itself; it is asked only where it was not yet.
    ///
    /// # Errors
    /// See [`RemoteError`].
    pub async fn welcome(&self) -> Result<Welcome, RemoteError> {
        let spoken = within(&*self.timer, self.limits.call_ms, self.greeted()).await??;
        Ok(spoken.welcome)
    }

    /// Its tools as they are now.
    ///
    /// # Errors
    /// See [`RemoteError`]; a single bad tool is none, but left out.
    pub async fn tools(&self) -> Result<Offer, RemoteError> {
        within(&*self.timer, self.limits.call_ms, self.listed()).await?
    }

    /// All pages of the list.
    async fn listed(&self) -> Result<Offer, RemoteError> {
        let mut offer = Offer::default();
        let mut mirrored = BTreeMap::new();
        let mut cursor: Option<String> = None;
        for page in 0.. {
            if page == self.limits.pages {
                return Err(RemoteError::TooMuch("a list of tools that does not end"));
            }
            let mut params = Map::new();
            if let Some(cursor) = cursor.take() {
                params.insert("cursor".into(), cursor.into());
            }
            let listed = self.request("tools/list", None, params, Vec::new(), &Beside::default()).await?;
            let fault = || RemoteError::NotMcp("the list of tools is none".into());
            for tool in listed.get("tools").and_then(Value::as_array).ok_or_else(fault)? {
                match self.taken(tool, &mirrored, offer.tools.len()) {
                    Some((tool, headers)) => {
                        mirrored.insert(tool.name.clone(), headers);
                        offer.tools.push(tool);
                    }
                    None => offer.left_out += 1,
                }
            }
            cursor = listed["nextCursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        self.mirrored.replace(mirrored);
        offer.tools.retain(ToolDef::is_for_model);
        Ok(offer)
    }

    /// Carries out a call, once: where no answer comes it is not made again, since it may have been done. `meta` joins
    /// the request's `_meta`.
    ///
    /// # Errors
    /// See [`RemoteError`], and [`RemoteError::may_be_done`]. A call that the tool refuses is none, but [`ToolAnswer::is_error`].
    pub async fn call(
        &self,
        tool: &str,
        arguments: Value,
        meta: Map<String, Value>,
        progress: Option<&Progress<'_>>,
    ) -> Result<ToolAnswer, RemoteError> {
        let result = self.called(tool, arguments, meta, progress).await?;
        ToolAnswer::read(&result, self.limits.text_chars)
    }

    /// The same for who reads the answer's data: that, as [`tool_answer::data`] finds it, beside the text.
    ///
    /// # Errors
    /// As [`Server::call`].
    pub async fn call_for_data(
        &self,
        tool: &str,
        arguments: Value,
        meta: Map<String, Value>,
    ) -> Result<(ToolAnswer, Value), RemoteError> {
        let result = self.called(tool, arguments, meta, None).await?;
        Ok((ToolAnswer::read(&result, self.limits.text_chars)?, tool_answer::data(&result)))
    }

    async fn called(
        &self,
        tool: &str,
        arguments: Value,
        meta: Map<String, Value>,
        progress: Option<&Progress<'_>>,
    ) -> Result<Value, RemoteError> {
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => return Err(RpcError::invalid_params("The arguments are no object").into()),
        };
        let known = self.mirrored.borrow().get(tool).cloned();
        let headers = mirror::headers(&known.unwrap_or_default(), &arguments);
        let mut params = Map::new();
        params.insert("name".into(), tool.into());
        params.insert("arguments".into(), arguments.into());
        params.insert("_meta".into(), meta.into());
        let beside = Beside::with(progress);
        let called = self.meanwhile(self.asked(tool, params, headers, &beside), &beside);
        within(&*self.timer, self.limits.call_ms, called).await?
    }

    /// Ends the session, where there is one. Nobody waits for what the server says to it.
    pub async fn close(&self) {
        let spoken = self.spoken.take();
        if let Some(session) = spoken.and_then(|spoken| spoken.session) {
            self.end_session(&session).await;
        }
    }

    /// A call, and the rounds in which the server asks the person (2026-07-28, basic/patterns/mrtr).
    async fn asked(
        &self,
        tool: &str,
        mut params: Map<String, Value>,
        headers: Vec<(String, String)>,
        beside: &Beside<'_>,
    ) -> Result<Value, RemoteError> {
        for _ in 0..=self.limits.rounds {
            let request = self.request("tools/call", Some(tool), params.clone(), headers.clone(), beside);
            let result = request.await?;
            match result["resultType"].as_str() {
                None | Some("complete") => return Ok(result),
                Some("input_required") => {}
                Some(other) => {
                    return Err(RemoteError::Unsupported(format!(
                        "a result of type {:?}",
                        words::plain(other)
                    )));
                }
            }
            params.remove("requestState");
            params.remove("inputResponses");
            if let Some(state) = result.get("requestState") {
                params.insert("requestState".into(), state.clone());
            }
            let requests = result["inputRequests"].as_object().cloned().unwrap_or_default();
            if requests.is_empty() && !params.contains_key("requestState") {
                return Err(RemoteError::NotMcp("it wants input and does not say which".into()));
            }
            beside.count_questions(requests.len(), &self.limits)?;
            let mut answers = Map::new();
            for (key, request) in requests {
                let answered = match &self.person {
                    Some(person) => person::answer(&**person, &request).await,
                    None => None,
                };
                let what = words::plain(request["method"].as_str().unwrap_or("input"));
                answers.insert(key, answered.ok_or(RemoteError::Unsupported(what))?);
            }
            if !answers.is_empty() {
                params.insert("inputResponses".into(), answers.into());
            }
        }
        Err(RemoteError::TooMuch("questions to one call"))
    }

    /// A tool that is offered: it keeps the rules, and there is room.
    fn taken(
        &self,
        tool: &Value,
        known: &BTreeMap<String, Vec<(String, String)>>,
        count: usize,
    ) -> Option<(ToolDef, Vec<(String, String)>)> {
        // The cheap question first: of a list of a hundred thousand only these are read.
        if count >= self.limits.tools || tool.to_string().len() > self.limits.tool_bytes {
            return None;
        }
        let mut tool = tool.clone();
        // Some servers say what they do not have.
        if let Value::Object(fields) = &mut tool {
            fields.retain(|_, value| !value.is_null());
        }
        let tool: ToolDef = serde_json::from_value(tool).ok()?;
        let has_name = !tool.name.is_empty() && tool.name.len() <= 128 && !known.contains_key(&tool.name);
        let is_object = tool.input_schema["type"] == "object";
        let headers = mirror::mirrored(&tool.input_schema)?;
        (has_name && is_object).then_some((tool, headers))
    }
}
