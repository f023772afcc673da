//! The checker: what of an itinerary cannot work, and a way out of it. Pure: rows in, findings out.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::{Itinerary, Segment};
use crate::words::words;

/// Something that does not work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The rule's name, for programs: `overlap`. It never changes: [`crate::Accepted::rule`] is on disk.
    pub rule: &'static str,
    /// Whether it is saved.
    pub severity: Severity,
    /// Ids of the segments it is about, in the order of the itinerary; empty for what is of the itinerary as a whole.
    pub rows: Vec<String>,
    /// What is wrong, in a sentence for a person, without ids (D-04).
    pub text: String,
    /// What to do about it, in a sentence.
    pub way_out: String,
}

words! {
    /// How bad a finding is.
    Severity {
        /// It cannot be meant: a tool refuses to save it.
        Error = "error",
        /// It is saved, and travels with the itinerary.
        Warning = "warning",
    }
}

/// What does not work on an itinerary with these segments, the worst first.
#[must_use]
pub fn check(_itinerary: &Itinerary, _segments: &[Segment]) -> Vec<Finding> {
    Vec::new()
}
