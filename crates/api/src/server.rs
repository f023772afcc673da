//! Listens, and bounds what a connection may take before anything is known of it.

use std::net::SocketAddr;
use std::path::Path;
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

use crate::cluster::{Cluster, Home};
use crate::deadline::WithDeadline;
use crate::engine::{Engine, StartError};
use crate::gates::Gates;
use crate::http::{App, routes};
use crate::options::{Limits, Options, Shelves};
use crate::owner::Common;
use crate::passing::Passing;
use crate::run::Places;
use crate::tokens::Tokens;

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
    /// The servers that share the owners, and what follows them.
    cluster: Option<(Arc<dyn Cluster>, JoinHandle<()>)>,
}

impl Running {
    /// The address it listens on, with the port that the system chose where any was asked for.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Stops: takes no more connections and ends what is listened to. Messages that are not answered by then are answered by the
    /// next process, or by another server that shares the owners.
    pub async fn shutdown(self) {
        if let Some((cluster, _)) = &self.cluster {
            cluster.drain();
        }
        self.task.abort();
        // Until it is gone it holds the folder, which the next server may want at once.
        drop(self.task.await);
        self.stopping.send_replace(true);
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        // What has not ended by then is cut off with the process.
        drop(tokio::time::timeout(DRAIN, self.connections.acquire_many(all)).await);
        self.engine.close().await;
        if let Some((cluster, following)) = &self.cluster {
            following.abort();
            // Nothing of them is written here any more.
            cluster.release().await;
        }
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
    let Options {
        folder,
        address,
        tokens,
        model,
        instructions,
        hosts,
        origins,
        limits,
        clock,
        shelves,
        cluster,
    } = options;
    let failed = |error| StartError::Address { address, error };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let places = Arc::new(Places::new(limits.runs, limits.waiting_runs));
    let common = Common { model, instructions, limits, clock, places };
    let gates = cluster.as_ref().map(|cluster| Arc::new(Gates::new(Arc::clone(cluster), tokens.owners())));
    let locked = gates.is_none().then_some(folder.as_path());
    let engine = Engine::start(locked, tokens.owners().len()).await?;
    if gates.is_none() {
        open_all(&engine, &folder, &tokens, &shelves, &common).await?;
    }
    let (stopping, stops) = watch::channel(false);
    let streams =
        tokens.owners().iter().map(|_| Arc::new(Semaphore::new(limits.streams.min(Semaphore::MAX_PERMITS))));
    let (streams, stopping_too) = (streams.collect(), stops.clone());
    let passing = gates.as_ref().map(|gates| Arc::new(Passing::new(Arc::clone(gates), stops.clone())));
    let app = App {
        engine: engine.clone(),
        tokens: Arc::new(tokens),
        limits,
        streams,
        stopping: stopping_too,
        passing,
    };
    // Bound to more than this machine its other addresses are ours too.
    let is_open = !address.ip().is_loopback();
    let guard = Guard { hosts, origins: origins.clone(), is_open, admits_own_pages: false };
    let router = routes(app, guard, &origins);
    let most = limits.connections.clamp(1, Semaphore::MAX_PERMITS);
    let connections = Arc::new(Semaphore::new(most));
    let task = tokio::spawn(accept(listener, router, limits, stops, Arc::clone(&connections)));
    let cluster = cluster.zip(gates).map(|(cluster, gates)| {
        let engine = engine.clone();
        (cluster, tokio::spawn(async move { gates.follow(&engine, &common).await }))
    });
    Ok(Running { address, engine, stopping, connections, most, task, cluster })
}

/// Opens everybody's folder.
async fn open_all(
    engine: &Engine,
    folder: &Path,
    tokens: &Tokens,
    shelves: &Shelves,
    common: &Common,
) -> Result<(), StartError> {
    for (owner, name) in tokens.owners().iter().enumerate() {
        let folder = folder.join(name);
        let opens = Home::in_folder(folder.clone(), shelves.clone());
        if let Err(reason) = engine.open(owner, opens, common.clone()).await {
            // Those that are open already answer messages.
            engine.close().await;
            return Err(StartError::Folder { folder, reason });
        }
    }
    Ok(())
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
