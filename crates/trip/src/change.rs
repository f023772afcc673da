//! What every write answers: a sentence, what changed, and what the checker finds of it (S4-15).

use std::rc::Rc;

use domain::{DomainChange, quoted};
use mcp::ToolError;
use schemars::JsonSchema;
use serde::Serialize;
use store::{Changed, Stage};

use crate::check::{Finding, Severity};
use crate::checking::{found, tells_foreign};
use crate::days;
use crate::found::segments_of;
use crate::model::{FROM_A_FILE, Itinerary, Segment};
use crate::moving::Along;
use crate::profile::Profile;
use crate::{ID, moving};

/// The most rows that an answer shows as they were and are.
const SHOWN: usize = 50;

/// So many findings are told in the sentence; the rest are beside it.
const TOLD: usize = 3;

/// What a tool that writes answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Written {
    /// One sentence or more for a person.
    pub summary: String,
    /// It was done.
    pub success: bool,
    /// The itinerary's id; never show it to a person.
    #[serde(rename = "itineraryId")]
    pub itinerary_id: String,
    /// Whether anything of the itinerary, its segments or its travellers changed.
    #[serde(rename = "itineraryUpdated")]
    pub itinerary_updated: bool,
    /// The id of the segment the call was about.
    #[serde(rename = "segmentId", skip_serializing_if = "Option::is_none")]
    pub segment_id: Option<String>,
    /// The ids of all segments that were added, changed or deleted, in the order of the itinerary.
    #[serde(rename = "segmentsModified")]
    pub segments_modified: Vec<String>,
    /// What hangs on what moved and stays, because the person booked it.
    #[serde(rename = "notMoved", skip_serializing_if = "Vec::is_empty")]
    pub not_moved: Vec<NotMoved>,
    /// What does not work of what changed, and what does not any more because of it. It was saved: tell the person.
    pub findings: Vec<Finding>,
    /// How many rows changed.
    pub total: usize,
    /// The first of them as they were and are, at most 50.
    pub changes: Vec<DomainChange>,
    /// There are words here that came in by a file or a search and that somebody else may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untrusted: Option<&'static str>,
}

/// A segment that a booking holds where it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct NotMoved {
    /// Names it in calls; never show it to a person.
    pub id: String,
    /// What a person calls it.
    pub title: String,
    /// Why it stays, in a sentence.
    pub why: String,
    /// Somebody else may have written its title.
    #[serde(skip)]
    is_foreign: bool,
}

impl NotMoved {
    /// Of a segment that is pinned.
    pub fn of(segment: &Segment) -> Self {
        let why = match &*segment.code {
            "" => format!("{} is booked by you and was not moved.", quoted(&segment.title)),
            code => format!("{} has the confirmation code {code} and was not moved.", quoted(&segment.title)),
        };
        Self { id: segment.id.clone(), title: segment.title.clone(), why, is_foreign: segment.imported }
    }
}

/// Puts a segment, stamped as changed now; says whether there was anything to change.
pub(crate) fn put(stage: &mut Stage, before: &Segment, after: Segment) -> bool {
    if *before == after {
        return false;
    }
    let updated_ms = stage.moment().at_ms;
    stage.put(Segment { updated_ms, ..after });
    true
}

/// Puts a segment that was there, and what moves along with it. Gives what does not.
///
/// # Errors
/// [`ToolError::Rejected`] where something would leave the calendar. Then nothing is staged.
pub(crate) fn put_along(
    stage: &mut Stage,
    before: &Segment,
    after: Segment,
) -> Result<Vec<NotMoved>, ToolError> {
    let all = segments_of(stage, &before.itinerary);
    let along = moving::along(&all, before, &after).map_err(ToolError::Rejected)?;
    put(stage, before, after);
    Ok(put_moved(stage, &all, along))
}

/// Puts what moved along of the segments of an itinerary. Gives what does not.
pub(crate) fn put_moved(stage: &mut Stage, all: &[Rc<Segment>], along: Along) -> Vec<NotMoved> {
    for after in along.moved {
        if let Some(before) = all.iter().find(|segment| segment.id == after.id) {
            put(stage, before, after);
        }
    }
    along.pinned.iter().map(|segment| NotMoved::of(segment)).collect()
}

