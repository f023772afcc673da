//! All tests of this crate that need nothing but what it shows: one program, linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod common;
mod data;
mod export;
mod left;
mod people;
mod previews;
mod steps_back;
mod tools;
mod untold;
