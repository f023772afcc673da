//! The Chrome DevTools Protocol over a raw socket: every tab, every worker and the browser itself.
//!
//! WebDriver speaks for one tab at a time and cannot reach a worker; faults need both. A session here is
//! one target; commands of several sessions run at the same time. Events that a test may ask for are kept.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Message;

/// How long the browser may take for one command. A script that waits longer says so itself.
const PATIENCE: Duration = Duration::from_secs(150);

/// Events nobody asks for; there are thousands of them.
const NOISE: [&str; 4] =
    ["Network.dataReceived", "Network.loadingFinished", "Runtime.executionContext", "Page.frame"];

/// One event of a session.
#[derive(Clone, Debug)]
pub struct Event {
    /// The session it came from; empty for the browser's own.
    pub session: String,
    /// Its name, like `Network.requestWillBeSent`.
    pub method: String,
    /// What it says.
    pub params: Value,
}

/// Who waits for which answer.
type Pending = Arc<Mutex<HashMap<u64, oneshot::Sender<Result<Value, String>>>>>;

/// The connection to a browser. A handle: copies are the same connection.
#[derive(Clone)]
pub struct Devtools {
    out: mpsc::UnboundedSender<Message>,
    pending: Pending,
    events: Arc<Mutex<Vec<Event>>>,
    next: Arc<AtomicU64>,
}

impl Devtools {
    /// Connects to the address a browser prints.
    pub async fn connect(url: &str) -> Self {
        let (socket, _) = tokio_tungstenite::connect_async(url).await.expect("the browser's socket");
        let (mut write, mut read) = socket.split();
        let (out, mut waiting) = mpsc::unbounded_channel::<Message>();
        let pending = Pending::default();
        let events = Arc::new(Mutex::new(Vec::new()));
        tokio::spawn(async move {
            while let Some(message) = waiting.recv().await {
                if write.send(message).await.is_err() {
                    break;
                }
            }
        });
        let (answers, log) = (pending.clone(), events.clone());
        tokio::spawn(async move {
            while let Some(Ok(message)) = read.next().await {
                let Ok(text) = message.to_text() else { continue };
                let Ok(frame) = serde_json::from_str::<Value>(text) else { continue };
                match frame["id"].as_u64() {
                    Some(id) => {
                        let answer = match frame.get("error") {
                            Some(error) => Err(error["message"].as_str().unwrap_or("failed").to_owned()),
                            None => Ok(frame["result"].clone()),
                        };
                        if let Some(waiter) = answers.lock().unwrap().remove(&id) {
                            let _ = waiter.send(answer);
                        }
                    }
                    None => keep(&log, &frame),
                }
            }
            // The browser is gone: nobody waits any longer.
            answers.lock().unwrap().clear();
        });
        Self { out, pending, events, next: Arc::default() }
    }

    /// Sends a command to a session, or to the browser when it is empty.
    pub async fn send(&self, session: &str, method: &str, params: Value) -> Result<Value, String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let (waiter, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(id, waiter);
        let mut frame = json!({"id": id, "method": method, "params": params});
        if !session.is_empty() {
            frame["sessionId"] = session.into();
        }
        self.out.send(Message::text(frame.to_string())).map_err(|_| "the browser is gone".to_owned())?;
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(answer)) => answer.map_err(|why| format!("{method}: {why}")),
            Ok(Err(_)) => Err(format!("{method}: the browser is gone")),
            Err(_) => Err(format!("{method}: no answer")),
        }
    }

    /// All targets there are: tabs, workers, the browser.
    pub async fn targets(&self) -> Vec<Value> {
        let found = self.send("", "Target.getTargets", json!({})).await.expect("the targets");
        found["targetInfos"].as_array().cloned().unwrap_or_default()
    }

    /// A session with a target.
    pub async fn attach(&self, target: &str) -> Session {
        let params = json!({"targetId": target, "flatten": true});
        let attached = self.send("", "Target.attachToTarget", params).await.expect("the target is there");
        let id = attached["sessionId"].as_str().expect("a session").to_owned();
        Session { devtools: self.clone(), id, target: target.to_owned() }
    }

    /// Every kept event of this name, from any session.
    pub fn events(&self, method: &str) -> Vec<Event> {
        self.events.lock().unwrap().iter().filter(|event| event.method == method).cloned().collect()
    }
}

fn keep(log: &Mutex<Vec<Event>>, frame: &Value) {
    let method = frame["method"].as_str().unwrap_or_default();
    if !NOISE.iter().any(|noise| method.starts_with(noise)) {
        log.lock().unwrap().push(Event {
            session: frame["sessionId"].as_str().unwrap_or_default().to_owned(),
            method: method.to_owned(),
            params: frame["params"].clone(),
        });
    }
}

/// A session with one target.
#[derive(Clone)]
pub struct Session {
    devtools: Devtools,
    id: String,
    target: String,
}

impl Session {
    /// The session's id, as events name it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The target's id.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Lets go of the target: a worker that somebody looks at is kept, and its end is told to nobody.
    pub async fn detach(&self) {
        // It may be gone already.
        let _ = self.devtools.send("", "Target.detachFromTarget", json!({"sessionId": self.id})).await;
    }

    /// Sends a command.
    pub async fn send(&self, method: &str, params: Value) -> Value {
        self.try_send(method, params).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Sends a command that may fail: a target can be gone.
    pub async fn try_send(&self, method: &str, params: Value) -> Result<Value, String> {
        self.devtools.send(&self.id, method, params).await
    }

    /// Runs the body of an async function and gives its JSON value. A throw is an error.
    pub async fn try_eval(&self, script: &str) -> Result<Value, String> {
        let expression = format!("(async () => {{ {script} }})().then(v => v ?? null)");
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true,
            "userGesture": true});
        let reply = self.try_send("Runtime.evaluate", params).await?;
        match reply.get("exceptionDetails") {
            Some(thrown) => {
                let text = thrown["exception"]["description"].as_str().or(thrown["text"].as_str());
                Err(format!("{script}: {}", text.unwrap_or("threw")))
            }
            None => Ok(reply["result"]["value"].clone()),
        }
    }

    /// The same; a throw fails the test.
    pub async fn eval(&self, script: &str) -> Value {
        self.try_eval(script).await.unwrap_or_else(|error| panic!("{error}"))
    }
}
