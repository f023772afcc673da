//! Landmarks: towers, bridges, temples and beaches that many people photograph, each with the circle in which they do.
//!
//! A landmark near some coordinates is a statement about GPS and not about a picture: "taken within 400 m of the Eiffel Tower". The
//! camera may have looked the other way. Whoever shows it says so, and without GPS nothing is said at all.
//!
//! The table (`data/landmarks.txt`) is written by hand from general knowledge and has no source to attribute; its coordinates are meant
//! to be right to some hundred metres. A test holds the country of each to the table of cities.

use std::sync::LazyLock;

use crate::given::Given;
use crate::sphere::{EARTH_M, is_on_earth, metres};

/// The table where the program was built in parts.
pub(crate) static GIVEN: Given = Given::nothing();

/// The table, read.
static LANDMARKS: LazyLock<Vec<Landmark>> = LazyLock::new(|| rows().filter_map(row).collect());

/// The kinds of landmarks that there are. Words and not variants: they are shown and searched, nothing is decided by them.
pub const KINDS: [&str; 55] = [
    "aqueduct", "arch", "attraction", "bay", "beach", "bridge", "building", "canal", "canyon", "castle",
    "church", "cliff", "dam", "desert", "district", "dune", "fjord", "forest", "fountain", "garden",
    "geyser", "glacier", "hotel", "island", "lake", "library", "market", "memorial", "mine", "monastery",
    "monument", "mosque", "mountain", "museum", "palace", "park", "parliament", "pier", "pyramid", "ruins",
    "spring", "square", "stadium", "station", "street", "temple", "theatre", "tower", "town", "university",
    "viewpoint", "volcano", "wall", "waterfall", "windmill",
];

/// A landmark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landmark {
    /// The name as English has it: no two landmarks have the same.
    pub name: &'static str,
    /// What it is: one of [`KINDS`].
    pub kind: &'static str,
    /// Latitude of its middle in degrees.
    pub lat: f64,
    /// Longitude of its middle in degrees.
    pub lon: f64,
    /// The circle in metres in which it is usually photographed; "within 400 m of" says so.
    pub radius_m: f64,
    /// Two capital letters of ISO 3166-1 of the country that it is in.
    pub country_code: &'static str,
}

/// All landmarks, by country.
#[must_use]
pub fn all() -> &'static [Landmark] {
    &LANDMARKS
}

/// The landmarks whose circle a point in degrees is in, with their distances in metres, the nearest first. None for what is not on
/// the Earth (NaN, 91°). Takes about 2 µs natively: most are out of reach by their latitude alone.
#[must_use]
pub fn near(lat: f64, lon: f64) -> Vec<(&'static Landmark, f64)> {
    if !is_on_earth(lat, lon) {
        return Vec::new();
    }
    let mut found: Vec<(&Landmark, f64)> = Vec::new();
    for landmark in all() {
        if (landmark.lat - lat).abs().to_radians() * EARTH_M > landmark.radius_m {
            continue;
        }
        let distance_m = metres((lat, lon), (landmark.lat, landmark.lon));
        if distance_m <= landmark.radius_m {
            // They are a handful: put where they belong, without the code of a sort.
            found
                .insert(found.partition_point(|(_, other_m)| *other_m <= distance_m), (landmark, distance_m));
        }
    }
    found
}

/// The rows of the table, without its remarks.
fn rows() -> impl Iterator<Item = &'static str> {
    let table = GIVEN.text(|| include_bytes!("../data/landmarks.txt"));
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// A landmark of a row. What is no row is left out: the table is ours, and a test reads every row.
fn row(line: &'static str) -> Option<Landmark> {
    let mut cells = line.split('|');
    let mut next = || cells.next();
    let landmark = Landmark {
        name: next()?,
        kind: next()?,
        lat: next()?.parse().ok()?,
        lon: next()?.parse().ok()?,
        radius_m: next()?.parse().ok()?,
        country_code: next()?,
    };
    next().is_none().then_some(landmark)
}

#[cfg(test)]
mod tests {
    use super::{KINDS, all, near, row, rows};

    #[test]
    fn every_row_is_a_landmark() {
        for line in rows() {
            let landmark = row(line).unwrap_or_else(|| panic!("{line}"));
            assert!(KINDS.contains(&landmark.kind), "{line}: what kind is this?");
            assert!(landmark.lat.abs() <= 90.0 && landmark.lon.abs() <= 180.0, "{line}");
            assert!((50.0..=50_000.0).contains(&landmark.radius_m), "{line}");
        }
        assert!((300..=500).contains(&all().len()), "{}", all().len());
    }

    #[test]
    fn names_are_there_once_and_kinds_are_used() {
        let mut names: Vec<&str> = all().iter().map(|landmark| landmark.name).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
        for kind in KINDS {
            assert!(all().iter().any(|landmark| landmark.kind == kind), "nothing is a {kind}");
        }
    }

    #[test]
    fn the_nearest_is_first_and_far_ones_are_not_there() {
        let names: Vec<&str> = near(48.8860, 2.3400).iter().map(|(landmark, _)| landmark.name).collect();
        assert_eq!(names, ["Sacré-Cœur"]);
        let found = near(40.7600, -73.9800);
        assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        assert!(near(0.0, 0.0).is_empty());
        assert!(near(f64::NAN, 0.0).is_empty());
        assert!(near(91.0, 181.0).is_empty());
    }
}
