//! Serves the fixtures over HTTP on this machine: `conformance-host <folder> <port>`.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use conformance::{Fixtures, hear};
use futures::FutureExt;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let usage = || "usage: conformance-host <folder> <port>".to_owned();
    let folder = PathBuf::from(arguments.next().ok_or_else(usage)?);
    let port = arguments.next().and_then(|port| port.parse().ok()).ok_or_else(usage)?;
    let make = move || async move {
        let (tools, edge) = local::parts(&folder).await.map_err(|error| error.to_string())?;
        let sleep = Box::new(|ms| tokio::time::sleep(Duration::from_millis(ms)).boxed_local());
        let info = tools_info();
        let server = mcp::Server::new(info, Fixtures::over(tools, sleep)).with_edge(edge);
        hear(&server);
        Ok(server)
    };
    let server = local::Handle::start(make).await?;
    let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
    let running =
        local::http(server, address, local::Policy::default()).await.map_err(|error| error.to_string())?;
    println!("http://{}/mcp", running.local_addr());
    running.until(std::future::pending()).await.map_err(|error| error.to_string())
}

fn tools_info() -> mcp::ServerInfo {
    mcp::ServerInfo {
        name: "satchel-conformance".into(),
        title: "Satchel, with the suite's fixtures".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        instructions: "For tests.".into(),
    }
}
