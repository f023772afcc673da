//! Serves the fixtures on this machine: over HTTP with `conformance-host <folder> <port>`, over standard input and output
//! with `conformance-host <folder> --stdio`.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use conformance::{Fixtures, hear};
use futures::FutureExt;
use store::FileJournal;
use tools::ToolServer;

type Fixed = mcp::Server<Fixtures<ToolServer<FileJournal>>>;

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
    let server = local::Handle::start(move || async move { open(&folder).await }).await?;
    let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
    let running =
        local::http(server, address, local::Policy::default()).await.map_err(|error| error.to_string())?;
    println!("http://{}/mcp", running.local_addr());
    running.until(std::future::pending()).await.map_err(|error| error.to_string())
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
    let server = local::open_behind(folder, info, wrap).await.map_err(|error| error.to_string())?;
    hear(&server);
    Ok(server)
}
