//! What came of a job: the conversation's record to the letter, and beside it what we found out about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::Record;

/// What came of one conversation. One line of a batch's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// Which job: the scenario's name and the repetition, `groceries#1`.
    pub job: String,
    /// The scenario's name.
    pub scenario: String,
    /// Which repetition, from 1.
    pub repeat: u32,
    /// The scenario's tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// What is to be thought of it.
    pub verdict: Verdict,
    /// The conversation (S2-06).
    pub record: Record,
    /// What was checked, in the scenario's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckResult>,
    /// What a model that judges said; it never changes the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// Where the simulated client strayed from its instructions: that is not the assistant's fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub client_errors: Vec<Note>,
    /// What went wrong on the way, and the conversation went on (S2-24).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// The models that played.
    pub models: Models,
    /// The seed (S2-04, D-21).
    pub seed: Seed,
    /// What it took.
    pub cost: Cost,
    /// The hash of the database afterwards; none without real tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_hash: Option<String>,
    /// The hash of everything that happened: equal for equal seeds where all models are ours.
    pub event_hash: String,
}

/// What is to be thought of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All checks hold.
    Passed,
    /// A check does not, or it did not end as it has to.
    Failed,
    /// The simulated client strayed: it says nothing about the assistant.
    ClientError,
    /// It could not be played: the provider or the engine broke, or the provider does not serve this place.
    NotPlayed,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckResult {
    /// What was checked, in a few words: `called todo_create`.
    pub check: String,
    /// Whether it holds.
    pub passed: bool,
    /// What was found instead; empty where it holds.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub found: String,
}

/// What a model that judges said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// The model.
    pub model: String,
    /// Its verdict; none where its answer could not be read.
    pub passed: Option<bool>,
    /// Why, in its words.
    pub reason: String,
}

/// Something that was noticed in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// In which turn; 0 before the first.
    pub turn: u32,
    /// What, in a word: `tool_failed`, `handoff_failed`, `handoff_loop`, `webhook_failed`, `said_forbidden`.
    pub kind: String,
    /// What, in a sentence.
    pub what: String,
}

/// The models that played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Models {
    /// The assistant's.
    pub assistant: String,
    /// The client's: `scripted`, `rules`, or a model's name.
    pub client: String,
}

/// The seed of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seed {
    /// Its value.
    pub value: u64,
    /// Whether the models honoured it. Ours always do; of a remote one it is not known unless it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub honoured: Option<bool>,
}

/// What a conversation took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// Tokens that the assistant's models read.
    pub input_tokens: u64,
    /// Tokens that they wrote.
    pub output_tokens: u64,
    /// The same of a model that plays the client, judges or plays tools.
    #[serde(default)]
    pub other_tokens: u64,
    /// US dollars of all; none where a price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// Answers of models that agents took.
    pub steps: u32,
    /// Calls of tools.
    pub tool_calls: u32,
    /// How long each agent's turn took, in milliseconds, in order.
    #[serde(default)]
    pub turn_ms: Vec<u64>,
}
