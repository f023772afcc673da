//! The fixtures in front of the tools.

use std::rc::Rc;

use conformance::Fixtures;
use futures::FutureExt;
use mcp::Server;
use store::IdbJournal;
use tools::{Domains, Parts, ToolServer};

use crate::browser;
use crate::runtime::WorkerRuntime;

/// The fixtures, and behind them the tools.
pub(crate) type Hosted = Fixtures<ToolServer<IdbJournal>>;

/// What is served behind the fixtures.
pub(crate) const DOMAINS: Domains = &[&todo::Todos, &memory::Memories];

/// All of it is here: the fixtures read the prompts and templates behind them at the start.
pub(crate) fn parts() -> Parts<IdbJournal> {
    Parts::here(DOMAINS)
}

/// The tools of a server.
pub(crate) fn tools(server: &Server<Hosted>) -> &ToolServer<IdbJournal> {
    server.host().inner()
}

/// A server over the fixtures.
pub(crate) fn serve(tools: ToolServer<IdbJournal>) -> Rc<Server<Hosted>> {
    let runtime = WorkerRuntime(tools.byte_store());
    let sleep = |ms: u64| browser::sleep(i32::try_from(ms).unwrap_or(i32::MAX)).boxed_local();
    let fixtures = Fixtures::over(tools, Box::new(sleep));
    let server = Server::new(tools::info(env!("CARGO_PKG_VERSION"), DOMAINS), fixtures).with_runtime(runtime);
    conformance::hear(&server);
    Rc::new(server)
}
