//! What the server hosts: the tools, and in a test build the conformance suite's fixtures in front of them.

use std::rc::Rc;

use mcp::Server;
use store::IdbJournal;
use tools::ToolServer;

use crate::edge::WorkerEdge;

type Tools = ToolServer<IdbJournal>;

#[cfg(not(feature = "conformance"))]
pub(crate) type Hosted = Tools;

#[cfg(feature = "conformance")]
pub(crate) type Hosted = conformance::Fixtures<Tools>;

/// The tools of a server.
#[cfg(not(feature = "conformance"))]
pub(crate) fn tools(server: &Server<Hosted>) -> &Tools {
    server.host()
}

/// The tools of a server.
#[cfg(feature = "conformance")]
pub(crate) fn tools(server: &Server<Hosted>) -> &Tools {
    server.host().inner()
}

/// A server over the tools.
#[cfg(not(feature = "conformance"))]
pub(crate) fn serve(tools: Tools) -> Rc<Server<Hosted>> {
    let edge = WorkerEdge(tools.shelf());
    Rc::new(tools.into_server(tools::info(env!("CARGO_PKG_VERSION"))).with_edge(edge))
}

/// A server over the tools.
#[cfg(feature = "conformance")]
pub(crate) fn serve(tools: Tools) -> Rc<Server<Hosted>> {
    use futures::FutureExt;
    let edge = WorkerEdge(tools.shelf());
    let sleep = |ms: u64| crate::browser::sleep(i32::try_from(ms).unwrap_or(i32::MAX)).boxed_local();
    let fixtures = conformance::Fixtures::over(tools, Box::new(sleep));
    let server = Server::new(tools::info(env!("CARGO_PKG_VERSION")), fixtures).with_edge(edge);
    conformance::hear(&server);
    Rc::new(server)
}
