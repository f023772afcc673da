//! Serves the fixtures over HTTP on this machine: `conformance-host <folder> <port>`. `SATCHEL_TEST_CLOCK_MS` moves the
//! protocol's clock, for what must not open ten minutes later.

use std::cell::OnceCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use async_trait::async_trait;
use conformance::{Fixtures, hear};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use mcp::{Edge, RpcError};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let usage = || "usage: conformance-host <folder> <port>".to_owned();
    let folder = PathBuf::from(arguments.next().ok_or_else(usage)?);
    let port = arguments.next().and_then(|port| port.parse().ok()).ok_or_else(usage)?;
    let by_ms = std::env::var("SATCHEL_TEST_CLOCK_MS").map_or(Ok(0), |ms| ms.parse());
    let by_ms = by_ms.map_err(|_| "SATCHEL_TEST_CLOCK_MS is a number".to_owned())?;
    let make = move || async move {
        let (tools, edge) = local::parts(&folder).await.map_err(|error| error.to_string())?;
        let heard: Rc<OnceCell<mcp::Server<_>>> = Rc::default();
        let speaker = Rc::clone(&heard);
        // As the program that ships does: who listens hears of every change.
        let tools = tools.on_change(move |change| {
            if let Some(server) = speaker.get() {
                local::tell(server, change);
            }
        });
        let sleep = Box::new(|ms| tokio::time::sleep(Duration::from_millis(ms)).boxed_local());
        let info = tools_info();
        let server = mcp::Server::new(info, Fixtures::over(tools, sleep)).with_edge(Shifted { edge, by_ms });
        hear(&server);
        // It is set once, here.
        let _ = heard.set(server.clone());
        Ok(server)
    };
    let server = local::Handle::start(make).await?;
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
    edge: local::NativeEdge,
    by_ms: i64,
}

#[async_trait(?Send)]
impl Edge for Shifted {
    fn now_ms(&self) -> i64 {
        self.edge.now_ms() + self.by_ms
    }

    fn timestamp(&self, at_ms: i64) -> String {
        self.edge.timestamp(at_ms)
    }

    fn random(&self) -> String {
        self.edge.random()
    }

    fn detach(&self, work: LocalBoxFuture<'static, ()>) {
        self.edge.detach(work);
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        self.edge.get(name).await
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.edge.put(name, bytes).await
    }

    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        self.edge.names(prefix).await
    }

    async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.edge.delete(name).await
    }
}

fn tools_info() -> mcp::ServerInfo {
    mcp::ServerInfo {
        name: "satchel-conformance".into(),
        title: "Satchel, with the suite's fixtures".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        instructions: "For tests.".into(),
    }
}
