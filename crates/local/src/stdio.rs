//! MCP over standard input and output: one JSON-RPC message a line.
//!
//! The server knows HTTP only, so each line becomes a request with the headers that a client of its protocol version would send: what
//! they repeat is in the line itself, and the session is remembered here.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use futures::future::{AbortHandle, Abortable};
use mcp::{Body, Headers, Host, HttpIn, Server};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::task::{JoinSet, spawn_local};

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// What is remembered of the client.
#[derive(Default)]
struct Talk {
    session: Option<String>,
    /// Requests of the modern protocol that run: they are given up by their id, as HTTP's are by closing.
    running: Vec<(Value, AbortHandle)>,
}

/// Serves one client until its input ends. On a thread with a `LocalSet`.
///
/// # Errors
/// When input or output fail.
pub async fn stdio<H: Host + 'static>(
    server: Server<H>,
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin + 'static,
) -> io::Result<()> {
    let (lines, mut out) = mpsc::unbounded_channel::<String>();
    let writer = spawn_local(async move {
        while let Some(line) = out.recv().await {
            output.write_all(format!("{line}\n").as_bytes()).await?;
            output.flush().await?;
        }
        io::Result::Ok(())
    });
    let talk: Rc<RefCell<Talk>> = Rc::default();
    let watching = spawn_local(crate::watch(server.clone()));
    let mut work = JoinSet::new();
    // As bytes: a line that is no text is one bad message, and not the end.
    let mut input = BufReader::new(input).split(b'\n');
    while let Some(line) = input.next_segment().await? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let body: Value = serde_json::from_slice(&line).unwrap_or_default();
        if body["method"] == "notifications/cancelled" {
            give_up(&talk, &body["params"]["requestId"]);
        }
        // The handshake decides how the next line is read.
        let comes_first = body["method"] == "initialize";
        let one = serve(server.clone(), Rc::clone(&talk), line, body, lines.clone());
        if comes_first {
            one.await;
        } else {
            work.spawn_local(one);
        }
        while work.try_join_next().is_some() {}
    }
    // What was asked is answered before we go; what only listens is ended.
    let rest = async {
        loop {
            // Again and again: a stream that was asked for in the last line has not begun yet.
            server.end_streams();
            if let Ok(None) = tokio::time::timeout(Duration::from_millis(20), work.join_next()).await {
                return;
            }
        }
    };
    drop(tokio::time::timeout(Duration::from_secs(5), rest).await);
    work.abort_all();
    watching.abort();
    // Nobody comes back to it: kept, it would push out somebody else's.
    let session = talk.borrow_mut().session.take();
    if let Some(session) = session {
        let headers = Headers::new().with("mcp-session-id", &session);
        server.handle(HttpIn { method: "DELETE".into(), headers, body: Vec::new() }).await;
    }
    server.host().close().await;
    drop(lines);
    writer.await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

fn give_up(talk: &RefCell<Talk>, id: &Value) {
    let mut talk = talk.borrow_mut();
    if let Some(at) = talk.running.iter().position(|(running, _)| running == id) {
        talk.running.swap_remove(at).1.abort();
    }
}

async fn serve<H: Host + 'static>(
    server: Server<H>,
    talk: Rc<RefCell<Talk>>,
    line: Vec<u8>,
    body: Value,
    lines: mpsc::UnboundedSender<String>,
) {
    let is_modern = body["params"]["_meta"].get(VERSION_KEY).is_some();
    let id = body["id"].clone();
    let headers = headers(server.host(), &body, if is_modern { None } else { talk.borrow().session.clone() });
    let begins = body["method"] == "initialize" && !is_modern;
    let listens = body["method"] == "notifications/initialized" && !is_modern;
    let answer = {
        let server = server.clone();
        let lines = lines.clone();
        async move {
            let out = server.handle(HttpIn::post(headers, line)).await;
            let session = out.headers.get("mcp-session-id").map(str::to_owned);
            match out.body {
                Body::Empty => {}
                Body::Full(bytes) => {
                    // Who reads no more has gone, here and below.
                    drop(lines.send(String::from_utf8(bytes).unwrap_or_default()));
                }
                Body::Events(mut events) => {
                    while let Some(message) = events.next().await {
                        drop(lines.send(message));
                    }
                }
            }
            session
        }
    };
    if is_modern && !id.is_null() {
        let (handle, registration) = AbortHandle::new_pair();
        talk.borrow_mut().running.push((id.clone(), handle));
        // A request that was given up is not answered.
        Abortable::new(answer, registration).await.ok();
        talk.borrow_mut().running.retain(|(running, _)| *running != id);
        return;
    }
    let session = answer.await;
    if begins {
        talk.borrow_mut().session = session;
    }
    if listens {
        let Some(session) = talk.borrow().session.clone() else { return };
        let headers = Headers::new().with("accept", "text/event-stream").with("mcp-session-id", &session);
        let stream = HttpIn { method: "GET".into(), headers, body: Vec::new() };
        if let Body::Events(mut events) = server.handle(stream).await.body {
            while let Some(message) = events.next().await {
                drop(lines.send(message));
            }
        }
    }
}

/// The headers that a client would send with this message over HTTP.
fn headers(host: &impl Host, body: &Value, session: Option<String>) -> Headers {
    let mut headers = Headers::new()
        .with("content-type", "application/json")
        .with("accept", "application/json, text/event-stream");
    let params = &body["params"];
    if let Some(version) = params["_meta"][VERSION_KEY].as_str() {
        headers.add("mcp-protocol-version", version);
        if let Some(method) = body["method"].as_str() {
            headers.add("mcp-method", method);
            let named = match method {
                "resources/read" => "uri",
                "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
                _ => "name",
            };
            if let Some(name) = params[named].as_str() {
                headers.add("mcp-name", &mcp::client::encode_name(name));
                // Without HTTP nobody repeats arguments, and the server wants them repeated.
                for (argument, header) in host.param_headers(name) {
                    let text = match &params["arguments"][argument.as_str()] {
                        Value::Null => continue,
                        Value::String(text) => text.clone(),
                        other => other.to_string(),
                    };
                    headers.add(&format!("mcp-param-{header}"), &mcp::client::encode_name(&text));
                }
            }
        }
    }
    if let Some(session) = session {
        headers.add("mcp-session-id", &session);
    }
    headers
}
