//! What the gateway serves and whom it asks, from `satchel.toml` and the environment.
//!
//! Keys come from the environment or from a file of their own, never from `satchel.toml` itself: that
//! file is shared and checked in.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use llm::{Secret, Wire};
use serde::Deserialize;
use thiserror::Error;

use crate::otlp::OTLP_HEADERS;
use crate::{Lines, Log, Quotas, RelayLimits, Token, TrustedProxy};

/// How long a balancer has to find out that a server stops: two of its usual looks.
const CLUSTER_PAUSE_MS: u64 = 5_000;

/// How long streams may go on where another server takes what comes.
const CLUSTER_DRAIN_MS: u64 = 60_000;

/// The configuration of a gateway: what it serves, where it listens, the upstreams it passes to, and its limits.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder of the built app.
    pub dir: PathBuf,
    /// Where to listen. Loopback unless somebody said otherwise; port 0 takes any free one.
    pub address: SocketAddr,
    /// The upstreams by name, `pocket` not among them: it is always there.
    pub upstreams: BTreeMap<String, Upstream>,
    /// More origins the page may connect to (CSP `connect-src`), for models it reaches directly.
    pub connect_origins: Vec<String>,
    /// Origins under which a proxy publishes this gateway, such as `https://satchel.example.org`.
    pub public_origins: Vec<String>,
    /// The limits per client.
    pub limits: Limits,
    /// The limits of the relay.
    pub relay: RelayLimits,
    /// What a client may use of models.
    pub quotas: Quotas,
    /// Who is known by a token, by their names.
    pub tokens: BTreeMap<String, Token>,
    /// Whether models are for those only.
    pub tokens_only: bool,
    /// Proxies in front, whose `X-Forwarded-For` says who the client is.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// How long after a stop was asked for `/readyz` says so and requests are still taken, in milliseconds: a balancer needs it to
    /// find out.
    pub pause_ms: u64,
    /// How long running streams may go on after that, in milliseconds.
    pub drain_ms: u64,
    /// Where request lines go.
    pub log: Log,
    /// What they look like.
    pub lines: Lines,
    /// Where `/metrics` is; nowhere without. It is not served beside the app.
    pub metrics_address: Option<SocketAddr>,
    /// The collector that spans are sent to by OTLP over HTTP; none are made without.
    pub traces_endpoint: Option<String>,
    /// The headers for the collector, `name=value` with commas between; one may be a key.
    pub traces_headers: Option<Secret>,
    /// The servers that share their counts; whoever starts the gateway brings the counters that speak to them.
    pub cluster: Option<Cluster>,
    /// What the file says of a stop: that holds in a cluster too.
    drain: FileDrain,
}

/// What several servers share, and where.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cluster {
    /// Addresses of NATS servers with JetStream, with commas between.
    pub nats: String,
    /// The name under which servers find each other: letters, digits, `-` and `_`.
    #[serde(default = "Cluster::usual_space")]
    pub space: String,
    /// On how many NATS servers each count is: 1, 3 or 5.
    #[serde(default = "Cluster::usual_replicas")]
    pub replicas: usize,
}

impl Cluster {
    /// A cluster at these addresses.
    #[must_use]
    pub fn at(nats: impl Into<String>) -> Self {
        Self { nats: nats.into(), space: Self::usual_space(), replicas: Self::usual_replicas() }
    }

    fn usual_space() -> String {
        "satchel".into()
    }

    fn usual_replicas() -> usize {
        1
    }
}

/// A model server that requests are passed to: its address, its wire, its key and the models it is known to have.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// Everything before `/chat/completions`, `/messages` or `/responses`.
    pub base_url: String,
    /// The API it speaks.
    pub wire: Wire,
    /// Sent as the wire wants it; never shown.
    pub key: Option<Secret>,
    /// The models to offer. When empty, the upstream is asked for its list.
    pub models: Vec<Model>,
}

/// A model on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The id its upstream knows it by.
    pub id: String,
    /// The name a person reads.
    pub name: String,
    /// Its window in tokens, when known.
    pub window: Option<u64>,
}

/// Limits per client, a client being a token's name or an IP address (of IPv6 the first half of one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Model requests in any minute.
    pub requests_per_minute: u32,
    /// Model requests in any hour.
    pub requests_per_hour: u32,
    /// Streams at the same time.
    pub concurrent_streams: u32,
    /// The largest request body, in bytes.
    pub body_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests_per_minute: 120,
            requests_per_hour: 3_000,
            concurrent_streams: 8,
            // A request has all pictures of its conversation in it, some 500 kB each; providers stop at 32 MB and more.
            body_bytes: 20 * 1024 * 1024,
        }
    }
}

/// Why a configuration cannot be used; each says what to change.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A file is named but cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// `satchel.toml` has a mistake.
    #[error("{path} is not right: {reason}")]
    Wrong {
        /// The file.
        path: String,
        /// Where and what.
        reason: String,
    },
    /// An upstream's name or address cannot be used.
    #[error("upstream \"{name}\": {reason}")]
    Upstream {
        /// The upstream.
        name: String,
        /// Why.
        reason: String,
    },
    /// An origin is not one.
    #[error("\"{0}\" is no origin: expected something like https://models.example.org, without a path")]
    Origin(String),
}

