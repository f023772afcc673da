//! Puts the parts together and listens.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::serve::ListenerExt;
use axum::{Json, Router};
use serde_json::json;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use crate::api::{self, Api};
use crate::guard::{Guard, own_only};
use crate::headers::{self, Strict};
use crate::limits::Clients;
use crate::metrics::{self, Metrics};
use crate::models::Asked;
use crate::observe::{self, Observer};
use crate::otlp::{ExportError, Exporter};
use crate::relay::{self, Relay};
use crate::stream::Deadline;
use crate::tokens::Known;
use crate::trace::hex;
use crate::{Config, Counters, InOneProcess, LineFormat, Standing, files};

/// Why it did not start.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The folder holds no built app.
    #[error(
        "there is no built app in {0}: it has no index.html. Build it with `cargo xtask build`, or name another folder with --dir"
    )]
    NoApp(String),
    /// The address cannot be had.
    #[error(
        "cannot listen on {address}: {reason}. Another program may be using the port; choose one with --port"
    )]
    Listen {
        /// The address that was asked for; port 0 is any.
        address: SocketAddr,
        /// Why.
        reason: String,
    },
    /// The address for metrics cannot be had.
    #[error("cannot listen on {address} for metrics: {reason}. Change `metrics_address`")]
    Metrics {
        /// The address that was asked for.
        address: SocketAddr,
        /// Why.
        reason: String,
    },
    /// Spans cannot be sent as it is configured.
    #[error("traces: {0}")]
    Traces(#[from] ExportError),
    /// The outgoing side could not be set up.
    #[error("cannot set up outgoing connections: {0}")]
    Outgoing(String),
}

/// A gateway that runs until it is told to stop, or is dropped.
pub struct Running {
    local_addr: SocketAddr,
    metrics: Option<(SocketAddr, JoinHandle<()>)>,
    observer: Arc<Observer>,
    draining: Arc<AtomicBool>,
    pause_ms: u64,
    stop: Option<oneshot::Sender<()>>,
    deadline: watch::Sender<bool>,
    relay: Arc<Relay>,
    drain_ms: u64,
    task: JoinHandle<()>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("local_addr", &self.local_addr).finish_non_exhaustive()
    }
}

impl Running {
    /// The address it listens on, with the port that the system chose where any was asked for.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Where `/metrics` is, with the port that the system chose where any was asked for.
    #[must_use]
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|(address, _)| *address)
    }

    /// Stops: says so at `/readyz` for a while, takes no more connections, lets streams run to their end, and cuts those that are not
    /// done by the deadline. Returns when all is over.
    pub async fn shutdown(mut self) {
        self.draining.store(true, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(self.pause_ms)).await;
        self.end_streams().await;
        // Whoever has the counters may end them when this returns.
        self.observer.clients.settled(LAST_SPENDS).await;
        if let Some((_, task)) = &self.metrics {
            task.abort();
        }
        let exporter = self.observer.exporter.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(exporter) = exporter
            && let Some((lost, why)) = exporter.end(LAST_SPANS).await
        {
            self.observer.log.line(&format!("traces=lost bodies={lost} why=\"{why}\""));
        }
    }

    async fn end_streams(&mut self) {
        if let Some(stop) = self.stop.take() {
            // One that has ended waits for nothing.
            stop.send(()).ok();
        }
        // A pairing has no end of its own.
        self.relay.end();
        if tokio::time::timeout(Duration::from_millis(self.drain_ms), &mut self.task).await.is_ok() {
            return;
        }
        self.deadline.send_replace(true);
        // A client that does not even read its last bytes is not waited for.
        if tokio::time::timeout(Duration::from_secs(1), &mut self.task).await.is_err() {
            self.task.abort();
        }
    }

    /// Runs until `signal` is done, then shuts down.
    pub async fn until(self, signal: impl Future<Output = ()>) {
        signal.await;
        self.shutdown().await;
    }
}

/// How long is waited for a collector at the end.
const LAST_SPANS: Duration = Duration::from_secs(5);

/// How long is waited until what the last answers took has been counted.
const LAST_SPENDS: Duration = Duration::from_secs(5);

/// Starts a gateway that counts for itself, and gives a handle on it: it serves in the background until it is told to stop.
///
/// # Errors
/// No built app, or no such address.
pub async fn serve(config: Config) -> Result<Running, ServeError> {
    serve_with(config, Arc::new(InOneProcess::default())).await
}

