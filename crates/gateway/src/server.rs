//! Puts the parts together and listens.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::http::header;
use axum::middleware::{from_fn, from_fn_with_state};
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
use crate::models::Asked;
use crate::relay::{self, Relay};
use crate::rest::Rests;
use crate::stream::Deadline;
use crate::{Config, files, log};

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
    /// The outgoing side could not be set up.
    #[error("cannot set up outgoing connections: {0}")]
    Outgoing(String),
}

/// A gateway that runs until it is told to stop, or is dropped.
#[derive(Debug)]
pub struct Running {
    local_addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    deadline: watch::Sender<bool>,
    relay: Arc<Relay>,
    drain_ms: u64,
    task: JoinHandle<()>,
}

impl Running {
    /// The address it listens on, with the port that the system chose where any was asked for.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Stops: takes no more connections, lets streams run to their end, and cuts those that are not
    /// done by the deadline. Returns when all is over.
    pub async fn shutdown(mut self) {
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

/// Starts the gateway and gives a handle on it: it serves in the background until it is told to stop.
///
/// # Errors
/// No built app, or no such address.
pub async fn serve(config: Config) -> Result<Running, ServeError> {
    if !config.dir.join("index.html").is_file() {
        return Err(ServeError::NoApp(config.dir.display().to_string()));
    }
    let refused =
        |error: std::io::Error| ServeError::Listen { address: config.address, reason: error.to_string() };
    let listener = TcpListener::bind(config.address).await.map_err(refused)?;
    let local_addr = listener.local_addr().map_err(refused)?;
    let http = outgoing().map_err(ServeError::Outgoing)?;
    let (deadline, deadline_passed) = watch::channel(false);
    let api = Api {
        upstreams: config.upstreams,
        clients: Clients::new(config.limits),
        rests: Rests::default(),
        body_bytes: config.limits.body_bytes,
        http,
        asked: Asked::default(),
        deadline: Deadline(deadline_passed),
        log: config.log.clone(),
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
        .layer(from_fn_with_state(Strict::new(&config.connect_origins), headers::add))
        .layer(from_fn_with_state(config.log, log::requests))
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
    Ok(Running { local_addr, stop: Some(stop), deadline, relay, drain_ms: config.drain_ms, task })
}

async fn healthy() -> impl axum::response::IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "ok" })))
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
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(Duration::from_secs(600))
        .build()
        .map_err(|error| error.to_string())
}
