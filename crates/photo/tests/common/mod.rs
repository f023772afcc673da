//! A library behind the tool server, as every test here has it.
#![allow(dead_code, reason = "each test file uses what it needs of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

pub mod people;

use std::ops::Deref;

use desk::{Desk, Here};
use photo::{Photos, photo_id};
use serde_json::{Value, json};

/// 2026-11-21T22:30 in Berlin.
pub const NOW_MS: i64 = 1_795_296_600_000;

/// A library behind a server, and a clock that can be moved.
pub struct Library(Desk);

impl Deref for Library {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.0
    }
}

impl Library {
    pub fn new() -> Self {
        let here = Here { now_ms: NOW_MS, offset_s: 3_600, tick_ms: 0 };
        Self(Desk::open("photos", &[&Photos], here))
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
