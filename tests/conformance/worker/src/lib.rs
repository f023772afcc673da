//! The worker as it ships, but for what it hosts: the conformance suite's fixtures, and behind them the tools.

#[path = "../../../../crates/worker/src/browser.rs"]
mod browser;
#[path = "../../../../crates/worker/src/calls.rs"]
mod calls;
mod collect;
#[path = "../../../../crates/worker/src/exports.rs"]
mod exports;
mod hosted;
#[path = "../../../../crates/worker/src/pictures.rs"]
mod pictures;
#[path = "../../../../crates/worker/src/ports.rs"]
mod ports;
#[path = "../../../../crates/worker/src/runtime.rs"]
mod runtime;
#[path = "../../../../crates/worker/src/server.rs"]
mod server;
#[path = "../../../../crates/worker/src/stream.rs"]
mod stream;

pub use exports::{TRANSPORT_VERSION, forget, handle, open_port, picture, warm};
