//! What the server hosts. The conformance tests build the worker with another one of these.

use std::rc::Rc;

use mcp::Server;
use store::IdbJournal;
use tools::{Parts, ToolServer};

use crate::edge::WorkerEdge;
use crate::parts;

/// The tools themselves.
pub(crate) type Hosted = ToolServer<IdbJournal>;

pub(crate) use crate::parts::DOMAINS;

/// What of the tools comes when it is wanted.
pub(crate) fn parts() -> Parts<IdbJournal> {
    parts::of_tools()
}

/// The tools of a server.
pub(crate) fn tools(server: &Server<Hosted>) -> &ToolServer<IdbJournal> {
    server.host()
}

/// A server over the tools.
pub(crate) fn serve(tools: ToolServer<IdbJournal>) -> Rc<Server<Hosted>> {
    let edge = WorkerEdge(tools.shelf());
    let info = tools::info(env!("CARGO_PKG_VERSION"), DOMAINS);
    Rc::new(Server::in_parts(info, tools, parts::of_protocol()).with_edge(edge))
}
