//! The place rule against 200 well-known coordinates, which were written down before the table of cities was made. Rows that miss
//! stay in the file and are printed: `cargo test -p satchel-places --test it coordinates -- --nocapture`.

use crate::common;

use common::PLACES;
use places::Places;

const WELL_KNOWN: &str = include_str!("coordinates.txt");

/// A row of a table of coordinates.
struct Row {
    lat: f64,
    lon: f64,
    country: &'static str,
    /// The city as people there would say, and other spellings of it.
    cities: Vec<&'static str>,
    what: &'static str,
}

fn rows(table: &'static str) -> Vec<Row> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let (lat, lon) = cells[0].split_once(' ').expect("two coordinates");
            Row {
                lat: lat.parse().expect("a latitude"),
                lon: lon.parse().expect("a longitude"),
                country: cells[1],
                cities: cells[2].split('/').map(str::trim).collect(),
                what: cells[3],
            }
        })
        .collect()
}

/// How many countries and how many cities are right; the rest is printed.
fn right(places: &Places, rows: &[Row]) -> (usize, usize) {
    let (mut countries, mut cities) = (0, 0);
    for row in rows {
        let place = places.at(row.lat, row.lon);
        let country = place.and_then(|place| place.country_code).unwrap_or("unknown");
        let city = place.map_or("nothing", |place| place.city.name);
        let others =
            place.map(|place| places.other_names(&place.city).collect::<Vec<_>>()).unwrap_or_default();
        let is_city = row.cities.iter().any(|said| *said == city || others.contains(said));
        countries += usize::from(country == row.country);
        cities += usize::from(is_city && country == row.country);
        if country != row.country || !is_city {
            println!("{}: {city}, {country}; people say {}, {}", row.what, row.cities[0], row.country);
        }
    }
    (countries, cities)
}

#[test]
fn two_hundred_coordinates_are_what_people_say() {
    let places = &*PLACES;
    let (countries, cities) = right(places, &rows(WELL_KNOWN));
    println!("country {countries} of 200, city {cities} of 200");
    assert_eq!(rows(WELL_KNOWN).len(), 200);
    assert_eq!(countries, 200);
    assert!(cities >= 184, "{cities} of 200 are less than 92 %");
}

/// What was written when all else was done is held less tightly: the rows were not looked at before.
#[test]
fn coordinates_nobody_looked_at_are_nearly_as_good() {
    let places = &*PLACES;
    let rows = rows(include_str!("held_out.txt"));
    let (countries, cities) = right(places, &rows);
    println!("country {countries} of {}, city {cities} of {}", rows.len(), rows.len());
    assert!(countries * 100 >= rows.len() * 92 && cities * 100 >= rows.len() * 86);
}

#[test]
fn the_two_traps_are_not_stepped_into() {
    let places = &*PLACES;
    let name = |lat, lon| places.at(lat, lon).map(|place| (place.city.name, place.is_inside));
    assert_eq!(name(48.8584, 2.2945), Some(("Paris", true)), "the Eiffel tower is not Neuilly's");
    assert_eq!(name(37.8199, -122.4783), Some(("San Francisco", true)), "the Golden Gate is not Sausalito's");
}

#[test]
fn what_is_not_known_is_not_said() {
    let places = &*PLACES;
    // Null island, where cameras without a fix are; the middle of the Pacific; both poles; no place at all.
    for (lat, lon) in [
        (0.0, 0.0),
        (-48.88, -123.39),
        (90.0, 0.0),
        (-90.0, 0.0),
        (f64::NAN, 0.0),
        (0.0, f64::INFINITY),
        (91.0, 0.0),
    ] {
        assert_eq!(places.at(lat, lon), None, "{lat} {lon}");
    }
    // 170 km south-west of Honolulu: a city to name, and no country.
    let place = places.at(20.0, -159.0).expect("Hawaii is near");
    assert_eq!((place.country, place.country_code, place.zone, place.admin), (None, None, None, None));
    assert!(place.distance_m > 100_000.0 && !place.is_inside, "{place:?}");
}

#[test]
fn the_date_line_is_no_edge() {
    let places = &*PLACES;
    // Taveuni in Fiji, on both sides of 180°; and 180° said both ways.
    for (lat, lon) in [(-16.8, 179.99), (-16.8, -179.99), (-16.8, 180.0), (-16.8, -180.0)] {
        let place = places.at(lat, lon).expect("Fiji");
        assert_eq!(place.country_code, Some("FJ"), "{lat} {lon}: {place:?}");
        assert_eq!(place.city.name, "Savusavu", "{lat} {lon}");
    }
    // Longyearbyen, far north, where a degree of longitude is 23 km.
    let place = places.at(78.22, 15.65).expect("Svalbard");
    assert_eq!((place.city.name, place.country_code), ("Longyearbyen", Some("SJ")));
}

#[test]
fn a_photo_is_told_of_a_city_that_one_would_say_and_of_what_is_near() {
    let places = &*PLACES;
    let told = places.told(48.8584, 2.2945);
    assert_eq!((told.city, told.country, told.landmarks.first()), ("Paris", "France", Some(&"Eiffel Tower")));
    assert!(told.landmarks.len() <= 3, "{told:?}");
    // On the way over the fields: the country is known, and no city is so near that one says its name.
    let far = places.told(39.0, -99.9);
    assert_eq!((far.city, far.country), ("", "United States"));
    assert_eq!(places.told(f64::NAN, 0.0), places::Told::default());
}
