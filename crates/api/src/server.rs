//! Listens, and bounds what a connection may take before anything is known of it.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use local::Guard;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use crate::deadline::WithDeadline;
use crate::engine::{Engine, StartError};
use crate::http::{App, routes};
use crate::options::{Limits, Options};
use crate::owner::Common;
use crate::run::Places;

/// The largest head of a request that is read, in bytes.
const HEAD_BYTES: usize = 16 * 1024;

/// How long streams and answers that are on their way have when the server stops.
const DRAIN: Duration = Duration::from_secs(2);

/// A server that listens.
pub struct Running {
    address: SocketAddr,
    engine: Engine,
    stopping: watch::Sender<bool>,
    connections: Arc<Semaphore>,
    most: usize,
    task: JoinHandle<()>,
}

impl Running {
    /// The address it listens on, with the port that the system chose where any was asked for.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Stops: takes no more connections and ends what is listened to. Messages that are not answered by then are answered by the
    /// next process.
    pub async fn shutdown(self) {
        self.task.abort();
        // Until it is gone it holds the folder, which the next server may want at once.
        drop(self.task.await);
        self.stopping.send_replace(true);
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        // What has not ended by then is cut off with the process.
        drop(tokio::time::timeout(DRAIN, self.connections.acquire_many(all)).await);
        self.engine.close().await;
    }

    /// Serves until `stop` resolves.
    pub async fn until(self, stop: impl Future<Output = ()>) {
        stop.await;
        self.shutdown().await;
    }
}

/// Starts a server. Messages that were taken and not answered when the last one over this folder ended are answered now.
///
/// # Errors
/// [`StartError`].
pub async fn serve(options: Options) -> Result<Running, StartError> {
    let Options { folder, address, tokens, model, instructions, hosts, origins, limits, clock, shelves } =
        options;
    let failed = |error| StartError::Address { address, error };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let places = Arc::new(Places::new(limits.runs, limits.waiting_runs));
    let common = Common { model, instructions, limits, clock, shelves, places };
    let engine = Engine::start(folder, tokens.owners().to_vec(), common).await?;
    let (stopping, stops) = watch::channel(false);
    let streams =
        tokens.owners().iter().map(|_| Arc::new(Semaphore::new(limits.streams.min(Semaphore::MAX_PERMITS))));
    let (streams, stopping_too) = (streams.collect(), stops.clone());
    let app =
        App { engine: engine.clone(), tokens: Arc::new(tokens), limits, streams, stopping: stopping_too };
    // Bound to more than this machine its other addresses are ours too.
    let is_open = !address.ip().is_loopback();
    let guard = Guard { hosts, origins: origins.clone(), is_open, admits_own_pages: false };
    let router = routes(app, guard, &origins);
    let most = limits.connections.clamp(1, Semaphore::MAX_PERMITS);
    let connections = Arc::new(Semaphore::new(most));
    let task = tokio::spawn(accept(listener, router, limits, stops, Arc::clone(&connections)));
    Ok(Running { address, engine, stopping, connections, most, task })
}

async fn accept(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stops: watch::Receiver<bool>,
    connections: Arc<Semaphore>,
) {
    // It is never closed.
    while let Ok(place) = Arc::clone(&connections).acquire_owned().await {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // The connection is gone already, or there are no more file handles: both pass.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let (router, stops) = (router.clone(), stops.clone());
        tokio::spawn(async move {
            connection(stream, router, limits, stops).await;
            drop(place);
        });
    }
}

async fn connection(stream: TcpStream, router: Router, limits: Limits, mut stops: watch::Receiver<bool>) {
    // Small events are not held back; a socket that cannot is as good.
    drop(stream.set_nodelay(true));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.patience).max_buf_size(HEAD_BYTES);
    let service = TowerToHyperService::new(router);
    let stream = TokioIo::new(WithDeadline::new(stream, limits.write_patience, limits.least_read));
    let mut serving = pin!(http.serve_connection(stream, service));
    let stopped = async move { drop(stops.wait_for(|stops| *stops).await) };
    tokio::select! {
        // Whoever broke the connection knows it.
        _ = &mut serving => return,
        () = stopped => {}
    }
    serving.as_mut().graceful_shutdown();
    drop(serving.await);
}
