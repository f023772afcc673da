//! One request and its answer: headers, token, stream, what the server asks in between, and where it went away.

use std::rc::Rc;

use llm::{Headers, HttpRequest, HttpResponse};
use mcp::{RpcError, code};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Server;
use super::beside::Beside;
use super::handshake::Spoken;
use crate::reply::{Reply, header, is_cut, within};
use crate::{Challenge, RemoteError, words};

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
        beside: &Beside<'_>,
    ) -> Result<Value, RemoteError> {
        let spoken = self.greeted().await?;
        if !spoken.is_legacy {
            return self.send_modern(method, name, params, &headers, beside).await;
        }
        let had_session = spoken.session.is_some();
        match self.send_legacy(&spoken, method, params.clone(), beside).await {
            Err(RemoteError::Status(404)) if had_session => {
                self.spoken.take();
                let spoken = self.greeted().await?;
                self.send_legacy(&spoken, method, params, beside).await
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
        beside: &Beside<'_>,
    ) -> Result<Value, RemoteError> {
        let id = self.id();
        let meta = meta_of(&mut params, id, beside);
        let outgoing = self.client.request(id, method, name, params, meta);
        let mut all: Headers =
            outgoing.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        all.extend_from_slice(headers);
        let response = self.post(all, outgoing.body).await?;
        self.answer(response, id, None, beside).await
    }

    async fn send_legacy(
        &self,
        spoken: &Spoken,
        method: &str,
        mut params: Map<String, Value>,
        beside: &Beside<'_>,
    ) -> Result<Value, RemoteError> {
        let id = self.id();
        let meta = meta_of(&mut params, id, beside);
        if !meta.is_empty() {
            params.insert("_meta".into(), meta.into());
        }
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        let response = self.post(spoken.headers(), body).await?;
        self.answer(response, id, Some(spoken), beside).await
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
        Ok((self.answer(response, id, None, &Beside::default()).await?, session))
    }

    /// A message that has no answer.
    pub(super) async fn notify(&self, spoken: &Spoken, method: &str) -> Result<(), RemoteError> {
        let body = json!({ "jsonrpc": "2.0", "method": method }).to_string();
        self.tell(spoken, body).await
    }

    pub(super) async fn end_session(&self, session: &str) {
        let headers = vec![("mcp-session-id".to_owned(), session.to_owned())];
        if let Ok(token) = self.token_provider.token().await {
            // A courtesy: a server forgets a session by itself.
            drop(self.sent("DELETE", headers, String::new(), token.as_ref()).await);
        }
    }

    pub(super) async fn tell(&self, spoken: &Spoken, body: String) -> Result<(), RemoteError> {
        let response = self.post(spoken.headers(), body).await?;
        if (200..300).contains(&response.status) { Ok(()) } else { Err(RemoteError::Status(response.status)) }
    }

    async fn post(&self, headers: Headers, body: String) -> Result<HttpResponse, RemoteError> {
        self.authorized("POST", headers, body).await
    }

    /// Asks for the server's own stream. Where the token is refused the call beside it renews it, not both at once.
    pub(super) async fn get(
        &self,
        spoken: &Spoken,
        event: Option<&str>,
    ) -> Result<HttpResponse, RemoteError> {
        let token = self.token_provider.token().await?;
        self.sent("GET", spoken.headers_to_listen(event), String::new(), token.as_ref()).await
    }

    /// Sends a request with the token; again with a better one where the server wants that.
    async fn authorized(
        &self,
        method: &str,
        headers: Headers,
        body: String,
    ) -> Result<HttpResponse, RemoteError> {
        for again in 0..=SIGN_INS {
            let token = self.token_provider.token().await?;
            let response = self.sent(method, headers.clone(), body.clone(), token.as_ref()).await?;
            let Some(challenge) = challenge_in(&response) else { return Ok(response) };
            if again == SIGN_INS || !self.token_provider.refused(&challenge, token.as_ref()).await? {
                return Err(RemoteError::Unauthorized(challenge));
            }
        }
        Err(RemoteError::TooMuch("requests to sign in"))
    }

    async fn sent(
        &self,
        method: &str,
        mut headers: Headers,
        body: String,
        token: Option<&llm::Secret>,
    ) -> Result<HttpResponse, RemoteError> {
        headers.extend(token.map(bearer));
        let (method, url, body) = (method.to_owned(), self.address.href(), body.into_bytes());
        let request = HttpRequest { method, url, headers, body };
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
        beside: &Beside<'_>,
    ) -> Result<Value, RemoteError> {
        let status = response.status;
        let mut reply = Reply::new(response, Rc::clone(&self.timer), self.limits);
        let (mut resumes, mut at) = (0, None);
        loop {
            let ended = match reply.next().await {
                Ok(Some(message)) => {
                    if let Some(result) = result_in(&message, id, status) {
                        return result;
                    }
                    self.heard(&message, id, legacy, beside).await?;
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
            let ended = ended.unwrap_or_else(|| RemoteError::NotMcp("it ended without an answer".into()));
            // One that broke off again before it said anything goes on from the same place.
            at = reply.resume_at().or(at);
            let (Some(spoken), Some((event, wait_ms))) = (legacy, &at) else { return Err(ended) };
            if resumes == self.limits.resumes {
                return Err(ended);
            }
            resumes += 1;
            self.timer.sleep((*wait_ms).min(self.limits.start_ms)).await;
            let resumed = self.authorized("GET", spoken.headers_to_listen(Some(event)), String::new()).await;
            // Not its status, nor what it wants: that is about the stream, and the call may have been carried out. Taken
            // for one about the call, a 404 would make the call again.
            let Some(response) = resumed.ok().filter(|response| response.status == 200) else {
                return Err(ended);
            };
            reply = Reply::new(response, Rc::clone(&self.timer), self.limits);
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

    /// Those that ask for a stream: one that broke off, from an event on (2025-11-25, basic/transports,
    /// "resumability"), or the server's own.
    fn headers_to_listen(&self, event: Option<&str>) -> Headers {
        let mut headers = self.headers();
        headers.retain(|(name, _)| name != "content-type" && name != "accept");
        headers.push(("accept".to_owned(), "text/event-stream".to_owned()));
        headers.extend(event.map(|event| ("last-event-id".to_owned(), event.to_owned())));
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
fn meta_of(params: &mut Map<String, Value>, id: u64, beside: &Beside<'_>) -> Map<String, Value> {
    let mut meta = match params.remove("_meta") {
        Some(Value::Object(meta)) => meta,
        _ => Map::new(),
    };
    if beside.progress.is_some() {
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
            _ => Some(Err(RemoteError::Rpc(RpcError { message: words::plain(&error.message), ..error }))),
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
