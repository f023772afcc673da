//! The MCP core from outside: raw exchanges, listings, argument messages, the client against the server.

#![allow(clippy::expect_used)] // allow-expect-in-tests reaches only the functions marked #[test].

mod arguments;
mod client;
mod exchanges;
mod fixture;
mod hostile;
mod listing;
