//! One question to a model, outside any conversation: as a tool, as a judge.

use std::sync::Arc;

use futures::StreamExt;
use protocol::{Failure, Message, ModelEvent, ModelRequest, RunId, Usage};

use crate::ports::Cast;

/// What is asked.
pub(crate) struct Asked {
    pub run_id: RunId,
    pub system: String,
    pub said: String,
}

/// The answer's text, and what it took.
///
/// # Errors
/// The model's.
pub(crate) async fn ask(cast: &Cast, asked: Asked) -> Result<(String, Usage), Failure> {
    let request = ModelRequest {
        run_id: asked.run_id,
        step: 1,
        model: cast.name.clone(),
        messages: vec![
            Arc::new(Message::System { content: asked.system }),
            Arc::new(Message::User { content: asked.said, images: Vec::new() }),
        ],
        tools: Vec::new(),
        temperature: Some(0.0),
        max_output_tokens: None,
    };
    let mut stream = cast.model.stream(request).await?;
    let (mut text, mut usage) = (String::new(), Usage::default());
    while let Some(event) = stream.next().await {
        match event? {
            ModelEvent::TextDelta { text: more } => text.push_str(&more),
            ModelEvent::Usage { usage: counted } => usage = counted,
            // What was streamed is void.
            ModelEvent::Retrying { .. } => text.clear(),
            ModelEvent::Done { .. } => break,
            ModelEvent::ThoughtDelta { .. }
            | ModelEvent::ToolCallDelta { .. }
            | ModelEvent::Confidence { .. } => {}
        }
    }
    Ok((text, usage))
}

/// The JSON in an answer: models like to put a fence around it.
pub(crate) fn json_in(text: &str) -> &str {
    let text = text.trim();
    let fenced = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    fenced.map_or(text, |inside| inside.strip_prefix("json").unwrap_or(inside).trim())
}
