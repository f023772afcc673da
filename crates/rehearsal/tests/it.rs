//! All tests of this crate that need nothing but what it shows: one program, linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod contract;
mod conversations;
mod examples;
mod planted;
mod playing;
mod stage;
