//! `itinerary_archive` and `itinerary_delete`: what becomes of a trip that is over.

use async_trait::async_trait;
use domain::{counted, quoted};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Written, written};
use crate::found::{itinerary, meant, segments_of};
use crate::model::{Itinerary, Segment};
use crate::profile::Profile;

pub(crate) struct ItineraryArchive;

/// Which one, and whether it is put away or brought back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArchiveArgs {
    /// The itinerary's id or title; to be given where there are several.
    itinerary: Option<String>,
    /// false brings it back; true when left out.
    archived: Option<bool>,
}

#[async_trait(?Send)]
impl Tool<Stage> for ItineraryArchive {
    const NAME: &'static str = "itinerary_archive";
    const TITLE: &'static str = "Archive an itinerary";
    const DESCRIPTION: &'static str = "Puts an itinerary away, or brings it back. Nothing of it is lost.";
    const HINTS: Hints = Hints::SET;
    type Args = ArchiveArgs;
    type Output = Written;

    async fn run(&self, args: ArchiveArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let before = meant(stage, args.itinerary.as_deref())?;
        let title = quoted(&before.title);
        let (is, wanted) = (before.archived_ms.is_some(), args.archived.unwrap_or(true));
        let summary = match (is, wanted) {
            (true, true) => format!("{title} is archived already."),
            (false, false) => format!("{title} is not archived."),
            (false, true) => format!("Archived {title}."),
            (true, false) => format!("Brought {title} back."),
        };
        if is != wanted {
            let now_ms = stage.moment().at_ms;
            let archived_ms = wanted.then_some(now_ms);
            stage.put(Itinerary { archived_ms, updated_ms: now_ms, ..Itinerary::clone(&before) });
        }
        written(stage, &before.id, summary)
    }
}

pub(crate) struct ItineraryDelete;

/// Which one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeleteArgs {
    /// The itinerary's id or title.
    itinerary: String,
}

#[async_trait(?Send)]
impl Tool<Stage> for ItineraryDelete {
    const NAME: &'static str = "itinerary_delete";
    const TITLE: &'static str = "Delete an itinerary";
    const DESCRIPTION: &'static str =
        "Deletes an itinerary with all that is on it (undo brings it back). It cancels no booking: say so.";
    const HINTS: Hints = Hints::DELETE;
    type Args = DeleteArgs;
    type Output = Written;

    async fn run(&self, args: DeleteArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let gone = itinerary(stage, Some(&args.itinerary))?;
        let segments = segments_of(stage, &gone.id);
        for segment in &segments {
            stage.delete::<Segment>(&segment.id);
        }
        if stage.get::<Profile>(&gone.id).is_some() {
            stage.delete::<Profile>(&gone.id);
        }
        stage.delete::<Itinerary>(&gone.id);
        let with = match segments.len() {
            0 => String::new(),
            count => format!(" with {}", counted(count, "segment", "segments")),
        };
        let mut summary = format!("Deleted the itinerary {}{with}.", quoted(&gone.title));
        let booked = segments.iter().filter(|segment| segment.is_pinned()).count();
        if booked > 0 {
            let bookings = counted(booked, "booking that you made is", "bookings that you made are");
            summary = format!("{summary} {bookings} not cancelled by it.");
        }
        written(stage, &gone.id, summary)
    }
}