/// `satchel.toml` as it is written.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    connect_origins: Vec<String>,
    public_origins: Vec<String>,
    limits: Limits,
    upstreams: BTreeMap<String, FileUpstream>,
    quotas: Quotas,
    tokens: BTreeMap<String, Token>,
    tokens_only: bool,
    trusted_proxies: Vec<TrustedProxy>,
    drain: FileDrain,
    log: Lines,
    metrics_address: Option<SocketAddr>,
    traces_endpoint: Option<String>,
    cluster: Option<Cluster>,
}

/// What is not said is as long as a person waits, or as a balancer needs where there is a cluster.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileDrain {
    pause_ms: Option<u64>,
    streams_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileUpstream {
    base_url: String,
    #[serde(default)]
    wire: Wire,
    /// The environment variable that holds the key.
    key_env: Option<String>,
    /// The file that holds the key, relative to `satchel.toml`.
    key_file: Option<PathBuf>,
    #[serde(default)]
    models: Vec<FileModel>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a model's id or { id, name, window }")]
enum FileModel {
    Id(String),
    Full { id: String, name: Option<String>, window: Option<u64> },
}

impl From<FileModel> for Model {
    fn from(model: FileModel) -> Self {
        match model {
            FileModel::Id(id) => Self { name: id.clone(), id, window: None },
            FileModel::Full { id, name, window } => {
                Self { name: name.unwrap_or_else(|| id.clone()), id, window }
            }
        }
    }
}

impl Config {
    /// The gateway for a folder, on loopback and any free port, without upstreams.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            upstreams: BTreeMap::new(),
            connect_origins: Vec::new(),
            public_origins: Vec::new(),
            limits: Limits::default(),
            relay: RelayLimits::default(),
            quotas: Quotas::default(),
            tokens: BTreeMap::new(),
            tokens_only: false,
            trusted_proxies: Vec::new(),
            pause_ms: 0,
            drain_ms: 10_000,
            log: Log::stderr(),
            lines: Lines::default(),
            metrics_address: None,
            traces_endpoint: None,
            traces_headers: None,
            cluster: None,
            drain: FileDrain::default(),
        }
    }

    /// The same as one of several servers: who stops it waits for a balancer, and longer for streams, unless the file said how long.
    #[must_use]
    pub fn in_cluster(mut self, cluster: Cluster) -> Self {
        if self.cluster.is_none() {
            let alone = Self::new("");
            if self.drain.pause_ms.is_none() && self.pause_ms == alone.pause_ms {
                self.pause_ms = CLUSTER_PAUSE_MS;
            }
            if self.drain.streams_ms.is_none() && self.drain_ms == alone.drain_ms {
                self.drain_ms = CLUSTER_DRAIN_MS;
            }
        }
        self.cluster = Some(cluster);
        self
    }

    /// Reads `satchel.toml`, if there is one at that path, and the environment, which wins.
    ///
    /// # Errors
    /// A mistake in either, said so that a person can mend it.
    pub fn read(mut self, file: &Path, environment: &BTreeMap<String, String>) -> Result<Self, ConfigError> {
        let path = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(ConfigError::Unreadable { path, reason: error.to_string() }),
        };
        let parsed: File = toml::from_str(&text)
            .map_err(|error| ConfigError::Wrong { path: path.clone(), reason: error.to_string() })?;
        if parsed.tokens_only && parsed.tokens.is_empty() {
            let reason =
                "`tokens_only` needs somebody with a token: [tokens.name] with its sha256".to_owned();
            return Err(ConfigError::Wrong { path, reason });
        }
        for origin in parsed.connect_origins.iter().chain(&parsed.public_origins) {
            check_origin(origin)?;
        }
        self.connect_origins = parsed.connect_origins;
        self.public_origins = parsed.public_origins;
        self.limits = parsed.limits;
        self.quotas = parsed.quotas;
        self.tokens = parsed.tokens;
        self.tokens_only = parsed.tokens_only;
        self.trusted_proxies = parsed.trusted_proxies;
        self.lines = parsed.log;
        self.metrics_address = parsed.metrics_address;
        self.traces_endpoint = parsed.traces_endpoint;
        self.drain = parsed.drain;
        self.pause_ms = parsed.drain.pause_ms.unwrap_or(self.pause_ms);
        self.drain_ms = parsed.drain.streams_ms.unwrap_or(self.drain_ms);
        if let Some(cluster) = parsed.cluster {
            self = self.in_cluster(cluster);
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        for (name, upstream) in parsed.upstreams {
            let key = read_key(&name, &upstream, folder, environment)?;
            let FileUpstream { base_url, wire, models, .. } = upstream;
            let models = models.into_iter().map(Model::from).collect();
            self.upstreams.insert(name, Upstream { base_url, wire, key, models });
        }
        self.add_environment(environment);
        for (name, upstream) in &self.upstreams {
            check_upstream(name, upstream)?;
        }
        Ok(self)
    }

    /// The well-known variables, then `SATCHEL_UPSTREAM_<NAME>_URL`, `_KEY` and `_MODELS`.
    fn add_environment(&mut self, environment: &BTreeMap<String, String>) {
        let set =
            |name: &str| environment.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
        for (name, variable, base_url) in [
            ("openai", "OPENAI_API_KEY", "https://api.openai.com/v1"),
            ("openrouter", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
        ] {
            if let Some(key) = set(variable) {
                let upstream = self.upstream_or(name, base_url);
                upstream.key.get_or_insert_with(|| Secret::new(key));
            }
        }
        if let Some(host) = set("OLLAMA_HOST") {
            self.upstream_or("ollama", &ollama_url(host));
        }
        // OpenTelemetry's own variables: one is for all signals, the other for spans and whole.
        if let Some(endpoint) = set("OTEL_EXPORTER_OTLP_ENDPOINT") {
            self.traces_endpoint = Some(format!("{}/v1/traces", endpoint.trim_end_matches('/')));
        }
        if let Some(endpoint) = set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
            self.traces_endpoint = Some(endpoint.to_owned());
        }
        self.traces_headers = set(OTLP_HEADERS).map(Secret::new);
        for variable in environment.keys() {
            let Some(name) =
                variable.strip_prefix("SATCHEL_UPSTREAM_").and_then(|rest| rest.strip_suffix("_URL"))
            else {
                continue;
            };
            let Some(url) = set(variable) else { continue };
            let part = |suffix: &str| set(&format!("SATCHEL_UPSTREAM_{name}_{suffix}"));
            let upstream = self.upstream_or(&name.to_lowercase().replace('_', "-"), url);
            url.clone_into(&mut upstream.base_url);
            if let Some(key) = part("KEY") {
                upstream.key = Some(Secret::new(key));
            }
            if let Some(models) = part("MODELS") {
                let ids = models.split(',').map(str::trim).filter(|id| !id.is_empty());
                upstream.models = ids.map(|id| Model::from(FileModel::Id(id.to_owned()))).collect();
            }
        }
    }

    fn upstream_or(&mut self, name: &str, base_url: &str) -> &mut Upstream {
        self.upstreams.entry(name.to_owned()).or_insert_with(|| Upstream {
            base_url: base_url.to_owned(),
            wire: Wire::default(),
            key: None,
            models: Vec::new(),
        })
    }
}

