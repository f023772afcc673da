//! One request and its answer: headers, token, stream, what the server asks in between, and where it went away.

use std::rc::Rc;

use llm::{Headers, HttpRequest, HttpResponse};
use mcp::{RpcError, code};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::handshake::Spoken;
use super::{Progress, Server};
use crate::person;
use crate::reply::{Reply, header, is_cut, within};
use crate::{Challenge, RemoteError};

/// How often a request is sent again with a better token.
const SIGN_INS: usize = 2;

impl Server {
    /// A request in the revision that the server speaks. Where its session is gone it gets another one: what a session
    /// did not know it did not do.
    pub(super) async fn request(
        &self,
        method: &str,
        name: Option<&str>,
        params: Map<String, Value>,
        headers: Headers,
        progress: Option<&Progress<'_>>,
    ) -> Result<Value, RemoteError> {
        let spoken = self.greeted().await?;
        if !spoken.is_legacy {
            return self.send_modern(method, name, params, &headers, progress).await;
        }
        let had_session = spoken.session.is_some();
        match self.send_legacy(&spoken, method, params.clone(), progress).await {
            Err(RemoteError::Status(404)) if had_session => {
                self.spoken.take();
                let spoken = self.greeted().await?;
                self.send_legacy(&spoken, method, params, progress).await
            }
            other => other,
        }
    }

    /// A request of the revision without a handshake.
    pub(super) async fn send_modern(
        &self,
        method: &str,
        name: Option<&str>,
        mut params: Map<String, Value>,
        headers: &[(String, String)],
        progress: Option<&Progress<'_>>,
    ) -> Result<Value, RemoteError> {
        let id = self.id();
        let meta = meta_of(&mut params, id, progress);
        let outgoing = self.client.request(id, method, name, params, meta);
        let mut all: Headers =
            outgoing.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        all.extend_from_slice(headers);
        let response = self.post(all, outgoing.body).await?;
        self.answer(response, id, None, progress).await
    }

    async fn send_legacy(
        &self,
        spoken: &Spoken,
        method: &str,
        mut params: Map<String, Value>,
        progress: Option<&Progress<'_>>,
    ) -> Result<Value, RemoteError> {
        let id = self.id();
        let meta = meta_of(&mut params, id, progress);
        if !meta.is_empty() {
            params.insert("_meta".into(), meta.into());
        }
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        let response = self.post(spoken.headers(), body).await?;
        self.answer(response, id, Some(spoken), progress).await
    }

    /// The handshake; its result, and the session where there is one.
    pub(super) async fn send_initialize(
        &self,
        params: Value,
    ) -> Result<(Value, Option<String>), RemoteError> {
        let id = self.id();
        let body =
            json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": params }).to_string();
        let response = self.post(plain_headers(), body).await?;
        let session = header(&response.headers, "mcp-session-id").map(str::to_owned);
        Ok((self.answer(response, id, None, None).await?, session))
    }

    /// A message that has no answer.
    pub(super) async fn notify(&self, spoken: &Spoken, method: &str) -> Result<(), RemoteError> {
        let body = json!({ "jsonrpc": "2.0", "method": method }).to_string();
        self.tell(spoken, body).await
    }

    pub(super) async fn end_session(&self, session: &str) {
        let mut headers = vec![("mcp-session-id".to_owned(), session.to_owned())];
        if let Ok(Some(token)) = self.authority.token().await {
            headers.push(bearer(&token));
        }
        let request =
            HttpRequest { method: "DELETE".into(), url: self.address.href(), headers, body: Vec::new() };
        let _ = within(&*self.timer, self.limits.start_ms, self.http.send(request)).await;
    }

    async fn tell(&self, spoken: &Spoken, body: String) -> Result<(), RemoteError> {
        let response = self.post(spoken.headers(), body).await?;
        if (200..300).contains(&response.status) { Ok(()) } else { Err(RemoteError::Status(response.status)) }
    }

    /// Sends a body, with the token; again with a better one where the server wants that.
    async fn post(&self, headers: Headers, body: String) -> Result<HttpResponse, RemoteError> {
        for again in 0..=SIGN_INS {
            let mut headers = headers.clone();
            if let Some(token) = self.authority.token().await? {
                headers.push(bearer(&token));
            }
            let body = body.clone().into_bytes();
            let request = HttpRequest { method: "POST".into(), url: self.address.href(), headers, body };
            let response = self.sent(request).await?;
            let Some(challenge) = challenge_in(&response) else { return Ok(response) };
            if again == SIGN_INS || !self.authority.refused(&challenge).await? {
                return Err(RemoteError::Unauthorized(challenge));
            }
        }
        Err(RemoteError::TooMuch("requests to sign in"))
    }

    async fn sent(&self, request: HttpRequest) -> Result<HttpResponse, RemoteError> {
        let sent = within(&*self.timer, self.limits.start_ms, self.http.send(request)).await?;
        sent.map_err(RemoteError::Unreachable)
    }

