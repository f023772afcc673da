//! `reorder_segments`: the order of what has no time within a day.

use std::rc::Rc;

use async_trait::async_trait;
use dates::iso::read_day;
use domain::quoted;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Written, put, written};
use crate::clean;
use crate::days::{MINUTE, day_said, minute_of};
use crate::found::{open_itinerary, segment, segments_of};
use crate::model::{Segment, When};

pub(crate) struct ReorderSegments;

/// A day, and the order of what is on it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReorderArgs {
    /// The day: 2026-06-16.
    day: String,
    /// Ids or titles in the new order. What is not named comes behind, as it is.
    order: Vec<String>,
    /// The itinerary's id or title; to be given where there are several.
    itinerary: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for ReorderSegments {
    const NAME: &'static str = "reorder_segments";
    const TITLE: &'static str = "Order a day";
    const DESCRIPTION: &'static str = "Puts what is on one day in another order. What has a time stays at its time: use move_segment for that.";
    const HINTS: Hints = Hints::SET;
    type Args = ReorderArgs;
    type Output = Written;

    async fn run(&self, args: ReorderArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let itinerary = open_itinerary(stage, args.itinerary.as_deref())?;
        let mut day = args.day;
        clean::day(&mut day, "day").map_err(ToolError::Rejected)?;
        let on = read_day(&day);
        let is_on = |segment: &Segment| segment.start.as_ref().and_then(When::day) == on;
        let said = on.map(day_said).unwrap_or_default();
        let mut rest: Vec<Rc<Segment>> =
            segments_of(stage, &itinerary.id).into_iter().filter(|segment| is_on(segment)).collect();
        let mut ordered: Vec<Rc<Segment>> = Vec::new();
        for name in &args.order {
            // Of several of a name the one on that day is meant.
            let lower = mcp::one_line(name).to_lowercase();
            let here = rest.iter().position(|other| other.id == *name || other.title.to_lowercase() == lower);
            let at = match here {
                Some(at) => at,
                None => {
                    let named = segment(stage, name, Some(&itinerary.id))?;
                    if ordered.iter().any(|other| other.id == named.id) {
                        continue;
                    }
                    let found = rest.iter().position(|other| other.id == named.id);
                    found.ok_or_else(|| {
                        let title = quoted(&named.title);
                        ToolError::Rejected(format!(
                            "{title} is not on {said}: move_segment moves it there first."
                        ))
                    })?
                }
            };
            ordered.push(rest.remove(at));
        }
        if ordered.is_empty() {
            return Err(ToolError::Rejected("Say the order: give ids or titles of that day.".into()));
        }
        // The rest goes in where its times are: the last place that none of the others contradicts.
        for other in rest {
            let time = civil_minute(&other);
            let behind =
                |one: &Rc<Segment>| time.is_some_and(|time| civil_minute(one).is_some_and(|one| one > time));
            let at = ordered.iter().position(behind).unwrap_or(ordered.len());
            ordered.insert(at, other);
        }
        let (mut minute, mut place) = (0, -i32::try_from(ordered.len()).unwrap_or(0));
        let mut last: Option<&Rc<Segment>> = None;
        for segment in &ordered {
            let rank = match civil_minute(segment) {
                Some(at) => {
                    if let Some(last) = last.filter(|_| at < minute) {
                        return Err(ToolError::Rejected(format!(
                            "{} has an earlier time than {}: change one of the times with move_segment.",
                            quoted(&segment.title),
                            quoted(&last.title)
                        )));
                    }
                    if last.is_none() || at > minute {
                        place = 0;
                    }
                    (minute, last) = (at, Some(segment));
                    place += 1;
                    place
                }
                None => {
                    place += 1;
                    minute * MINUTE + place
                }
            };
            put(stage, segment, Segment { rank, ..Segment::clone(segment) });
        }
        let summary = match stage.changed::<Segment>().is_empty() {
            true => format!("{said} is in that order already."),
            false => format!("Ordered {said} anew."),
        };
        written(stage, &itinerary.id, summary)
    }
}

/// The minute of the day that a segment starts at, where it has a time.
fn civil_minute(segment: &Segment) -> Option<i32> {
    segment.start.as_ref()?.civil().map(minute_of)
}
