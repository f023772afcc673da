//! One request of a program: looked at, perhaps asked about, passed on to the worker, answered.

use std::rc::Rc;

use futures::StreamExt;
use llm::{Headers, HttpRequest, HttpResponse, Transport};
use protocol::ToolSpec;
use serde_json::{Value, json};

use super::review::{self, Refusals, Verdict};
use super::wire::{Answers, NobodyWaits, Request};
use super::{Outcome, Relay, RelayedCallHandle};
use crate::external::{Answered, Call, Who};
use crate::model::FetchTransport;
use crate::toolbox::{CallError, Toolbox};
use crate::{clock, i18n};

/// The worker.
const ENDPOINT: &str = "api/mcp";

/// The headers of an answer that a program hears of.
const HEADERS: [&str; 5] = ["content-type", "cache-control", "mcp-session-id", "x-accel-buffering", "allow"];

/// How often the worker is asked: the browser starts a stopped one again once for a request, not twice. What writes has
/// its key, so it is not done twice.
const TRIES: u32 = 4;

/// What is read of an answer that has to be looked at, in bytes. The gateway passes on no more of any.
const MOST_BYTES: usize = 16 << 20;

/// What is remembered of an answer, to say how it ended.
const REMEMBERED_BYTES: usize = 1 << 20;

/// What a request needs.
pub(super) struct Server {
    pub(super) relay: Relay,
    pub(super) toolbox: Rc<Toolbox>,
    pub(super) answers: Answers,
    /// Names the pairing in keys.
    pub(super) pairing: String,
}

/// What is to be done about the messages of a body.
#[derive(Default)]
struct Plan {
    /// They go on.
    pass: Vec<Value>,
    /// They are answered here.
    answered: Vec<Value>,
    /// What the person is shown of those that go on.
    seen: Vec<RelayedCallHandle>,
}

impl Server {
    /// Answers a request to its end.
    pub(super) async fn serve(&self, request: Request) {
        let id = request.id;
        let served = match review::messages(&request.body) {
            // A session's stream, and its end, have no body.
            _ if request.method != "POST" => self.pass_on(request, Vec::new(), false).await,
            Some((messages, is_batch)) => self.decide(request, messages, is_batch).await,
            // What we cannot read, the worker might: it is not passed on.
            None => self.say(id, 400, &review::error(None, -32700, "Not JSON")).await,
        };
        if served.is_err() {
            // Nobody waits, or we cannot go on: then the program had better know.
            let _ = self.answers.cut(id).await;
        }
    }

    async fn decide(
        &self,
        request: Request,
        messages: Vec<Value>,
        is_batch: bool,
    ) -> Result<(), NobodyWaits> {
        let Ok(tools) = self.relay.tools(&self.toolbox).await else {
            return self.say(request.id, 503, &review::error(None, -32603, i18n::TOOLS_NOT_THERE)).await;
        };
        let mut plan = Plan::default();
        let lists = messages.iter().any(review::lists_tools);
        for (place, message) in messages.into_iter().enumerate() {
            let key = format!("relay:{}:{}:{place}", self.pairing, request.id);
            self.judge(&mut plan, message, &tools, &key).await;
        }
        let Plan { pass, answered, seen } = plan;
        if pass.is_empty() {
            return match (answered.as_slice(), is_batch) {
                ([], _) => self.say_nothing(request.id).await,
                ([answer], false) => {
                    // As the worker does it: only what is no message at all is an error of HTTP.
                    let is_none = answer.pointer("/error/code").is_some_and(|code| *code == -32600);
                    self.say(request.id, if is_none { 400 } else { 200 }, answer).await
                }
                (answers, _) => self.say(request.id, 200, &json!(answers)).await,
            };
        }
        let body = if is_batch { json!(pass).to_string() } else { pass[0].to_string() };
        let request = Request { body, ..request };
        if lists || !answered.is_empty() {
            self.pass_on_whole(request, answered, seen, &tools).await
        } else {
            self.pass_on(request, seen, !is_batch).await
        }
    }

    async fn judge(&self, plan: &mut Plan, message: Value, tools: &[ToolSpec], key: &str) {
        let read_only = i18n::relay_read_only();
        let words = Refusals { read_only: &read_only };
        let remembers = self.toolbox.remembers();
        match review::judge(message, tools, self.relay.mode(), key, remembers, words) {
            Verdict::Nothing => {}
            Verdict::Pass { message, what } => {
                plan.seen
                    .extend(what.map(|what| self.relay.see(&i18n::relay_request(&what), Outcome::Running)));
                plan.pass.push(message);
            }
            Verdict::Answer { answer, refused } => {
                if let Some(title) = refused {
                    self.relay.see(&title, Outcome::ReadOnly).ends(Outcome::ReadOnly);
                }
                plan.answered.push(answer);
            }
            Verdict::Ask { call, message } => {
                let seen = self.relay.see(&call.title, Outcome::Waiting);
                match self.ask(call).await {
                    Ok(()) => {
                        seen.becomes(Outcome::Running);
                        plan.seen.push(seen);
                        plan.pass.push(message);
                    }
                    Err((outcome, words)) => {
                        seen.ends(outcome);
                        plan.answered.push(review::refusal(&message, &words));
                    }
                }
            }
        }
    }

