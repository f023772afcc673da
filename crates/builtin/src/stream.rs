//! The end of a run as a stream of small events, with call ids that no other call has.

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::{CallId, Message, ModelEvent, ModelRequest, StopReason, Usage};
use serde_json::Value;

use crate::run::End;

/// Characters to a delta, about a word or two.
const DELTA_CHARS: usize = 12;
/// Fragments a call's arguments come in.
const FRAGMENTS: usize = 3;
/// Characters to a token, roughly, in English.
const CHARS_PER_TOKEN: usize = 4;

/// The events of a response.
pub fn events(request: &ModelRequest, end: &End) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    let reason = match end {
        End::Answer(text) => {
            events.extend(deltas(text).into_iter().map(|text| ModelEvent::TextDelta { text }));
            StopReason::Stop
        }
        End::Calls(calls) => {
            let mut taken = ids(&request.messages);
            for ((name, arguments), index) in calls.iter().zip(0u32..) {
                let id = fresh(request, index, name, arguments, &mut taken);
                let arguments = arguments.to_string();
                let size = arguments.chars().count().div_ceil(FRAGMENTS).max(1);
                for (i, fragment) in pieces(&arguments, size).into_iter().enumerate() {
                    events.push(ModelEvent::ToolCallDelta {
                        index,
                        id: (i == 0).then(|| id.clone()),
                        name: (i == 0).then(|| name.clone()),
                        arguments: fragment,
                    });
                }
            }
            StopReason::ToolCalls
        }
    };
    let output: usize = events.iter().map(size).sum();
    let input: usize = request.messages.iter().map(|message| message_size(message)).sum();
    let tokens = |chars: usize| u64::try_from(chars.div_ceil(CHARS_PER_TOKEN)).unwrap_or(u64::MAX);
    let usage = Usage { input_tokens: tokens(input), output_tokens: tokens(output), ..Usage::default() };
    events.push(ModelEvent::Usage { usage });
    events.push(ModelEvent::Done { reason });
    events
}

fn size(event: &ModelEvent) -> usize {
    match event {
        ModelEvent::TextDelta { text } | ModelEvent::ThoughtDelta { text } => text.len(),
        ModelEvent::ToolCallDelta { name, arguments, .. } => {
            name.as_ref().map_or(0, String::len) + arguments.len()
        }
        ModelEvent::Usage { .. }
        | ModelEvent::Confidence { .. }
        | ModelEvent::Retrying { .. }
        | ModelEvent::Done { .. } => 0,
    }
}

fn message_size(message: &Message) -> usize {
    match message {
        Message::System { content } | Message::User { content, .. } | Message::Tool { content, .. } => {
            content.len()
        }
        Message::Assistant { content, tool_calls, .. } => {
            content.len() + tool_calls.iter().map(|call| call.arguments.to_string().len()).sum::<usize>()
        }
    }
}

/// Text in pieces that end after white space where one is near.
fn deltas(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut piece = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        if !piece.is_empty() && piece.chars().count() + word.chars().count() > DELTA_CHARS {
            out.push(std::mem::take(&mut piece));
        }
        piece.push_str(word);
        if piece.chars().count() > 2 * DELTA_CHARS {
            out.append(&mut pieces(&piece, DELTA_CHARS));
            piece.clear();
        }
    }
    if !piece.is_empty() {
        out.push(piece);
    }
    out
}

fn pieces(text: &str, chars: usize) -> Vec<String> {
    let all: Vec<char> = text.chars().collect();
    all.chunks(chars).map(|chunk| chunk.iter().collect()).collect()
}

/// The ids of all calls made so far.
fn ids(messages: &[Arc<Message>]) -> BTreeSet<String> {
    messages
        .iter()
        .flat_map(|message| match &**message {
            Message::Assistant { tool_calls, .. } => tool_calls.as_slice(),
            Message::System { .. } | Message::User { .. } | Message::Tool { .. } => &[],
        })
        .map(|call| call.id.0.clone())
        .collect()
}

/// An id made from the request and the call, so that the same request gives the same one (an idempotency
/// key is built on it), and no other call of the conversation has it.
fn fresh(
    request: &ModelRequest,
    index: u32,
    name: &str,
    arguments: &Value,
    taken: &mut BTreeSet<String>,
) -> CallId {
    for salt in 0u32.. {
        let seed = format!("{}\n{}\n{index}\n{name}\n{arguments}\n{salt}", request.run_id, request.step);
        let id = format!("call_{:016x}", fnv(&seed));
        if taken.insert(id.clone()) {
            return CallId(id);
        }
    }
    CallId(format!("call_{index}"))
}

/// FNV-1a, 64 bits: spread, not secrecy.
fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
