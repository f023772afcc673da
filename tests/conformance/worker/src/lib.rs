//! The worker as it ships, but for what it hosts: the conformance suite's fixtures, and behind them the tools.

#[path = "../../../../service-worker/src/browser.rs"]
mod browser;
#[path = "../../../../service-worker/src/calls.rs"]
mod calls;
#[path = "../../../../service-worker/src/exports.rs"]
mod exports;
mod hosted;
#[path = "../../../../service-worker/src/pictures.rs"]
mod pictures;
#[path = "../../../../service-worker/src/ports.rs"]
mod ports;
#[path = "../../../../service-worker/src/runtime.rs"]
mod runtime;
#[path = "../../../../service-worker/src/server.rs"]
mod server;
#[path = "../../../../service-worker/src/stream.rs"]
mod stream;

pub use exports::{TRANSPORT_VERSION, forget, handle, open_port, picture, warm};
