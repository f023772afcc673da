//! A conversation as a file: what was said, what the models and the tools answered, and what is needed to play it
//! again ([`crate::Replay`]). It holds no key, no address and nothing of the device but the conversation itself.

use protocol::{Hints, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Entry, Limits, LoadError};

/// What tells a run file from any other JSON.
const FORMAT: &str = "satchel.run";

/// The version of the form. A new one comes with a migration in [`RunFile::from_json`].
const VERSION: u64 = 1;

/// A conversation that can be played again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    /// What it is called.
    pub title: String,
    /// The version of the app that saved it.
    pub app: String,
    /// When it was saved, in Unix milliseconds.
    pub saved_at_ms: i64,
    /// The limits its runs had.
    #[serde(default)]
    pub limits: Limits,
    /// The tools there were.
    #[serde(default)]
    pub tools: Vec<ToolHead>,
    /// The log, from its beginning.
    pub entries: Vec<Entry>,
}

/// What a replay needs to know about a tool; the schema of its arguments is the tool's own business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolHead {
    /// The name the model calls it by.
    pub name: String,
    /// The name a person reads.
    pub title: String,
    /// What it does to the world.
    pub hints: Hints,
}

impl ToolHead {
    /// What is kept of a tool.
    #[must_use]
    pub fn of(spec: &ToolSpec) -> Self {
        Self { name: spec.name.clone(), title: spec.title.clone(), hints: spec.hints }
    }

    pub(crate) fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.clone(),
            title: self.title.clone(),
            description: String::new(),
            input_schema: json!({ "type": "object" }),
            hints: self.hints,
        }
    }
}

#[derive(Serialize)]
struct Out<'a> {
    format: &'a str,
    version: u64,
    #[serde(flatten)]
    file: &'a RunFile,
}

#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

impl RunFile {
    /// The file's text, in a versioned envelope.
    ///
    /// # Errors
    /// Only when an entry holds a number JSON cannot say.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(&Out { format: FORMAT, version: VERSION, file: self })
    }

    /// A run from a file's text.
    ///
    /// # Errors
    /// When it is no run file, one of a newer version, or one whose log has a hole.
    pub fn from_json(json: &str) -> Result<Self, LoadError> {
        let format = |error: serde_json::Error| LoadError::Format(error.to_string());
        // Some editors put a byte order mark in front.
        let json = json.trim_start_matches('\u{feff}');
        let head: Head = serde_json::from_str(json).map_err(format)?;
        if head.format != FORMAT {
            return Err(LoadError::Format(format!("its format is \"{}\"", head.format)));
        }
        if head.version != VERSION {
            return Err(LoadError::Version { found: head.version, known: VERSION });
        }
        let file: Self = serde_json::from_str(json).map_err(format)?;
        match file.entries.iter().enumerate().find(|(at, entry)| entry.seq != *at as u64) {
            Some((at, _)) => Err(LoadError::Format(format!("entry {at} of its log is missing"))),
            None => Ok(file),
        }
    }
}
