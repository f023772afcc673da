//! What a conversation is made of: messages, tools, model requests and model events.
//!
//! Plain data with serde, nothing else. Every other crate that talks about a conversation
//! imports these types; this crate imports nothing of ours and does no I/O.
#![doc = include_str!("../README.md")]

mod call_key;
mod canonical;
mod claim;
mod event;
mod failure;
mod fence;
mod image;
mod message;
mod moment;
mod request;
mod role;
mod tool;

pub use call_key::{CallKey, NotACallKey};
pub use canonical::canonical_json;
pub use claim::{Checked, ClaimKind, Doubt, Origin, Source, UNSUPPORTED};
pub use event::{ModelEvent, StopReason, Usage};
pub use failure::{Failure, FailureKind};
pub use fence::{fence, fence_of_call, fence_untrusted, unfence};
pub use image::Image;
pub use message::Message;
pub use moment::{now_line, parse_now_line};
pub use request::ModelRequest;
pub use role::{Role, Routed, Why};
pub use tool::{BETWEEN, CallId, Hints, RunId, ToolCall, ToolResult, ToolSpec, tool_name_now};

#[cfg(test)]
mod tests;
