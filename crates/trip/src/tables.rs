//! The tables of this domain: linked natively; files of their own, fetched with the first trip, where a program was built in parts
//! (ADR 0077).

use places::given::Given;
use places::{Airports, PackError, Places};

use crate::TripTools;
use crate::atlas::{self, Atlas};
use crate::model::Place;

/// What the tables are called as files, in the order in which [`TripTools::over_tables`] takes them.
pub const TABLES: [&str; 6] =
    ["cities.bin", "airports.bin", "zones.bin", "landmarks.txt", "demo.txt", "windows_zones.txt"];

static DEMO: Given = Given::nothing();
static WINDOWS_ZONES: Given = Given::nothing();

/// The demo catalogue.
pub(crate) fn demo() -> &'static str {
    DEMO.text(|| include_bytes!("../data/demo.txt"))
}

/// Windows' names of zones.
pub(crate) fn windows_zones() -> &'static str {
    WINDOWS_ZONES.text(|| include_bytes!("../data/windows_zones.txt"))
}

/// An atlas over tables that were loaded.
struct Loaded {
    cities: Places,
    airports: Airports,
}

impl Atlas for Loaded {
    fn airport(&self, iata: &str) -> Option<Place> {
        atlas::airport(&self.airports, iata)
    }

    fn find(&self, name: &str, near: Option<(f64, f64)>, most: usize) -> Vec<Place> {
        atlas::find(&self.cities, name, near, most)
    }

    fn at(&self, lat: f64, lon: f64) -> Option<Place> {
        atlas::at(&self.cities, lat, lon)
    }

    fn has_zone(&self, name: &str) -> Option<bool> {
        atlas::has_zone(name)
    }

    fn is_country(&self, name: &str) -> bool {
        self.cities.country(name).is_some()
    }
}

impl TripTools {
    /// The tools over the bytes of [`TABLES`]. They stay for as long as the program runs: it makes them once.
    ///
    /// # Errors
    /// When a pack cannot be read: it was cut or damaged on its way, and is to be fetched again.
    pub fn over_tables(tables: [Vec<u8>; 6]) -> Result<Self, PackError> {
        let [cities, airports, zones, landmarks, demo, windows_zones] = tables;
        let cities = Places::read(&cities)?;
        // It is read where it stands.
        let airports = Airports::read(Vec::leak(airports))?;
        places::give_zones(zones);
        places::give_landmarks(landmarks);
        DEMO.give(demo);
        WINDOWS_ZONES.give(windows_zones);
        Ok(Self::here(Box::leak(Box::new(Loaded { cities, airports }))))
    }
}
