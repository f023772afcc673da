//! The tool server on this machine: the same tools as in the browser, over files, for desktop clients.
//!
//! [`open`] assembles them over a folder, [`open_over`] over any journal, [`open_for_programs`] those that a program of others' may call; [`stdio`] and [`http`] carry the protocol. All of it runs on one thread: the server is
//! the one that a service worker has, and that has no threads.
//!
//! What it does not know: any model, any page.
#![doc = include_str!("../README.md")]

mod guard;
mod http;
mod runtime;
mod stdio;
mod thread;

use std::cell::{Cell, OnceCell};
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use mcp::{Host, Runtime, Server, ServerInfo, WeakServer};
use store::{Change, FileJournal, Journal};
use tools::{ByteStore, Domains, ToolServer};

pub use guard::Guard;
pub use http::{Policy, Running, http};
pub use runtime::{NativeRuntime, now, now_ms, random};
pub use stdio::stdio;
pub use store::StoreError;
pub use thread::{Handle, StartError};
pub use tools::GoesUp;

/// One change seldom comes alone.
const PAUSE: Duration = Duration::from_millis(200);

/// How often another process's changes are looked for while somebody listens.
const LOOK: Duration = Duration::from_secs(1);

/// What is served: the assistants that ship with the app.
pub const DOMAINS: Domains =
    &[&todo::Todos, &memory::Memories, &photo::Photos, &trip::Trips { atlas: &trip::atlas::Packed }];

/// What of the tools' answers goes up to whoever sent the message they were called for (S4-15), with the domain that says so.
pub fn goes_up() -> impl Iterator<Item = (&'static str, &'static GoesUp)> {
    DOMAINS.iter().flat_map(|domain| domain.goes_up().iter().map(|field| (domain.id(), field)))
}

/// The journal of the to-dos, whatever keeps it.
pub type AnyJournal = Rc<dyn Journal>;

/// The tools over a journal.
pub type LocalServer = Server<ToolServer<AnyJournal>>;

/// A server over the to-dos in a folder, which is made if it is not there.
///
/// # Errors
/// When the folder cannot be read or written.
pub async fn open(folder: &Path) -> Result<LocalServer, StoreError> {
    open_over(Rc::new(FileJournal::open(folder)?)).await
}

/// A server over the to-dos in a journal, which may be kept anywhere. On a thread with a `LocalSet`.
///
/// # Errors
/// When the journal cannot be read or written.
pub async fn open_over(journal: AnyJournal) -> Result<LocalServer, StoreError> {
    let info = tools::info("satchel", "Satchel", env!("CARGO_PKG_VERSION"), DOMAINS);
    assemble(journal, info, |tools| tools, |runtime| runtime).await
}

/// The same for programs that are not ours: without the tools of the app's own screens, which erase, restore and fill in what a
/// screen has asked for.
///
/// # Errors
/// When the folder cannot be read or written.
pub async fn open_for_programs(folder: &Path) -> Result<LocalServer, StoreError> {
    let info = tools::info("satchel", "Satchel", env!("CARGO_PKG_VERSION"), DOMAINS);
    open_behind(folder, info, ToolServer::for_programs, |runtime| runtime).await
}

/// The same behind a host of the caller's, which sees each request before the to-dos do, and with a runtime of theirs.
///
/// # Errors
/// When the folder cannot be read or written.
pub async fn open_behind<H: Host + 'static, E: Runtime + 'static>(
    folder: &Path,
    info: ServerInfo,
    wrap: impl FnOnce(ToolServer<AnyJournal>) -> H,
    wrap_runtime: impl FnOnce(NativeRuntime) -> E,
) -> Result<Server<H>, StoreError> {
    assemble(Rc::new(FileJournal::open(folder)?), info, wrap, wrap_runtime).await
}

async fn assemble<H: Host + 'static, E: Runtime + 'static>(
    journal: AnyJournal,
    info: ServerInfo,
    wrap: impl FnOnce(ToolServer<AnyJournal>) -> H,
    wrap_runtime: impl FnOnce(NativeRuntime) -> E,
) -> Result<Server<H>, StoreError> {
    // The server has the tools, which have this: one that kept it would keep both for ever.
    let news: Rc<OnceCell<WeakServer<H>>> = Rc::default();
    let heard = Rc::clone(&news);
    let tools = ToolServer::open(journal, runtime::now, runtime::random(), DOMAINS).await?;
    // A process before us may have ended before it got to it.
    if tools.db().copied_rev() < tools.db().rev()
        && let Err(error) = tools.upkeep().await
    {
        eprintln!("satchel: the copy of the to-dos waits: {error}");
    }
    let (byte_store, is_tidying) = (Rc::new(tools.byte_store()), Rc::new(Cell::new(false)));
    let tools = tools.on_change(move |change: &Rc<Change>| {
        let server = heard.get().and_then(WeakServer::upgrade);
        if let Some(server) = &server {
            tools::notifications_of(DOMAINS, change).iter().for_each(|news| server.publish(news));
        }
        tidy_up(Rc::clone(&byte_store), Rc::clone(&is_tidying), server);
    });
    let runtime = wrap_runtime(NativeRuntime::over(tools.byte_store()));
    let server = Server::new(info, wrap(tools)).with_runtime(runtime);
    // It is set once, here.
    drop(news.set(server.downgrade()));
    // Whole exports may lie in tasks that nobody can ask for any more. Losing this loses nothing: they stay a little longer.
    drop(server.forget_expired().await);
    Ok(server)
}

/// Tells who listens what other processes over the same folder have changed, for as long as it is polled.
async fn watch<H: Host + 'static>(server: Server<H>) {
    loop {
        tokio::time::sleep(LOOK).await;
        if server.is_heard() {
            server.host().notifications().await.iter().for_each(|news| server.publish(news));
        }
    }
}

/// Writes the snapshot, when it is due, and forgets old tasks, a moment after the first change of a row of them.
fn tidy_up<H: Host + 'static>(
    byte_store: Rc<ByteStore<AnyJournal>>,
    is_tidying: Rc<Cell<bool>>,
    server: Option<Server<H>>,
) {
    if is_tidying.replace(true) {
        return;
    }
    tokio::task::spawn_local(async move {
        tokio::time::sleep(PAUSE).await;
        is_tidying.set(false);
        if let Err(error) = byte_store.upkeep().await {
            eprintln!("satchel: the copy of the to-dos waits: {error}");
        }
        if let Some(server) = server {
            // The next change tries again.
            drop(server.forget_expired().await);
        }
    });
}

/// The folder for the to-dos of this person: `$XDG_DATA_HOME/satchel`, or where the system has such things.
///
/// # Errors
/// When there is no home folder to be found.
pub fn data_folder() -> io::Result<std::path::PathBuf> {
    let set =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(std::path::PathBuf::from);
    let home = || set("HOME").or_else(|| set("USERPROFILE"));
    let base = set("XDG_DATA_HOME").or_else(|| {
        if cfg!(windows) {
            set("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            home().map(|home| home.join("Library/Application Support"))
        } else {
            home().map(|home| home.join(".local/share"))
        }
    });
    let missing = || io::Error::new(io::ErrorKind::NotFound, "no home folder: say where with --data");
    base.map(|base| base.join("satchel")).ok_or_else(missing)
}
