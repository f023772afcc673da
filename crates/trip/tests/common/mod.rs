//! Trips behind the tool server, as every test here has them.
#![allow(dead_code, reason = "each test file uses what it needs of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::cell::Cell;
use std::rc::Rc;

use futures::executor::block_on;
use mcp::{Caller, Host, Stop, ToolCallIn};
use serde_json::{Value, json};
use store::{MemoryJournal, Moment};
use tools::ToolServer;
use trip::Trips;
use trip::atlas::Packed;

/// 2026-05-01T10:00 in Berlin.
pub const NOW_MS: i64 = 1_777_622_400_000;

pub const TRIPS: Trips = Trips { atlas: &Packed };

/// Trips behind a server, and a clock that moves a second with each call.
pub struct Desk {
    server: ToolServer<MemoryJournal>,
    calls: Cell<u32>,
    now_ms: Rc<Cell<i64>>,
    /// Whether each call and answer is held to its schema.
    is_checked: bool,
}

impl Desk {
    pub fn new() -> Self {
        Self::with_schemas(true)
    }

    /// The same without looking at schemas, which takes most of the time where there are thousands of calls.
    pub fn quick() -> Self {
        Self::with_schemas(false)
    }

    fn with_schemas(is_checked: bool) -> Self {
        let now_ms = Rc::new(Cell::new(NOW_MS));
        let clock = {
            let now_ms = Rc::clone(&now_ms);
            move |_: Option<&str>| Moment {
                at_ms: now_ms.get(),
                zone: "Europe/Berlin".into(),
                offset_s: 7200,
            }
        };
        let server = block_on(ToolServer::open(MemoryJournal::new(), clock, "trips", &[&TRIPS])).unwrap();
        Self { server, calls: Cell::new(0), now_ms, is_checked }
    }

    /// A week in Paris: a flight, a taxi that meets it, a hotel, the Louvre on Tuesday.
    pub fn in_paris() -> Self {
        let desk = Self::new();
        desk.done(
            "itinerary_create",
            json!({ "title": "Paris in June", "start": "2026-06-15", "end": "2026-06-22", "destinations": ["Paris"],
                "currency": "USD", "budget": 5000 }),
        );
        desk.done(
            "add_flight",
            json!({ "from": "Berlin", "to": "Paris", "start": "2026-06-15T09:00", "end": "2026-06-15T10:50",
                "carrier": "Air France", "number": "AF1735", "cost": 420 }),
        );
        desk.done(
            "add_transfer",
            json!({ "from": "CDG", "to": "Hotel Fabric, Paris", "mode": "taxi", "start": "2026-06-15T11:30",
                "end": "2026-06-15T12:15", "depends_on": [{ "on": "Berlin to Paris", "how": "starts_after_end" }] }),
        );
        desk.done(
            "add_hotel",
            json!({ "place": "Hotel Fabric, Paris", "start": "2026-06-15", "end": "2026-06-22", "cost": 3800, "title": "Hotel Fabric",
                "depends_on": [{ "on": "Berlin to Paris", "how": "starts_after_end" }] }),
        );
        desk.done(
            "add_activity",
            json!({ "title": "Louvre", "start": "2026-06-16T10:00", "end": "2026-06-16T13:00" }),
        );
        desk
    }

    /// What a call would do, which is not done.
    pub fn preview(&self, tool: &str, arguments: Value) -> Value {
        self.call_with(tool, arguments, json!({ "dev.satchel/preview": true })).unwrap()
    }

    pub fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.call_with(tool, arguments, json!({}))
    }

    pub fn call_with(&self, tool: &str, arguments: Value, mut meta: Value) -> Result<Value, String> {
        self.calls.set(self.calls.get() + 1);
        self.now_ms.set(self.now_ms.get() + 1_000);
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        if meta.get("dev.satchel/key").is_none() {
            meta["dev.satchel/key"] = json!(format!("call {}", self.calls.get()));
        }
        let Value::Object(meta) = meta else { unreachable!() };
        let request = ToolCallIn {
            name: tool.into(),
            arguments: arguments.clone(),
            meta,
            body_hash: "body".into(),
            task: None,
            caller: Caller::default(),
        };
        let out = match block_on(self.server.call_tool(request)) {
            Ok(out) => out,
            Err(Stop::Error(error)) => return Err(error.message),
            Err(Stop::Ask(asked)) => panic!("nobody can be asked: {asked:?}"),
        };
        if out.is_error {
            return Err(out.text.clone());
        }
        let answer = out.structured();
        if self.is_checked
            && let Some(definition) = self.server.tools().iter().find(|definition| definition.name == tool)
        {
            for (schema, value) in
                [(&definition.input_schema, &Value::Object(arguments)), (&definition.output_schema, &answer)]
            {
                // What is for the app alone says nothing of its results.
                if schema.is_null() {
                    continue;
                }
                let schema = jsonschema::validator_for(schema).unwrap();
                assert!(schema.is_valid(value), "{tool}: {value} does not fit {schema:?}");
            }
        }
        Ok(answer)
    }

    #[track_caller]
    pub fn done(&self, tool: &str, arguments: Value) -> Value {
        match self.call(tool, arguments) {
            Ok(answer) => answer,
            Err(why) => panic!("{tool}: {why}"),
        }
    }

    #[track_caller]
    pub fn said(&self, tool: &str, arguments: Value) -> String {
        self.done(tool, arguments)["summary"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn refused(&self, tool: &str, arguments: Value) -> String {
        match self.call(tool, arguments) {
            Ok(answer) => panic!("{tool} was done: {answer}"),
            Err(why) => why,
        }
    }

    /// All that there is, as it is written to a file, without what changes by itself.
    pub fn bytes(&self) -> String {
        let file = self.done("data_export", json!({ "format": "json" }))["text"].as_str().unwrap().to_owned();
        file.split_once("\"itineraries\":").unwrap().1.to_owned()
    }

    pub fn segment(&self, named: &str) -> Value {
        self.done("get_segment", json!({ "segment": named }))["segment"].clone()
    }

    /// What a model is told of trips at the start of a run.
    pub fn context(&self) -> Value {
        self.done("data_context", json!({}))
    }

    /// Lets time pass.
    pub fn wait(&self, ms: i64) {
        self.now_ms.set(self.now_ms.get() + ms);
    }

    pub fn server(&self) -> &ToolServer<MemoryJournal> {
        &self.server
    }
}
