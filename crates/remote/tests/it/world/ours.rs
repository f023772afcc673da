//! Honest servers: our own protocol core behind axum, as `satchel mcp --http` has it, and the same as it was before the
//! newest revision.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use axum::body::{self, Body};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use conformance::Fixtures;
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use mcp::{Host, RpcError, Runtime, Stop, ToolCallIn, ToolCallOut, ToolDef};

/// A host with nothing of its own behind the fixtures.
struct Nothing;

#[async_trait(?Send)]
impl Host for Nothing {
    fn tools(&self) -> &[ToolDef] {
        &[]
    }

    async fn call_tool(&self, call: ToolCallIn) -> Result<ToolCallOut, Stop> {
        Err(RpcError::invalid_params(format!("Unknown tool: {}", call.name)).into())
    }
}

/// Keeps sessions in memory.
#[derive(Default)]
struct Memory {
    kept: RefCell<BTreeMap<String, Vec<u8>>>,
    counter: Cell<u32>,
}

#[async_trait(?Send)]
impl Runtime for Memory {
    fn now_ms(&self) -> i64 {
        1_800_000_000_000
    }

    fn timestamp(&self, at_ms: i64) -> String {
        at_ms.to_string()
    }

    fn random(&self) -> String {
        self.counter.set(self.counter.get() + 1);
        format!("{:032x}", self.counter.get())
    }

    fn detach(&self, work: LocalBoxFuture<'static, ()>) {
        tokio::task::spawn_local(work);
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        Ok(self.kept.borrow().get(name).cloned())
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.kept.borrow_mut().insert(name.to_owned(), bytes.to_owned());
        Ok(())
    }

    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        Ok(self.kept.borrow().keys().filter(|name| name.starts_with(prefix)).cloned().collect())
    }

    async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.kept.borrow_mut().remove(name);
        Ok(())
    }
}

/// The fixtures of the conformance suite, ten tools a page; its address.
pub async fn fixtures() -> String {
    let make = || async {
        let info = mcp::ServerInfo {
            name: "honest".into(),
            title: "An honest server".into(),
            version: "1".into(),
            instructions: String::new(),
        };
        let sleep = |ms| tokio::time::sleep(Duration::from_millis(ms)).boxed_local();
        let host = Fixtures::over(Nothing, Box::new(sleep));
        Ok::<_, String>(mcp::Server::new(info, host).with_page_size(10).with_runtime(Memory::default()))
    };
    serve(local::Handle::start(make).await.unwrap()).await
}

/// What `satchel mcp --http` serves, over a folder.
pub async fn satchel(folder: &std::path::Path) -> String {
    let folder = folder.to_owned();
    let make = move || async move { local::open_for_programs(&folder).await };
    serve(local::Handle::start(make).await.unwrap()).await
}

async fn serve(handle: local::Handle) -> String {
    let any = "127.0.0.1:0".parse().unwrap();
    let running = local::http(handle, any, local::Policy::default()).await.unwrap();
    format!("http://{}/mcp", running.local_addr())
}

/// The same server as it was before there was a revision without a handshake; its address.
pub async fn grown_old(url: String) -> String {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let app = axum::Router::new().fallback(pass).with_state((http, url));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}/mcp")
}

async fn pass(State((http, url)): State<(reqwest::Client, String)>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    if parts.headers.get("mcp-protocol-version").is_some_and(|version| version == "2026-07-28") {
        return (StatusCode::BAD_REQUEST, "Bad Request: Unsupported protocol version").into_response();
    }
    parts.headers.remove(header::HOST);
    let body = body::to_bytes(body, usize::MAX).await.unwrap();
    let outgoing = http.request(parts.method, url).headers(parts.headers).body(body);
    let answer = outgoing.send().await.unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let mut response = Response::new(Body::new(reqwest::Body::from(answer)));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response.headers_mut().remove(header::TRANSFER_ENCODING);
    response
}
