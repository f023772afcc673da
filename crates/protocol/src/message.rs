//! The messages of a conversation, as a model reads them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{CallId, Image, ToolCall};

/// One message. The order rule (D-05): an assistant message with tool calls is followed by
/// exactly one `Tool` message per call, in the order of the calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// What the assistant is told to be.
    System {
        /// The text.
        content: String,
    },
    /// What the person said.
    User {
        /// The text.
        content: String,
        /// The pictures beside it (S0-63).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Arc<Image>>,
    },
    /// What the model said and asked for.
    Assistant {
        /// The text; empty when there were only tool calls.
        #[serde(default)]
        content: String,
        /// The model's visible reasoning, when it sent any. It goes back only to a provider that wants it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        thought: String,
        /// The tools it asked for, in its order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    /// The result of one tool call.
    Tool {
        /// The call this answers.
        call_id: CallId,
        /// The tool that was called.
        name: String,
        /// The result's text, fenced (see [`crate::fence`]).
        content: String,
        /// True when the tool refused or failed.
        #[serde(default)]
        is_error: bool,
    },
}

impl Message {
    /// What the person said, in words alone.
    #[must_use]
    pub fn user(content: impl Into<String>) -> Self {
        Self::User { content: content.into(), images: Vec::new() }
    }
}
