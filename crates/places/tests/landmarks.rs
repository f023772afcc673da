//! The table of landmarks against the table of cities: each is in the country that it says, or here with the reason.

use places::{Places, landmarks};

/// Landmarks of which the nearest city is in another country, and why that is so.
const ABROAD: &[(&str, &str, &str)] = &[];

#[test]
fn each_landmark_is_in_its_country() {
    let places = Places::read(places::packed()).expect("our own pack");
    let mut wrong = Vec::new();
    for landmark in landmarks::all() {
        let place = places.at(landmark.lat, landmark.lon);
        let country = place.and_then(|place| place.country_code).unwrap_or("unknown");
        let abroad = ABROAD.iter().find(|(name, ..)| *name == landmark.name);
        let expected = abroad.map_or(landmark.country_code, |(_, country, _)| country);
        if country != expected {
            wrong.push(format!("{} is in {}: {place:?}", landmark.name, landmark.country_code));
        }
        if abroad.is_some() {
            assert_ne!(country, landmark.country_code, "{} is no exception any more", landmark.name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn well_known_coordinates_have_their_landmarks() {
    for (lat, lon, name) in [
        (48.8584, 2.2945, "Eiffel Tower"),
        (37.8199, -122.4783, "Golden Gate Bridge"),
        (-33.8568, 151.2153, "Sydney Opera House"),
        (27.1751, 78.0421, "Taj Mahal"),
    ] {
        let near = landmarks::near(lat, lon);
        let (landmark, distance_m) = near.first().expect("something is there");
        assert_eq!(landmark.name, name);
        assert!(*distance_m < 50.0, "{name}: {distance_m}");
    }
}
