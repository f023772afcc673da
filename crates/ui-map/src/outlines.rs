//! Land and borders of the world, as `map/outlines.json` has them.

use serde::Deserialize;

use crate::geo::LatLon;

/// The outlines are in parts of a degree.
const OUTLINE_PARTS: f64 = 100.0;

/// Land and borders, in degrees.
#[derive(Debug, Default, PartialEq)]
pub struct Outlines {
    /// Rings, of islands and of the seas in them.
    pub land: Vec<Vec<LatLon>>,
    /// Lines between countries.
    pub borders: Vec<Vec<LatLon>>,
}

impl Outlines {
    /// What is in `map/outlines.json`; `map/make_outlines.py` says what that is.
    pub fn read(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Packed {
            land: Vec<Vec<i32>>,
            borders: Vec<Vec<i32>>,
        }
        let line = |steps: Vec<i32>| {
            let mut at = [0, 0];
            let walked = steps.as_chunks::<2>().0.iter().map(move |[east, north]| {
                at = [at[0] + east, at[1] + north];
                [f64::from(at[1]) / OUTLINE_PARTS, f64::from(at[0]) / OUTLINE_PARTS]
            });
            walked.collect()
        };
        let Packed { land, borders } = serde_json::from_str(text).ok()?;
        Some(Self {
            land: land.into_iter().map(line).collect(),
            borders: borders.into_iter().map(line).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outlines_are_the_world() {
        let world = Outlines::read(include_str!("../map/outlines.json")).unwrap();
        assert!(world.land.len() > 100 && world.borders.len() > 300);
        let points = || world.land.iter().chain(&world.borders).flatten();
        assert!(points().all(|[lat, lon]| lat.abs() <= 90.0 && lon.abs() <= 180.0));
        // Where a line to the west crosses land an odd number of times there is land.
        let is_land = |[lat, lon]: LatLon| {
            let crosses = |ends: &&[LatLon]| {
                let [[a_lat, a_lon], [b_lat, b_lon]] = [ends[0], ends[1]];
                (a_lat > lat) != (b_lat > lat)
                    && (b_lon - a_lon) * (lat - a_lat) / (b_lat - a_lat) + a_lon < lon
            };
            world.land.iter().flat_map(|ring| ring.windows(2)).filter(crosses).count() % 2 == 1
        };
        for (place, is) in [
            ([48.86, 2.29], true),
            ([-25.0, 134.0], true),
            ([40.0, -100.0], true),
            ([-80.0, 0.0], true),
            ([0.0, -30.0], false),
            // The Caspian Sea is a hole.
            ([42.0, 50.5], false),
        ] {
            assert_eq!(is_land(place), is, "{place:?}");
        }
        // France and Spain.
        assert!(
            world
                .borders
                .iter()
                .flatten()
                .any(|[lat, lon]| (lat - 42.6).abs() < 0.5 && (lon - 1.0).abs() < 1.0)
        );
        assert_eq!(Outlines::read("{}"), None);
    }
}
