//! The client of tool servers elsewhere: MCP over streamable HTTP in both eras, and the authorization they ask for.
//!
//! A server elsewhere is not ours: what it sends is data, bounded in size, time and number, and what it says about its
//! tools holds only as long as it says the same ([`Seen`]). Nothing here opens a connection or keeps a token: requests
//! go through [`llm::Transport`], time comes from [`llm::Timer`], tokens from an [`Authority`].
//!
//! - [`Server`]: one server: connect, list, call.
//! - [`Address`]: where it is.
//! - [`names`]: its tools' names beside those of others.
//! - [`Seen`]: what of a tool a person has looked at.
//! - [`oauth`]: the sign-in.
#![doc = include_str!("../README.md")]

mod address;
mod authority;
mod error;
mod limits;
mod mirror;
pub mod names;
pub mod oauth;
mod person;
mod reply;
mod said;
mod seen;
mod server;
mod words;

pub use address::Address;
pub use authority::{Authority, Challenge, Fixed};
pub use error::RemoteError;
pub use limits::Limits;
pub use person::Person;
pub use said::Said;
pub use seen::Seen;
pub use server::{Offer, Progress, Server, Welcome};
