//! Serves the fixtures on this machine: over HTTP with `conformance-host <folder> <port>`, over standard input and output
//! with `conformance-host <folder> --stdio`. `SATCHEL_TEST_CLOCK_MS` moves the protocol's clock, for what must not open ten
//! minutes later.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use conformance::{Fixtures, hear};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use mcp::{RpcError, Runtime};
use tools::ToolServer;

type Fixed = mcp::Server<Fixtures<ToolServer<local::AnyJournal>>>;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let usage = || "usage: conformance-host <folder> <port>|--stdio".to_owned();
    let folder = PathBuf::from(arguments.next().ok_or_else(usage)?);
    let transport = arguments.next().ok_or_else(usage)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    if transport != "--stdio" {
        let port = transport.parse().map_err(|_| usage())?;
        return runtime.block_on(http(folder, port));
    }
    let served = tokio::task::LocalSet::new().block_on(&runtime, async {
        let server = open(&folder).await?;
        local::stdio(server, tokio::io::stdin(), tokio::io::stdout()).await.map_err(|error| error.to_string())
    });
    // A read of standard input cannot be called back.
    runtime.shutdown_background();
    served
}

async fn http(folder: PathBuf, port: u16) -> Result<(), String> {
    let server = local::Handle::start(move || async move { open(&folder).await });
    let server = server.await.map_err(|error| error.to_string())?;
    let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
    let running =
        local::http(server, address, local::Policy::default()).await.map_err(|error| error.to_string())?;
    println!("http://{}/mcp", running.local_addr());
    // An interrupt is its graceful end; a kill is none, and is tried as well.
    let stop = tokio::signal::ctrl_c().map(drop);
    running.until(stop).await.map_err(|error| error.to_string())
}

/// The machine's edge with another time.
struct Shifted {
    runtime: local::NativeRuntime,
    by_ms: i64,
}

#[async_trait(?Send)]
impl Runtime for Shifted {
    fn now_ms(&self) -> i64 {
        self.runtime.now_ms() + self.by_ms
    }

    fn timestamp(&self, at_ms: i64) -> String {
        self.runtime.timestamp(at_ms)
    }

    fn random(&self) -> String {
        self.runtime.random()
    }

    fn detach(&self, work: LocalBoxFuture<'static, ()>) {
        self.runtime.detach(work);
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        self.runtime.get(name).await
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.runtime.put(name, bytes).await
    }

    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        self.runtime.names(prefix).await
    }

    async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.runtime.delete(name).await
    }
}

async fn open(folder: &Path) -> Result<Fixed, String> {
    let info = mcp::ServerInfo {
        name: "satchel-conformance".into(),
        title: "Satchel, with the suite's fixtures".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        instructions: "For tests.".into(),
    };
    let wrap = |tools| {
        Fixtures::over(tools, Box::new(|ms| tokio::time::sleep(Duration::from_millis(ms)).boxed_local()))
    };
    let by_ms = std::env::var("SATCHEL_TEST_CLOCK_MS").map_or(Ok(0), |ms| ms.parse());
    let by_ms = by_ms.map_err(|_| "SATCHEL_TEST_CLOCK_MS is a number".to_owned())?;
    let server = local::open_behind(folder, info, wrap, |runtime| Shifted { runtime, by_ms })
        .await
        .map_err(|error| error.to_string())?;
    hear(&server);
    Ok(server)
}