/// The answer of a tool whose change is staged.
///
/// # Errors
/// [`ToolError::Rejected`] where the checker says of what changed that it cannot be meant, and did not say so before.
/// [`ToolError::Failed`] for a row that cannot be written as JSON.
pub(crate) fn written(stage: &Stage, itinerary: &str, summary: String) -> Result<Written, ToolError> {
    let (segments, itineraries) = (stage.changed::<Segment>(), stage.changed::<Itinerary>());
    let profiles = stage.changed::<Profile>();
    let after = segments_of(stage, itinerary);
    let modified = modified(&after, &segments);
    let row = stage.get::<Itinerary>(itinerary);
    let profile = stage.get::<Profile>(itinerary);
    let mut findings = row.as_ref().map(|row| found(row, profile.as_deref(), &after)).unwrap_or_default();
    let is_of_it = |finding: &Finding| {
        finding.rows.iter().any(|id| modified.contains(id))
            || (finding.rows.is_empty() && !itineraries.is_empty())
    };
    // To look at all as it was takes as long again: only where it decides what is told.
    if findings.iter().any(|finding| finding.severity == Severity::Error || !is_of_it(finding)) {
        let before = before(stage, itinerary, &after, (&segments, &itineraries, &profiles));
        if let Some(new) = not_meant(&findings, &before) {
            // Nothing marks a refusal: what names words of somebody else's is told by its rule.
            let is_foreign =
                row.as_ref().is_some_and(|row| tells_foreign(std::slice::from_ref(new), row, &after));
            let what =
                if is_foreign { format!("It cannot be meant ({}).", new.rule) } else { new.text.clone() };
            return Err(ToolError::Rejected(format!("{what} {} Nothing was changed.", new.way_out)));
        }
        // What is told is of what changed, or came of it: a night without a bed is nobody's row.
        findings.retain(|finding| is_of_it(finding) || !before.contains(finding));
    }
    // What is told beside the rows that changed, which say it themselves.
    let is_foreign = row.as_ref().is_some_and(|row| row.imported || tells_foreign(&findings, row, &after));
    let total = segments.len() + itineraries.len() + profiles.len();
    let mut changes = Vec::new();
    for row in &itineraries {
        changes.push(DomainChange::of(ID, row.before.as_deref(), row.after.as_deref())?);
    }
    for row in &profiles {
        changes.push(DomainChange::of(ID, row.before.as_deref(), row.after.as_deref())?);
    }
    for id in modified.iter().take(SHOWN.saturating_sub(changes.len())) {
        let is_it = |row: &&Changed<Segment>| {
            row.after.as_ref().or(row.before.as_ref()).is_some_and(|segment| segment.id == *id)
        };
        if let Some(row) = segments.iter().find(is_it) {
            changes.push(DomainChange::of(ID, row.before.as_deref(), row.after.as_deref())?);
        }
    }
    Ok(Written {
        summary: with_findings(summary, &findings),
        success: true,
        itinerary_id: itinerary.to_owned(),
        itinerary_updated: total > 0,
        segment_id: None,
        segments_modified: modified,
        not_moved: Vec::new(),
        findings,
        total,
        changes,
        untrusted: is_foreign.then_some(FROM_A_FILE),
    })
}

impl Written {
    /// The same about one segment.
    #[must_use]
    pub fn about(mut self, segment: &str) -> Self {
        self.segment_id = Some(segment.to_owned());
        self
    }

    /// The same about a segment that may not have changed, and whose title is told.
    #[must_use]
    pub fn of(mut self, segment: &Segment) -> Self {
        if segment.imported {
            self.untrusted = Some(FROM_A_FILE);
        }
        self.about(&segment.id)
    }

    /// The same with what stayed where it is.
    #[must_use]
    pub fn but(mut self, not_moved: Vec<NotMoved>) -> Self {
        for one in not_moved.iter().take(TOLD) {
            self.summary = format!("{} {}", self.summary, one.why);
        }
        if let Some(more @ 1..) = not_moved.len().checked_sub(TOLD) {
            self.summary = format!("{} {more} more were not moved, because they are booked.", self.summary);
        }
        if not_moved.iter().any(|one| one.is_foreign) {
            self.untrusted = Some(FROM_A_FILE);
        }
        self.not_moved = not_moved;
        self
    }
}

