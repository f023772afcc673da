//! The format of a transcript's `script.json` (see `tests/transcripts/README.md`).

use std::collections::BTreeMap;

use agent::AgentConfig;
use protocol::{CallId, Failure, ModelEvent, StopReason, Usage};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::ASSISTANT;

/// A whole transcript.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// One sentence: what it shows.
    pub about: String,
    /// What differs from the default configuration.
    #[serde(default = "usual_config", deserialize_with = "changed_config")]
    pub config: AgentConfig,
    /// The to-dos there are at the start, by title.
    #[serde(default)]
    pub todos: Vec<String>,
    /// What tools do instead of working, by name, call by call; the last one repeats.
    #[serde(default)]
    pub tools: BTreeMap<String, Vec<Reply>>,
    /// The tool server cannot be reached.
    #[serde(default)]
    pub toolbox_down: bool,
    /// The log refuses this save (counted from 1), once.
    #[serde(default)]
    pub log_fails_at: Option<usize>,
    /// What the person does, and what the model answers.
    pub turns: Vec<Turn>,
    /// What must come of it.
    pub expect: Expect,
}

fn usual_config() -> AgentConfig {
    AgentConfig::new(ASSISTANT)
}

/// What a script leaves out is as usual.
fn changed_config<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AgentConfig, D::Error> {
    let mut changes = Map::deserialize(deserializer)?;
    changes.entry("instructions").or_insert_with(|| ASSISTANT.into());
    serde_json::from_value(Value::Object(changes)).map_err(Error::custom)
}

/// One turn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// What the person says; without it they ask to try again.
    #[serde(default)]
    pub user: Option<String>,
    /// The model's responses, one list per step. A step beyond the list is a mistake in the script.
    #[serde(default)]
    pub model: Vec<Vec<Event>>,
    /// What the person does about the calls that need approval, in the order in which they are asked.
    #[serde(default)]
    pub person: Vec<Answer>,
}

/// One thing in a model's stream.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Event {
    /// A piece of text.
    Text(String),
    /// Anything else.
    Other(Other),
}

/// Anything but text.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Other {
    /// A piece of reasoning.
    Thought(String),
    /// A whole tool call; it streams in fragments.
    Call(Call),
    /// Input and output tokens.
    Usage(u64, u64),
    /// The response is complete.
    Done(StopReason),
    /// The attempt failed and is made again.
    Retrying(Failure),
    /// The stream breaks with this failure.
    Fail(Failure),
    /// The request is refused with this failure; the first and only thing of its step.
    Refuse(Failure),
    /// Time passes.
    WaitMs(u64),
    /// The person does this now.
    Person(Act),
    /// Any event, as it is.
    Raw(ModelEvent),
}

/// A whole tool call.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Its id; without it the provider sends none.
    #[serde(default)]
    pub id: Option<CallId>,
    /// The tool.
    pub name: String,
    /// The arguments.
    #[serde(default)]
    pub args: Option<Value>,
    /// The arguments' text, where it is not the text of `args`.
    #[serde(default)]
    pub raw: String,
}

/// What the person does about a call.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// What.
    #[serde(rename = "do")]
    pub act: Act,
    /// How long they think about it.
    #[serde(default)]
    pub after_ms: i64,
}

/// What a person can do.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Allow the call.
    Approve,
    /// Decline the call.
    Deny,
    /// Stop the run.
    Cancel,
}

/// What a tool does instead of working.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reply {
    /// The text it returns; without it, the tool works as usual.
    pub text: Option<String>,
    /// It failed.
    pub is_error: bool,
    /// How long it takes.
    pub takes_ms: Option<u64>,
    /// What the person does while it runs.
    pub person: Option<Act>,
}

/// What must come of it, by hand; the snapshot beside it holds the rest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// How each run ends: `complete`, `cancelled`, `limited:max_steps`, `failed:rate_limited`, …
    pub endings: Vec<String>,
    /// The tools that were executed, in order.
    pub executed: Vec<String>,
    /// The titles there are in the end.
    pub todos: Vec<String>,
    /// Words that the last ending's note holds; empty: there is no note.
    #[serde(default)]
    pub note: String,
}

/// What a scripted stream does next.
pub enum Beat {
    Event(ModelEvent),
    Fail(Failure),
    Refuse(Failure),
    WaitMs(u64),
    Person(Act),
}

/// A step's events as they come over the wire: calls in three fragments, each call with the next index.
pub fn beats(events: &[Event]) -> Vec<Beat> {
    let mut beats = Vec::new();
    let mut index = 0;
    for event in events {
        match event {
            Event::Text(text) => beats.push(Beat::Event(ModelEvent::TextDelta { text: text.clone() })),
            Event::Other(Other::Thought(text)) => {
                beats.push(Beat::Event(ModelEvent::ThoughtDelta { text: text.clone() }));
            }
            Event::Other(Other::Call(call)) => {
                let text = call.args.as_ref().map_or_else(|| call.raw.clone(), Value::to_string);
                let middle = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap();
                let fragment = |id: Option<&CallId>, name: Option<&String>, arguments: &str| {
                    Beat::Event(ModelEvent::ToolCallDelta {
                        index,
                        id: id.cloned(),
                        name: name.cloned(),
                        arguments: arguments.to_owned(),
                    })
                };
                beats.push(fragment(call.id.as_ref(), Some(&call.name), ""));
                beats.push(fragment(None, None, &text[..middle]));
                beats.push(fragment(None, None, &text[middle..]));
                index += 1;
            }
            Event::Other(Other::Usage(input_tokens, output_tokens)) => {
                let usage =
                    Usage { input_tokens: *input_tokens, output_tokens: *output_tokens, ..Usage::default() };
                beats.push(Beat::Event(ModelEvent::Usage { usage }));
            }
            Event::Other(Other::Done(reason)) => {
                beats.push(Beat::Event(ModelEvent::Done { reason: *reason }));
            }
            Event::Other(Other::Retrying(failure)) => {
                let failure = failure.clone();
                beats.push(Beat::Event(ModelEvent::Retrying { attempt: 2, after_ms: 500, failure }));
                beats.push(Beat::WaitMs(500));
                index = 0;
            }
            Event::Other(Other::Fail(failure)) => beats.push(Beat::Fail(failure.clone())),
            Event::Other(Other::Refuse(failure)) => beats.push(Beat::Refuse(failure.clone())),
            Event::Other(Other::WaitMs(ms)) => beats.push(Beat::WaitMs(*ms)),
            Event::Other(Other::Person(act)) => beats.push(Beat::Person(*act)),
            Event::Other(Other::Raw(event)) => beats.push(Beat::Event(event.clone())),
        }
    }
    beats
}