/// Ollama's own variable is an address to listen on: `0.0.0.0`, `127.0.0.1:11434`, `http://host:port`.
fn ollama_url(host: &str) -> String {
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.trim_end_matches('/').replace("0.0.0.0", "127.0.0.1");
    let has_port = rest.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let port = if has_port || scheme == "https" { "" } else { ":11434" };
    format!("{scheme}://{rest}{port}/v1")
}

fn read_key(
    name: &str,
    upstream: &FileUpstream,
    folder: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<Option<Secret>, ConfigError> {
    let wrong = |reason: String| ConfigError::Upstream { name: name.to_owned(), reason };
    if let Some(variable) = &upstream.key_env {
        let key = environment.get(variable).ok_or_else(|| {
            wrong(format!("`key_env` names the environment variable {variable}, which is not set"))
        })?;
        return Ok(Some(Secret::new(key.as_str())));
    }
    let Some(file) = &upstream.key_file else { return Ok(None) };
    let path = folder.join(file);
    let key = std::fs::read_to_string(&path)
        .map_err(|error| wrong(format!("cannot read its `key_file` {}: {error}", path.display())))?;
    Ok(Some(Secret::new(key)))
}

fn check_upstream(name: &str, upstream: &Upstream) -> Result<(), ConfigError> {
    let wrong =
        |reason: &str| Err(ConfigError::Upstream { name: name.to_owned(), reason: reason.to_owned() });
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(plain) {
        return wrong("a name consists of letters, digits, '-', '_' and '.'");
    }
    if name == "pocket" {
        return wrong("this name belongs to the built-in model");
    }
    if upstream.key.as_ref().is_some_and(Secret::is_empty) {
        return wrong("its key is empty");
    }
    match reqwest::Url::parse(&upstream.base_url) {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => wrong("`base_url` must be http or https"),
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            wrong("`base_url` must not hold a user or password; use `key_env` or `key_file`")
        }
        Ok(_) => Ok(()),
        Err(error) => wrong(&format!("`base_url` is no address: {error}")),
    }
}

/// Origins end up inside a header, so nothing but an origin may pass.
fn check_origin(text: &str) -> Result<(), ConfigError> {
    let origin = reqwest::Url::parse(text).ok().map(|url| url.origin().ascii_serialization());
    if origin.as_deref() == Some(text) && text != "null" {
        return Ok(());
    }
    Err(ConfigError::Origin(text.to_owned()))
}
