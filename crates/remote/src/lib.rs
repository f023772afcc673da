//! The client of tool servers elsewhere: MCP over streamable HTTP in both eras, and the authorization they ask for.
//!
//! A server elsewhere is not ours: what it sends is data, bounded in size, time and number. Nothing here opens a connection or keeps a token: requests
//! go through [`llm::Transport`], time comes from [`llm::Timer`], tokens from an [`Authority`].
//!
//! - [`Address`]: where it is.
//! - [`oauth`]: the sign-in.

mod address;
mod authority;
mod error;
pub mod oauth;

pub use address::Address;
pub use authority::{Authority, Challenge, Fixed};
pub use error::RemoteError;
