//! Looks at photos: pure functions over pixels. It knows neither a browser nor a store, no clock and no chance: the
//! same code runs in a worker of the page and in a terminal.
//!
//! Start at [`pixels::Picture`], which everything here looks at.
//!
//! - [`nets`] runs four small neural nets on it: where faces are, their landmarks, an embedding of each, what the
//!   picture shows.
//! - [`people`] groups faces by person from their embeddings and from what a person said about them.
//! - [`tags`] makes everyday tags ("dog", "beach") of the 1000 names that the tagging net knows.
#![doc = include_str!("../README.md")]

pub mod nets;
pub mod people;
pub mod pixels;
pub mod tags;
