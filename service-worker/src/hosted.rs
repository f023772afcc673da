//! What the server hosts. The conformance tests build the worker with another one of these.

use std::rc::Rc;

use mcp::Server;
use store::IdbJournal;
use tools::ToolServer;

use crate::edge::WorkerEdge;

/// The tools themselves.
pub(crate) type Hosted = ToolServer<IdbJournal>;

/// The tools of a server.
pub(crate) fn tools(server: &Server<Hosted>) -> &ToolServer<IdbJournal> {
    server.host()
}

/// A server over the tools.
pub(crate) fn serve(tools: ToolServer<IdbJournal>) -> Rc<Server<Hosted>> {
    let edge = WorkerEdge(tools.shelf());
    Rc::new(tools.into_server(tools::info(env!("CARGO_PKG_VERSION"), crate::server::DOMAINS)).with_edge(edge))
}