    /// The result in an answer. Messages for other requests are passed over: an answer that comes twice, or for
    /// nobody, is not an answer.
    async fn answer(
        &self,
        response: HttpResponse,
        id: u64,
        legacy: Option<&Spoken>,
        progress: Option<&Progress<'_>>,
    ) -> Result<Value, RemoteError> {
        let status = response.status;
        let mut reply = Reply::new(response, Rc::clone(&self.timer), self.limits);
        let mut resumes = 0;
        loop {
            let next = reply.next().await;
            let ended = match next {
                Ok(Some(message)) => {
                    if let Some(result) = result_in(&message, id, status) {
                        return result;
                    }
                    self.heard(&message, id, legacy, progress).await?;
                    continue;
                }
                Ok(None) => None,
                Err(error) if is_cut(&error) => Some(error),
                Err(RemoteError::NotMcp(_)) if !(200..300).contains(&status) => {
                    return Err(RemoteError::Status(status));
                }
                Err(error) => return Err(error),
            };
            if !(200..300).contains(&status) {
                return Err(RemoteError::Status(status));
            }
            let at = reply.resume_at().filter(|_| resumes < self.limits.resumes);
            let (Some(spoken), Some((event, wait_ms))) = (legacy, at) else {
                return Err(ended.unwrap_or_else(|| RemoteError::NotMcp("it ended without an answer".into())));
            };
            resumes += 1;
            self.timer.sleep(wait_ms.min(self.limits.start_ms)).await;
            reply = self.opened(spoken, Some(&event), self.limits).await?;
        }
    }

    /// Asks for a stream: one that broke off, from an event on (2025-11-25, basic/transports, "resumability"), or the
    /// server's own.
    pub(super) async fn get(
        &self,
        spoken: &Spoken,
        event: Option<&str>,
    ) -> Result<HttpResponse, RemoteError> {
        let mut headers = spoken.headers();
        headers.retain(|(name, _)| name != "content-type" && name != "accept");
        headers.push(("accept".to_owned(), "text/event-stream".to_owned()));
        headers.extend(event.map(|event| ("last-event-id".to_owned(), event.to_owned())));
        if let Some(token) = self.authority.token().await? {
            headers.push(bearer(&token));
        }
        let request =
            HttpRequest { method: "GET".into(), url: self.address.href(), headers, body: Vec::new() };
        self.sent(request).await
    }

    /// What a server says beside its answer: how far it is, or something it wants to know.
    pub(super) async fn heard(
        &self,
        message: &Value,
        id: u64,
        legacy: Option<&Spoken>,
        progress: Option<&Progress<'_>>,
    ) -> Result<(), RemoteError> {
        let params = &message["params"];
        match (message["method"].as_str(), message.get("id"), legacy, progress) {
            (Some("notifications/progress"), None, _, Some(progress)) if params["progressToken"] == id => {
                let sentence = params["message"].as_str().unwrap_or_default();
                progress(sentence, params["progress"].as_f64().unwrap_or(0.0), params["total"].as_f64());
                Ok(())
            }
            (Some(method), Some(asked), Some(spoken), _) if !asked.is_null() => {
                let answered = match (method, &self.person) {
                    ("ping", _) => Some(json!({})),
                    (_, Some(person)) => person::answer(&**person, message).await,
                    (_, None) => None,
                };
                let body = match answered {
                    Some(result) => json!({ "jsonrpc": "2.0", "id": asked, "result": result }),
                    None => {
                        let error = RpcError::new(code::METHOD_NOT_FOUND, "This client does not do that");
                        json!({ "jsonrpc": "2.0", "id": asked, "error": error })
                    }
                };
                self.tell(spoken, body.to_string()).await
            }
            _ => Ok(()),
        }
    }

    fn id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        id
    }
}

impl Spoken {
    fn headers(&self) -> Headers {
        let mut headers = plain_headers();
        headers.push(("mcp-protocol-version".to_owned(), self.welcome.revision.clone()));
        if let Some(session) = &self.session {
            headers.push(("mcp-session-id".to_owned(), session.clone()));
        }
        headers
    }
}

fn plain_headers() -> Headers {
    vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("accept".to_owned(), "application/json, text/event-stream".to_owned()),
    ]
}

fn bearer(token: &llm::Secret) -> (String, String) {
    ("authorization".to_owned(), format!("Bearer {}", token.expose()))
}

/// The `_meta` of a request, taken out of its parameters; with a token for progress where somebody listens.
fn meta_of(params: &mut Map<String, Value>, id: u64, progress: Option<&Progress<'_>>) -> Map<String, Value> {
    let mut meta = match params.remove("_meta") {
        Some(Value::Object(meta)) => meta,
        _ => Map::new(),
    };
    if progress.is_some() {
        meta.insert("progressToken".into(), id.into());
    }
    meta
}

/// The result or error for this request, where a message is that.
fn result_in(message: &Value, id: u64, status: u16) -> Option<Result<Value, RemoteError>> {
    #[derive(Deserialize)]
    struct Answer {
        jsonrpc: String,
        #[serde(default)]
        id: Value,
        result: Option<Value>,
        error: Option<RpcError>,
    }
    let answer = Answer::deserialize(message).ok().filter(|answer| answer.jsonrpc == "2.0")?;
    match (answer.result, answer.error) {
        (Some(result), None) if answer.id == id => Some(Ok(result)),
        // A request that could not be read has no id to be answered with; it is the only one in this exchange.
        (None, Some(error)) if answer.id == id || answer.id.is_null() => match status {
            404 if error.code != code::METHOD_NOT_FOUND => Some(Err(RemoteError::Status(404))),
            _ => Some(Err(RemoteError::Rpc(error))),
        },
        _ => None,
    }
}

/// What a response wants where it wants a token. A plain 403 is about something else.
fn challenge_in(response: &HttpResponse) -> Option<Challenge> {
    let wanted = header(&response.headers, "www-authenticate").map(str::to_owned);
    let is_challenge = response.status == 401 || (response.status == 403 && wanted.is_some());
    is_challenge.then_some(Challenge { status: response.status, header: wanted })
}
