//! How long the checker takes for a full itinerary (issue 16, acceptance 5: 200 segments in at most 2 ms):
//! `cargo run --release -p satchel-trip --example check_speed` prints the median of many runs.

use std::time::Instant;

use trip::check::check;
use trip::{Itinerary, Kind, MAX_SEGMENTS, Money, Place, Segment, Traveller, When};

const RUNS: usize = 1_000;

fn main() {
    let cities = [
        ("Europe/Paris", 48.86, 2.34, "FR"),
        ("Europe/Berlin", 52.52, 13.40, "DE"),
        ("America/New_York", 40.71, -74.01, "US"),
        ("Asia/Tokyo", 35.68, 139.77, "JP"),
        ("Australia/Lord_Howe", -31.54, 159.08, "AU"),
    ];
    for (name, apart_min, length_min) in
        [("spread over a month", 240, 60), ("each at the time of the next", 20, 120)]
    {
        let segments: Vec<Segment> = (0..MAX_SEGMENTS)
            .map(|number| {
                let kind = Kind::ALL[number % Kind::ALL.len()];
                let mut segment = Segment::new(
                    format!("{number:04}"),
                    "trip".into(),
                    kind,
                    format!("Something to do, the {number}th"),
                );
                let (zone, lat, lon, country) = cities[number * cities.len() / MAX_SEGMENTS];
                let at = |minutes: usize| {
                    let day = 1 + minutes / 1_440 % 28;
                    let month = 1 + minutes / 1_440 / 28;
                    When::new(
                        format!("2026-{month:02}-{day:02}T{:02}:{:02}", minutes / 60 % 24, minutes % 60),
                        zone,
                    )
                };
                let start = number * apart_min;
                (segment.start, segment.end) = (Some(at(start)), Some(at(start + length_min)));
                segment.place = Some(Place {
                    name: format!("Somewhere {number}"),
                    lat: Some(lat),
                    lon: Some(lon),
                    country: country.into(),
                    zone: zone.into(),
                    ..Place::default()
                });
                segment.opening = "Mo-Fr 00:00-24:00; Sa,Su 00:00-24:00; PH off".into();
                segment.cost = Some(Money { minor: 1_000, currency: "EUR".into() });
                segment
            })
            .collect();
        let travellers = ["a", "b", "c", "d"].map(|id| Traveller {
            id: id.into(),
            name: id.into(),
            ..Traveller::default()
        });
        let itinerary = Itinerary {
            start: Some("2026-01-01".into()),
            end: Some("2026-12-31".into()),
            budget: Some(Money { minor: 100, currency: "EUR".into() }),
            travellers: travellers.to_vec(),
            ..Itinerary::default()
        };
        let mut micros: Vec<u128> = Vec::with_capacity(RUNS);
        let mut count = 0;
        for _ in 0..RUNS {
            let begun = Instant::now();
            count = check(&itinerary, None, &segments).len();
            micros.push(begun.elapsed().as_micros());
        }
        micros.sort_unstable();
        println!("{name}: {} segments, {count} findings, median {} µs", segments.len(), micros[RUNS / 2]);
    }
}
