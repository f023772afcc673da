//! The one server of this worker instance.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, Shared};
use mcp::Server;
use store::{Change, IdbJournal};
use tools::ToolServer;

use crate::browser;

/// The database's name, the same for workers and for pages that serve themselves.
const DATABASE: &str = "satchel";

type Opened = Result<Rc<Server<ToolServer<IdbJournal>>>, String>;

thread_local! {
    /// Being opened, or open. Calls that come meanwhile wait for the same.
    static SERVER: RefCell<Option<Shared<LocalBoxFuture<'static, Opened>>>> = const { RefCell::new(None) };
    /// Something was committed since the last time of quiet.
    static IS_UNTIDY: Cell<bool> = const { Cell::new(false) };
    static IS_TIDYING: Cell<bool> = const { Cell::new(false) };
}

/// The server, opened if it is not. One that could not be opened is tried again with the next call.
pub(crate) async fn get() -> Opened {
    let opening = SERVER.with_borrow_mut(|server| {
        let failed = matches!(server.as_ref().and_then(Shared::peek), Some(Err(_)));
        match server {
            Some(opening) if !failed => opening.clone(),
            _ => server.insert(open().boxed_local().shared()).clone(),
        }
    });
    opening.await
}

/// Lets go of a server that a panic left in an unknown state, without running any more of its code.
pub(crate) fn abandon() {
    SERVER.with(|server| {
        if let Ok(mut server) = server.try_borrow_mut() {
            std::mem::forget(server.take());
        }
    });
    IS_TIDYING.set(false);
}

/// What may wait until the answer is out: a snapshot when it is due, the second copy.
pub(crate) async fn tidy_up() {
    if !IS_UNTIDY.get() || IS_TIDYING.replace(true) {
        return;
    }
    IS_UNTIDY.set(false);
    if let Ok(server) = get().await
        && let Err(error) = server.host().upkeep().await
    {
        browser::complain(&format!("the second copy of the to-dos waits: {error}"));
    }
    IS_TIDYING.set(false);
}

async fn open() -> Opened {
    let journal = IdbJournal::open(DATABASE).await.map_err(|error| error.to_string())?;
    let server = ToolServer::open(journal, browser::now, browser::instance())
        .await
        .map_err(|error| error.to_string())?
        .on_change(|change: &Change| {
            IS_UNTIDY.set(true);
            browser::announce(change);
        });
    Ok(Rc::new(server.into_server(tools::info(env!("CARGO_PKG_VERSION")))))
}
