//! The server over real HTTP, driven by a client that is made of its description: every request is built from it and every answer
//! is held against it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod client;
mod conversation;
mod description;
mod faults;
mod hostile;
mod itineraries;
mod kill;
mod limits;
mod questions;
mod scopes;
mod scripted;
mod server;
mod sessions;
