//! The pack: what is in ours, and that no bytes and no coordinates lead to a panic.

use crate::common;

use common::PLACES;
use places::{PackError, Places, landmarks, packed};
use proptest::prelude::*;

/// A small pack, with the lengths of its sections right: two cities in one group.
fn small() -> Vec<u8> {
    let sections: [&[u8]; 10] = [
        b"FREUFrance\nITEUItaly\n",
        b"Europe/Paris\n",
        b"Somewhere\n",
        &[0, 0, 1, 1, 1, 0, 0, 1],
        "Pâris\nRoma\n".as_bytes(),
        b"\x01Rome,Rom\n",
        &[70, 10],
        // 48.85° and -0.01°; 2.35° and 0.02° more.
        &[85, 99],
        &[96, 97],
        &[0xd6, 0x03, 4],
    ];
    let mut pack = b"PLACES2\n".to_vec();
    for section in sections {
        pack.extend(u32::try_from(section.len()).expect("short").to_le_bytes());
    }
    pack.extend(sections.concat());
    pack
}

#[test]
fn a_small_pack_is_read() {
    let places = Places::read(&small()).expect("a pack");
    let cities: Vec<_> = places.cities().collect();
    assert_eq!(cities.len(), 2);
    assert_eq!(
        (cities[0].name, cities[0].admin, cities[0].zone),
        ("Pâris", Some("Somewhere"), "Europe/Paris")
    );
    assert_eq!((cities[0].lat, cities[0].lon), (48.85, 2.35));
    assert_eq!((cities[1].name, cities[1].admin, &*cities[1].country.name), ("Roma", None, "Italy"));
    assert_eq!((cities[1].lat, cities[1].lon), (-0.01, 2.37));
    assert_eq!(places.find("rom")[0].name, "Roma");
}

#[test]
fn errors_say_what_to_do() {
    assert_eq!(Places::read(b"").err(), Some(PackError::Unknown));
    assert_eq!(Places::read(b"<!doctype html>").err(), Some(PackError::Unknown));
    let whole = small();
    for length in 8..whole.len() {
        assert_eq!(Places::read(&whole[..length]).err(), Some(PackError::Cut), "{length}");
    }
    let more = [whole.as_slice(), b"x"].concat();
    assert_eq!(Places::read(&more).err(), Some(PackError::Cut));
    assert_eq!(Places::read(&packed()[..packed().len() / 2]).err(), Some(PackError::Cut));
    assert_eq!(
        PackError::Damaged("names").to_string(),
        "the table of places is damaged in its names: fetch it again"
    );
}

/// Ours is what the README says; whoever makes it anew looks at these figures.
#[test]
fn our_pack_is_what_we_say() {
    println!("{} cities, {} countries, {} bytes", PLACES.len(), PLACES.countries().len(), packed().len());
    assert!((55_000..75_000).contains(&PLACES.len()));
    assert_eq!(PLACES.countries().len(), 252);
    assert!(packed().len() <= 880_000, "{} bytes are too many to fetch", packed().len());
    for city in PLACES.cities() {
        assert!(!city.name.is_empty() && city.zone.contains('/'), "{city:?}");
        assert_eq!(city.country.code.len(), 2);
    }
}

/// Each city is found where it is: in its country, and it or a larger one covers its centre.
#[test]
fn a_city_is_in_its_own_country() {
    let mut elsewhere = 0;
    for city in PLACES.cities() {
        let place = PLACES.at(city.lat, city.lon).expect("a city is there");
        // Two towns of two countries may have the same hundredths of a degree.
        elsewhere += usize::from(place.country != Some(city.country));
        assert!(
            place.is_inside && place.city.people >= city.people || place.country != Some(city.country),
            "{city:?}"
        );
    }
    assert!(elsewhere <= 10, "{elsewhere} cities are in another country");
}

