//! `move_segment`: moves a segment, and what hangs on it along (S4-12). As a preview it shows each row before and after.

use async_trait::async_trait;
use dates::iso::read_day;
use domain::quoted;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Written, put_along, written};
use crate::clean;
use crate::days;
use crate::found::{open_itinerary, segment_to_change};
use crate::model::{Segment, When};
use crate::moving::{Shift, moved, whole};

pub(crate) struct MoveSegment;

/// Which one, and where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveArgs {
    /// The segment's id or title.
    segment: String,
    /// The itinerary, where the segment is given by its title.
    itinerary: Option<String>,
    /// Its new start, as the clock there shows it: 2026-06-16T10:00; or a day, which keeps the time.
    to: Option<String>,
    /// By how many days instead; negative for earlier.
    by_days: Option<i64>,
    /// By how many minutes instead; negative for earlier.
    by_minutes: Option<i64>,
    /// true only where the person says that they changed the booking itself: then a booked segment moves, too.
    booking_changed: Option<bool>,
}

#[async_trait(?Send)]
impl Tool<Stage> for MoveSegment {
    const NAME: &'static str = "move_segment";
    const TITLE: &'static str = "Move a segment";
    const DESCRIPTION: &'static str = "Moves something on the itinerary to another time; its length stays, and what hangs on it moves along. What the \
         person booked does not move and is reported. Give `to`, or `by_days` and `by_minutes`.";
    const HINTS: Hints = Hints { idempotent: false, ..Hints::SET };
    type Args = MoveArgs;
    type Output = Written;

    async fn run(&self, args: MoveArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let before = segment_to_change(stage, &args.segment, args.itinerary.as_deref())?;
        let itinerary = open_itinerary(stage, Some(&before.itinerary))?;
        let title = quoted(&before.title);
        if before.is_pinned() && args.booking_changed != Some(true) {
            return Err(held(&before));
        }
        let mut after = target(&before, &args).map_err(ToolError::Rejected)?;
        clean::segment(&mut after).map_err(ToolError::Rejected)?;
        let not_moved = put_along(stage, &before, after)?;
        let along = stage.changed::<Segment>().len().saturating_sub(1);
        let Some(now) = stage.get::<Segment>(&before.id).filter(|now| *now != before) else {
            let summary = format!("{title} is there already.");
            return Ok(written(stage, &itinerary.id, summary)?.about(&before.id));
        };
        let mut summary = match (&before.start, &now.start) {
            (Some(from), Some(to)) => {
                format!("Moved {title} from {} to {}.", days::said(from), days::said(to))
            }
            (None, Some(to)) => format!("Put {title} on {}.", days::said(to)),
            _ => format!("Moved {title}."),
        };
        if along > 0 {
            let others = domain::counted(along, "segment that hangs on it", "segments that hang on it");
            summary = format!("{summary} {others} moved along.");
        }
        Ok(written(stage, &itinerary.id, summary)?.about(&before.id).but(not_moved))
    }
}

/// What is said where a booking holds a segment at its times.
pub(crate) fn held(segment: &Segment) -> ToolError {
    let why = match &*segment.code {
        "" => "it is booked by you".to_owned(),
        code => format!("it has the confirmation code {code}"),
    };
    ToolError::Rejected(format!(
        "{} was not moved, because {why}. Change the booking first, and then say so (booking_changed).",
        quoted(&segment.title)
    ))
}

/// The segment at its new time.
fn target(before: &Segment, args: &MoveArgs) -> Result<Segment, String> {
    let title = quoted(&before.title);
    let by = (args.by_days, args.by_minutes);
    let Some(to) = args.to.as_deref().map(mcp::one_line) else {
        let (days, minutes) = match by {
            (None, None) => return Err("Say where to: give `to`, or `by_days` and `by_minutes`.".into()),
            (days, minutes) => (days.unwrap_or(0), minutes.unwrap_or(0)),
        };
        const MOST: u64 = 40_000;
        if days.unsigned_abs() > MOST || minutes.unsigned_abs() > MOST * 1_440 {
            return Err(format!("by_days may be -{MOST} to {MOST}, and by_minutes as many days."));
        }
        let Some(start) = before.start.as_ref().or(before.end.as_ref()) else {
            return Err(format!("{title} has no day yet: give `to`."));
        };
        let minutes = days * 1_440 + minutes;
        if start.civil().is_none() && minutes % 1_440 != 0 {
            return Err(format!(
                "{title} has a day and no time: move it by days, or give its times with update_segment."
            ));
        }
        // A day without a time goes by what the minutes make of the day of the other end.
        let new = moved(start, Shift { minutes, days: minutes.div_euclid(1_440) });
        let new = new.ok_or_else(|| format!("{title} would leave the calendar: move it by less."))?;
        return whole(before, Shift::between(Some(start), Some(&new)));
    };
    if by != (None, None) {
        return Err("Give either `to`, or `by_days` and `by_minutes`.".into());
    }
    let mut new = When::new(to.clone(), "");
    clean::when(&mut new, "new start")?;
    let Some(start) = &before.start else {
        if before.end.is_some() {
            return Err(format!("{title} has an end and no start: give its times with update_segment."));
        }
        let zone = before.starts_at().map(|place| place.zone.clone()).unwrap_or_default();
        return Ok(Segment { start: Some(When { zone, ..new }), ..before.clone() });
    };
    // A day keeps the time of the day.
    if let (Some(day), Some(civil)) = (read_day(&new.at).filter(|_| new.is_all_day()), start.civil()) {
        new.at = clean::civil_text(day.to_datetime(civil.time()));
    }
    if start.is_all_day() && !new.is_all_day() {
        return Err(format!(
            "{title} has a day and no time: give a day, or set its start and end with update_segment."
        ));
    }
    whole(before, Shift::between(Some(start), Some(&new)))
}
