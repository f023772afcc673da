//! The client of servers elsewhere against real HTTP servers: honest ones first, then every kind of hostile one
//! (issue 4, acceptance 8).

#![allow(clippy::unwrap_used, reason = "a test says where it failed")]

mod changes;
mod eras;
mod honest;
mod listing;
mod mixed_up;
#[path = "../native/mod.rs"]
mod native;
mod nonsense;
mod own_stream;
mod perhaps_done;
mod questions;
mod tokens;
mod too_much;
mod too_slow;
mod world;
