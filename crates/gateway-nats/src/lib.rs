//! Counts that several gateways share, as values on NATS JetStream: [`NatsCounters`] is a [`gateway::Counters`].
//!
//! Each value is put only over the one that was seen, so no request is counted twice or lost. Start reading at [`NatsCounters`]; what a
//! window is, and that it needs no clock, is in `window.rs`; how many requests share one put in `claims.rs`.
#![doc = include_str!("../README.md")]

mod accounts;
mod breakers;
mod claims;
mod counters;
mod link;
mod window;

pub use counters::{NatsCounters, Options};
