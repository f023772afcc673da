//! MCP over HTTP on this machine, at `/mcp`.
//!
//! Only what names this machine as its host, and comes from no page or from one of this machine, is looked at ([`Guard`]).

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::{self, Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use mcp::{Events, Headers, HttpIn};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use crate::guard::Guard;
use crate::thread::{Answer, Content, Handle};

/// The largest body that any tool takes, and a byte: the server says which is too large for what.
const MOST_BYTES: usize = 64 * 1024 * 1024 + 1;

/// A stream that has nothing to say says so this often, so that nothing between us ends it.
const ALIVE: Duration = Duration::from_secs(15);

/// Who may call beside programs that send no `Origin` and pages of this machine.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Origins beside this machine's own, like `https://inspector.example`.
    pub origins: Vec<String>,
}

/// A server that listens.
pub struct Running {
    address: SocketAddr,
    server: Handle,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<std::io::Result<()>>,
}

impl Running {
    /// The address it listens on, with the port that the system chose where any was asked for.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` resolves.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn until(mut self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        tokio::select! {
            () = stop => {
                if let Some(stop) = self.stop.take() {
                    // One that has ended waits for nothing.
                    stop.send(()).ok();
                }
                // Streams that are listened to have no end of their own, and their clients are told it
                // (2026-07-28, basic/patterns/subscriptions).
                self.server.end_streams();
                // What has not ended by then is cut off with the process.
                drop(tokio::time::timeout(Duration::from_secs(2), &mut self.task).await);
                Ok(())
            }
            ended = &mut self.task => ended.unwrap_or_else(|error| Err(std::io::Error::other(error))),
        }
    }
}

#[derive(Clone)]
struct App {
    server: Handle,
    guard: Guard,
}

/// Serves on an address; port 0 takes any free one.
///
/// # Errors
/// When the address cannot be had.
pub async fn http(server: Handle, address: SocketAddr, policy: Policy) -> std::io::Result<Running> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let guard = Guard { origins: policy.origins.clone(), admits_own_pages: true, ..Guard::default() };
    let app = Router::new()
        .route("/mcp", axum::routing::any(answer))
        .layer(cross_origin(&policy))
        .with_state(App { server: server.clone(), guard });
    let (stop, stopped) = oneshot::channel::<()>();
    let task = tokio::spawn(async move {
        let stopped = async {
            // A handle that is dropped does not stop it.
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        axum::serve(listener, app).with_graceful_shutdown(stopped).await
    });
    Ok(Running { address, server, stop: Some(stop), task })
}

/// Lets pages of the origins that were named read our answers. A page of this machine on another port is not named by
/// being there: whatever it loads could read the to-dos.
fn cross_origin(policy: &Policy) -> CorsLayer {
    // Everybody is nobody in particular: such an origin is never sent, so it admits none.
    let named = policy.origins.iter().filter(|origin| *origin != "*");
    let origins = named.filter_map(|origin| HeaderValue::from_str(origin).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([header::HeaderName::from_static("mcp-session-id")])
}

async fn answer(State(App { server, guard }): State<App>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !guard.admits(&parts.headers) {
        return refuse(StatusCode::FORBIDDEN, "This host or origin may not use the server");
    }
    let Ok(body) = body::to_bytes(body, MOST_BYTES).await else {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large");
    };
    let headers: Headers = parts
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap_or_default()))
        .collect();
    let request = HttpIn { method: parts.method.as_str().to_owned(), headers, body: body.into() };
    match server.answer(request).await {
        Some(answer) => respond(answer),
        None => refuse(StatusCode::SERVICE_UNAVAILABLE, "The server is stopping"),
    }
}

fn refuse(status: StatusCode, message: &str) -> Response {
    let error = serde_json::json!({ "code": -32600, "message": message });
    let body = serde_json::json!({ "jsonrpc": "2.0", "error": error }).to_string();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

fn respond(Answer { status, headers, body }: Answer) -> Response {
    let body = match body {
        Content::Whole(bytes) => Body::from(bytes),
        Content::Events(events) => Body::from_stream(stream::unfold(events, next)),
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in headers.iter() {
        if let (Ok(name), Ok(value)) = (header::HeaderName::try_from(name), value.parse()) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

type Piece = Result<Bytes, std::convert::Infallible>;

async fn next(mut events: mpsc::Receiver<String>) -> Option<(Piece, mpsc::Receiver<String>)> {
    let text = match tokio::time::timeout(ALIVE, events.recv()).await {
        Ok(message) => Events::frame(&message?),
        // A comment, which readers skip.
        Err(_) => ":\n\n".to_owned(),
    };
    Some((Ok(Bytes::from(text)), events))
}