/// The same with counters of the caller's, such as those that several servers share.
///
/// # Errors
/// As [`serve`].
pub async fn serve_with(config: Config, counters: Arc<dyn Counters>) -> Result<Running, ServeError> {
    if !config.dir.join("index.html").is_file() {
        return Err(ServeError::NoApp(config.dir.display().to_string()));
    }
    let refused =
        |error: std::io::Error| ServeError::Listen { address: config.address, reason: error.to_string() };
    let listener = TcpListener::bind(config.address).await.map_err(refused)?;
    let local_addr = listener.local_addr().map_err(refused)?;
    let http = outgoing().map_err(ServeError::Outgoing)?;
    let (deadline, deadline_passed) = watch::channel(false);
    let observer = Arc::new(observer(&config, &counters)?);
    let metrics = match config.metrics_address {
        Some(address) => Some(serve_metrics(address, &config, &observer, &counters).await?),
        None => None,
    };
    let draining = Arc::new(AtomicBool::new(false));
    let health = Health { draining: Arc::clone(&draining), counters: Arc::clone(&counters) };
    let api = Api {
        upstreams: config.upstreams,
        clients: observer.clients.clone(),
        counters,
        trusted_proxies: config.trusted_proxies,
        reads_models: observer.reads_usage,
        body_bytes: config.limits.body_bytes,
        http,
        asked: Asked::default(),
        deadline: Deadline(deadline_passed),
        log: config.log,
        served: AtomicU64::new(0),
    };
    let relay = Arc::new(Relay::new(config.relay));
    let guard = Guard::new(local_addr.ip(), &config.public_origins);
    let app = Router::new()
        .fallback_service(
            Router::new().fallback_service(files::service(&config.dir)).layer(from_fn(files::caching)),
        )
        .merge(
            api::router(Arc::new(api))
                .merge(relay::router(Arc::clone(&relay)))
                .layer(from_fn_with_state(guard, own_only)),
        )
        .route("/healthz", get(healthy))
        .route("/readyz", get(ready).with_state(health))
        .layer(from_fn_with_state(Strict::new(&config.connect_origins), headers::add))
        .layer(from_fn_with_state(Arc::clone(&observer), observe::requests))
        .into_make_service_with_connect_info::<SocketAddr>();
    // A word of a stream is sent when it comes, and not together with the next one.
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    let (stop, stopped) = oneshot::channel::<()>();
    let task = tokio::spawn(async move {
        let serving = axum::serve(listener, app).with_graceful_shutdown(async move {
            drop(stopped.await);
        });
        // It never fails: connections that break are their own affair.
        drop(serving.await);
    });
    Ok(Running {
        local_addr,
        metrics,
        observer,
        draining,
        pause_ms: config.pause_ms,
        stop: Some(stop),
        deadline,
        relay,
        drain_ms: config.drain_ms,
        task,
    })
}

fn observer(config: &Config, counters: &Arc<dyn Counters>) -> Result<Observer, ServeError> {
    let headers = config.traces_headers.as_ref().map_or("", |headers| headers.expose());
    let agent = concat!("satchel/", env!("CARGO_PKG_VERSION"));
    let exporter = config.traces_endpoint.as_deref().map(|address| Exporter::new(address, headers, agent));
    let models = config.upstreams.iter().map(|(name, upstream)| {
        (name.clone(), upstream.models.iter().map(|model| model.id.clone()).collect())
    });
    let clients = Clients::new(
        Known::new(config.limits, config.quotas, &config.tokens, config.tokens_only),
        Arc::clone(counters),
    );
    Ok(Observer {
        log: config.log.clone(),
        lines: config.lines,
        metrics: Arc::new(Metrics::new()),
        reads_usage: config.metrics_address.is_some()
            || exporter.is_some()
            || clients.has_quotas()
            || config.lines.format == LineFormat::Json,
        exporter: Mutex::new(exporter.transpose()?),
        clients,
        models: models.collect(),
        salt: hex(16),
    })
}

async fn serve_metrics(
    address: SocketAddr,
    config: &Config,
    observer: &Observer,
    counters: &Arc<dyn Counters>,
) -> Result<(SocketAddr, JoinHandle<()>), ServeError> {
    let refused = |error: std::io::Error| ServeError::Metrics { address, reason: error.to_string() };
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let source = metrics::Source {
        metrics: Arc::clone(&observer.metrics),
        counters: Arc::clone(counters),
        upstreams: config.upstreams.keys().cloned().collect(),
    };
    // It never fails, as the other does not.
    let serving = async move { drop(axum::serve(listener, metrics::router(source)).await) };
    Ok((address, tokio::spawn(serving)))
}

#[derive(Clone)]
struct Health {
    draining: Arc<AtomicBool>,
    counters: Arc<dyn Counters>,
}

async fn healthy() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "ok" })))
}

/// Whether a balancer should send requests here.
async fn ready(State(health): State<Health>) -> impl IntoResponse {
    let (status, word) = if health.draining.load(Ordering::Relaxed) {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else {
        (StatusCode::OK, "ready")
    };
    // Without what they count together each goes on with its share: a balancer that took all of them out would take the models away.
    let counts = if health.counters.standing() == Standing::Away { "away" } else { "there" };
    (status, [(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": word, "counts": counts })))
}

/// The client for upstreams. It follows no redirect (the key would go along), and waits long for a
/// model that thinks, but not for a connection.
fn outgoing() -> Result<reqwest::Client, String> {
    let tls = rustls::crypto::ring::default_provider();
    // Already installed by another gateway in this process is as good.
    drop(tls.install_default());
    reqwest::Client::builder()
        .user_agent(concat!("satchel/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        // HTTP/2 would put all streams of an upstream on one connection, and those beyond what the upstream takes on one (often 100)
        // would wait for others to end.
        .http1_only()
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(Duration::from_secs(600))
        .build()
        .map_err(|error| error.to_string())
}
