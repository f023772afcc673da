//! Trips behind the tool server, as every test here has them.
#![allow(dead_code, reason = "each test file uses what it needs of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::ops::Deref;

use desk::Here;
use serde_json::{Value, json};
use trip::Trips;
use trip::atlas::Packed;

/// 2026-05-01T10:00 in Berlin.
pub const NOW_MS: i64 = 1_777_622_400_000;

pub const TRIPS: Trips = Trips { atlas: &Packed };

/// Trips behind a server, and a clock that moves a second with each call.
pub struct Desk(desk::Desk);

impl Deref for Desk {
    type Target = desk::Desk;

    fn deref(&self) -> &desk::Desk {
        &self.0
    }
}

impl Desk {
    pub fn new() -> Self {
        let here = Here { now_ms: NOW_MS, offset_s: 7_200, tick_ms: 1_000 };
        Self(desk::Desk::open("trips", &[&TRIPS], here))
    }

    /// The same without looking at schemas, which takes most of the time where there are thousands of calls.
    pub fn quick() -> Self {
        Self(Self::new().0.unchecked())
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
        self.0.preview(tool, arguments).unwrap()
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
}
