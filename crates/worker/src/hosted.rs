//! What the server hosts. The conformance tests build the worker with another one of these.

use std::cell::Cell;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use mcp::{NotLoaded, Part, Server};
use store::IdbJournal;
use tools::{Domains, ToolServer};

use crate::parts::{Collect, Parts, Rest};
use crate::runtime::WorkerRuntime;

/// The database's name, the same for workers and for pages that serve themselves; that of the app is `names::of` it.
pub(crate) const DATABASE: &str = "satchel";

/// The tools themselves.
pub type Hosted = ToolServer<IdbJournal>;

/// What an app's worker serves; [`crate::app!`] makes it.
#[derive(Clone, Copy)]
pub struct App {
    /// What programs call it: MCP's `serverInfo.name`.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its domains, as calls of their tools need them.
    pub domains: Domains,
    /// What of the tools comes when it is wanted.
    pub tools: fn() -> Parts,
    /// What of the protocol comes when it is wanted.
    pub protocol: fn() -> Part<Rest>,
    /// What gives back the room of bytes that nothing needs: it comes once an hour, where there are bytes.
    pub collect: fn() -> LocalBoxFuture<'static, Result<Collect, NotLoaded>>,
}

thread_local! {
    static APP: Cell<Option<App>> = const { Cell::new(None) };
}

/// Serves this app from now on.
pub fn serve(app: App) {
    web::names::belong_to(app.name);
    APP.set(Some(app));
}

/// What is served, once it was said.
pub(crate) fn app() -> Option<App> {
    APP.get()
}

impl App {
    /// A server over the tools.
    pub(crate) fn server(self, tools: ToolServer<IdbJournal>) -> Rc<Server<Hosted>> {
        let runtime = WorkerRuntime(tools.byte_store());
        let info = tools::info(self.name, self.title, env!("CARGO_PKG_VERSION"), self.domains);
        Rc::new(Server::in_parts(info, tools, (self.protocol)()).with_runtime(runtime))
    }
}

/// The tools of a server.
pub(crate) fn tools(server: &Server<Hosted>) -> &ToolServer<IdbJournal> {
    server.host()
}
