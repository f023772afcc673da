//! Giving back the room of bytes that nothing needs (docs/adr/0047-bytes-beside-the-journal.md), while nobody calls.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use js_sys::Date;
use mcp::Server;
use store::OpfsBlobs;
use web::names;

use crate::hosted::{self, DATABASE, Hosted};

/// Collects, where that is due. It comes with a part: what it looks through is everything there is.
#[must_use]
pub fn collect(server: Rc<Server<Hosted>>) -> LocalBoxFuture<'static, Result<(), String>> {
    async move {
        let db = hosted::tools(&server).db();
        let collected = db.collect_blobs_if_due(&blobs(), Date::now() as i64).await;
        collected.map(drop).map_err(|error| error.to_string())
    }
    .boxed_local()
}

/// Collects after a write, at most once an hour, if there is anything that could be. The part is not fetched for less.
///
/// # Errors
/// Why it cannot be done now, for the console. The next time is in an hour.
pub(crate) async fn collect_if_due(server: &Rc<Server<Hosted>>) -> Result<(), String> {
    let Some(app) = hosted::app() else { return Ok(()) };
    // Where the browser has no private files there are no bytes.
    if blobs().is_empty().await.unwrap_or(true) {
        return Ok(());
    }
    let is_due = hosted::tools(server).db().is_collection_due(Date::now() as i64).await;
    if !is_due.map_err(|error| error.to_string())? {
        return Ok(());
    }
    let collect = (app.collect)().await.map_err(|missing| missing.to_string())?;
    collect(Rc::clone(server)).await
}

/// The bytes beside the journal of this app.
fn blobs() -> OpfsBlobs {
    OpfsBlobs::beside(&names::of(DATABASE))
}
