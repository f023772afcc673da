//! HTTP as plain values, and the two ports a client needs: something that sends, something that
//! knows time and chance.

use async_trait::async_trait;
use futures::stream::LocalBoxStream;

use crate::{Secret, ToolUse, Wire};

/// Header names (lower case) and values, in order.
pub type Headers = Vec<(String, String)>;

/// The bytes of a response, as they come. Dropping it ends the request.
pub type ByteStream = LocalBoxStream<'static, Result<Vec<u8>, TransportError>>;

/// Where a model lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Everything before `/chat/completions`, `/messages` or `/responses`: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`,
    /// or relative to the page, `api/llm/pocket`. A query string stays behind the path.
    pub base_url: String,
    /// The API it speaks.
    pub wire: Wire,
    /// Sent as the wire wants it, mostly as a bearer token. `None` for a gateway or a local server.
    pub key: Option<Secret>,
    /// More headers for every request.
    pub headers: Headers,
    /// How its models are given their tools.
    pub tools: ToolUse,
}

impl Endpoint {
    /// An endpoint that needs no key and speaks chat completions.
    #[must_use]
    pub fn open(base_url: impl Into<String>) -> Self {
        let (wire, tools) = (Wire::default(), ToolUse::default());
        Self { base_url: base_url.into(), wire, key: None, headers: Vec::new(), tools }
    }
}

/// One request to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// `POST`.
    pub method: String,
    /// Absolute, or relative to the page.
    pub url: String,
    /// The headers; may hold a key, so `Debug` shows names only.
    pub headers: Headers,
    /// The body.
    pub body: Vec<u8>,
}

impl std::fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &names)
            .field("body_bytes", &self.body.len())
            .finish()
    }
}

/// The head of a response, and its bytes to come.
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// The headers script may see, names in lower case.
    pub headers: Headers,
    /// The body.
    pub body: ByteStream,
}

/// What can go wrong below HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// No answer came: refused, no name, no route, or forbidden by CORS, which looks the same.
    Unreachable(String),
    /// The answer broke off.
    Cut(String),
}

/// Sends requests. The page has one over `fetch`, tests have one that plays recordings.
#[async_trait(?Send)]
pub trait Transport {
    /// Sends and answers with the head as soon as it is there. Dropping the future, and later the
    /// body, ends the request.
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError>;
}

/// Time and chance, from outside.
#[async_trait(?Send)]
pub trait Timer {
    /// Milliseconds since 1970, UTC.
    fn now_ms(&self) -> i64;
    /// A number from 0 up to 1, new every time.
    fn jitter(&self) -> f64;
    /// Returns after that many milliseconds.
    async fn sleep(&self, ms: u64);
}
