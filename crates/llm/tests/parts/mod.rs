//! What a model says, made up: pieces of text, of thought, and whole calls, for tests that write a stream and read it back.

use proptest::prelude::*;
use protocol::{CallId, ModelEvent, StopReason};

/// The events of an answer but its end, and why it ends. Calls have ids that begin with `prefix`; texts are made by a regular
/// expression.
pub fn answer(
    prefix: &'static str,
    texts: &'static str,
    most: usize,
) -> impl Strategy<Value = (Vec<ModelEvent>, StopReason)> {
    prop::collection::vec((0..3_u8, texts), 0..most).prop_map(move |parts| {
        let mut events = Vec::new();
        let mut calls = 0;
        for (kind, text) in parts {
            match kind {
                0 => events.push(ModelEvent::TextDelta { text }),
                1 => events.push(ModelEvent::ThoughtDelta { text }),
                _ => {
                    let (id, name) = (Some(CallId(format!("{prefix}{calls}"))), Some("t".to_owned()));
                    events.push(ModelEvent::ToolCallDelta {
                        index: calls,
                        id,
                        name,
                        arguments: String::new(),
                    });
                    events.push(ModelEvent::ToolCallDelta {
                        index: calls,
                        id: None,
                        name: None,
                        arguments: text,
                    });
                    calls += 1;
                }
            }
        }
        (events, if calls == 0 { StopReason::Stop } else { StopReason::ToolCalls })
    })
}
