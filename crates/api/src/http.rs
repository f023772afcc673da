//! The routes: from a request to an owner's answer and back. Whatever a request is, it gets an answer that says what is wrong with it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures::{FutureExt, StreamExt, stream};
use local::Guard;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::cursor::Cursor;
use crate::engine::Engine;
use crate::kept::Ask;
use crate::openapi;
use crate::options::Limits;
use crate::passing::{Asked, Passing};
use crate::problem::{Code, Refusal};
use crate::tokens::{Caller, Scope, Tokens};
use crate::wire::{LONGEST_MESSAGE, NewAnswer, NewMessage, NewSession};

/// A stream that has nothing to say says so this often, so that nothing between us ends it.
const ALIVE: Duration = Duration::from_secs(15);

/// What it says then: a comment, in front of the next event. Alone between empty lines some clients take it for an event.
const ALIVE_LINE: &str = ":\n";

/// How much of a body that is too large is still read, so that its sender gets to read the answer.
const READ_ON: usize = 16 * 1024 * 1024;

/// The longest idempotency key, in bytes.
const LONGEST_KEY: usize = 255;

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// What every request needs.
#[derive(Clone)]
pub(crate) struct App {
    pub engine: Engine,
    pub tokens: Arc<Tokens>,
    pub limits: Limits,
    /// The streams that each owner may still read, by their places.
    pub streams: Arc<[Arc<Semaphore>]>,
    /// True once the server stops: streams end then.
    pub stopping: watch::Receiver<bool>,
    /// The way to other processes, where owners are shared with them.
    pub passing: Option<Arc<Passing>>,
}

/// All routes, behind the guard.
pub(crate) fn routes(app: App, guard: Guard, origins: &[String]) -> Router {
    let router = Router::new()
        .route("/v1/openapi.json", get(describe))
        .route("/v1/sessions", get(list).post(create))
        .route("/v1/sessions/{session}", get(detail).delete(delete))
        .route("/v1/sessions/{session}/messages", post(say))
        .route("/v1/sessions/{session}/retry", post(retry))
        .route("/v1/sessions/{session}/events", get(events))
        .route("/v1/sessions/{session}/answers", post(answer))
        .method_not_allowed_fallback(|| async {
            Refusal::new(Code::MethodNotAllowed, "GET /v1/openapi.json says which methods there are.")
        })
        .fallback(|| async {
            Refusal::new(Code::NotFound, "GET /v1/openapi.json says which addresses there are.")
        })
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .with_state(app.clone())
        .layer(middleware::from_fn_with_state(app, where_it_is))
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            let guard = guard.clone();
            async move { guarded(&guard, request, next).await }
        }));
    // An origin of nobody in particular would be everybody's.
    let named: Vec<HeaderValue> =
        origins.iter().filter(|origin| *origin != "*").filter_map(|origin| origin.parse().ok()).collect();
    if named.is_empty() {
        return router;
    }
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::list(named))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, IDEMPOTENCY_KEY, LAST_EVENT_ID])
        .expose_headers([header::RETRY_AFTER]);
    router.layer(cors)
}

