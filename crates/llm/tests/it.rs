//! All tests of this crate that need nothing but what it shows: one program, linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod anthropic;
mod asked;
mod codec;
mod decode;
mod dialects;
mod failures;
mod images;
mod limiter;
mod openai_responses;
mod parts;
mod retries;
mod route;
mod spend;
mod still;
mod structured;
mod wires;
