//! `check_itinerary`: what of an itinerary does not work, on demand.

use std::rc::Rc;

use async_trait::async_trait;
use domain::{counted, quoted};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::assumed::Assumed;
use crate::change::with_findings;
use crate::check::{Finding, Severity, look};
use crate::found::{itinerary, segments_of};
use crate::model::{FROM_A_FILE, Itinerary, Segment};
use crate::profile::Profile;

/// What the checker finds of an itinerary, with how many travel where that is said in the profile alone.
pub(crate) fn found(row: &Itinerary, profile: Option<&Profile>, segments: &[Rc<Segment>]) -> Vec<Finding> {
    look(row, profile, segments.iter().map(|segment| &**segment))
}

/// Whether findings tell words that somebody else may have written: of segments, or of an itinerary with its travellers.
pub(crate) fn tells_foreign(findings: &[Finding], row: &Itinerary, segments: &[Rc<Segment>]) -> bool {
    let is_told = |segment: &Segment| findings.iter().any(|finding| finding.rows.contains(&segment.id));
    !findings.is_empty()
        && (row.imported || segments.iter().any(|segment| segment.imported && is_told(segment)))
}

pub(crate) struct CheckItinerary;

/// Which one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckArgs {
    /// The itinerary's id or title; the current one when left out.
    itinerary: Option<String>,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Checked {
    /// One sentence or more for a person.
    summary: String,
    /// The itinerary's id; never show it to a person.
    #[serde(rename = "itineraryId")]
    itinerary_id: String,
    /// How many cannot be meant.
    errors: usize,
    /// How many are worth a look.
    warnings: usize,
    /// The worst first.
    findings: Vec<Finding>,
    /// What was reckoned with.
    assumed: Assumed,
    /// Words on it came in by a file or a search that somebody else may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

#[async_trait(?Send)]
impl Tool<Stage> for CheckItinerary {
    const NAME: &'static str = "check_itinerary";
    const TITLE: &'static str = "Check the itinerary";
    const DESCRIPTION: &'static str = "Says what of an itinerary cannot work, each with a way out. Tell all of it to the person; never say that a trip \
         works without it.";
    const HINTS: Hints = Hints::READ;
    type Args = CheckArgs;
    type Output = Checked;

    async fn run(&self, args: CheckArgs, stage: &mut Stage) -> Result<Checked, ToolError> {
        let row = itinerary(stage, args.itinerary.as_deref())?;
        let segments = segments_of(stage, &row.id);
        let is_foreign = row.imported || segments.iter().any(|segment| segment.imported);
        let findings = found(&row, stage.get::<Profile>(&row.id).as_deref(), &segments);
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        let title = quoted(&row.title);
        let summary = match findings.len() {
            0 => format!("Nothing was found that does not work on {title}."),
            count => format!("{} on {title}.", counted(count, "thing to look at", "things to look at")),
        };
        Ok(Checked {
            summary: with_findings(summary, &findings),
            itinerary_id: row.id.clone(),
            errors,
            warnings: findings.len() - errors,
            findings,
            assumed: row.assumptions.filled(),
            untrusted: is_foreign.then_some(FROM_A_FILE),
        })
    }
}
