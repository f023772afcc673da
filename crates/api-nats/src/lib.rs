//! What several servers of the agent over HTTP share, on NATS JetStream: who has which owner, and what is kept of each.
//!
//! [`NatsCluster::start`] joins them. A process has an owner by a lease, whose revision is in everything that it writes (ADR 0080).
//!
//! What it does not know: HTTP, sessions, the agent.
#![doc = include_str!("../README.md")]

mod cluster;
mod home;
mod list;
mod sums;
mod table;

pub use cluster::{NatsCluster, Options, Timing};
