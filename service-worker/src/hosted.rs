//! What the server hosts. The conformance tests build the worker with another one of these.

use std::rc::Rc;

use mcp::Server;
use store::IdbJournal;
use tools::{Parts, ToolServer};

use crate::parts;
use crate::runtime::WorkerRuntime;

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
    let runtime = WorkerRuntime(tools.byte_store());
    let info = tools::info(env!("CARGO_PKG_VERSION"), DOMAINS);
    Rc::new(Server::in_parts(info, tools, parts::of_protocol()).with_runtime(runtime))
}
