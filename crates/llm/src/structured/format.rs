//! How a model is given its tools, how its answer's form is asked for, and what is known of that.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How a model is given its tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolUse {
    /// As its wire has them, until the endpoint refuses them; then in words.
    #[default]
    Automatic,
    /// As its wire has them.
    Native,
    /// In words, and it answers with JSON (S0-15).
    Json,
}

impl ToolUse {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Automatic, Self::Native, Self::Json];

    /// What it is called in settings and options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Native => "native",
            Self::Json => "json",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// How it is asked that an answer be JSON: from the strictest to what every endpoint takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerFormat {
    /// The endpoint holds the model to a schema.
    JsonSchema,
    /// The endpoint holds the model to JSON.
    JsonObject,
    /// The prompt alone asks.
    Prompt,
}

impl AnswerFormat {
    /// What to ask for where this one is refused.
    #[must_use]
    pub fn lower(self) -> Option<Self> {
        match self {
            Self::JsonSchema => Some(Self::JsonObject),
            Self::JsonObject => Some(Self::Prompt),
            Self::Prompt => None,
        }
    }
}

/// What is known of models that were asked for JSON, by their endpoint's base URL and their name.
pub trait KnownFormats {
    /// The format that worked; none for a model that was not asked for JSON yet.
    fn get(&self, base_url: &str, model: &str) -> Option<AnswerFormat>;
    /// A format worked.
    fn put(&self, base_url: &str, model: &str, format: AnswerFormat);
    /// The endpoint refuses a tool of this title, which the model now does without. It is tried again when the program starts
    /// anew.
    fn left_out(&self, _base_url: &str, _model: &str, _title: &str) {}
}

/// The same, for as long as the program runs.
#[derive(Debug, Default)]
pub struct InMemory(RefCell<BTreeMap<(String, String), AnswerFormat>>);

impl KnownFormats for InMemory {
    fn get(&self, base_url: &str, model: &str) -> Option<AnswerFormat> {
        self.0.borrow().get(&(base_url.to_owned(), model.to_owned())).copied()
    }

    fn put(&self, base_url: &str, model: &str, format: AnswerFormat) {
        self.0.borrow_mut().insert((base_url.to_owned(), model.to_owned()), format);
    }
}
