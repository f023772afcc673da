//! `itinerary_duplicate`: the same trip once more, without its bookings.

use async_trait::async_trait;
use domain::quoted;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Written, written};
use crate::clean;
use crate::create::{only, room};
use crate::edit::days_to;
use crate::found::{meant, segments_of};
use crate::model::{Itinerary, Segment, Status, When};
use crate::moving::{Shift, moved, whole};
use crate::profile::Profile;

pub(crate) struct ItineraryDuplicate;

/// Which one, and what becomes of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DuplicateArgs {
    /// The itinerary's id or title; to be given where there are several.
    itinerary: Option<String>,
    /// What to call the copy.
    title: String,
    /// The first day of the copy: all its days move as far. The same days when left out.
    start: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for ItineraryDuplicate {
    const NAME: &'static str = "itinerary_duplicate";
    const TITLE: &'static str = "Copy an itinerary";
    const DESCRIPTION: &'static str = "Makes a copy of an itinerary under another title, on other days if wanted. Bookings and their codes are not copied.";
    const HINTS: Hints = Hints::ADD;
    type Args = DuplicateArgs;
    type Output = Written;

    async fn run(&self, args: DuplicateArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        room(stage)?;
        let from = meant(stage, args.itinerary.as_deref())?;
        let by = match args.start {
            None => Shift::default(),
            Some(mut start) => {
                clean::day(&mut start, "first day").map_err(ToolError::Rejected)?;
                let days = days_to(&from, &start).ok_or_else(|| {
                    ToolError::Rejected(format!(
                        "{} has no first day to count from: leave `start` out.",
                        quoted(&from.title)
                    ))
                })?;
                Shift::days(days)
            }
        };
        let now_ms = stage.moment().at_ms;
        let mut copy = Itinerary {
            id: stage.new_id("itin"),
            title: args.title,
            archived_ms: None,
            created_ms: now_ms,
            updated_ms: now_ms,
            ..Itinerary::clone(&from)
        };
        for day in [&mut copy.start, &mut copy.end].into_iter().flatten() {
            let new = moved(&When::new(day.clone(), ""), by);
            *day = new.ok_or_else(|| ToolError::Rejected("That is beyond the calendar.".into()))?.at;
        }
        clean::itinerary(&mut copy).map_err(ToolError::Rejected)?;
        only(stage, &copy)?;
        let segments = segments_of(stage, &from.id);
        let ids: Vec<(String, String)> =
            segments.iter().map(|segment| (segment.id.clone(), stage.new_id("seg"))).collect();
        let new_id = |old: &str| ids.iter().find(|(known, _)| known == old).map(|(_, new)| new.clone());
        let mut booked = 0;
        for segment in &segments {
            let mut twin = whole(segment, by).map_err(ToolError::Rejected)?;
            booked += usize::from(twin.is_pinned());
            twin.id = new_id(&segment.id).unwrap_or_default();
            twin.itinerary.clone_from(&copy.id);
            twin.code.clear();
            if twin.status == Status::Booked {
                twin.status = Status::Planned;
            }
            twin.depends_on.retain_mut(|dependency| match new_id(&dependency.on) {
                Some(new) => {
                    dependency.on = new;
                    true
                }
                None => false,
            });
            (twin.created_ms, twin.updated_ms) = (now_ms, now_ms);
            stage.put::<Segment>(twin);
        }
        if let Some(profile) = stage.get::<Profile>(&from.id) {
            stage.put(Profile { id: copy.id.clone(), updated_ms: now_ms, ..Profile::clone(&profile) });
        }
        let mut summary = format!("Copied {} to {}.", quoted(&from.title), quoted(&copy.title));
        if booked > 0 {
            let bookings = domain::counted(booked, "booking", "bookings");
            summary = format!(
                "{summary} {bookings} of it {} not copied.",
                if booked == 1 { "was" } else { "were" }
            );
        }
        let id = copy.id.clone();
        stage.put(copy);
        written(stage, &id, summary)
    }
}
