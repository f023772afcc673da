//! Trips.
mod days;
mod sums;
