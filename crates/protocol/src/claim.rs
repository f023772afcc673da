//! What an answer may rest on, and what of it does not: the words between a conversation and whoever checks its answers
//! (S1-27, S1-29).

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a message begins that asks a model to write an answer again, because of what no source supports.
pub const UNSUPPORTED: &str = "Your answer says things that the tool results do not support:";

/// Where a source comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A tool call: the evidence a claim cites.
    Call,
    /// What the person said.
    Person,
    /// What the model was told about the moment: the date, the zone, the open to-dos.
    Context,
}

/// Something an answer may rest on.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Where it comes from.
    pub origin: Origin,
    /// The id of the call; empty for what is no call.
    pub call_id: String,
    /// The name of the tool; empty for what is no call.
    pub tool: String,
    /// True when the call was refused or failed.
    pub failed: bool,
    /// The text of the result, unfenced. For the context: a line as of [`crate::now_line`].
    pub text: String,
    /// The result as data, when there is any.
    pub data: Option<Value>,
    /// What the model asked for. It proves nothing, and repeating it is no lie.
    pub arguments: Option<Value>,
}

impl Source {
    /// A text that needs no citation.
    #[must_use]
    pub fn said(origin: Origin, text: impl Into<String>) -> Self {
        Self {
            origin,
            call_id: String::new(),
            tool: String::new(),
            failed: false,
            text: text.into(),
            data: None,
            arguments: None,
        }
    }
}

/// What kind of claim it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// Words in quotation marks, in a quoted block, in a code block under a citation, or an address.
    Quote,
    /// A number, with or without a unit.
    Number,
    /// A number of things.
    Count,
    /// A day.
    Date,
    /// A time of the day.
    Time,
    /// A name or a title.
    Name,
    /// A citation.
    Citation,
}

/// A piece of an answer that no source supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// Where it begins in the answer's text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it is.
    pub kind: ClaimKind,
}

/// What a check of an answer found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// What no source supports, by its place.
    pub doubts: Vec<Doubt>,
    /// What its model is told when it is to write the answer again; begins with [`UNSUPPORTED`]. Empty without doubts.
    pub message: String,
}
