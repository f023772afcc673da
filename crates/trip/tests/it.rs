//! All tests of this crate that need nothing but what it shows: one program, linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod again;
mod calendars;
mod changes;
mod checker;
mod codes;
mod common;
mod data;
mod import;
mod itineraries;
mod moving;
mod searches;
mod tools;
mod whole;
mod writes;
