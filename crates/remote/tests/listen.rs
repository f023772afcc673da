//! Servers with sessions that ask the person on their own stream (2025-11-25), over real HTTP.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod native;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use futures::StreamExt;
use mcp::Filled;
use native::{Clock, Http};
use remote::{Address, Fixed, Person, Server};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

/// What the server does when it is asked for its own stream.
#[derive(Clone, Copy, PartialEq)]
enum Ear {
    /// Asks for a name as soon as a call is made.
    Asks,
    /// Has none.
    None,
    /// Says nothing at all, not even that it heard.
    Stalls,
}

struct World {
    ear: Ear,
    asked_for: AtomicUsize,
    called: Notify,
    answered: Notify,
}

async fn post(State(world): State<Arc<World>>, body: Bytes) -> Response {
    let message: Value = serde_json::from_slice(&body).expect("JSON");
    let answer = |result: Value| Json(json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
    match message["method"].as_str() {
        Some("initialize") => {
            let about = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} }, "serverInfo": { "name": "s" } });
            ([("mcp-session-id", "one")], answer(about)).into_response()
        }
        Some("tools/call") => {
            if world.ear == Ear::Asks {
                world.called.notify_one();
                world.answered.notified().await;
            }
            answer(json!({ "content": [{ "type": "text", "text": "done" }] })).into_response()
        }
        Some("server/discover") => StatusCode::BAD_REQUEST.into_response(),
        Some(_) => StatusCode::ACCEPTED.into_response(),
        None => {
            assert_eq!(message["id"], "q1");
            assert_eq!(message["result"], json!({ "action": "accept", "content": { "name": "Ada" } }));
            world.answered.notify_one();
            StatusCode::ACCEPTED.into_response()
        }
    }
}

async fn ear(State(world): State<Arc<World>>) -> Response {
    world.asked_for.fetch_add(1, Ordering::SeqCst);
    match world.ear {
        Ear::None => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        Ear::Stalls => futures::future::pending().await,
        Ear::Asks => {
            let question = json!({
                "jsonrpc": "2.0", "id": "q1", "method": "elicitation/create",
                "params": { "message": "Who?", "requestedSchema": { "type": "object", "properties": {} } },
            });
            let asks = futures::stream::once(async move {
                world.called.notified().await;
                Ok::<_, std::io::Error>(format!("data: {question}\n\n"))
            });
            let open = futures::stream::iter([Ok(": open\n\n".to_owned())]);
            let body = Body::from_stream(open.chain(asks).chain(futures::stream::pending()));
            ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
        }
    }
}

async fn serve(ear_is: Ear) -> (Server, Arc<World>) {
    let world =
        Arc::new(World { ear: ear_is, asked_for: 0.into(), called: Notify::new(), answered: Notify::new() });
    let app = Router::new().route("/mcp", get(ear).post(post)).with_state(Arc::clone(&world));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, app).await });
    let address = Address::parse(&address).expect("an address");
    let http = Rc::new(Http::new().expect("a client"));
    let server = Server::new(address, http, Rc::new(Clock), Rc::new(Fixed(None))).with_person(Rc::new(Ada));
    (server, world)
}

struct Ada;

#[async_trait(?Send)]
impl Person for Ada {
    async fn fill(&self, message: &str, _schema: &Value) -> Filled {
        assert_eq!(message, "Who?");
        Filled::Accepted(Map::from_iter([("name".to_owned(), json!("Ada"))]))
    }
}

async fn call(server: &Server) -> String {
    let called = server.call("ask", json!({}), Map::new(), None);
    let said = tokio::time::timeout(Duration::from_secs(20), called).await.expect("it came to an end");
    said.expect("an answer").text
}

#[tokio::test]
async fn a_question_on_the_servers_own_stream_is_answered_during_a_call() {
    let (server, world) = serve(Ear::Asks).await;
    assert_eq!(call(&server).await, "done");
    assert_eq!(call(&server).await, "done");
    assert_eq!(world.asked_for.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_server_without_a_stream_is_asked_for_it_once() {
    let (server, world) = serve(Ear::None).await;
    for _ in 0..3 {
        assert_eq!(call(&server).await, "done");
    }
    assert_eq!(world.asked_for.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_server_that_stalls_holds_a_call_up_for_a_moment_only() {
    let (server, _) = serve(Ear::Stalls).await;
    let begun = std::time::Instant::now();
    assert_eq!(call(&server).await, "done");
    assert!(begun.elapsed() < Duration::from_secs(10));
}
