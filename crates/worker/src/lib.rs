//! A tool server in a service worker: web requests to it and back, for the app whose domains it is given ([`app!`]).
//!
//! `www/sw.js` has the listeners and hands over what came in: a request by fetch to [`handle`], a port of
//! a page to [`open_port`]. A page that no worker controls loads the same module and calls [`handle`] in
//! place. All of them reach one server over one database, opened at the first call.

mod browser;
mod calls;
mod collect;
mod exports;
mod hosted;
mod parts;
mod pictures;
mod ports;
mod runtime;
mod server;
mod stream;
mod tables;

pub use collect::collect;
pub use domain::Domain;
pub use exports::{TRANSPORT_VERSION, forget, handle, open_port, picture, warm};
pub use hosted::{App, Hosted, serve};
pub use parts::{Collect, Lost, Parts, Rest, Shown, WholeTools, had, within};
pub use tables::table;
#[doc(hidden)]
pub use {domain::Bare, mcp::Part, wasm_bindgen, wasm_split_helpers, web::names::is_plain};
