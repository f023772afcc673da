//! Airports: by code, by what people write, by coordinates; and that no bytes lead to a panic.

use crate::common;

use std::collections::BTreeSet;

use common::{AIRPORTS, PLACES};
use places::airports::{CITY_CODES, city_code};
use places::{AirportSize, Airports, PackError, Zone, distance_km, packed, packed_airports};
use proptest::prelude::*;

/// The codes that a search finds, the first few.
fn found(text: &str, count: usize) -> Vec<&'static str> {
    AIRPORTS.find(text).into_iter().take(count).map(|airport| airport.code).collect()
}

/// A small pack, with the lengths of its sections right: three airports in two groups.
fn small() -> Vec<u8> {
    let sections: [&[u8]; 9] = [
        b"Europe/Paris\nEurope/Rome\n",
        b"FR\x00\x02IT\x01\x01",
        b"CDGORYFCO",
        b"Charles de Gaulle\x02\n\x01-Orly\x06\nFiumicino\n",
        "Pâris\n\n-\n".as_bytes(),
        b"\x02Rome,Roma\n",
        &[5, 4, 2],
        // 49.01, 48.73 and -0.01 degrees.
        &[0x4d, 0x31, 0x27, 0x36, 0x36, 0x23],
        &[0x4f, 0x3c, 0x50, 0x47, 0x47, 0x46],
    ];
    let mut pack = b"AIRPORT1\n".to_vec();
    for section in sections {
        pack.extend(u32::try_from(section.len()).expect("short").to_le_bytes());
    }
    pack.extend(sections.concat());
    pack
}

#[test]
fn a_small_pack_is_read() {
    let airports = Airports::read(&small()).expect("a pack");
    let all: Vec<_> = airports.all().collect();
    assert_eq!(all.len(), 3);
    assert_eq!((all[0].name, all[0].city), ("Charles de Gaulle International Airport", "Pâris"));
    assert_eq!((all[1].name, all[1].city), ("Pâris-Orly Airport", "Pâris"));
    assert_eq!((all[2].name, all[2].city), ("Fiumicino", ""));
    assert_eq!((all[0].country_code, all[0].zone), ("FR", "Europe/Paris"));
    assert_eq!((all[2].country_code, all[2].zone), ("IT", "Europe/Rome"));
    assert_eq!((all[0].size, all[0].has_flights), (AirportSize::Large, true));
    assert_eq!((all[1].size, all[1].has_flights), (AirportSize::Large, false));
    assert_eq!((all[2].size, all[2].has_flights), (AirportSize::Medium, false));
    assert_eq!((all[0].lat, all[1].lat, all[2].lat), (49.01, 48.73, -0.01));
    assert_eq!((all[0].lon, all[1].lon, all[2].lon), (2.55, 2.36, 0.0));
    assert_eq!(airports.by_code("FCO"), Some(all[2]));
    assert_eq!(airports.find("rome"), vec![all[2]]);
}

#[test]
fn errors_say_what_to_do() {
    assert_eq!(Airports::read(b"").err(), Some(PackError::Unknown));
    assert_eq!(Airports::read(packed()).err(), Some(PackError::Unknown));
    let whole = small();
    for length in 9..whole.len() {
        assert_eq!(Airports::read(&whole[..length]).err(), Some(PackError::Cut), "{length}");
    }
    assert_eq!(Airports::read(&[whole.as_slice(), b"x"].concat()).err(), Some(PackError::Cut));
    // A code that is there twice, and a longitude beyond the date line.
    let mut twice = whole.clone();
    let at = twice.windows(3).position(|code| code == b"ORY").expect("Orly");
    twice[at..at + 3].copy_from_slice(b"CDG");
    assert_eq!(Airports::read(&twice).err(), Some(PackError::Damaged("codes")));
    let mut beyond = whole;
    *beyond.last_mut().expect("a byte") = 0xff;
    assert_eq!(Airports::read(&beyond).err(), Some(PackError::Damaged("longitudes")));
}

