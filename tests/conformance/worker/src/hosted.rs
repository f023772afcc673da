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

/// The database's name, as the worker's library has it.
pub(crate) const DATABASE: &str = "satchel";

/// What is served behind the fixtures.
const DOMAINS: Domains =
    &[&todo::Todos, &memory::Memories, &photo::Photos, &trip::Trips { atlas: &trip::atlas::Packed }];

/// What is served, as the worker's library has it.
pub(crate) struct App {
    pub(crate) domains: Domains,
    pub(crate) tools: fn() -> Parts<IdbJournal>,
}

/// All of it is here: the fixtures read the prompts and templates behind them at the start.
pub(crate) fn app() -> Option<App> {
    Some(App { domains: DOMAINS, tools: || Parts::here(DOMAINS) })
}

/// The tools of a server.
pub(crate) fn tools(server: &Server<Hosted>) -> &ToolServer<IdbJournal> {
    server.host().inner()
}

impl App {
    /// A server over the fixtures.
    pub(crate) fn server(self, tools: ToolServer<IdbJournal>) -> Rc<Server<Hosted>> {
        let runtime = WorkerRuntime(tools.byte_store());
        let sleep = |ms: u64| browser::sleep(i32::try_from(ms).unwrap_or(i32::MAX)).boxed_local();
        let fixtures = Fixtures::over(tools, Box::new(sleep));
        let server =
            Server::new(tools::info("satchel", "Satchel", env!("CARGO_PKG_VERSION"), self.domains), fixtures)
                .with_runtime(runtime);
        conformance::hear(&server);
        Rc::new(server)
    }
}
