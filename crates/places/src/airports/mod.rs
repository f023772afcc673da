//! The table of airports: by code, by name, by coordinates, and the codes of cities that have several.
//!
//! It is a pack of its own, which a browser fetches when it first needs it; a native host takes it from [`packed_airports`]. Start at
//! [`Airports`]. `pack` has the format, `make/make_airports.py` writes it, `cities` has the codes of cities.

mod cities;
mod find;
mod pack;

use crate::PackError;
use crate::sphere::{EARTH_M, is_on_earth, metres};
use pack::Pack;

pub use cities::{CITY_CODES, CityCode, city_code};

/// The pack of airports as it stands in this repository, for hosts that have no better way to it. It is 0.2 MB of the program, and only
/// of a program that calls this.
#[must_use]
pub fn packed_airports() -> &'static [u8] {
    include_bytes!("../../data/airports.bin")
}

/// How large an airport is, as OurAirports counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AirportSize {
    /// An airstrip or a small field; also where nobody says.
    Small,
    /// A regional airport.
    Medium,
    /// One of some 770 that have lines to many countries.
    Large,
}

/// An airport with an IATA code: a view that costs nothing to copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Airport<'a> {
    /// Three capital letters of IATA: `CDG`. No two airports have the same.
    pub code: &'a str,
    /// The name: "Charles de Gaulle International Airport".
    pub name: &'a str,
    /// The city that it says it serves, as the package writes it: "Paris", "Beauvais/Tille". Empty where it is not known.
    pub city: &'a str,
    /// Two capital letters of ISO 3166-1; `XK` for Kosovo.
    pub country_code: &'a str,
    /// The time zone in the IANA database: what [`crate::Zone::named`] takes.
    pub zone: &'a str,
    /// Latitude in degrees, rounded to hundredths (0.6 km).
    pub lat: f64,
    /// Longitude in degrees, rounded to hundredths.
    pub lon: f64,
    /// How large it is.
    pub size: AirportSize,
    /// Whether airlines flew there by a schedule when the table was made. Half of all airports have none: a trip hardly means these.
    pub has_flights: bool,
}

/// The table of airports: 7,867 of them; 0.5 MB in memory.
#[derive(Clone, Debug)]
pub struct Airports {
    pack: Pack,
}

impl Airports {
    /// The table of the bytes of a pack. Takes about 1 ms natively.
    ///
    /// # Errors
    ///
    /// Whatever the bytes are, this is an error and never a panic: see [`PackError`] for what to do about it.
    pub fn read(bytes: &[u8]) -> Result<Self, PackError> {
        Ok(Self { pack: Pack::read(bytes)? })
    }

    /// How many airports there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pack.spots.len()
    }

    /// Whether there are none: only of a pack that nobody made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pack.spots.is_empty()
    }

    /// All airports, in the order of the pack: by country, zone, city.
    pub fn all(&self) -> impl Iterator<Item = Airport<'_>> {
        (0..self.len()).filter_map(|index| self.airport(index))
    }

    /// The airport of a code, in capital or small letters: "CDG". A city's code is none: see [`Airports::of_city`].
    #[must_use]
    pub fn by_code(&self, code: &str) -> Option<Airport<'_>> {
        self.airport(self.pack.index_of(code)?)
    }

    /// The airports of a city's code ("PAR", "LON", "NYC"; [`CITY_CODES`] has them all), the one that most fly to first. Where a city
    /// has one airport its code is the airport's: then it is that, and nothing is found where there is neither.
    #[must_use]
    pub fn of_city(&self, code: &str) -> Vec<Airport<'_>> {
        match city_code(code) {
            Some(city) => city.airports.iter().filter_map(|code| self.by_code(code)).collect(),
            None => self.by_code(code).into_iter().collect(),
        }
    }

    /// The airports within a distance of a point in degrees, with their distances in kilometres, the nearest first. None for what is not
    /// on the Earth (NaN, 91°). All sizes: whoever plans flights keeps those that have any.
    #[must_use]
    pub fn near(&self, lat: f64, lon: f64, km: f64) -> Vec<(Airport<'_>, f64)> {
        if !is_on_earth(lat, lon) {
            return Vec::new();
        }
        let most_m = km * 1_000.0;
        let within = |airport: &Airport<'_>| {
            // Most are out of reach by their latitude alone, which costs no sine.
            let distance_m = || metres((lat, lon), (airport.lat, airport.lon));
            ((airport.lat - lat).abs().to_radians() * EARTH_M <= most_m)
                .then(distance_m)
                .filter(|distance_m| *distance_m <= most_m)
        };
        let mut found: Vec<_> = self.all().filter_map(|at| Some((at, within(&at)? / 1_000.0))).collect();
        order::sort_by(&mut found, |one, other| one.1.total_cmp(&other.1));
        found
    }

    /// The airport of an index.
    fn airport(&self, index: usize) -> Option<Airport<'_>> {
        let spot = self.pack.spots.get(index)?;
        let group = self.pack.groups.get(usize::from(spot.group))?;
        Some(Airport {
            code: self.pack.code(index)?,
            name: self.pack.text(&spot.name)?,
            city: self.pack.text(&spot.city)?,
            country_code: &group.country,
            zone: self.pack.zones.get(usize::from(group.zone))?,
            lat: f64::from(spot.lat) / 100.0,
            lon: f64::from(spot.lon) / 100.0,
            size: spot.size,
            has_flights: spot.has_flights,
        })
    }
}
