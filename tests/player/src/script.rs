//! The format of a transcript's `script.json` (see `tests/transcripts/README.md`).

use std::collections::BTreeMap;

use agent::AgentConfig;
use protocol::{CallId, Failure, ModelEvent, StopReason, Usage};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// What the assistant is told to be: short, and nobody's, so that no app's wording changes a transcript.
const INSTRUCTIONS: &str = "You keep the person's to-dos.";

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
    /// Some of the to-dos that a model is told about at the start came in by a file.
    #[serde(default)]
    pub todos_from_outside: bool,
    /// How many things a call would touch, by tool and call by call; the last one repeats, and `null` is that nobody can say.
    #[serde(default)]
    pub weighs: BTreeMap<String, Vec<Option<u32>>>,
    /// Two tools that reach outside are on offer too.
    #[serde(default)]
    pub outside: bool,
    /// The turns, from 1, in which the tool server cannot be reached.
    #[serde(default)]
    pub toolbox_down: Vec<usize>,
    /// The log refuses these saves (counted from 1), each once.
    #[serde(default)]
    pub log_fails_at: Vec<usize>,
    /// What the person does, and what the model answers.
    pub turns: Vec<Turn>,
    /// What must come of it.
    pub expect: Expect,
}

impl Script {
    /// False where a crash makes it another story: the n-th save is another one after it, and a page that comes back has no
    /// tools from before to go on with.
    #[must_use]
    pub fn is_the_same_after_a_crash(&self) -> bool {
        self.log_fails_at.is_empty() && self.toolbox_down.iter().all(|turn| *turn == 1)
    }
}

fn usual_config() -> AgentConfig {
    AgentConfig::new(INSTRUCTIONS)
}

/// What a script leaves out is as usual.
fn changed_config<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AgentConfig, D::Error> {
    let changes = Map::deserialize(deserializer)?;
    with_changes(&usual_config(), &changes).map_err(Error::custom)
}

/// A configuration with some of its fields changed, however deep.
///
/// # Errors
/// When what comes of it is none.
pub fn with_changes(
    config: &AgentConfig,
    changes: &Map<String, Value>,
) -> Result<AgentConfig, serde_json::Error> {
    fn merge(into: &mut Map<String, Value>, changes: &Map<String, Value>) {
        for (key, change) in changes {
            match (into.get_mut(key), change) {
                (Some(Value::Object(have)), Value::Object(change)) => merge(have, change),
                _ => {
                    into.insert(key.clone(), change.clone());
                }
            }
        }
    }
    let mut merged = serde_json::to_value(config)?;
    if let Value::Object(fields) = &mut merged {
        merge(fields, changes);
    }
    serde_json::from_value(merged)
}

/// One turn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// What the person says; without it they ask to try again.
    #[serde(default)]
    pub user: Option<String>,
    /// How many times over they say it in their message.
    #[serde(default = "once")]
    pub user_times: usize,
    /// The pictures beside it, by name.
    #[serde(default)]
    pub pictures: Vec<String>,
    /// The person has older turns folded away instead of saying anything.
    #[serde(default)]
    pub compact: bool,
    /// What is changed about the configuration before the turn, and stays so.
    #[serde(default)]
    pub config: Map<String, Value>,
    /// How long nobody does anything before the turn.
    #[serde(default)]
    pub after_ms: i64,
    /// The model's responses, one list per step. A step beyond the list is a mistake in the script.
    #[serde(default)]
    pub model: Vec<Vec<Event>>,
    /// What the person does about the calls that need approval, in the order in which they are asked.
    #[serde(default)]
    pub person: Vec<Answer>,
}

fn once() -> usize {
    1
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
    /// A text so many times over, in one piece.
    Repeat(String, usize),
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// What.
    #[serde(rename = "do")]
    pub act: Act,
    /// How long they think about it.
    #[serde(default)]
    pub after_ms: i64,
    /// How many times they do it: a click may be two.
    #[serde(default = "once")]
    pub times: usize,
    /// With `answer`: what they answer to a question, or make of a plan.
    #[serde(default)]
    pub reply: Value,
}

/// What a person can do.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Allow the call.
    Approve,
    /// Allow the call and the later ones of its tool.
    Allow,
    /// Decline the call.
    Deny,
    /// Answer a call that asks them something.
    Answer,
    /// Stop the run.
    Cancel,
}

/// What a tool does instead of working.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reply {
    /// The text it returns; without it, the tool works as usual.
    pub text: Option<String>,
    /// The text's last character comes so many times more.
    pub and_more: usize,
    /// The same as data, with `text`.
    pub structured: Option<Value>,
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
    /// It streams this.
    Event(ModelEvent),
    /// It breaks.
    Fail(Failure),
    /// It never begins.
    Refuse(Failure),
    /// It says nothing for so many milliseconds.
    WaitMs(u64),
    /// The person does something.
    Person(Act),
}

/// A step's events as they come over the wire: calls in three fragments, each call with the next index.
pub fn beats(events: &[Event]) -> Vec<Beat> {
    let mut beats = Vec::new();
    let (mut index, mut attempt) = (0, 1);
    let text = |text: String| Beat::Event(ModelEvent::TextDelta { text });
    for event in events {
        match event {
            Event::Text(piece) => beats.push(text(piece.clone())),
            Event::Other(Other::Repeat(piece, times)) => beats.push(text(piece.repeat(*times))),
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
                attempt += 1;
                beats.push(Beat::Event(ModelEvent::Retrying { attempt, after_ms: 500, failure }));
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
