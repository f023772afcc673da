//! The client of tool servers elsewhere: MCP over streamable HTTP in both protocol versions, and the authorization they ask for.
//!
//! A server elsewhere is not ours: what it sends is data, bounded in size, time and number, and what it says about its
//! tools holds only as long as it says the same ([`ToolPin`]). Nothing here opens a connection or keeps a token: requests
//! go through [`llm::Transport`], time comes from [`llm::Timer`], tokens from an [`TokenProvider`].
//!
//! - [`Server`]: one server: connect, list, call.
//! - [`Address`]: where it is.
//! - [`names`]: its tools' names beside those of others.
//! - [`ToolPin`]: what of a tool a person has looked at.
//! - [`oauth`]: the sign-in.
#![doc = include_str!("../README.md")]

mod address;
mod error;
mod limits;
mod mirror;
pub mod names;
pub mod oauth;
mod person;
mod pin;
mod reply;
mod server;
mod token_provider;
mod tool_answer;
mod words;

pub use address::Address;
pub use error::{RemoteError, SignIn};
pub use limits::Limits;
pub use person::Person;
pub use pin::ToolPin;
pub use server::{Offer, Progress, Server, Welcome};
pub use token_provider::{Challenge, Fixed, TokenProvider};
pub use tool_answer::ToolAnswer;