async fn guarded(guard: &Guard, request: Request, next: Next) -> Response {
    let mut response = if guard.admits(request.headers()) {
        next.run(request).await
    } else {
        let refusal = Refusal::new(
            Code::Forbidden,
            "This host name or origin may not use the server. Name it with --host-name or --origin.",
        );
        refusal.into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Has a request answered by whoever has its owner.
async fn where_it_is(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(passing) = app.passing.clone() else { return next.run(request).await };
    let is_owners = request.uri().path().starts_with("/v1/sessions");
    // Whose token is nobody's is told so here.
    let Some(caller) = app.caller(request.headers()).filter(|_| is_owners) else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    match app.bytes(&parts.headers, body).await {
        Ok(body) => passing.answer(Asked { parts, body, owner: caller.owner }, next).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Whether requests may be sent here.
async fn ready(State(app): State<App>) -> Response {
    let is_ready = app.passing.as_ref().is_none_or(|passing| passing.gates.cluster.is_ready());
    if is_ready && !*app.stopping.borrow() {
        return "ready\n".into_response();
    }
    Refusal::new(Code::Stopping, "This server takes no requests now: it stops, or does not reach NATS.")
        .after(1)
        .into_response()
}

type Answer = Result<Response, Refusal>;
type Named = Result<Path<String>, PathRejection>;

async fn describe() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, openapi::text()).into_response()
}

async fn list(State(app): State<App>, headers: HeaderMap) -> Answer {
    let owner = app.may(&headers, Scope::SessionsRead)?.owner;
    let sessions = app.engine.ask(owner, |owner| async move { owner.list().await }.boxed_local()).await?;
    Ok(json(StatusCode::OK, &sessions))
}

async fn create(State(app): State<App>, headers: HeaderMap, body: Body) -> Answer {
    let owner = app.may(&headers, Scope::SessionsWrite)?.owner;
    let key = given_key(&headers)?;
    let new: NewSession = app.body(&headers, body).await?;
    let session =
        app.engine.ask(owner, |owner| async move { owner.create(new, key).await }.boxed_local()).await??;
    let mut response = json(StatusCode::CREATED, &session);
    if let Ok(address) = format!("/v1/sessions/{}", session.id).parse() {
        response.headers_mut().insert(header::LOCATION, address);
    }
    Ok(response)
}

async fn detail(State(app): State<App>, name: Named, headers: HeaderMap) -> Answer {
    let (owner, name) = (app.may(&headers, Scope::SessionsRead)?.owner, named(name)?);
    let found =
        app.engine.ask(owner, |owner| async move { owner.detail(&name).await }.boxed_local()).await??;
    Ok(json(StatusCode::OK, &found))
}

async fn delete(State(app): State<App>, name: Named, headers: HeaderMap) -> Answer {
    let (owner, name) = (app.may(&headers, Scope::SessionsWrite)?.owner, named(name)?);
    app.engine.ask(owner, |owner| async move { owner.delete(&name).await }.boxed_local()).await??;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn say(State(app): State<App>, name: Named, headers: HeaderMap, body: Body) -> Answer {
    let caller = app.may(&headers, Scope::MessagesWrite)?;
    let message: NewMessage = app.body(&headers, body).await?;
    if message.text.trim().is_empty() {
        return Err(Refusal::new(Code::InvalidFields, "`text` is empty. Say something."));
    }
    let most = LONGEST_MESSAGE;
    if message.text.chars().count() > most {
        return Err(Refusal::new(Code::InvalidFields, format!("`text` has more than {most} characters.")));
    }
    app.ask(caller, named(name)?, &headers, Ask::Say { text: message.text }).await
}

async fn retry(State(app): State<App>, name: Named, headers: HeaderMap) -> Answer {
    let caller = app.may(&headers, Scope::MessagesWrite)?;
    app.ask(caller, named(name)?, &headers, Ask::Retry).await
}

async fn events(State(app): State<App>, name: Named, headers: HeaderMap) -> Answer {
    let owner = app.may(&headers, Scope::SessionsRead)?.owner;
    let (name, at) = (named(name)?, last_event(&headers)?);
    let place = app.stream_place(owner)?;
    let found =
        app.engine.ask(owner, move |owner| async move { owner.events(&name, at).await }.boxed_local());
    Ok(match found.await?? {
        Some(frames) => app.stream(frames, place),
        // Nothing more comes: an `EventSource` stops asking at this.
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

async fn answer(State(app): State<App>, name: Named, headers: HeaderMap, body: Body) -> Answer {
    let owner = app.may(&headers, Scope::MessagesWrite)?.owner;
    let answer: NewAnswer = app.body(&headers, body).await?;
    let name = named(name)?;
    let answered =
        app.engine.ask(owner, |owner| async move { owner.answer(&name, answer).await }.boxed_local());
    Ok(json(StatusCode::OK, &answered.await??))
}

impl App {
    /// Whose token a request has.
    fn caller(&self, headers: &HeaderMap) -> Option<Caller> {
        let mut given = headers.get_all(header::AUTHORIZATION).iter();
        let token = given.next().and_then(|value| value.to_str().ok()).and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        token.filter(|_| given.next().is_none()).and_then(|token| self.tokens.caller(token))
    }

    /// The same for something that a token needs a scope for.
    fn may(&self, headers: &HeaderMap, scope: Scope) -> Result<Caller, Refusal> {
        let caller = self.caller(headers).ok_or_else(|| {
            Refusal::new(Code::Unauthorized, "Send `Authorization: Bearer …` with a token of this server.")
        })?;
        if caller.scopes.contains(&scope) {
            return Ok(caller);
        }
        let detail = format!("This token has not the scope `{}`.", scope.name());
        Err(Refusal::new(Code::InsufficientScope, detail))
    }

    /// A body of JSON as a type.
    async fn body<T: DeserializeOwned>(&self, headers: &HeaderMap, body: Body) -> Result<T, Refusal> {
        let kind =
            headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        // Before the kind is looked at: who sent too much reads of that.
        let bytes = self.bytes(headers, body).await?;
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Refusal::new(
                Code::UnsupportedMediaType,
                "Send the body as JSON, with `Content-Type: application/json`.",
            ));
        }
        // No body is no field.
        let bytes = if bytes.trim_ascii().is_empty() { Bytes::from_static(b"{}") } else { bytes };
        // A list would be read as an object's fields in their order.
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            return Err(Refusal::new(Code::InvalidFields, "The body has to be an object."));
        }
        serde_json::from_slice(&bytes).map_err(|error| {
            let code = if error.is_data() { Code::InvalidFields } else { Code::InvalidRequest };
            Refusal::new(code, format!("The body cannot be used: {error}."))
        })
    }

    async fn bytes(&self, headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
        let most = self.limits.body_bytes;
        let said = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        let said: u64 = said.and_then(|said| said.parse().ok()).unwrap_or_default();
        let mut pieces = body.into_data_stream();
        let (mut bytes, mut read) = (Vec::new(), 0_usize);
        let reading = async {
            while let Some(piece) = pieces.next().await {
                let piece = piece.map_err(|error| {
                    Refusal::new(Code::InvalidRequest, format!("The body broke off: {error}.")).closing()
                })?;
                read = read.saturating_add(piece.len());
                if read > READ_ON {
                    break;
                }
                // Too large is not kept, and read on for a while: closed at once its sender might not get to read why.
                if read <= most && said <= most as u64 {
                    bytes.extend_from_slice(&piece);
                }
            }
            Ok(())
        };
        let in_time = tokio::time::timeout(self.limits.patience, reading).await;
        if read > most || said > most as u64 {
            let detail = format!("A body has at most {most} bytes.");
            return Err(Refusal::new(Code::BodyTooLarge, detail).closing());
        }
        match in_time {
            Ok(done) => done.map(|()| bytes.into()),
            Err(_late) => {
                let seconds = self.limits.patience.as_secs();
                let detail = format!("The body was not here within {seconds} seconds.");
                Err(Refusal::new(Code::RequestTimeout, detail).closing())
            }
        }
    }

    async fn ask(&self, caller: Caller, name: String, headers: &HeaderMap, ask: Ask) -> Answer {
        let (key, at) = (idempotency_key(headers)?, last_event(headers)?);
        // Before it is taken: its answer could not be read.
        let place = self.stream_place(caller.owner)?;
        let rate = caller.rate.map(|most| (caller.token, most));
        let asked = move |owner: std::rc::Rc<crate::owner::Owner>| {
            async move { owner.ask(&name, &key, ask, at, rate).await }.boxed_local()
        };
        Ok(self.stream(self.engine.ask(caller.owner, asked).await??, place))
    }

    /// The right to one more stream; dropped with the stream it is another's.
    fn stream_place(&self, owner: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        let place = self.streams.get(owner).and_then(|streams| Arc::clone(streams).try_acquire_owned().ok());
        place.ok_or_else(|| {
            let most = self.limits.streams;
            let detail = format!("{most} streams of this token are read already. Close one.");
            Refusal::new(Code::TooManyStreams, detail).after(1)
        })
    }

    /// Events as they come. Whoever listens may go at any time.
    fn stream(&self, frames: mpsc::Receiver<String>, place: OwnedSemaphorePermit) -> Response {
        let start = stream::once(async { Ok::<_, Infallible>(Bytes::from_static(ALIVE_LINE.as_bytes())) });
        let frames = stream::unfold((frames, self.stopping.clone(), place), next_frame);
        let mut response = Response::new(Body::from_stream(start.chain(frames)));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        // A proxy between us is not to collect them.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}

type Frames = (mpsc::Receiver<String>, watch::Receiver<bool>, OwnedSemaphorePermit);

async fn next_frame(
    (mut frames, mut stopping, place): Frames,
) -> Option<(Result<Bytes, Infallible>, Frames)> {
    let frame = tokio::select! {
        frame = frames.recv() => frame?,
        // The client goes on with another process.
        () = async { drop(stopping.wait_for(|stops| *stops).await) } => return None,
        // A comment, which readers skip.
        () = tokio::time::sleep(ALIVE) => ALIVE_LINE.to_owned(),
    };
    Some((Ok(Bytes::from(frame)), (frames, stopping, place)))
}

fn named(name: Named) -> Result<String, Refusal> {
    name.map(|Path(name)| name).map_err(|_no_text| {
        Refusal::new(Code::InvalidRequest, "The session's name in the address is no text in UTF-8.")
    })
}

/// The idempotency key of a request; none where there is no such header.
fn given_key(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let mut given = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(first) = given.next() else { return Ok(None) };
    let key = first.to_str().map(str::trim).unwrap_or_default();
    if key.is_empty() || key.len() > LONGEST_KEY || given.next().is_some() {
        return Err(no_key());
    }
    Ok(Some(key.to_owned()))
}

fn idempotency_key(headers: &HeaderMap) -> Result<String, Refusal> {
    given_key(headers)?.ok_or_else(no_key)
}

fn no_key() -> Refusal {
    let detail = format!(
        "Send one `Idempotency-Key` of 1 to {LONGEST_KEY} characters of ASCII, a new one for each new message: sent again with \
         it, a message is answered once."
    );
    Refusal::new(Code::InvalidIdempotencyKey, detail)
}

fn last_event(headers: &HeaderMap) -> Result<Option<Cursor>, Refusal> {
    let Some(given) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let text = given.to_str().unwrap_or("?").trim();
    // An `EventSource` that has read nothing yet sends an empty one.
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_no_id| {
        Refusal::new(Code::InvalidRequest, "This `Last-Event-ID` is no id of an event of this server.")
    })
}

fn json<T: Serialize>(status: StatusCode, body: &T) -> Response {
    // What is told here has text as its keys, and no number that JSON does not know.
    let body = serde_json::to_vec(body).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
