//! The typed events of a streamed response as ours. A response is a list of items (what is said, what is thought,
//! calls); each is added, grows by deltas, and is done. What was not streamed is taken from where it stands whole.
//! Every oddity a known server has is met here, and has a recorded-style fixture in `fixtures/openai_responses`.

use protocol::{Failure, FailureKind, ModelEvent, ModelRequest, StopReason, Usage};
use serde_json::Value;

use super::wrapper::{is_wrapper, tools_called_so, unpack};
use crate::answer::{Answer, Decode, Decoded, index, more_arguments, other_wire};
use crate::failure::failure_in_stream;

/// Reads the answer to one request.
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    answer: Answer,
    /// The texts something was heard of: their item, their kind, their place in it.
    heard: Vec<(u64, Kind, u64)>,
    calls: Vec<Call>,
    /// How many calls were handed on.
    places: usize,
    /// Tools that are called like the wrapper around several calls.
    parallel_tools: Vec<String>,
}

/// What a text in an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Summary,
    Reasoning,
}

/// One call item.
#[derive(Clone, Debug, Default)]
struct Call {
    /// Its place among the items: a proxy gives it a new id with every event, so the id says nothing.
    item: u64,
    /// Empty while it is not known.
    name: String,
    wire_id: String,
    /// All of the arguments that came so far.
    arguments: String,
    /// Its place among the calls that were handed on; none while it is held back.
    place: Option<usize>,
    is_done: bool,
}

impl Decode for Decoder {
    fn answer(&mut self) -> &mut Answer {
        &mut self.answer
    }

    fn call_names(&self) -> Vec<&str> {
        self.calls.iter().map(|call| call.name.as_str()).collect()
    }

    fn json(&mut self, event: Value, now_ms: i64) -> Decoded {
        let mut decoded = Vec::new();
        let item = event["output_index"].as_u64().unwrap_or_default();
        match event["type"].as_str() {
            Some("response.output_text.delta" | "response.refusal.delta") => {
                self.text(item, Kind::Text, &event["content_index"], &event["delta"], &mut decoded);
            }
            Some("response.reasoning_summary_text.delta") => {
                self.text(item, Kind::Summary, &event["summary_index"], &event["delta"], &mut decoded);
            }
            Some("response.reasoning_text.delta") => {
                self.text(item, Kind::Reasoning, &event["content_index"], &event["delta"], &mut decoded);
            }
            Some("response.function_call_arguments.delta") => {
                let delta = event["delta"].as_str().unwrap_or_default();
                decoded.extend(self.call_of(item).grow(delta).map(Ok));
            }
            Some("response.function_call_arguments.done") => self.arguments(item, &event, &mut decoded),
            Some("response.output_item.added") => self.added(item, &event["item"], &mut decoded),
            Some("response.output_item.done") => self.item(item, &event["item"], &mut decoded),
            Some(kind @ ("response.completed" | "response.incomplete" | "response.failed")) => {
                let status = kind.trim_start_matches("response.");
                self.close(&event["response"], status, now_ms, &mut decoded);
            }
            // Parts that begin and end, tools that run at the provider, or what a later version brings.
            Some(_) => {}
            // The answer of a server that does not stream.
            None if event["object"] == "response" => self.close(&event, "", now_ms, &mut decoded),
            None => return self.answer.fail(other_wire()),
        }
        decoded
    }
}

impl Decoder {
    /// A decoder for the response to a request.
    pub(crate) fn new(request: &ModelRequest) -> Self {
        Self {
            answer: Answer::to(request),
            heard: Vec::new(),
            calls: Vec::new(),
            places: 0,
            parallel_tools: tools_called_so(request),
        }
    }

    /// More of a text.
    fn text(&mut self, item: u64, kind: Kind, part: &Value, text: &Value, decoded: &mut Decoded) {
        let Some(text) = text.as_str().filter(|text| !text.is_empty()) else { return };
        let mut text = text.to_owned();
        let at = (item, kind, part.as_u64().unwrap_or_default());
        if !self.heard.contains(&at) {
            // The parts of a summary are paragraphs.
            if kind == Kind::Summary && self.heard.iter().any(|(_, kind, _)| *kind == Kind::Summary) {
                text.insert_str(0, "\n\n");
            }
            self.heard.push(at);
        }
        decoded.push(Ok(match kind {
            Kind::Text => ModelEvent::TextDelta { text },
            Kind::Summary | Kind::Reasoning => ModelEvent::ThoughtDelta { text },
        }));
    }

    /// An item begins. Only a call says something then.
    fn added(&mut self, place: u64, item: &Value, decoded: &mut Decoded) {
        if item["type"] == "function_call" {
            let arguments = item["arguments"].as_str().unwrap_or_default();
            decoded.extend(self.named(place, item).map(Ok));
            decoded.extend(self.call_of(place).grow(arguments).map(Ok));
        }
    }

    /// An item is done, and stands there whole: what was not heard of it is heard now.
    fn item(&mut self, place: u64, item: &Value, decoded: &mut Decoded) {
        let parts = |name: &str| (0..).zip(item[name].as_array().into_iter().flatten());
        match item["type"].as_str() {
            Some("function_call") => self.arguments(place, item, decoded),
            Some("message") => {
                for (index, part) in parts("content") {
                    let text = if part["type"] == "refusal" { &part["refusal"] } else { &part["text"] };
                    self.unheard(place, Kind::Text, index, text, decoded);
                }
            }
            Some("reasoning") => {
                for (index, part) in parts("summary") {
                    self.unheard(place, Kind::Summary, index, &part["text"], decoded);
                }
                for (index, part) in parts("content") {
                    self.unheard(place, Kind::Reasoning, index, &part["text"], decoded);
                }
            }
            _ => {}
        }
    }