/// The index against the plain search over all cities.
#[test]
fn the_index_finds_what_a_plain_search_finds() {
    let vector = |lat: f64, lon: f64| {
        let (lat, lon) = (lat.to_radians(), lon.to_radians());
        [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
    };
    let cities: Vec<_> =
        PLACES.cities().map(|city| (vector(city.lat, city.lon), city.radius_m(), city)).collect();
    // Steps that are no parts of each other: the points lie everywhere, the poles and the date line with them.
    let spread = (0..100).map(|n| (f64::from(n) / 99.0 * 180.0 - 90.0, f64::from(n * 77 % 361) - 180.0));
    let edges =
        [(89.0, 10.0), (82.5, -62.3), (-16.8, 179.95), (-16.8, -179.95), (66.0, -179.99), (65.0, 180.0)];
    let dense = [
        (35.7, 139.7),
        (51.4, 7.1),
        (31.2, 121.4),
        (40.8, -74.0),
        (52.0, 4.5),
        (22.5, 114.1),
        (-23.5, -46.6),
    ];
    for (lat, lon) in spread.chain(edges).chain(dense) {
        let point = vector(lat, lon);
        let far = |(city, radius_m, view): &([f64; 3], f64, places::City<'static>)| {
            let chord: f64 = city.iter().zip(point).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            (2.0 * 6_371_008.8 * (chord / 2.0).asin(), *radius_m, *view)
        };
        let all: Vec<_> = cities.iter().map(far).collect();
        let nearest = all.iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("cities");
        let covering = all.iter().filter(|city| city.0 <= city.1 && city.2.country == nearest.2.country);
        let largest = covering.max_by(|a, b| a.2.people.cmp(&b.2.people).then(b.0.total_cmp(&a.0)));
        let expected = largest.unwrap_or(nearest);
        let place = PLACES.at(lat, lon);
        if nearest.0 > 250_000.0 {
            assert_eq!(place, None, "{lat} {lon}");
            continue;
        }
        let place = place.unwrap_or_else(|| panic!("{lat} {lon}: {expected:?}"));
        assert!((place.distance_m - expected.0).abs() < 1.0, "{lat} {lon}: {place:?} and not {expected:?}");
        assert_eq!(place.is_inside, largest.is_some());
        assert_eq!(place.country.is_some(), nearest.0 <= 100_000.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_coordinates_panic(lat in any::<f64>(), lon in any::<f64>()) {
        let _ = PLACES.at(lat, lon);
        let _ = landmarks::near(lat, lon);
    }

    #[test]
    fn coordinates_of_the_earth_have_an_answer_of_the_earth(lat in -90.0..=90.0_f64, lon in -180.0..=180.0_f64) {
        if let Some(place) = PLACES.at(lat, lon) {
            prop_assert!(place.distance_m <= 250_000.0);
            prop_assert!(!place.is_inside || place.distance_m <= place.city.radius_m());
            prop_assert_eq!(place.country.is_some(), place.zone.is_some());
        }
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = Places::read(&bytes);
        let _ = Places::read(&[b"PLACES2\n", bytes.as_slice()].concat());
    }

    /// One byte of a pack is another: an error or a table, and the table answers.
    #[test]
    fn no_damaged_pack_panics(at in any::<prop::sample::Index>(), byte in any::<u8>(), lat in -90.0..90.0_f64) {
        let mut pack = small();
        let at = at.index(pack.len());
        pack[at] = byte;
        if let Ok(places) = Places::read(&pack) {
            let _ = places.at(48.85, 2.35);
            let _ = places.at(lat, 2.35);
            let _ = places.find("roma");
            prop_assert_eq!(places.cities().count(), places.len());
        }
    }
}

proptest! {
    // Each reads every name, which takes its time without optimisation.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_of_our_pack_panics(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut pack = packed().to_vec();
        let at = at.index(pack.len());
        pack[at] = byte;
        if let Ok(places) = Places::read(&pack) {
            let _ = places.at(48.85, 2.35);
            let _ = places.find("no such place");
        }
    }

    #[test]
    fn no_name_panics(name in ".{0,20}") {
        let _ = PLACES.find(&name);
        let _ = PLACES.country(&name);
    }
}