/// The ids of the segments that changed: those that are there in their order, then those that are gone.
fn modified(after: &[Rc<Segment>], changed: &[Changed<Segment>]) -> Vec<String> {
    let is_changed = |id: &str| changed.iter().any(|row| row.after.as_ref().is_some_and(|row| row.id == id));
    let mut ids: Vec<String> =
        after.iter().filter(|segment| is_changed(&segment.id)).map(|segment| segment.id.clone()).collect();
    let gone = changed.iter().filter(|row| row.after.is_none()).filter_map(|row| row.before.as_ref());
    ids.extend(gone.map(|segment| segment.id.clone()));
    ids
}

/// The segments, itineraries and profiles that a change touches.
type Rows<'a> = (&'a [Changed<Segment>], &'a [Changed<Itinerary>], &'a [Changed<Profile>]);

/// What the checker found before a change. A new itinerary had nothing.
fn before(
    stage: &Stage,
    itinerary: &str,
    after: &[Rc<Segment>],
    (segments, itineraries, profiles): Rows<'_>,
) -> Vec<Finding> {
    let changed = itineraries.iter().find(|row| row.after.as_ref().is_some_and(|row| row.id == itinerary));
    let row = match changed {
        Some(changed) => changed.before.clone(),
        None => stage.get::<Itinerary>(itinerary),
    };
    let Some(row) = row else { return Vec::new() };
    let is_changed =
        |id: &str| segments.iter().any(|row| row.after.as_ref().is_some_and(|after| after.id == id));
    let mut rows: Vec<Rc<Segment>> =
        after.iter().filter(|segment| !is_changed(&segment.id)).cloned().collect();
    let before = segments.iter().filter_map(|row| row.before.clone());
    rows.extend(before.filter(|segment| segment.itinerary == itinerary));
    days::sort(&mut rows);
    let is_its =
        |row: &&Changed<Profile>| row.before.iter().chain(&row.after).any(|profile| profile.id == itinerary);
    let profile = match profiles.iter().find(is_its) {
        Some(changed) => changed.before.clone(),
        None => stage.get::<Profile>(itinerary),
    };
    found(&row, profile.as_deref(), &rows)
}

/// The first finding that cannot be meant and was not there before.
fn not_meant<'a>(after: &'a [Finding], before: &[Finding]) -> Option<&'a Finding> {
    let is_known = |finding: &Finding| {
        before.iter().any(|known| (known.rule, &known.rows) == (finding.rule, &finding.rows))
    };
    after.iter().find(|finding| finding.severity == Severity::Error && !is_known(finding))
}

/// A sentence, and the first findings behind it.
pub(crate) fn with_findings(summary: String, findings: &[Finding]) -> String {
    let told = findings.iter().take(TOLD);
    let mut all = told.fold(summary, |all, finding| format!("{all} {} {}", finding.text, finding.way_out));
    if let Some(more @ 1..) = findings.len().checked_sub(TOLD) {
        all = format!(
            "{all} There {} more.",
            if more == 1 { "is 1 finding".into() } else { format!("are {more} findings") }
        );
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: &'static str, severity: Severity, rows: &[&str]) -> Finding {
        Finding {
            rule,
            severity,
            rows: rows.iter().map(ToString::to_string).collect(),
            text: format!("{rule}."),
            way_out: "Do it.".into(),
            call: None,
        }
    }

    #[test]
    fn only_a_new_error_is_refused() {
        let (old, new) = (finding("a", Severity::Error, &["x"]), finding("a", Severity::Error, &["x", "y"]));
        let warning = finding("b", Severity::Warning, &["x"]);
        assert_eq!(not_meant(&[warning.clone(), old.clone()], std::slice::from_ref(&old)), None);
        assert_eq!(not_meant(&[warning.clone(), old.clone(), new.clone()], &[old]), Some(&new));
        assert_eq!(not_meant(&[warning], &[]), None);
    }

    #[test]
    fn the_first_findings_are_told() {
        let some = |count| vec![finding("r", Severity::Warning, &[]); count];
        assert_eq!(with_findings("Done.".into(), &some(1)), "Done. r. Do it.");
        assert!(with_findings("Done.".into(), &some(4)).ends_with("r. Do it. There is 1 finding more."));
        assert!(with_findings("Done.".into(), &some(5)).ends_with("There are 2 findings more."));
    }
}
