//! All tests of this crate that need nothing but what it shows: one program, linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod airports;
mod common;
mod coordinates;
mod landmarks;
mod names;
mod pack;
mod zones;
