//! What the worker says, as far as it is shown.

use serde::Deserialize;
use serde_json::Value;

/// What the worker says.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// It listens.
    Ready,
    /// A turn is over.
    Turn {
        /// It.
        turn: Turn,
    },
    /// A model of the page is asked.
    Ask {
        /// The number of the asking.
        id: u32,
        /// What is asked.
        request: Box<protocol::ModelRequest>,
    },
    /// Nobody listens to that answer any more.
    Forget {
        /// The number of the asking.
        id: u32,
    },
    /// It was played.
    Done {
        /// What came of it, whole.
        outcome: Value,
        /// The agents' parts of it, as files that the app opens.
        run_files: Vec<String>,
    },
    /// It was not played.
    Broken {
        /// Why, in a sentence.
        why: String,
    },
}

/// A turn of a conversation.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Turn {
    /// Its number.
    pub turn: u32,
    /// Who speaks.
    pub speaker: String,
    /// What is said.
    pub content: String,
    /// What was called.
    #[serde(default)]
    pub tool_calls: Vec<Call>,
    /// What came of it.
    #[serde(default)]
    pub tool_results: Vec<Value>,
}

/// A call.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Call {
    /// What is called.
    pub function: Function,
}

/// What is called.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Function {
    /// The tool.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
}

/// What came of a conversation.
#[derive(Clone, Debug, Deserialize)]
pub struct Outcome {
    /// What is to be thought of it.
    pub verdict: String,
    /// The conversation.
    pub record: Record,
    /// What was checked.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// Where the client strayed.
    #[serde(default)]
    pub client_errors: Vec<Note>,
    /// What went wrong on the way.
    #[serde(default)]
    pub notes: Vec<Note>,
}

/// How it ended.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    /// What went wrong.
    pub error: Option<String>,
}

/// A check.
#[derive(Clone, Debug, Deserialize)]
pub struct Check {
    /// What was checked.
    pub check: String,
    /// Whether it holds.
    pub passed: bool,
    /// What was found instead.
    #[serde(default)]
    pub found: String,
}

/// Something that was noticed.
#[derive(Clone, Debug, Deserialize)]
pub struct Note {
    /// In which turn.
    pub turn: u32,
    /// What.
    pub what: String,
}
