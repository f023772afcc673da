//! The worker: web requests to the tool server and back.
//!
//! `www/sw.js` has the listeners and hands over what came in: a request by fetch to [`handle`], a port of
//! a page to [`open_port`]. A page that no worker controls loads this same module and calls [`handle`] in
//! place. All of them reach one server over one database, opened at the first call.

mod browser;
mod calls;
mod exports;
mod hosted;
mod parts;
mod pictures;
mod ports;
mod runtime;
mod server;
mod stream;

pub use exports::{TRANSPORT_VERSION, forget, handle, open_port, picture, warm};
