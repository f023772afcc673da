//! The one server of this worker instance.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, Shared, select};
use js_sys::Date;
use mcp::{HttpIn, HttpOut, Notification, Server};
use store::{Change, IdbJournal};
use tools::ToolServer;
use wasm_bindgen_futures::spawn_local;
use web::names;

use crate::hosted::{self, DATABASE, Hosted};
use crate::{browser, calls};

type Opened = Result<Rc<Server<Hosted>>, String>;

/// So long nobody calls before we tidy up, and so many times that is hoped for.
const PAUSE_MS: i32 = 50;
const MOST_PAUSES: u32 = 10;

/// So long a call waits for another tab that holds the database open.
const PATIENCE_MS: f64 = 3_000.0;

thread_local! {
    /// Being opened, or open. Calls that come meanwhile wait for the same.
    static SERVER: RefCell<Option<Shared<LocalBoxFuture<'static, Opened>>>> = const { RefCell::new(None) };
    /// Something was committed since the last time of quiet.
    static IS_UNTIDY: Cell<bool> = const { Cell::new(false) };
    static IS_TIDYING: Cell<bool> = const { Cell::new(false) };
    /// Changes of others are heard of.
    static IS_HEARING: Cell<bool> = const { Cell::new(false) };
}

/// The server's answer.
///
/// # Errors
/// Why the server cannot be opened.
pub(crate) async fn handle(request: HttpIn) -> Result<HttpOut, String> {
    let (opening, is_first) = opening();
    // What is being read now is news to this call.
    let is_fresh = opening.peek().is_none();
    let came_ms = Date::now();
    let mut opened = opening.await;
    // The one who began to open had waited for a while when this call came: it has not had its own time yet.
    if is_fresh && !is_first && opened.is_err() {
        let left_ms = PATIENCE_MS - (Date::now() - came_ms);
        if let Either::Left((again, _)) =
            select(self::opening().0, pin!(browser::sleep(left_ms as i32))).await
        {
            opened = again;
        }
    }
    let server = opened?;
    hosted::tools(&server).mark_fresh(is_fresh);
    let out = server.handle(request).await;
    hosted::tools(&server).mark_fresh(false);
    Ok(out)
}

/// Opens the server, for whoever is about to call.
pub(crate) async fn warm() {
    // Why it cannot be opened is said to the first call, which tries it again.
    drop(opening().0.await);
}

/// The server, opened if it is not, and whether that begins now. One that could not be opened is tried again.
fn opening() -> (Shared<LocalBoxFuture<'static, Opened>>, bool) {
    SERVER.with_borrow_mut(|server| {
        let failed = matches!(server.as_ref().and_then(Shared::peek), Some(Err(_)));
        match server {
            Some(opening) if !failed => (opening.clone(), false),
            _ => (server.insert(open().boxed_local().shared()).clone(), true),
        }
    })
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

/// Lets go of a server that is well, as [`abandon`] does; who listens to it hears that this is the end.
pub(crate) fn forget() {
    if let Some(server) = open_server() {
        server.end_streams();
    }
    abandon();
}

/// What may wait until the answer is out and nobody calls: a snapshot when it is due, the second copy.
pub(crate) async fn tidy_up() {
    if !IS_UNTIDY.get() || IS_TIDYING.replace(true) {
        return;
    }
    // What is written while we are at it has nobody else: who came for it went away because we are here.
    while IS_UNTIDY.get() && IS_TIDYING.get() {
        // One write seldom comes alone, and whoever calls next should not wait for the disk. A stream of them is not
        // waited out: the copy would fall far behind.
        for _ in 0..MOST_PAUSES {
            let before = calls::count();
            browser::sleep(PAUSE_MS).await;
            if calls::count() == before {
                break;
            }
        }
        IS_UNTIDY.set(false);
        // The one that is open: who let go of it in between does not want it opened again.
        let Some(server) = open_server() else { break };
        if let Err(error) = hosted::tools(&server).upkeep().await {
            browser::complain(&format!("the second copy of the data waits: {error}"));
        }
        // Losing this loses nothing: old tasks stay a little longer.
        let _ = server.forget_expired().await;
        // After all else: it is the longest. Each of its steps lets a call in between.
        if let Err(error) = crate::collect::collect_if_due(&server).await {
            browser::complain(&format!("bytes that nothing needs stay for now: {error}"));
        }
    }
    IS_TIDYING.set(false);
}

async fn open() -> Opened {
    let Some(app) = hosted::app() else { return Err("this worker serves nothing".to_owned()) };
    // Said before anything is read: who writes from now on knows of us.
    browser::is_alone();
    let journal = IdbJournal::open(&names::of(DATABASE)).await.map_err(|error| error.to_string())?;
    let server =
        ToolServer::open_in_parts(journal, browser::now, browser::instance(), app.domains, (app.tools)())
            .await
            .map_err(|error| error.to_string())?
            .alone_while(browser::is_alone)
            .dispatched_twice()
            .on_change(|change: &Rc<Change>| {
                IS_UNTIDY.set(true);
                // Whoever called has the answer first, and the others hear of it right after.
                let change = change.clone();
                spawn_local(async move {
                    browser::announce(&change);
                    tell_of(&change);
                });
            });
    // The one before us may have died before it tidied up.
    IS_UNTIDY.set(server.db().copied_rev() < server.db().rev());
    IS_HEARING.with(|is_hearing| {
        if !is_hearing.replace(true) {
            browser::on_change(|| tell_all(&Notification::Anything));
            browser::on_other_tools(|| tell_all(&Notification::Tools));
        }
    });
    Ok(app.server(server))
}

/// Tells who listens.
fn tell_all(news: &Notification) {
    if let Some(server) = open_server() {
        server.publish(news);
    }
}

/// Tells who listens what a change is news of.
fn tell_of(change: &Change) {
    if let Some(server) = open_server().filter(|server| server.is_heard()) {
        hosted::tools(&server)
            .notifications_of(change)
            .iter()
            .for_each(|notification| server.publish(notification));
    }
}

/// The server, if it is open.
fn open_server() -> Option<Rc<Server<Hosted>>> {
    SERVER.with_borrow(|server| server.as_ref()?.peek()?.as_ref().ok().cloned())
}
