//! Cities, airports, landmarks and time zones by coordinates or by name, from packed tables: nobody is asked over a network.
//!
//! A leaf: coordinates or a name come in, what is there comes out; no clock, no network, no file. It does not know photos or trips.
//! Where to start:
//!
//! - [`Places`] is the table of cities. [`Places::read`] takes the bytes of the pack, which a browser fetches when it first needs
//!   them and a native host takes from [`packed`]; [`Places::at`] has the rule of what a place is called, [`Places::told`]
//!   what is said of a photo, [`Places::find`] the search by name.
//! - [`Airports`] is the table of airports, a pack of its own: [`Airports::read`] and [`packed_airports`] as for the cities;
//!   [`Airports::find`], [`Airports::by_code`], [`Airports::near`].
//! - [`Zone`] is a time zone: which offset holds when, and which moment a clock on a wall means. Its table is part of the program.
//! - [`landmarks`] is a small table of its own that is always there; [`distance_km`] is how far two points are apart.
//! - `pack` has the format of the cities, `make/make_cities.py` writes it; the other tables have theirs beside them.
#![doc = include_str!("../README.md")]

pub mod airports;
mod at;
mod city;
mod find;
mod fold;
pub mod given;
pub mod landmarks;
mod pack;
mod sphere;
pub mod zone;

pub use airports::{Airport, AirportSize, Airports, packed_airports};
pub use at::{Place, Told};
pub use city::{City, Continent, Country, Places};
pub use pack::PackError;
pub use sphere::distance_km;
pub use zone::Zone;

/// Hands in the table of zones (`data/zones.bin`) where the program was built in parts ([`given::IN_PARTS`]).
pub fn give_zones(bytes: Vec<u8>) {
    zone::GIVEN.give(bytes);
}

/// The same of the table of landmarks (`data/landmarks.txt`).
pub fn give_landmarks(text: Vec<u8>) {
    landmarks::GIVEN.give(text);
}

/// The pack of cities as it stands in this repository, for hosts that have no better way to it. It is 0.8 MB of the program, and
/// only of a program that calls this.
#[must_use]
pub fn packed() -> &'static [u8] {
    include_bytes!("../data/cities.bin")
}
