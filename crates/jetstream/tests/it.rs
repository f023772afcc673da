//! The journal on real servers of NATS, which the tests start.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails here has failed")]

#[macro_use]
#[path = "../../store/tests/contract/mod.rs"]
mod contract;
mod costs;
mod faults;
mod kv;
mod on_server;
mod work_on_nats;
