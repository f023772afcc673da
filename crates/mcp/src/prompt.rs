//! Prompts, and what completes arguments while they are typed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::caller::Caller;

/// One entry of `prompts/list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// Its programmatic name.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What can be filled in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<PromptArgument>,
}

/// Something to fill into a prompt; always text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The prompt cannot do without it.
    #[serde(default)]
    pub required: bool,
}

/// A `prompts/get` on its way in; the name is known and the required arguments are there.
#[derive(Clone, Debug)]
pub struct PromptIn {
    /// The prompt's name.
    pub name: String,
    /// The arguments, all text.
    pub arguments: Map<String, Value>,
    /// Who asks.
    pub caller: Caller,
}

/// A prompt, filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptOut {
    /// What it is for.
    pub description: Option<String>,
    /// `PromptMessage`s.
    pub messages: Vec<Value>,
}

/// What is being typed, of which more is guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completing {
    /// An argument of the prompt of this name.
    Prompt(String),
    /// A variable of a resource template.
    Resource(String),
}

/// A `completion/complete` on its way in.
#[derive(Clone, Debug, PartialEq)]
pub struct CompleteIn {
    /// Where.
    pub of: Completing,
    /// The argument's name.
    pub argument: String,
    /// What is typed so far.
    pub value: String,
    /// The other arguments, as far as they are known.
    pub known: Map<String, Value>,
}

/// How it may go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// At most [`Completions::MOST`] values, best first; what is more is cut off.
    pub values: Vec<String>,
    /// How many there are in all, if that is known.
    pub total: Option<usize>,
}

impl Completions {
    /// More values are not sent (2026-07-28, server/utilities/completion).
    pub const MOST: usize = 100;
}
