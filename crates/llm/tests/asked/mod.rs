//! A request of a conversation, with nothing but it.

use std::sync::Arc;

use protocol::{Message, ModelRequest, RunId};

pub fn request(messages: impl IntoIterator<Item = Message>) -> ModelRequest {
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 1,
        model: "m".into(),
        messages: messages.into_iter().map(Arc::new).collect(),
        tools: vec![],
        temperature: None,
        max_output_tokens: None,
    }
}
