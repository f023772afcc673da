//! The table of landmarks against well-known coordinates. Its countries are held to the table of cities in `src/at.rs`.

use places::landmarks;

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
