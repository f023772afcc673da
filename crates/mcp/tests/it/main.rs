//! The MCP core from outside: raw exchanges, listings, argument messages, the client against the server.

#![allow(clippy::expect_used)] // allow-expect-in-tests reaches only the functions marked #[test].

mod arguments;
mod asking;
mod chance;
mod client;
mod corpus;
mod exchanges;
mod fixture;
mod fuzzer;
mod hostile;
mod legacy;
mod listening;
mod listing;
mod sessions;
mod streams;
mod talker;
mod tasks;
mod world;
