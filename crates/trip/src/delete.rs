//! `delete_segment`.

use async_trait::async_trait;
use domain::quoted;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Written, put, written};
use crate::found::{open_itinerary, segment_to_change, segments_of};
use crate::model::Segment;

pub(crate) struct DeleteSegment;

/// Which one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeleteArgs {
    /// The segment's id or title.
    segment: String,
    /// The itinerary, where the segment is given by its title.
    itinerary: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for DeleteSegment {
    const NAME: &'static str = "delete_segment";
    const TITLE: &'static str = "Delete a segment";
    const DESCRIPTION: &'static str = "Takes something off the itinerary (undo brings it back). It cancels no booking: say so. What hangs on it stays \
         where it is and hangs on it no more.";
    const HINTS: Hints = Hints::DELETE;
    type Args = DeleteArgs;
    type Output = Written;

    async fn run(&self, args: DeleteArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let gone = segment_to_change(stage, &args.segment, args.itinerary.as_deref())?;
        let itinerary = open_itinerary(stage, Some(&gone.itinerary))?;
        stage.delete::<Segment>(&gone.id);
        let mut freed = 0;
        for other in segments_of(stage, &itinerary.id) {
            let mut after = Segment::clone(&other);
            after.depends_on.retain(|dependency| dependency.on != gone.id);
            freed += usize::from(put(stage, &other, after));
        }
        let mut summary = format!("Deleted {} from {}.", quoted(&gone.title), quoted(&itinerary.title));
        if freed > 0 {
            let hung =
                domain::counted(freed, "segment that hung on it stays", "segments that hung on it stay");
            summary =
                format!("{summary} {hung} where {} now.", if freed == 1 { "it is" } else { "they are" });
        }
        if gone.is_pinned() {
            summary = format!("{summary} The booking that you made is not cancelled by it.");
        }
        Ok(written(stage, &itinerary.id, summary)?.about(&gone.id))
    }
}
