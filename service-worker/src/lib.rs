//! Satchel's worker: the tools of the assistants that ship with the app.

use std::cell::RefCell;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, Shared, try_join_all};
use mcp::NotLoaded;
use trip::TripTools;

pub use worker::{TRANSPORT_VERSION, forget, handle, open_port, picture, warm};

/// So long the start of a run waits for the tables of trips, in milliseconds: a page waits 2,500 for what all domains tell, and has none
/// of it after that.
const TELL_MS: i32 = 1_000;

worker::app!(
    "satchel",
    "Satchel",
    [
        todo::Todos,
        memory::Memories,
        photo::Later { load: || worker::had(photo_tools()), tell: || worker::had(photo_tools()) },
        trip::Later {
            load: || trips().boxed_local(),
            tell: || worker::within(TELL_MS, trips()).boxed_local()
        }
    ]
);

// Whoever has no photos never needs them.
worker::part!(photos, photo_tools, photo::PhotoTools, { photo::PhotoTools::here() });

/// Makes the tools of trips over the bytes of their tables; none over tables that cannot be read.
type OverTables = fn([Vec<u8>; 6]) -> Option<TripTools>;

// The same of trips. Their tables are files of their own (ADR 0077).
worker::part!(trips, trip_tools, OverTables, { |tables| TripTools::over_tables(tables).ok() });

type Coming = Shared<LocalBoxFuture<'static, Result<TripTools, NotLoaded>>>;

thread_local! {
    /// What is there, or comes: the tables are read once, whoever asks first.
    static TRIPS: RefCell<Option<Coming>> = const { RefCell::new(None) };
}

/// The tools of trips.
async fn trips() -> Result<TripTools, NotLoaded> {
    let coming =
        TRIPS.with_borrow_mut(|trips| trips.get_or_insert_with(|| made().boxed_local().shared()).clone());
    let tools = coming.await;
    if tools.is_err() {
        // The next call tries again.
        TRIPS.take();
    }
    tools
}

async fn made() -> Result<TripTools, NotLoaded> {
    let files = trip::TABLES.map(|name| async move { worker::table(&format!("tables/{name}")).await });
    let (make, tables) = futures::try_join!(worker::had(trip_tools()), try_join_all(files))?;
    make(tables.try_into().map_err(|_| NotLoaded)?).ok_or(NotLoaded)
}