/// Ours is what the README says; whoever makes it anew looks at these figures.
#[test]
fn our_pack_is_what_we_say() {
    let flown = AIRPORTS.all().filter(|airport| airport.has_flights).count();
    println!("{} airports, {flown} with flights, {} bytes", AIRPORTS.len(), packed_airports().len());
    assert!((7_500..9_000).contains(&AIRPORTS.len()) && (3_500..4_500).contains(&flown));
    assert!(packed_airports().len() <= 250_000, "{} bytes are too many to fetch", packed_airports().len());
    let mut zones = BTreeSet::new();
    for airport in AIRPORTS.all() {
        assert_eq!(AIRPORTS.by_code(airport.code), Some(airport));
        assert!(!airport.name.is_empty() && airport.country_code.len() == 2, "{airport:?}");
        zones.insert(airport.zone);
    }
    assert!(zones.len() > 300);
    let unknown: Vec<_> = zones.iter().filter(|zone| Zone::named(zone).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// Where large airports are against the cities: the country and, away from borders, the clock. The packages write some coordinates in
/// degrees and minutes as if they were decimals, and some zones of the neighbour's.
#[test]
fn airports_are_in_their_countries_and_go_by_their_clocks() {
    let places = &*PLACES;
    let (mut seen, mut abroad, mut other_clock) = (0, Vec::new(), Vec::new());
    for airport in AIRPORTS.all().filter(|airport| airport.has_flights && airport.size == AirportSize::Large)
    {
        seen += 1;
        let place = places.at(airport.lat, airport.lon);
        let Some(place) = place.filter(|place| place.country_code == Some(airport.country_code)) else {
            abroad.push(airport.code);
            continue;
        };
        let clock = |zone: &str| {
            let zone = Zone::named(zone).expect("a zone");
            // Winter and summer of 2025.
            [zone.offset_at(1_736_000_000), zone.offset_at(1_752_000_000)]
        };
        if place.zone.map(clock) != Some(clock(airport.zone)) {
            other_clock.push(airport.code);
        }
    }
    assert!(seen > 750, "{seen}");
    // By the border, or beyond a river from a capital; two are airports of emptiness.
    let known: BTreeSet<_> = ["BSZ", "DQM", "PDB", "VTE", "ZUH"].into();
    assert!(abroad.iter().all(|code| known.contains(code)), "{abroad:?}");
    // Xinjiang's airports go by Beijing's time; Puerto Vallarta's is by the border of a state with another.
    assert_eq!(other_clock, ["URC", "PVR"]);
}

#[test]
fn codes_find_their_airports() {
    for (code, city, country, zone, lat, lon) in [
        ("CDG", "Paris", "FR", "Europe/Paris", 49.01, 2.55),
        ("JFK", "New York", "US", "America/New_York", 40.64, -73.78),
        ("HND", "Tokyo", "JP", "Asia/Tokyo", 35.55, 139.78),
        ("SYD", "Sydney", "AU", "Australia/Sydney", -33.95, 151.18),
        ("BRU", "Brussels", "BE", "Europe/Brussels", 50.90, 4.48),
        ("LUX", "Luxembourg", "LU", "Europe/Luxembourg", 49.62, 6.20),
        ("KMG", "Kunming", "CN", "Asia/Shanghai", 25.10, 102.93),
        ("OVB", "Novosibirsk", "RU", "Asia/Novosibirsk", 55.01, 82.65),
        ("URC", "Urumqi", "CN", "Asia/Shanghai", 43.91, 87.47),
        ("MAO", "Manaus", "BR", "America/Manaus", -3.04, -60.05),
        ("BUA", "Buka", "PG", "Pacific/Bougainville", -5.42, 154.67),
        ("NLD", "Nuevo Laredo", "MX", "America/Matamoros", 27.44, -99.57),
    ] {
        let airport = AIRPORTS.by_code(code).unwrap_or_else(|| panic!("{code} is missing"));
        assert!(airport.city.contains(city), "{airport:?}");
        assert_eq!((airport.country_code, airport.zone), (country, zone), "{code}");
        assert!(
            distance_km((airport.lat, airport.lon), (lat, lon)).is_some_and(|km| km < 3.0),
            "{airport:?}"
        );
        assert_eq!(AIRPORTS.by_code(&code.to_lowercase()), Some(airport));
    }
    // No airports: a city's code, one that is closed, what is none.
    for no in ["PAR", "TXL", "", "CD", "CDGX", "ÀB", "C G", "00A"] {
        assert_eq!(AIRPORTS.by_code(no), None, "{no}");
    }
}

#[test]
fn people_find_what_they_mean() {
    for (text, expected) in [
        ("CDG", &["CDG"][..]),
        (" cdg ", &["CDG"]),
        ("PAR", &["CDG", "ORY", "BVA"]),
        ("Paris", &["CDG", "ORY", "BVA"]),
        ("London", &["LHR", "LGW", "STN", "LTN", "LCY", "SEN"]),
        ("LON", &["LHR", "LGW", "STN", "LTN", "LCY", "SEN"]),
        ("NYC", &["JFK", "EWR", "LGA"]),
        ("new york", &["JFK", "EWR", "LGA"]),
        ("tokyo", &["HND", "NRT"]),
        // The airport of a code comes before the city's others.
        ("SHA", &["SHA", "PVG"]),
        ("sha", &["SHA", "PVG"]),
        ("hou", &["HOU", "IAH"]),
        ("Shanghai", &["PVG", "SHA"]),
        // Cities of three letters that are also the code of another airport: what is not in capitals is the city.
        ("Pau", &["PUF", "PAU"]),
        ("PAU", &["PAU", "PUF"]),
        ("leh", &["IXL"]),
        ("Osh", &["OSS"]),
        ("Hue", &["HUI", "HUE"]),
        ("heathrow", &["LHR"]),
        ("Heathrow Airport", &["LHR"]),
        ("heath", &["LHR"]),
        ("Paris Orly", &["ORY"]),
        ("charles de gaulle", &["CDG"]),
        ("Haneda", &["HND"]),
        ("Berlin", &["BER"]),
        ("München", &["MUC"]),
        ("munich airport", &["MUC"]),
        ("Zürich", &["ZRH"]),
        ("São Paulo", &["GRU", "CGH", "VCP"]),
        ("Sydney", &["SYD"]),
        ("Frankfurt", &["FRA"]),
        ("o'hare", &["ORD"]),
        ("dubai intl", &["DXB"]),
        ("Venice", &["VCE"]),
        ("bali", &["DPS"]),
        ("Phnom Penh", &["KTI"]),
        ("Kathmandu", &["KTM"]),
        ("saigon", &["SGN"]),
    ] {
        assert_eq!(found(text, expected.len()), expected, "{text}");
    }
    // Both are meant; the large ones come before the small.
    assert_eq!(found("San Jose", 2).into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(["SJC", "SJO"]));
    assert!(found("santiago", 3).contains(&"SCL"));
    for nothing in ["", "  ", "airport", "no such place", "qq", "/", "…"] {
        assert_eq!(found(nothing, 1), Vec::<&str>::new(), "{nothing}");
    }
    // Nothing is listed twice.
    let london = AIRPORTS.find("london");
    let codes: BTreeSet<_> = london.iter().map(|airport| airport.code).collect();
    assert_eq!(codes.len(), london.len());
}

#[test]
fn codes_of_cities_lead_to_airports_there() {
    assert!(CITY_CODES.is_sorted_by_key(|city| city.code));
    for city in CITY_CODES {
        let airports = AIRPORTS.of_city(city.code);
        assert_eq!(airports.len(), city.airports.len(), "{city:?} has one that is not in the pack");
        let first = airports.first().expect("an airport");
        assert!(first.has_flights, "{first:?}");
        for airport in &airports {
            assert_eq!(airport.country_code, city.country_code, "{airport:?}");
            let km = distance_km((first.lat, first.lon), (airport.lat, airport.lon));
            assert!(km.is_some_and(|km| km < 130.0), "{city:?}: {airport:?} is {km:?} km away");
        }
    }
    assert_eq!(city_code("nyc").map(|city| city.name), Some("New York"));
    assert_eq!(city_code("XXX"), None);
    assert_eq!(AIRPORTS.of_city("BER").first().map(|airport| airport.code), Some("BER"));
    assert!(AIRPORTS.of_city("XXX").is_empty());
}

#[test]
fn the_nearest_are_first() {
    // From the Eiffel tower.
    let near = AIRPORTS.near(48.8584, 2.2945, 40.0);
    assert!(near.is_sorted_by(|one, other| one.1 <= other.1));
    assert!(near.iter().all(|(_, km)| *km <= 40.0));
    let flown: Vec<_> = near.iter().filter(|(at, _)| at.has_flights).map(|(at, _)| at.code).collect();
    assert_eq!(flown, ["ORY", "CDG"]);
    // Over the date line: Taveuni is east of it, Savusavu west.
    let fiji: Vec<_> = AIRPORTS.near(-16.7, 180.0, 80.0).into_iter().map(|(at, _)| at.code).collect();
    assert!(fiji.contains(&"TVU") && fiji.contains(&"SVU"), "{fiji:?}");
    // Against the plain search.
    for (lat, lon, km) in
        [(0.0, 0.0, 1_000.0), (89.9, 0.0, 900.0), (-33.9, 151.2, 300.0), (64.1, -21.9, 20_100.0)]
    {
        let plain = AIRPORTS
            .all()
            .filter(|at| distance_km((lat, lon), (at.lat, at.lon)).is_some_and(|far| far <= km));
        assert_eq!(AIRPORTS.near(lat, lon, km).len(), plain.count(), "{lat} {lon}");
    }
    for (lat, lon, km) in [(f64::NAN, 0.0, 10.0), (91.0, 0.0, 10.0), (48.0, 2.0, f64::NAN), (48.0, 2.0, -1.0)]
    {
        assert!(AIRPORTS.near(lat, lon, km).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = Airports::read(&bytes);
        let _ = Airports::read(&[b"AIRPORT1\n", bytes.as_slice()].concat());
    }

    /// One byte of a pack is another: an error or a table, and the table answers.
    #[test]
    fn no_damaged_pack_panics(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut pack = small();
        let at = at.index(pack.len());
        pack[at] = byte;
        if let Ok(airports) = Airports::read(&pack) {
            prop_assert_eq!(airports.all().count(), airports.len());
            let _ = airports.find("orly");
            let _ = airports.near(48.85, 2.35, 1_000.0);
        }
    }

    #[test]
    fn no_coordinates_panic(lat in any::<f64>(), lon in any::<f64>(), km in any::<f64>()) {
        let _ = distance_km((lat, lon), (lon, lat));
        // A small table: what is far is far in any.
        let airports = Airports::read(&small()).expect("a pack");
        let _ = airports.near(lat, lon, km);
    }
}

proptest! {
    // Each reads every name, which takes its time without optimisation.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_of_our_pack_panics(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut pack = packed_airports().to_vec();
        let at = at.index(pack.len());
        pack[at] = byte;
        if let Ok(airports) = Airports::read(&pack) {
            prop_assert_eq!(airports.all().count(), airports.len());
            let _ = airports.find("no such place");
        }
    }

    #[test]
    fn no_text_panics(text in ".{0,40}") {
        let _ = AIRPORTS.find(&text);
        let _ = AIRPORTS.of_city(&text);
    }
}
