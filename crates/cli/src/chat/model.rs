//! Which model answers: the built-in one, or one that the configuration names.

use std::path::Path;

use agent::ModelStream;
use anyhow::{Context, bail};
use async_trait::async_trait;
use futures::StreamExt;
use gateway::Config;
use llm::{Client, Endpoint, HttpRequest, HttpResponse, Transport, TransportError};
use protocol::{Failure, ModelRequest};

use super::edge::SystemClock;
use crate::environment;

/// The name of the model that needs nothing.
const BUILT_IN: &str = "builtin";

/// The window that a provider's model has at least, in tokens, where the configuration does not say.
const WINDOW: u64 = 32_000;

/// The model of a conversation.
pub enum Chosen {
    /// The built-in one.
    BuiltIn,
    /// One over HTTP.
    Elsewhere {
        /// Where.
        endpoint: Endpoint,
        /// Its name there.
        name: String,
        /// Its window in tokens.
        window: u64,
        /// Who asks it.
        client: Client<Http, SystemClock>,
    },
}

impl Chosen {
    /// The model of this name: `builtin`, or `UPSTREAM/MODEL`; an upstream alone is asked for its first model.
    ///
    /// # Errors
    /// When the configuration has a mistake, or no such upstream.
    pub fn find(model: &str, config: &Path) -> anyhow::Result<Self> {
        if model == BUILT_IN {
            return Ok(Self::BuiltIn);
        }
        let config = Config::new("").read(config, &environment())?;
        let (upstream, name) = model.split_once('/').unwrap_or((model, ""));
        let Some(found) = config.upstreams.get(upstream) else {
            let known: Vec<&str> = config.upstreams.keys().map(String::as_str).collect();
            bail!(
                "there is no upstream {upstream} for --model {model}: there are {BUILT_IN}{}{}",
                if known.is_empty() { "" } else { ", " },
                known.join(", ")
            );
        };
        let listed = found.models.iter().find(|listed| name.is_empty() || listed.id == name);
        let name = match listed {
            Some(listed) if name.is_empty() => listed.id.clone(),
            _ if name.is_empty() => bail!("say which model of {upstream}: --model {upstream}/MODEL"),
            _ => name.to_owned(),
        };
        let endpoint =
            Endpoint { wire: found.wire, key: found.key.clone(), ..Endpoint::open(found.base_url.clone()) };
        let window = listed.and_then(|listed| listed.window).unwrap_or(WINDOW);
        let http = gateway::outgoing().map_err(anyhow::Error::msg).context("no HTTP client")?;
        Ok(Self::Elsewhere { endpoint, name, window, client: Client::new(Http(http), SystemClock) })
    }

    /// The model's name as its endpoint knows it.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn => "pocket",
            Self::Elsewhere { name, .. } => name,
        }
    }

    /// Its window; the built-in one has none.
    pub fn window_tokens(&self) -> Option<u64> {
        match self {
            Self::BuiltIn => None,
            Self::Elsewhere { window, .. } => Some(*window),
        }
    }
}

#[async_trait(?Send)]
impl agent::Model for Chosen {
    async fn stream(&self, mut request: ModelRequest) -> Result<ModelStream, Failure> {
        match self {
            Self::BuiltIn => Ok(futures::stream::iter(pocket::respond(&request)).map(Ok).boxed_local()),
            Self::Elsewhere { endpoint, name, client, .. } => {
                request.model.clone_from(name);
                Ok(client.stream_with_retries(endpoint, &request))
            }
        }
    }
}

/// Requests over the network.
pub struct Http(reqwest::Client);

#[async_trait(?Send)]
impl Transport for Http {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        // Without its address: what stands in there may be private.
        let lost = |error: reqwest::Error| TransportError::Unreachable(error.without_url().to_string());
        let method =
            request.method.parse().map_err(|_| TransportError::Unreachable("no such method".to_owned()))?;
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
