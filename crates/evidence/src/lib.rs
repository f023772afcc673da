//! Answers checked against what the tools said (S1-27, S1-29): quotes, numbers, dates, times and names, by
//! code. It knows no conversation: what an answer may rest on is handed in as [`Source`]s, and the machine of a
//! conversation gets [`checked`] through a port.
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
#![doc = include_str!("../README.md")]

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
mod tables;
mod vocabulary;
mod whens;

use std::ops::Range;

use protocol::{Checked, ClaimKind, Doubt, Origin, Source};

pub use repair::words_for_repair;

use ground::Ground;

/// The longest answer that is checked, in bytes; what comes after it is not looked at.
const LONGEST_ANSWER: usize = 200_000;

/// The most claims that are looked up in one answer.
const MOST_CLAIMS: usize = 1_000;

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
    pub kind: ClaimKind,
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

/// What a conversation keeps of a check: what is to be marked, and what its model would be told about it.
#[must_use]
pub fn checked(answer: &str, sources: &[Source]) -> Checked {
    let report = check(answer, sources);
    let doubt = |claim: &Claim| Doubt { start: claim.range.start, end: claim.range.end, kind: claim.kind };
    Checked { doubts: report.unsupported().map(doubt).collect(), message: words_for_repair(&report) }
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
    order::sort_by_key(&mut report.claims, |claim| (claim.range.start, claim.range.end));
    order::sort_by_key(&mut report.citations, |citation| citation.range.start);
    report.wrong =
        report.unsupported().map(|claim| answer[claim.range.clone()].to_owned()).collect::<Vec<_>>();
    report
}
