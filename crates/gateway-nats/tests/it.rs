//! Gateways that count together, on real servers of NATS, which the tests start.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails here has failed")]

mod bench;
mod on_nats;
