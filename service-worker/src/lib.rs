//! Satchel's worker: the tools of the assistants that ship with the app.

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;
use futures::lock::Mutex;
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

thread_local! {
    /// The tools of trips once they are there, locked while they come: the tables are read once, whoever asks first.
    static TRIPS: Rc<Mutex<Option<TripTools>>> = Rc::default();
    /// How often they did not come.
    static FAILED: Cell<u32> = const { Cell::new(0) };
}

/// The tools of trips.
async fn trips() -> Result<TripTools, NotLoaded> {
    let (trips, failed) = (TRIPS.with(Rc::clone), FAILED.get());
    let mut place = trips.lock().await;
    if let Some(tools) = &*place {
        return Ok(tools.clone());
    }
    if FAILED.get() != failed {
        // They did not come to somebody else meanwhile, and waiting once more is longer than a page bears. The next call tries again.
        return Err(NotLoaded);
    }
    match made().await {
        Ok(tools) => Ok(place.insert(tools).clone()),
        Err(NotLoaded) => {
            FAILED.set(failed.wrapping_add(1));
            Err(NotLoaded)
        }
    }
}

async fn made() -> Result<TripTools, NotLoaded> {
    // All are asked for before one is waited for.
    let files = trip::TABLES.map(|name| worker::table(&format!("tables/{name}")));
    let make = worker::had(trip_tools()).await?;
    let mut tables = Vec::with_capacity(files.len());
    for file in files {
        tables.push(file.await?);
    }
    make(tables.try_into().map_err(|_| NotLoaded)?).ok_or(NotLoaded)
}
