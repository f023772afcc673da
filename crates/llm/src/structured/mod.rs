//! Tools for models that know none (S0-13…S0-16, S0-38): they are told of the tools in words and answer with one JSON
//! object, and what comes of it are the same [`ModelEvent`]s as from a model with tools of its own.
//!
//! The layer lies between the agent and whatever streams text: [`answer`] rewrites the request, reads the object while
//! it grows, checks it, and has it mended once. It knows no wire; the [`Client`](crate::Client) and the page's own
//! models put it over theirs.
//!
//! The thought and the message stream as they come. Calls are handed on whole once the object is valid, so that a
//! repair never takes back a call that somebody may have acted upon (D-15).

mod check;
mod format;
mod prompt;
mod reader;
mod refused;
mod schema;

use std::sync::Arc;

use async_stream::stream;
use futures::StreamExt;
use protocol::{CallId, Failure, FailureKind, Message, ModelEvent, ModelRequest, StopReason};

use crate::EventStream;
use crate::answer::{Answer, index};
use reader::Reader;

pub use check::{Response, check};
pub use format::{AnswerFormat, InMemory, KnownFormats, ToolUse};
pub(crate) use refused::{refused_tool, refuses_format, refuses_tools};

/// A request in words, for a model that knows no tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The request: no tools, no `tool` message and no call in it.
    pub request: ModelRequest,
    /// The JSON Schema of the answer, as text: its order is the order to write in, the thought first.
    pub schema: String,
}

/// Asks a model that knows no tools. `ask` streams its answer to a rewritten request as text; it is asked a second time,
/// with the errors, where the answer is invalid (S0-15), and [`ModelEvent::Retrying`] voids what came of the first.
#[must_use]
pub fn answer(request: &ModelRequest, ask: impl Fn(&Asked) -> EventStream + 'static) -> EventStream {
    let mut asked = Asked { request: prompt::rewritten(request), schema: schema::schema(&request.tools) };
    // The ids of the calls, which are made up here.
    let mut known = Answer::to(request);
    stream! {
        let mut is_repair = false;
        let mut attempts = 1;
        loop {
            let mut events = ask(&asked);
            let attempts_before = attempts;
            let mut reader = Reader::default();
            let errors = loop {
                match events.next().await {
                    Some(Ok(ModelEvent::TextDelta { text })) => {
                        for event in reader.push(&text) {
                            yield Ok(event);
                        }
                    }
                    Some(Ok(ModelEvent::Retrying { attempt, after_ms, failure })) => {
                        reader = Reader::default();
                        attempts = attempts_before + attempt - 1;
                        yield Ok(ModelEvent::Retrying { attempt: attempts, after_ms, failure });
                    }
                    Some(Ok(ModelEvent::Done { reason })) => match (check(reader.json()), reason) {
                        (Ok(response), _) => {
                            for event in rest(&mut known, response, reason) {
                                yield Ok(event);
                            }
                            return;
                        }
                        // It was not given the room to end its object: what it said stands, cut.
                        (Err(_), StopReason::Length | StopReason::ContentFilter) => {
                            yield Ok(ModelEvent::Done { reason });
                            return;
                        }
                        (Err(errors), StopReason::Stop | StopReason::ToolCalls) => break errors,
                    },
                    // It was offered no tools: a call in its wire's way is none of ours.
                    Some(Ok(ModelEvent::ToolCallDelta { .. })) => {}
                    Some(Ok(
                        event @ (ModelEvent::ThoughtDelta { .. }
                        | ModelEvent::Usage { .. }
                        | ModelEvent::Confidence { .. }),
                    )) => yield Ok(event),
                    Some(Err(failure)) => {
                        yield Err(failure);
                        return;
                    }
                    None => return,
                }
            };
            let said = format!("Invalid structured response: {}", errors.join("; "));
            if is_repair {
                let advice = "The model did not keep to the format, twice. Try again, or choose another model.";
                yield Err(Failure::new(FailureKind::Validation, format!("{said}. {advice}")));
                return;
            }
            is_repair = true;
            attempts += 1;
            let failure = Failure::new(FailureKind::Validation, format!("{said}."));
            yield Ok(ModelEvent::Retrying { attempt: attempts, after_ms: 0, failure });
            let messages = &mut asked.request.messages;
            if !reader.said().trim().is_empty() {
                let content = reader.said().to_owned();
                let said = Message::Assistant { content, thought: String::new(), tool_calls: vec![] };
                messages.push(Arc::new(said));
            }
            messages.push(Arc::new(Message::user(prompt::for_repair(&said))));
        }
    }
    .boxed_local()
}

/// What of a valid response did not stream: its calls, how sure the model is, and the end.
fn rest(known: &mut Answer, response: Response, stop: StopReason) -> Vec<ModelEvent> {
    let reason = match stop {
        _ if !response.calls.is_empty() => StopReason::ToolCalls,
        StopReason::ToolCalls => StopReason::Stop,
        StopReason::Stop | StopReason::Length | StopReason::ContentFilter => stop,
    };
    let mut events: Vec<ModelEvent> = Vec::new();
    for (place, (name, arguments)) in response.calls.into_iter().enumerate() {
        let id: Option<CallId> = Some(known.unused_id("", place));
        events.push(ModelEvent::ToolCallDelta { index: index(place), id, name: Some(name), arguments });
    }
    events.extend(response.confidence.map(|value| ModelEvent::Confidence { value }));
    events.push(ModelEvent::Done { reason });
    events
}
