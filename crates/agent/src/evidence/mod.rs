//! Answers checked against what the tools said (S1-27, S1-29): quotes, numbers, dates, times and names, by
//! code.
//!
//! [`check`] reads an answer as a person would (sentences, quotes, titles, figures) and looks each claim up
//! in the results of the calls. A sentence that cites a call is held to that call; what the person said
//! themselves and the context of the run need no citation. Three rules keep an honest answer clean: what is
//! advice, an offer or a question states nothing; what follows from a result (counts, sums, differences,
//! other units, weekdays) is in it; and where this code cannot tell, the verdict is [`Verdict::Unknown`],
//! which nobody marks.
//!
//! It judges wording, not truth: a right number in a wrong sentence is found only where the number belongs to
//! another record than the one the sentence names.

mod citations;
mod facts;
mod figures;
mod fold;
mod ground;
mod languages;
mod lex;
mod moments;
mod names;
mod page;
mod phrases;
mod repair;
mod sentence;
mod sources;
mod tables;
mod vocabulary;
mod whens;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use repair::WRONG;
pub use repair::words_for_repair;
pub use sources::sources;

use ground::Ground;

/// The longest answer that is checked; what comes after it is not looked at.
const LONGEST_ANSWER: usize = 200_000;

/// The most claims that are looked up in one answer.
const MOST_CLAIMS: usize = 1_000;

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
    /// The text of the result, unfenced. For the context: a line as of [`protocol::now_line`].
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
pub enum Kind {
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

/// What the sources say to a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is there.
    Supported {
        /// The call that says it; none for the person, the context or the answer itself.
        call_id: Option<String>,
    },
    /// It is not.
    Unsupported {
        /// Another call, which the sentence does not cite, says it.
        elsewhere: Option<String>,
    },
    /// Nobody can tell.
    Unknown,
}

/// A claim of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where it stands, in bytes, on boundaries of characters.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// What the sources say to it.
    pub verdict: Verdict,
}

/// A citation of the answer: a page hides it or makes a chip of it (D-04).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Where it stands with its brackets, in bytes.
    pub range: Range<usize>,
    /// The calls it refers to that exist, in its order.
    pub call_ids: Vec<String>,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The claims, by their place.
    pub claims: Vec<Claim>,
    /// The citations, by their place.
    pub citations: Vec<Citation>,
    /// True when the answer was too long to be checked to its end.
    pub cut: bool,
    /// The texts of what is not supported, for [`words_for_repair`].
    wrong: Vec<String>,
}

impl Report {
    /// The claims to mark.
    pub fn unsupported(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| matches!(claim.verdict, Verdict::Unsupported { .. }))
    }
}

/// Checks an answer against its sources.
#[must_use]
pub fn check(answer: &str, sources: &[Source]) -> Report {
    let mut length = answer.len().min(LONGEST_ANSWER);
    while !answer.is_char_boundary(length) {
        length -= 1;
    }
    let ground = Ground::of(sources);
    let mut report = Report { cut: length < answer.len(), ..sentence::read(&answer[..length], &ground) };
    report.claims.sort_by_key(|claim| (claim.range.start, claim.range.end));
    report.citations.sort_by_key(|citation| citation.range.start);
    report.wrong =
        report.unsupported().map(|claim| answer[claim.range.clone()].to_owned()).collect::<Vec<_>>();
    report
}
