//! What a look-up costs on this machine: `cargo run --release -p satchel-places --example costs`. A figure and not a check: a busy
//! machine has other ones.
#![allow(clippy::expect_used, reason = "a measurement may stop where it stands")]

use places::{Airports, Places, Zone};

/// The well-known coordinates of the tests.
fn rows() -> Vec<[f64; 2]> {
    let lines = include_str!("../tests/coordinates.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let mut numbers = line.split_whitespace().map(|number| number.parse().expect("a number"));
        [numbers.next().expect("a latitude"), numbers.next().expect("a longitude")]
    };
    lines.map(row).collect()
}

fn main() {
    let begin = std::time::Instant::now();
    let places = Places::read(places::packed()).expect("our own pack");
    println!("read: {:?}", begin.elapsed());
    let rows = rows();
    let begin = std::time::Instant::now();
    for _ in 0..100 {
        for row in &rows {
            std::hint::black_box(places.at(row[0], row[1]));
        }
    }
    println!("at, 200 well-known coordinates: {:?} each", begin.elapsed() / 20_000);
    // The best of twenty, because others use the machine too.
    let best = |row: &[f64; 2]| {
        let times = (0..20).map(|_| {
            let begin = std::time::Instant::now();
            std::hint::black_box(places.at(row[0], row[1]));
            begin.elapsed()
        });
        (times.min(), *row)
    };
    println!("at, the slowest of them: {:?}", rows.iter().map(best).max_by_key(|(time, _)| *time));
    let begin = std::time::Instant::now();
    let mut count = 0;
    for lat in -90..=90 {
        for lon in -180..=180 {
            std::hint::black_box(places.at(f64::from(lat), f64::from(lon)));
            count += 1;
        }
    }
    println!("at, every whole degree: {:?} each", begin.elapsed() / count);
    let begin = std::time::Instant::now();
    for _ in 0..20 {
        std::hint::black_box(places.find("münchen"));
    }
    println!("find, a name: {:?}", begin.elapsed() / 20);
    let begin = std::time::Instant::now();
    for _ in 0..20 {
        std::hint::black_box(places.find("no such place"));
    }
    println!("find, no name: {:?}", begin.elapsed() / 20);
    let begin = std::time::Instant::now();
    for _ in 0..100 {
        for row in &rows {
            std::hint::black_box(places::landmarks::near(row[0], row[1]));
        }
    }
    println!("landmarks::near: {:?} each", begin.elapsed() / 20_000);
    let begin = std::time::Instant::now();
    let airports = Airports::read(places::packed_airports()).expect("our own pack");
    println!("airports, read: {:?}", begin.elapsed());
    let begin = std::time::Instant::now();
    for _ in 0..20 {
        std::hint::black_box(airports.find("paris orly"));
    }
    println!("airports, find: {:?}", begin.elapsed() / 20);
    let begin = std::time::Instant::now();
    for _ in 0..1_000 {
        std::hint::black_box(Zone::named("Pacific/Wallis"));
    }
    println!("zone, named: {:?}", begin.elapsed() / 1_000);
    let zone = Zone::named("America/New_York").expect("a zone");
    let begin = std::time::Instant::now();
    for at in 0..100_000 {
        std::hint::black_box(zone.offset_at(1_700_000_000 + at * 3_001));
    }
    println!("zone, offset_at: {:?}", begin.elapsed() / 100_000);
}
