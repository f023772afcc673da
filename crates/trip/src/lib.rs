//! Trips: itineraries, what is on them, and one file per tool (S4).
#![doc = include_str!("../README.md")]

pub mod check;
mod model;
pub mod money;
mod profile;
mod words;

pub use check::{Finding, Severity};
pub use model::{
    Accepted, Assumed, Assumptions, Dependency, How, Itinerary, Kind, MAX_ITINERARIES, MAX_SEGMENTS,
    MAX_TRAVELLERS, Mode, Passport, Place, Segment, Status, Traveller, TravellerKind, Visa, When,
};
pub use money::Money;
pub use profile::{Dates, Field, Known, Pace, Profile};