    fn unheard(&mut self, item: u64, kind: Kind, part: u64, text: &Value, decoded: &mut Decoded) {
        if !self.heard.contains(&(item, kind, part)) {
            self.text(item, kind, &Value::from(part), text, decoded);
        }
    }

    /// The call of an item, which may not have begun yet.
    fn call_of(&mut self, item: u64) -> &mut Call {
        let place = self.calls.iter().position(|call| call.item == item).unwrap_or_else(|| {
            self.calls.push(Call { item, ..Call::default() });
            self.calls.len() - 1
        });
        &mut self.calls[place]
    }

    /// Takes the name and id of a call, and hands on its start; a wrapper is held back until it can be opened.
    fn named(&mut self, item: u64, said: &Value) -> Option<ModelEvent> {
        let [name, wire_id] = ["name", "call_id"].map(|it| said[it].as_str().unwrap_or_default().to_owned());
        let (next, is_wrapper) = (self.places, is_wrapper(&name, &self.parallel_tools));
        let call = self.call_of(item);
        if name.is_empty() || !call.name.is_empty() {
            return None;
        }
        call.name.clone_from(&name);
        call.wire_id.clone_from(&wire_id);
        if is_wrapper {
            return None;
        }
        call.place = Some(next);
        let arguments = call.arguments.clone();
        Some(self.start(&wire_id, name, arguments))
    }

    /// The next call that is handed on.
    fn start(&mut self, wire_id: &str, name: String, arguments: String) -> ModelEvent {
        let place = self.places;
        self.places += 1;
        let id = Some(self.answer.unused_id(wire_id, place));
        ModelEvent::ToolCallDelta { index: index(place), id, name: Some(name), arguments }
    }

    /// A call is done, with its arguments whole: LM Studio sends them only here.
    fn arguments(&mut self, item: u64, whole: &Value, decoded: &mut Decoded) {
        decoded.extend(self.named(item, whole).map(Ok));
        let whole = whole["arguments"].as_str().unwrap_or_default();
        let call = self.call_of(item);
        let rest = whole.strip_prefix(call.arguments.as_str()).unwrap_or_default().to_owned();
        decoded.extend(call.grow(&rest).map(Ok));
        if call.name.is_empty() || call.place.is_some() || std::mem::replace(&mut call.is_done, true) {
            return;
        }
        let (name, wire_id, arguments) = (call.name.clone(), call.wire_id.clone(), call.arguments.clone());
        match unpack(&arguments) {
            // Their ids are made up: the wrapper's would be one for all.
            Some(inner) => {
                decoded.extend(inner.into_iter().map(|(name, text)| Ok(self.start("", name, text))))
            }
            None => decoded.push(Ok(self.start(&wire_id, name, arguments))),
        }
    }

    /// The response is over: how it ended (`status`, unless it says so itself), and what it cost.
    fn close(&mut self, response: &Value, status: &str, now_ms: i64, decoded: &mut Decoded) {
        // Some servers stream nothing but this. Elsewhere it repeats what was streamed, at times in another order.
        if self.heard.is_empty() && self.calls.is_empty() {
            for (place, item) in (0..).zip(response["output"].as_array().into_iter().flatten()) {
                self.item(place, item, decoded);
            }
        }
        // A wrapper whose end was not said.
        for item in self.calls.iter().map(|call| call.item).collect::<Vec<_>>() {
            self.arguments(item, &Value::Null, decoded);
        }
        decoded.extend(usage(&response["usage"]).and_then(|usage| self.answer.usage(usage)).map(Ok));
        self.answer.is_over = true;
        match response["status"].as_str().unwrap_or(status) {
            "failed" | "cancelled" => {
                let failure = failure_in_stream(response, now_ms).unwrap_or_else(|| {
                    Failure::new(FailureKind::RetryableNetwork, "The model's provider broke off the answer.")
                });
                decoded.extend(self.answer.fail(failure));
            }
            "incomplete" if response["incomplete_details"]["reason"] == "content_filter" => {
                self.answer.finish = Some(StopReason::ContentFilter);
            }
            "incomplete" => self.answer.finish = Some(StopReason::Length),
            _ => self.answer.finish = Some(StopReason::Stop),
        }
    }
}

impl Call {
    /// More of the arguments; nothing is handed on of a call that is held back.
    fn grow(&mut self, arguments: &str) -> Option<ModelEvent> {
        self.arguments.push_str(arguments);
        more_arguments(self.place?, arguments.to_owned())
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    usage.as_object()?;
    let count = |value: &Value| value.as_u64().unwrap_or_default();
    Some(Usage {
        input_tokens: count(&usage["input_tokens"]),
        output_tokens: count(&usage["output_tokens"]),
        cached_input_tokens: count(&usage["input_tokens_details"]["cached_tokens"]),
        reasoning_tokens: count(&usage["output_tokens_details"]["reasoning_tokens"]),
        ..Usage::default()
    })
}
