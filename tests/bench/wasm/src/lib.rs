//! Our own code for the bench's page: what the shipped modules do inside, with a door to time it through.
//!
//! Nothing here is shipped. The page calls the same functions of `store` and `llm` that worker and page are
//! built from, compiled in the same profile.

use futures::executor::block_on;
use futures::{StreamExt, stream};
use js_sys::{Array, Uint8Array};
use llm::openai_chat::{Decoder, decode};
use llm::{Headers, TransportError};
use protocol::{ModelEvent, ModelRequest};
use serde_json::json;
use store::{Call, CallKey, Db, Durability, IdbJournal, Moment, Schema, Stage};
use todo::Todo;
use trip::{Itinerary, Segment};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The worker's database.
const DATABASE: &str = "satchel";

/// How many to-dos are added one by one at the end of a filled database, so that its journal ends as one
/// does that grew over years, and a snapshot is due.
const ONE_BY_ONE: usize = 160;

/// How many of the others go into one change.
const AT_ONCE: usize = 500;

/// 2026-11-22T00:00 in UTC.
const NOW_MS: i64 = 1_795_305_600_000;

/// Fills the worker's database with to-dos given as a JSON array, and leaves a snapshot behind. The worker
/// notices at its next start or call.
#[wasm_bindgen]
pub async fn seed(todos: String) -> Result<(), JsValue> {
    let todos: Vec<Todo> = serde_json::from_str(&todos).map_err(|error| words(&error))?;
    let db = open().await?;
    let (many, few) = todos.split_at(todos.len().saturating_sub(ONE_BY_ONE));
    for chunk in many.chunks(AT_ONCE) {
        commit(&db, vec![chunk]).await?;
    }
    commit(&db, few.chunks(1).collect()).await?;
    db.upkeep().await.map_err(|error| words(&error))
}

/// Opens the worker's database as the worker does and gives the number of its to-dos, read and typed.
#[wasm_bindgen]
pub async fn open_database() -> Result<usize, JsValue> {
    Ok(open().await?.view().all::<Todo>().len())
}

/// What a stream held.
#[wasm_bindgen]
pub struct Decoded {
    /// The typed events.
    pub events: usize,
    /// The bytes of all text in them.
    pub text_bytes: usize,
}

/// Decodes a chat completion that comes in these chunks of bytes (`Uint8Array`s) into typed events.
#[wasm_bindgen]
pub fn decode_stream(chunks: Array) -> Result<Decoded, JsValue> {
    let request: ModelRequest =
        serde_json::from_str(r#"{"run_id":"run_bench","step":1,"model":"bench","messages":[]}"#)
            .map_err(|error| words(&error))?;
    // Copied one by one as they come, like the page does with what a response brings.
    let chunks = (0..chunks.length())
        .map(move |place| Ok::<_, TransportError>(chunks.get(place).unchecked_into::<Uint8Array>().to_vec()));
    let events = decode(&Headers::new(), stream::iter(chunks).boxed_local(), Decoder::new(&request), NOW_MS);
    // Nothing in this stream is ever waited for.
    let events: Vec<_> = block_on(events.collect());
    let events = events.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| words(&error))?;
    let text_bytes = events.iter().map(text_bytes).sum();
    Ok(Decoded { events: events.len(), text_bytes })
}

fn text_bytes(event: &ModelEvent) -> usize {
    if let ModelEvent::TextDelta { text } = event { text.len() } else { 0 }
}

/// An itinerary of so many segments, seven a day in Paris, some of which overlap.
#[wasm_bindgen]
pub struct LongTrip {
    itinerary: Itinerary,
    segments: Vec<Segment>,
}

#[wasm_bindgen]
impl LongTrip {
    /// Makes one.
    #[wasm_bindgen(constructor)]
    pub fn new(count: usize) -> Result<Self, JsValue> {
        let read = |at: usize| {
            let (day, hour) = (at / 7 + 1, at % 7 + 9);
            let moment = |day: usize, hour: usize, minute: usize| json!({"at": format!("2026-06-{day:02}T{hour:02}:{minute:02}"), "zone": "Europe/Paris"});
            // A bed for each night, and every tenth goes on into the next one.
            let (kind, start, end) = match (at % 7, at % 10) {
                (6, _) => ("hotel", moment(day, 15, 0), moment(day + 1, 11, 0)),
                (_, 0) => ("activity", moment(day, hour, 0), moment(day, hour + 1, 15)),
                _ => ("activity", moment(day, hour, 0), moment(day, hour, 30)),
            };
            serde_json::from_value(json!({
                "id": format!("seg_{at}"), "itinerary": "itn_1", "kind": kind, "title": format!("Stop {at}"), "status": "planned",
                "start": start, "end": end, "opening": "Mo-Su 08:00-20:00",
                "place": {"name": format!("Stop {at}"), "city": "Paris", "country": "FR", "lat": 48.85 + at as f64 / 10_000.0, "lon": 2.35, "zone": "Europe/Paris"},
                "cost": {"minor": 1_000, "currency": "EUR"}, "created_ms": NOW_MS,
            }))
        };
        let segments = (0..count).map(read).collect::<Result<_, _>>().map_err(|error| words(&error))?;
        let itinerary = json!({"id": "itn_1", "title": "A long way", "start": "2026-06-01", "end": "2026-06-30", "currency": "EUR",
            "budget": {"minor": 10_000_000, "currency": "EUR"}, "created_ms": NOW_MS});
        Ok(Self { itinerary: serde_json::from_value(itinerary).map_err(|error| words(&error))?, segments })
    }

    /// Checks it, as after every change; gives how much was found.
    pub fn check(&self) -> usize {
        trip::check::check(&self.itinerary, None, &self.segments).len()
    }
}

async fn open() -> Result<Db<IdbJournal>, JsValue> {
    let journal = IdbJournal::open(DATABASE).await.map_err(|error| words(&error))?;
    Db::open(journal, Schema::new().table::<Todo>()).await.map_err(|error| words(&error))
}

/// One change for each of the parts, in one append.
async fn commit(db: &Db<IdbJournal>, parts: Vec<&[Todo]>) -> Result<(), JsValue> {
    let stages = parts.into_iter().map(|todos| (stage(db, todos), serde_json::Value::Null)).collect();
    for outcome in db.commit_many(stages, Durability::Strict).await {
        outcome.map_err(|error| words(&error))?;
    }
    Ok(())
}

fn stage(db: &Db<IdbJournal>, todos: &[Todo]) -> Stage {
    let first = todos.first().map_or("", |todo| todo.id.as_str());
    let mut stage = db.stage(&Call {
        key: CallKey(format!("seed {} {first}", db.rev())),
        tool: "todo_create".to_owned(),
        moment: Moment { at_ms: NOW_MS, zone: "UTC".to_owned(), offset_s: 0 },
        body_hash: None,
        instance: None,
    });
    for todo in todos {
        stage.put(todo.clone());
    }
    stage
}

fn words(error: &dyn std::fmt::Debug) -> JsValue {
    js_sys::Error::new(&format!("{error:?}")).into()
}
