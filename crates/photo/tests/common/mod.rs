//! A library behind the tool server, as every test here has it.
#![allow(dead_code, reason = "each test file uses what it needs of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

pub mod people;

use std::cell::Cell;

use futures::executor::block_on;
use mcp::{Caller, Host, Stop, ToolCallIn};
use photo::{Photos, photo_id};
use serde_json::{Value, json};
use store::{Change, Journal, MemoryJournal, Moment, Rev};
use tools::ToolServer;

/// 2026-11-21T22:30 in Berlin.
pub const NOW_MS: i64 = 1_795_296_600_000;

/// A library behind a server, and a clock that can be moved.
pub struct Library {
    server: ToolServer<MemoryJournal>,
    journal: MemoryJournal,
    calls: Cell<u32>,
    pub now_ms: std::rc::Rc<Cell<i64>>,
}

impl Library {
    pub fn new() -> Self {
        let now_ms = std::rc::Rc::new(Cell::new(NOW_MS));
        let clock = {
            let now_ms = now_ms.clone();
            move |_: Option<&str>| Moment {
                at_ms: now_ms.get(),
                zone: "Europe/Berlin".into(),
                offset_s: 3600,
            }
        };
        let journal = MemoryJournal::new();
        let server = block_on(ToolServer::open(journal.clone(), clock, "photos", &[&Photos])).unwrap();
        Self { server, journal, calls: Cell::new(0), now_ms }
    }

    /// A library of 200 photos: 8 events of 25 photos a month apart, in turns in Paris and Rome; 45 photos with faces (the first
    /// 45); quality falls with the number; every tenth is of a dog; photos 0 to 3 show the same.
    pub fn of_200() -> Self {
        let library = Self::new();
        let items: Vec<Value> = (0..200).map(known).collect();
        library.done("photo_import", json!({ "items": items }));
        let twins: Vec<String> = (0..4).map(id).collect();
        library.done("photo_twins", json!({ "groups": [twins] }));
        library
    }

    /// All that was written, in order.
    pub fn written(&self) -> Vec<Change> {
        block_on(self.journal.read(1, Rev::MAX)).unwrap().changes
    }

    /// What a call would do, which is not done.
    pub fn preview(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.call_with(tool, arguments, json!({ "dev.satchel/preview": true }))
    }

    pub fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.call_with(tool, arguments, json!({}))
    }

    fn call_with(&self, tool: &str, arguments: Value, mut meta: Value) -> Result<Value, String> {
        self.calls.set(self.calls.get() + 1);
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        meta["dev.satchel/key"] = json!(format!("call {}", self.calls.get()));
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
        let definition = self.server.tools().iter().find(|definition| definition.name == tool);
        // An earlier name has no definition.
        if let Some(definition) = definition {
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
}

pub fn hash(number: usize) -> String {
    format!("{:064x}", (number + 1) * 0x0123_4567_89ab_usize) // the first digits are zeros
        .chars()
        .rev()
        .collect()
}

pub fn id(number: usize) -> String {
    photo_id(&hash(number))
}

/// Photo `number` of the library of 200.
pub fn known(number: usize) -> Value {
    let (event, in_event) = (number / 25 % 8, number % 25);
    let (city, country, lat, lon) =
        if event % 2 == 0 { ("Paris", "France", 48.8584, 2.2945) } else { ("Rome", "Italy", 41.9, 12.5) };
    let mut tags = Vec::new();
    if number.is_multiple_of(10) {
        tags.push(json!({ "name": "dog", "by": "net", "sure": 80 }));
    }
    json!({
        "hash": hash(number),
        "name": format!("IMG_{number:04}.jpg"),
        "bytes": 1_000 + number,
        "kind": "image/jpeg",
        "taken": format!("2026-{:02}-10T10:{:02}:00", event + 1, in_event),
        "gps": { "lat": lat, "lon": lon },
        "camera": "Pixel 9",
        "seen": {
            "width": 4000, "height": 3000,
            "place": { "city": city, "country": country, "landmarks": if event % 2 == 0 { vec!["Eiffel Tower"] } else { vec![] } },
            "quality": { "score": 100_usize.saturating_sub(number / 2), "sharp": 90, "light": 80, "reasons": ["sharp", "well lit"] },
            "faces": if number < 45 { 1 + number % 3 } else { 0 },
            "tags": tags,
            "look": format!("{number:016x}"),
        }
    })
}
