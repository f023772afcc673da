//! `get_itinerary` and `get_segment` (S4-09): what there is, with what does not work of it.

use std::rc::Rc;

use async_trait::async_trait;
use dates::iso::read_day;
use domain::{counted, quoted};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::assumed::Assumed;
use crate::change::with_findings;
use crate::check::Finding;
use crate::checking::{found, tells_foreign};
use crate::found::{itinerary, segment, segments_of};
use crate::model::{FROM_A_FILE, Itinerary, Segment, Status, When};
use crate::money::Money;
use crate::profile::{Field, Profile};
use crate::{clean, days};

pub(crate) struct GetItinerary;

/// Which one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetArgs {
    /// The itinerary's id or title; the current one when left out.
    itinerary: Option<String>,
    /// Only what is on this day: 2026-06-16.
    day: Option<String>,
}

/// An itinerary with all that is on it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Whole {
    /// One sentence or more for a person.
    summary: String,
    /// The itinerary.
    itinerary: Rc<Itinerary>,
    /// What is on it, in a person's order.
    segments: Vec<Rc<Segment>>,
    /// What all of it costs together, a sum for each currency; ideas are not counted.
    costs: Vec<Money>,
    /// What does not work, the worst first: tell the person.
    findings: Vec<Finding>,
    /// What the checker reckons with; update_itinerary changes it.
    assumed: Assumed,
    /// What was said of the travellers and their wishes.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Rc<Profile>>,
    /// What nobody said yet, in the order in which to ask. Never fill it in yourself.
    unknown: Vec<Field>,
    /// A finding names what somebody else may have called so.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

#[async_trait(?Send)]
impl Tool<Stage> for GetItinerary {
    const NAME: &'static str = "get_itinerary";
    const TITLE: &'static str = "Show the itinerary";
    const DESCRIPTION: &'static str = "Gives the itinerary with its segments in order, what it costs, what does not work, and what is known of the \
         travellers.";
    const HINTS: Hints = Hints::READ;
    type Args = GetArgs;
    type Output = Whole;

    async fn run(&self, args: GetArgs, stage: &mut Stage) -> Result<Whole, ToolError> {
        let row = itinerary(stage, args.itinerary.as_deref())?;
        let mut segments = segments_of(stage, &row.id);
        let profile = stage.get::<Profile>(&row.id);
        let mut findings = found(&row, profile.as_deref(), &segments);
        let all = segments.clone();
        let costs = costs(&segments);
        let mut about = quoted(&row.title);
        let when = days::span(&row);
        if !when.is_empty() {
            about = format!("{about} ({when})");
        }
        if let Some(mut day) = args.day {
            clean::day(&mut day, "day").map_err(ToolError::Rejected)?;
            let day = read_day(&day);
            segments.retain(|segment| is_on(segment, day));
            findings.retain(|finding| segments.iter().any(|segment| finding.rows.contains(&segment.id)));
            about = format!("{about} on {}", day.map(days::day_said).unwrap_or_default());
        }
        let mut summary = format!("{about} has {}.", counted(segments.len(), "segment", "segments"));
        if !costs.is_empty() {
            let sums: Vec<String> = costs.iter().map(Money::text).collect();
            summary = format!("{summary} All of it costs {} so far.", sums.join(" and "));
        }
        let unknown = profile.as_deref().cloned().unwrap_or_default().missing_of(&row);
        Ok(Whole {
            summary: with_findings(summary, &findings),
            untrusted: tells_foreign(&findings, &row, &all).then_some(FROM_A_FILE),
            assumed: row.assumptions.filled(),
            itinerary: row,
            segments,
            costs,
            findings,
            profile,
            unknown,
        })
    }
}

/// Whether a segment is on a day: it begins, ends or lasts over it.
fn is_on(segment: &Segment, day: Option<jiff::civil::Date>) -> bool {
    let start = segment.start.as_ref().and_then(When::day);
    let end = segment.end.as_ref().and_then(When::day).or(start);
    day.is_some() && start.is_some() && start <= day && day <= end
}

/// What segments cost together, by currency in the order in which they are met. An idea is one of several: adding them up says nothing.
pub(crate) fn costs(segments: &[Rc<Segment>]) -> Vec<Money> {
    let mut sums: Vec<Money> = Vec::new();
    for cost in segments.iter().filter(|one| one.status != Status::Idea).filter_map(|one| one.cost.as_ref()) {
        match sums.iter_mut().find(|sum| sum.currency == cost.currency) {
            Some(sum) => sum.minor = sum.minor.saturating_add(cost.minor),
            None => sums.push(cost.clone()),
        }
    }
    sums
}

pub(crate) struct GetSegment;

/// Which one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetSegmentArgs {
    /// The segment's id or title.
    segment: String,
    /// The itinerary, where the segment is given by its title.
    itinerary: Option<String>,
}

/// A segment, and what is around it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct One {
    /// One sentence or more for a person.
    summary: String,
    /// The segment.
    segment: Rc<Segment>,
    /// Whether a booking holds it where it is.
    pinned: bool,
    /// Ids of what hangs on it and moves with it.
    dependents: Vec<String>,
    /// What does not work of it.
    findings: Vec<Finding>,
    /// A finding names what somebody else may have called so.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

#[async_trait(?Send)]
impl Tool<Stage> for GetSegment {
    const NAME: &'static str = "get_segment";
    const TITLE: &'static str = "Show a segment";
    const DESCRIPTION: &'static str = "Gives one flight, hotel or anything else on an itinerary, with what hangs on it and what does not work.";
    const HINTS: Hints = Hints::READ;
    type Args = GetSegmentArgs;
    type Output = One;

    async fn run(&self, args: GetSegmentArgs, stage: &mut Stage) -> Result<One, ToolError> {
        let segment = segment(stage, &args.segment, args.itinerary.as_deref())?;
        let others = segments_of(stage, &segment.itinerary);
        let (mut findings, mut is_foreign) = (Vec::new(), false);
        if let Some(row) = stage.get::<Itinerary>(&segment.itinerary) {
            findings = found(&row, stage.get::<Profile>(&row.id).as_deref(), &others);
            findings.retain(|finding| finding.rows.contains(&segment.id));
            is_foreign = tells_foreign(&findings, &row, &others);
        }
        let hangs =
            |other: &&Rc<Segment>| other.depends_on.iter().any(|dependency| dependency.on == segment.id);
        let dependents: Vec<String> = others.iter().filter(hangs).map(|other| other.id.clone()).collect();
        let status = match segment.status {
            Status::Booked => ", booked by you",
            Status::Idea => ", an idea",
            Status::Planned => "",
        };
        let summary =
            format!("The {} {}{}{status}.", segment.kind.word(), quoted(&segment.title), days::on(&segment));
        Ok(One {
            summary: with_findings(summary, &findings),
            pinned: segment.is_pinned(),
            segment,
            dependents,
            findings,
            untrusted: is_foreign.then_some(FROM_A_FILE),
        })
    }
}
