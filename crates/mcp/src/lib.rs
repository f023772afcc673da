//! A transport-free MCP server core with typed tools, and the client's side of the codec.
//!
//! What it does: everything the protocol says about a request and its answer. A tool author implements
//! [`Tool`] and lists it in a [`Registry`]; an application assembles its tools behind [`Host`]; an
//! adapter (a service worker, a native server, a test) turns its own requests into [`HttpIn`] and gives
//! back the [`HttpOut`] of [`Server::handle`].
//!
//! What it does not know: any store, any clock, any browser or socket; what outlives a request it does through
//! an [`Runtime`]. Revisions served: 2026-07-28 (stateless, "modern") and, on the same endpoint, 2025-11-25, 2025-06-18 and
//! 2025-03-26 with their handshake ("legacy").
#![doc = include_str!("../README.md")]

mod arguments;
mod ask;
pub mod base64;
mod caller;
pub mod client;
mod events;
mod host;
mod http;
pub mod meta;
mod part;
mod prompt;
mod registry;
mod resource;
mod rpc;
mod runtime;
mod schema;
mod seal;
mod server;
mod text;
mod tool;
mod version;

pub use ask::{Ask, Filled, InputRequired, Stop};
pub use caller::{Caller, LogLevel};
pub use events::Events;
pub use host::{Host, TaskUse, ToolCallIn, ToolCallOut};
pub use http::{Body, Headers, HttpIn, HttpOut};
pub use part::{Load, NotLoaded, Part};
pub use prompt::{CompleteIn, Completing, Completions, Prompt, PromptArgument, PromptIn, PromptOut};
pub use registry::{AnyTool, Registry};
pub use resource::{Resource, ResourceContents, ResourcePage, ResourceTemplate};
pub use rpc::{RpcError, code};
pub use runtime::Runtime;
pub use schema::definition;
pub use server::{MAX_BODY_BYTES, Notification, Rest, Server, ServerInfo, WeakServer};
pub use text::{is_hidden, one_line};
pub use tool::{Hints, Limits, NoArguments, Tool, ToolDef, ToolError};
pub use version::{LEGACY_VERSIONS, MODERN_VERSION};
