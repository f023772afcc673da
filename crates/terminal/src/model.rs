//! Models: the built-in one, and any other over HTTP.

use std::env;

use agent::ModelStream;
use async_trait::async_trait;
use futures::StreamExt;
use llm::{Client, Endpoint, HttpRequest, HttpResponse, RetryPolicy, Secret, Transport, TransportError};
use protocol::{Failure, ModelRequest};
use thiserror::Error;

pub use builtin::LONGEST_TEXT;

use crate::SystemClock;

/// Why there is no model to ask.
#[derive(Debug, Error)]
pub enum RemoteModelError {
    /// A variable that is needed is not set.
    #[error("set {0}")]
    NotSet(&'static str),
    /// The system gives no TLS or no sockets.
    #[error("no HTTP client: {0}")]
    NoHttp(#[from] reqwest::Error),
}

/// The built-in model: it needs nothing, and knows the to-dos' tools only.
pub struct BuiltIn;

#[async_trait(?Send)]
impl agent::Model for BuiltIn {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        let events = builtin::respond_within(&request, &builtin::SKILLS)?;
        Ok(futures::stream::iter(events).map(Ok).boxed_local())
    }
}

/// A model over HTTP, with the retries of D-15.
pub struct Remote {
    endpoint: Endpoint,
    name: String,
    client: Client<Http, SystemClock>,
}

impl Remote {
    /// The model of this name at an endpoint.
    ///
    /// # Errors
    /// [`RemoteModelError::NoHttp`].
    pub fn new(endpoint: Endpoint, name: impl Into<String>) -> Result<Self, RemoteModelError> {
        Self::with_policy(endpoint, name, RetryPolicy::default())
    }

    /// The same with retries of the caller's own: whoever serves others tells them of a long wait rather than wait.
    ///
    /// # Errors
    /// [`RemoteModelError::NoHttp`].
    pub fn with_policy(
        endpoint: Endpoint,
        name: impl Into<String>,
        policy: RetryPolicy,
    ) -> Result<Self, RemoteModelError> {
        let client = Client::with_policy(Http::new()?, SystemClock, policy);
        Ok(Self { endpoint, name: name.into(), client })
    }

    /// The model that the environment names (S3-26): `SATCHEL_MODEL` at `OPENAI_BASE_URL` (OpenAI's own, when it is not
    /// set), with the key in `OPENAI_API_KEY`, if one is needed.
    ///
    /// # Errors
    /// [`RemoteModelError::NotSet`] without a model's name, [`RemoteModelError::NoHttp`].
    pub fn from_environment() -> Result<Self, RemoteModelError> {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let name = set("SATCHEL_MODEL").ok_or(RemoteModelError::NotSet("SATCHEL_MODEL"))?;
        let base = set("OPENAI_BASE_URL").unwrap_or_else(|| "https://api.openai.com/v1".to_owned());
        Self::new(Endpoint { key: set("OPENAI_API_KEY").map(Secret::new), ..Endpoint::open(base) }, name)
    }
}

#[async_trait(?Send)]
impl agent::Model for Remote {
    async fn stream(&self, mut request: ModelRequest) -> Result<ModelStream, Failure> {
        request.model.clone_from(&self.name);
        Ok(self.client.stream_with_retries(&self.endpoint, &request))
    }
}

/// Requests over the network. It follows no redirect: the key would go along.
pub struct Http(reqwest::Client);

impl Http {
    /// A client with the system's sockets.
    ///
    /// # Errors
    /// When the system gives no TLS.
    pub fn new() -> Result<Self, reqwest::Error> {
        // Already installed by somebody else in this process is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder()
            .user_agent(concat!("satchel/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none());
        Ok(Self(client.build()?))
    }

    /// The same through a client of the caller's.
    #[must_use]
    pub fn over(client: reqwest::Client) -> Self {
        Self(client)
    }
}

#[async_trait(?Send)]
impl Transport for Http {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        // Without its address: what stands in there may be private.
        let lost = |error: reqwest::Error| TransportError::Unreachable(error.without_url().to_string());
        let method = request
            .method
            .parse()
            .map_err(|_no_method| TransportError::Unreachable("no such method".to_owned()))?;
        let mut sent = self.0.request(method, &request.url).body(request.body);
        for (name, value) in request.headers {
            sent = sent.header(name, value);
        }
        let response = sent.send().await.map_err(lost)?;
        let status = response.status().as_u16();
        let text =
            |value: &reqwest::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers =
            response.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect();
        let body = response.bytes_stream().map(|chunk| match chunk {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(error) => Err(TransportError::Cut(error.without_url().to_string())),
        });
        Ok(HttpResponse { status, headers, body: body.boxed_local() })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use agent::Model as _;
    use protocol::{Message, ModelEvent, RunId};

    use super::*;

    /// One that an earlier version took, or that comes by another way than the API, is told and not read.
    #[tokio::test]
    async fn the_built_in_model_reads_no_text_without_an_end() {
        for (length, is_read) in [(LONGEST_TEXT, true), (LONGEST_TEXT + 1, false)] {
            let request = ModelRequest {
                run_id: RunId("run_1".to_owned()),
                step: 1,
                model: "pocket".to_owned(),
                messages: vec![Arc::new(Message::user("ä".repeat(length)))],
                tools: Vec::new(),
                temperature: None,
                max_output_tokens: None,
            };
            match BuiltIn.stream(request).await {
                Ok(events) => {
                    let events: Vec<_> = events.collect().await;
                    assert!(is_read && matches!(events.last(), Some(Ok(ModelEvent::Done { .. }))));
                }
                Err(failure) => assert!(!is_read && failure.message.contains("4000 characters"), "{failure}"),
            }
        }
    }
}
