//! What a model streams back, whatever its wire format.

use serde::{Deserialize, Serialize};

use crate::{CallId, Failure};

/// One event of a model's stream. A complete stream ends with exactly one `Done`;
/// a stream that ends without it was cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ModelEvent {
    /// More of the answer.
    TextDelta {
        /// The new characters.
        text: String,
    },
    /// More of the visible reasoning.
    ThoughtDelta {
        /// The new characters.
        text: String,
    },
    /// More of a tool call. `id` and `name` come once, `arguments` in fragments of JSON text.
    ToolCallDelta {
        /// Tells parallel calls of one response apart; dense from 0, in the order of appearance.
        index: u32,
        /// The call's id, with the first delta that knows it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<CallId>,
        /// The tool's name, with the first delta that knows it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// A fragment of the arguments' JSON text.
        #[serde(default)]
        arguments: String,
    },
    /// What the request cost so far; a later one replaces an earlier one.
    Usage {
        /// The counts.
        usage: Usage,
    },
    /// How sure the model says it is of this response, where it was asked to say so (S0-16).
    Confidence {
        /// From 0.0 (a guess) to 1.0.
        value: f64,
    },
    /// The attempt failed before any tool call was accepted and will be made again (D-15):
    /// whatever this response streamed so far is void.
    Retrying {
        /// Which attempt comes next, from 2; 1 where none was made yet, and there is something to say before it (it waits, or
        /// cannot take every tool along).
        attempt: u32,
        /// How long it waits first, in milliseconds.
        after_ms: u64,
        /// What went wrong.
        failure: Failure,
    },
    /// The response is complete.
    Done {
        /// Why it ended.
        reason: StopReason,
    },
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It had said what it wanted to say.
    Stop,
    /// It ran into the limit on output tokens.
    Length,
    /// It asked for tools and waits for their results.
    ToolCalls,
    /// The provider's filter stopped it.
    ContentFilter,
}

/// Token counts of one request, as the provider says them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request.
    pub input_tokens: u64,
    /// Tokens of the response, reasoning included.
    pub output_tokens: u64,
    /// Of the request's tokens, those the provider had cached.
    #[serde(default)]
    pub cached_input_tokens: u64,
    /// Of the response's tokens, those spent on reasoning.
    #[serde(default)]
    pub reasoning_tokens: u64,
    /// What it cost, in millionths of a US dollar, by the price that was known when it was asked for; none where no price
    /// was known. No provider says it: whoever asked puts it in (S4-33).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_usd: Option<u64>,
}