    /// Whether the person allows a call; if not, how it ended and what the model is told.
    async fn ask(&self, call: Call) -> Result<(), (Outcome, String)> {
        let answered = self.relay.external.ask(Who::Program, call).await;
        let outcome = match &answered {
            Answered::Allowed => Outcome::Running,
            Answered::Denied => Outcome::Denied,
            Answered::NotInTime => Outcome::NotInTime,
            Answered::Impossible(_) => Outcome::Failed,
        };
        answered.words().map_or(Ok(()), |words| Err((outcome, words)))
    }

    /// The worker's answer, piece by piece.
    async fn pass_on(
        &self,
        request: Request,
        seen: Vec<RelayedCallHandle>,
        is_one: bool,
    ) -> Result<(), NobodyWaits> {
        let id = request.id;
        let Some(mut answer) = fetch(request).await else { return self.say_unreachable(id, seen).await };
        self.answers.head(id, answer.status, &passed_on(&answer.headers)).await?;
        let mut remembered = Vec::new();
        while let Some(part) = answer.body.next().await {
            let Ok(part) = part else {
                end(seen, Outcome::Failed);
                return Err(NobodyWaits);
            };
            if remembered.len() + part.len() <= REMEMBERED_BYTES {
                remembered.extend(&part);
            }
            self.answers.bytes(id, &part).await?;
        }
        let failed =
            answer.status >= 400 || (is_one && review::is_failure(&String::from_utf8_lossy(&remembered)));
        end(seen, if failed { Outcome::Failed } else { Outcome::Done });
        self.answers.end(id).await
    }

    /// The worker's answer, once it is whole and changed: without tools of our own, with answers of our own.
    async fn pass_on_whole(
        &self,
        request: Request,
        answered: Vec<Value>,
        seen: Vec<RelayedCallHandle>,
        tools: &[ToolSpec],
    ) -> Result<(), NobodyWaits> {
        let id = request.id;
        let Some(mut answer) = fetch(request).await else { return self.say_unreachable(id, seen).await };
        let mut whole = Vec::new();
        while let Some(part) = answer.body.next().await {
            whole.extend(part.map_err(|_| NobodyWaits)?);
            if whole.len() > MOST_BYTES {
                return Err(NobodyWaits);
            }
        }
        end(seen, if answer.status >= 400 { Outcome::Failed } else { Outcome::Done });
        let mut body = match serde_json::from_slice(&whole) {
            Ok(body) => review::without_our_own(body, tools),
            // Notifications alone have no answer.
            Err(_) if whole.is_empty() => json!([]),
            Err(_) => return self.say(id, 502, &review::error(None, -32603, i18n::TOOLS_UNREADABLE)).await,
        };
        // A batch that is refused as a whole is one error, and stays it.
        if let Value::Array(answers) = &mut body {
            answers.extend(answered);
            answer.status = 200;
        }
        let mut headers = passed_on(&answer.headers);
        headers.retain(|(name, _)| name != "content-type");
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
        self.answers.head(id, answer.status, &headers).await?;
        self.answers.bytes(id, body.to_string().as_bytes()).await?;
        self.answers.end(id).await
    }

    async fn say(&self, id: u64, status: u16, body: &Value) -> Result<(), NobodyWaits> {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        self.answers.head(id, status, &headers).await?;
        self.answers.bytes(id, body.to_string().as_bytes()).await?;
        self.answers.end(id).await
    }

    async fn say_nothing(&self, id: u64) -> Result<(), NobodyWaits> {
        self.answers.head(id, 202, &Vec::new()).await?;
        self.answers.end(id).await
    }

    async fn say_unreachable(&self, id: u64, seen: Vec<RelayedCallHandle>) -> Result<(), NobodyWaits> {
        // The worker may have taken a call up before it was lost, and who asks again asks under another key.
        let words = if seen.is_empty() {
            i18n::TOOLS_NOT_THERE.to_owned()
        } else {
            CallError::NoAnswer(i18n::TOOLS_NOT_THERE.to_owned()).told()
        };
        end(seen, Outcome::Failed);
        self.say(id, 503, &review::error(None, -32603, &words)).await
    }
}

fn end(seen: Vec<RelayedCallHandle>, outcome: Outcome) {
    seen.into_iter().for_each(|seen| seen.ends(outcome));
}

/// Asks the worker. None when it cannot be reached. Dropping the answer gives the request up.
async fn fetch(request: Request) -> Option<HttpResponse> {
    let Request { method, headers, body, .. } = request;
    let request = HttpRequest { method, url: ENDPOINT.to_owned(), headers, body: body.into_bytes() };
    for _ in 0..TRIES {
        if let Ok(answer) = FetchTransport.send(request.clone()).await {
            return Some(answer);
        }
        clock::sleep(20).await;
    }
    None
}

fn passed_on(headers: &Headers) -> Headers {
    headers.iter().filter(|(name, _)| HEADERS.contains(&name.as_str())).cloned().collect()
}
