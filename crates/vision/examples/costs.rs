//! What things cost: `cargo run -p satchel-vision --example costs -- 20000` (so many photos to group).
//!
//! Hashes and features are chance, with every fourth photo near the one before it; real photos are a little more alike, so that
//! features are looked at a little more often. One photo is the cat enlarged to 12 megapixels.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use support::Chance;
use vision::decode::{Limits, decode};
use vision::duplicates::{Candidate, groups};
use vision::events::{Shot, events};
use vision::exif::read;
use vision::likeness::{ColourHistogram, PerceptualHash};
use vision::moment::Moment;
use vision::pixels::{Orientation, resized, shrunk, turned};
use vision::quality::{SIDE, quality};

/// As many as the net for tags gives.
const FEATURES: usize = 1280;

fn main() {
    one_photo();
    many_photos();
}

/// The time this thread had a core, where Linux says it: on a machine that is shared the clock on the wall says little.
fn spent(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or(since.elapsed(), Duration::from_nanos)
}

fn timed<T>(what: &str, mut work: impl FnMut() -> T) -> T {
    let _the_first_touches_memory = work();
    let start = Instant::now();
    let before = spent(start);
    let result = work();
    println!("{what}: {:.1} ms", (spent(start) - before).as_secs_f64() * 1000.0);
    result
}

fn one_photo() {
    let bytes = support::jpeg(&resized(&support::picture("cat"), 4000, 3000), 85);
    let decoded = timed("decoding 12 megapixels", || decode(&bytes, Limits::default()).unwrap());
    let small = timed("shrinking to 1024", || shrunk(&decoded.picture, SIDE));
    timed("turning it", || turned(small.clone(), Orientation::QuarterRight));
    timed("metadata", || read(&bytes));
    timed("quality", || quality(&small, &[]));
    timed("perceptual hash", || PerceptualHash::of(&small));
    timed("colour histogram", || ColourHistogram::of(&small));
}

fn many_photos() {
    let count: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let mut chance = Chance(1);
    let mut hashes: Vec<PerceptualHash> = Vec::new();
    let mut features: Vec<Vec<f32>> = Vec::new();
    for at in 0..count {
        if at % 4 == 3 {
            hashes.push(PerceptualHash(hashes[at - 1].0 ^ (1 << chance.below(64)) ^ (1 << chance.below(64))));
            features.push(features[at - 1].iter().map(|value| value + chance.share() as f32 * 0.1).collect());
        } else {
            hashes.push(PerceptualHash(chance.next()));
            features.push((0..FEATURES).map(|_| (chance.share() * chance.share()) as f32 * 3.0).collect());
        }
    }
    let taken = |at: usize| {
        let minute = at as i64 / 2;
        let [month, day] = [1 + minute / 40_320 % 12, 1 + minute / 1440 % 28];
        Moment::new(
            2025,
            [month as i8, day as i8, (minute / 60 % 24) as i8, (minute % 60) as i8, (at % 2) as i8 * 30],
        )
    };
    let mut candidates: Vec<Candidate<'_>> = (0..count)
        .map(|at| Candidate {
            hash: Some(hashes[at]),
            features: &features[at],
            taken: taken(at),
            score: (at * 7919 % 101) as u8,
            ..Candidate::default()
        })
        .collect();
    let found = timed(&format!("{count} photos with features"), || groups(&candidates));
    println!("{} groups", found.len());
    candidates.iter_mut().for_each(|candidate| candidate.features = &[]);
    timed(&format!("{count} photos, hashes only"), || groups(&candidates));
    let shots: Vec<Shot> =
        (0..count).map(|at| Shot { taken: taken(at), hash: Some(hashes[at]), place: None }).collect();
    timed(&format!("events of {count} photos"), || events(&shots));
}
