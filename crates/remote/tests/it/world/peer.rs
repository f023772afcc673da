//! A peer that says exactly what a test wants, byte by byte.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A request as it came in.
#[derive(Clone, Debug)]
pub struct Asked {
    pub verb: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

impl Asked {
    /// The method of the protocol; that of HTTP for what has none.
    pub fn what(&self) -> &str {
        self.body["method"].as_str().unwrap_or(&self.verb)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A step of an answer. When there are no more the connection is closed.
#[derive(Clone, Debug)]
pub enum Do {
    Say(Vec<u8>),
    Wait(u64),
    /// The same again and again, so many milliseconds apart, until the client hangs up.
    Repeat(Vec<u8>, u64),
    /// Nothing, until the client hangs up.
    Hold,
}

/// A listener on this machine.
pub struct Peer {
    pub url: String,
    asked: Rc<RefCell<Vec<Asked>>>,
    hung_up: watch::Receiver<usize>,
}

impl Peer {
    /// Answers each request as the script says.
    pub async fn start(script: impl Fn(&Asked) -> Vec<Do> + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let asked: Rc<RefCell<Vec<Asked>>> = Rc::default();
        let (gone, hung_up) = watch::channel(0);
        let (log, script, gone) = (Rc::clone(&asked), Rc::new(script), Rc::new(gone));
        tokio::task::spawn_local(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (log, script, gone) = (Rc::clone(&log), Rc::clone(&script), Rc::clone(&gone));
                tokio::task::spawn_local(async move {
                    let Some(asked) = read(&mut stream).await else { return };
                    log.borrow_mut().push(asked.clone());
                    if follow(&mut stream, script(&asked)).await.is_err() {
                        gone.send_modify(|count| *count += 1);
                    }
                });
            }
        });
        Self { url, asked, hung_up }
    }

    /// The requests of this method, in order.
    pub fn asked(&self, what: &str) -> Vec<Asked> {
        self.asked.borrow().iter().filter(|asked| asked.what() == what).cloned().collect()
    }

    pub fn count(&self, what: &str) -> usize {
        self.asked(what).len()
    }

    pub fn total(&self) -> usize {
        self.asked.borrow().len()
    }

    /// Returns when the client hung up in the middle of an answer.
    pub async fn is_hung_up(&self) {
        super::soon(self.hung_up.clone().wait_for(|count| *count > 0)).await.unwrap();
    }
}

/// The request; none where the connection was closed before it was whole.
async fn read(stream: &mut TcpStream) -> Option<Asked> {
    stream.set_nodelay(true).ok()?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.lines();
    let verb = lines.next()?.split(' ').next()?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap_or(0))];
    stream.read_exact(&mut body).await.ok()?;
    Some(Asked { verb, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}

/// Takes the steps.
///
/// # Errors
/// When the client hangs up before the last.
async fn follow(stream: &mut TcpStream, steps: Vec<Do>) -> std::io::Result<()> {
    for step in steps {
        match step {
            Do::Say(bytes) => stream.write_all(&bytes).await?,
            Do::Wait(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
            Do::Repeat(bytes, ms) => loop {
                stream.write_all(&bytes).await?;
                tokio::time::sleep(Duration::from_millis(ms)).await;
            },
            Do::Hold => {
                stream.read_u8().await?;
            }
        }
    }
    stream.shutdown().await
}

/// A whole answer.
pub fn http(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<Do> {
    let length = body.as_ref().len().to_string();
    let headers = [headers, &[("content-length", length.as_str())]].concat();
    vec![head(status, &headers), Do::Say(body.as_ref().to_vec())]
}

/// The head of an answer; its body ends with the connection.
pub fn head(status: u16, headers: &[(&str, &str)]) -> Do {
    let mut text = format!("HTTP/1.1 {status} Said\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    Do::Say(format!("{text}\r\n").into_bytes())
}

pub const JSON: (&str, &str) = ("content-type", "application/json");
pub const EVENTS: (&str, &str) = ("content-type", "text/event-stream");

pub fn json(value: &Value) -> Vec<Do> {
    http(200, &[JSON], value.to_string())
}

/// A stream of these messages, which then ends.
pub fn stream(messages: &[Value]) -> Vec<Do> {
    let events = messages.iter().map(event);
    std::iter::once(head(200, &[EVENTS])).chain(events).collect()
}

pub fn event(message: &Value) -> Do {
    Do::Say(format!("data: {message}\n\n").into_bytes())
}

/// A stream that says this and breaks off: the connection is closed before the body is whole.
pub fn broken_stream(text: &str) -> Vec<Do> {
    let chunk = format!("{:x}\r\n{text}\r\n", text.len());
    vec![head(200, &[EVENTS, ("transfer-encoding", "chunked")]), Do::Say(chunk.into_bytes())]
}

/// The answer to a request.
pub fn result(asked: &Asked, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": asked.body["id"], "result": result })
}

/// The answer to a call: one text.
pub fn text(asked: &Asked, text: &str) -> Value {
    let content = json!([{ "type": "text", "text": text }]);
    result(asked, json!({ "resultType": "complete", "content": content }))
}

/// A tool that keeps the rules.
pub fn tool(name: &str) -> Value {
    json!({ "name": name, "description": "Does it.", "inputSchema": { "type": "object" } })
}

/// A server of the revision without a handshake, that answers all else by a script.
pub async fn modern(then: impl Fn(&Asked) -> Vec<Do> + 'static) -> Peer {
    Peer::start(move |asked| match asked.what() {
        "server/discover" => json(&result(
            asked,
            json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} } }),
        )),
        _ => then(asked),
    })
    .await
}

/// The same with a handshake: `2025-11-25`, and a session.
pub async fn legacy(then: impl Fn(&Asked) -> Vec<Do> + 'static) -> Peer {
    legacy_of("2025-11-25", then).await
}

pub async fn legacy_of(revision: &'static str, then: impl Fn(&Asked) -> Vec<Do> + 'static) -> Peer {
    let sessions = std::cell::Cell::new(0);
    Peer::start(move |asked| match asked.what() {
        "server/discover" => http(400, &[("content-type", "text/plain")], "Bad Request: no session"),
        "initialize" => {
            sessions.set(sessions.get() + 1);
            let session = format!("session-{}", sessions.get());
            let info = json!({ "name": "old", "version": "1" });
            let result =
                result(asked, json!({ "protocolVersion": revision, "capabilities": {}, "serverInfo": info }));
            http(200, &[JSON, ("mcp-session-id", &session)], result.to_string())
        }
        "notifications/initialized" => http(202, &[], ""),
        _ => then(asked),
    })
    .await
}
