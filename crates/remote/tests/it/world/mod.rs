//! What the tests share: a transport over real sockets, a clock, somebody who answers questions, bounds that are soon
//! reached.

pub mod ours;
pub mod peer;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt;
use llm::{HttpRequest, HttpResponse, Transport, TransportError};
use mcp::Filled;
use remote::{Address, Fixed, Limits, Person, RemoteError, Server, TokenProvider, ToolAnswer};
use serde_json::{Map, Value, json};

use crate::native::{Clock, Http};

/// Runs a test on one thread. A client that never gives up fails it.
pub fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bounded = async { tokio::time::timeout(Duration::from_secs(90), test).await };
    let ended = tokio::task::LocalSet::new().block_on(&runtime, bounded);
    assert!(ended.is_ok(), "the test did not come to its end");
}

/// HTTP as the page has it, which keeps what was sent.
pub struct Wire {
    http: Http,
    sent: RefCell<Vec<HttpRequest>>,
}

impl Wire {
    pub fn new() -> Rc<Self> {
        Rc::new(Self { http: Http::new().unwrap(), sent: RefCell::default() })
    }

    /// What was sent with this method of the protocol, in order; `POST` for answers, `GET` and `DELETE` for those.
    pub fn sent(&self, what: &str) -> Vec<HttpRequest> {
        let is_it = |request: &&HttpRequest| {
            let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            body["method"].as_str().unwrap_or(&request.method) == what
        };
        self.sent.borrow().iter().filter(is_it).cloned().collect()
    }
}

#[async_trait(?Send)]
impl Transport for Wire {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        self.sent.borrow_mut().push(request.clone());
        self.http.send(request).await
    }
}

/// Fills every form with the same, and keeps what was asked.
pub struct Fills {
    content: Map<String, Value>,
    pub asked: RefCell<Vec<String>>,
}

impl Fills {
    pub fn with(content: Value) -> Rc<Self> {
        let Value::Object(content) = content else { panic!("a form's content is an object") };
        Rc::new(Self { content, asked: RefCell::default() })
    }
}

#[async_trait(?Send)]
impl Person for Fills {
    async fn fill(&self, message: &str, _schema: &Value) -> Filled {
        self.asked.borrow_mut().push(message.to_owned());
        Filled::Accepted(self.content.clone())
    }
}

/// Small in size and number; so long that no honest test meets the end, so short that a hostile one does.
pub fn limits() -> Limits {
    Limits {
        answer_bytes: 64 * 1024,
        text_chars: 1_000,
        tools: 20,
        pages: 5,
        tool_bytes: 4 * 1024,
        start_ms: 20_000,
        quiet_ms: 20_000,
        call_ms: 25_000,
        resumes: 3,
        rounds: 4,
    }
}

/// A client without a token, and what it sends through.
pub fn client(url: &str) -> (Server, Rc<Wire>) {
    client_with(url, Rc::new(Fixed(None)))
}

pub fn client_with(url: &str, token_provider: Rc<dyn TokenProvider>) -> (Server, Rc<Wire>) {
    let wire = Wire::new();
    let address = Address::parse(url).unwrap();
    let transport: Rc<dyn Transport> = wire.clone();
    (Server::new(address, transport, Rc::new(Clock), token_provider).with_limits(limits()), wire)
}

/// A call without arguments.
pub async fn call(server: &Server, tool: &str) -> Result<ToolAnswer, RemoteError> {
    server.call(tool, json!({}), Map::new(), None).await
}

/// The sentence for the person.
pub fn sentence<T: std::fmt::Debug>(outcome: Result<T, RemoteError>) -> String {
    outcome.unwrap_err().to_string()
}

/// What a future gives, which must be there within ten seconds: well before a bound that is not the one in question.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    let timed = tokio::time::timeout(Duration::from_secs(10), future);
    timed.map(|done| done.unwrap_or_else(|_| panic!("it took too long"))).await
}
