//! The agent over HTTP: sessions, messages that are answered as a stream of events, questions, limits (S4-01, S4-33).
//!
//! [`serve`] starts it. A session is a journal of the store, whose changes are the entries of the agent's log; its events are a
//! function of that log, so that a client which lost its connection, and a process that was killed, go on where they were.
//!
//! What it does not know: any page, any configuration file.
#![doc = include_str!("../README.md")]

mod cluster;
mod cursor;
mod deadline;
mod engine;
mod feed;
mod gates;
mod goes_up;
mod http;
mod kept;
mod money;
mod openapi;
mod options;
mod owner;
mod passing;
mod problem;
mod run;
mod server;
mod session;
mod tokens;
pub mod wire;

pub use cluster::{Cluster, Holder, Home, OpensJournal, Sums};
pub use engine::StartError;
pub use kept::{FolderShelf, Shelf};
pub use openapi::description;
pub use options::{Limits, ModelChoice, NowMs, Options, ShelfOf, Shelves, Spending};
pub use problem::{Code, Problem};
pub use server::{Running, serve};
pub use terminal::RemoteModel;
pub use tokens::{Scope, TokenError, Tokens};
