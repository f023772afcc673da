//! What is asked of a model.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Message, RunId, ToolSpec};

/// One request to a model: everything it may know. A model is a function of this value alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The run this belongs to (D-16).
    pub run_id: RunId,
    /// Which step of the run, from 1.
    pub step: u32,
    /// The model's name as its endpoint knows it.
    pub model: String,
    /// The conversation, system message first; shared, because the next request has them again.
    pub messages: Vec<Arc<Message>>,
    /// The tools it may call, in a stable order; shared, because every request of a conversation has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Arc<ToolSpec>>,
    /// Sampling temperature, when the person set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The most tokens it may answer with, when the person set a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
}
