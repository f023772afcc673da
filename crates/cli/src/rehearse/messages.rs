//! What the parent and its workers tell each other: JSON, a line each, on the worker's input and output.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rehearsal::Verdict;
use rehearsal::queue::Job;
use serde::{Deserialize, Serialize};

/// What a worker's line begins with (RFC 7464): a line without it is something that a library printed.
pub const RECORD: char = '\u{1e}';

/// The longest line that is read of a worker, in bytes.
pub const LONGEST_LINE: u64 = 256 * 1024 * 1024;

/// The first line to a worker. Keys are not in it: a worker reads the configuration and the environment itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SetUp {
    pub models: ModelNames,
    pub config: PathBuf,
    pub webhook: Option<WebhookSetUp>,
    /// The most memory it may take for data, in bytes; none without a limit.
    pub memory_bytes: Option<u64>,
    /// What trace ids are made different by: the same seed gives the same ids, and batches are told apart elsewhere.
    pub batch: String,
}

/// The models by the names that `satchel chat` has for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelNames {
    pub assistant: Option<String>,
    pub client: Option<String>,
    pub judge: Option<String>,
    /// How they get their tools.
    pub tools: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookSetUp {
    /// Its address; `{client_id}` in it stands for whom it is asked about.
    pub url: String,
    /// Hosts that may have a private address.
    pub allowed: Vec<String>,
    /// How long one attempt may take.
    pub timeout_ms: u64,
}

/// What a worker is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Reads the scenarios of a file. Templates are filled in to see whether they can be, which may never end.
    Read { file: String, text: String, is_checked: bool },
    /// Plays a conversation.
    Play(Job),
}

/// What a worker answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    Ready,
    /// It cannot work with what it was told, in a sentence.
    NotReady(String),
    Read(Result<Vec<Head>, String>),
    Played(Box<Played>),
}

/// A scenario that was read, and what the parent wants to know of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    pub name: String,
    pub prompts: String,
    /// The scenario as JSON.
    pub json: String,
}

/// A conversation that was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Played {
    pub job: String,
    pub verdict: Verdict,
    /// The outcome as JSON: a line of the results.
    pub outcome: String,
    /// Run files as JSON, by agent.
    pub run_files: BTreeMap<String, String>,
    /// The spans as an OTLP export request in a line; empty where there are none.
    pub trace: String,
}
