//! All tests of this crate that need nothing but what it shows: one program, linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod commands;
mod common;
mod german;
mod looking;
mod promises;
mod simple;
mod trips;
