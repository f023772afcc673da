//! `add_activity`.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::add::{Plan, add, add_args};
use crate::args::PlaceArg;
use crate::atlas::Atlas;
use crate::change::Written;
use crate::model::Kind;

pub(crate) struct AddActivity(pub &'static dyn Atlas);

add_args! {
    /// Something to see or to do.
    ActivityArgs {
        /// What to call it: Louvre, food tour.
        title: Option<String>,
        /// Where it is.
        place: Option<PlaceArg>,
        /// When it begins: 2026-06-16T10:00, or the day alone. None for an idea without a day.
        start: Option<String>,
        /// When it ends.
        end: Option<String>,
        /// The IANA time zone; that of the place when left out.
        zone: Option<String>,
        /// When the place is open, in OpenStreetMap's words: Mo,We-Su 09:00-18:00; Tu off. Only where it is known.
        opening: Option<String>,
        /// true for something to keep in mind that takes no time.
        is_note: Option<bool>,
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for AddActivity {
    const NAME: &'static str = "add_activity";
    const TITLE: &'static str = "Add something to do";
    const DESCRIPTION: &'static str = "Adds something to see or to do to the itinerary, or a note. It books nothing: never say that it did.";
    const HINTS: Hints = Hints::ADD;
    type Args = ActivityArgs;
    type Output = Written;

    async fn run(&self, mut args: ActivityArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let common = args.common();
        let title = args.title.unwrap_or_default();
        let kind = if args.is_note == Some(true) { Kind::Note } else { Kind::Activity };
        let plan = Plan {
            // The place is likely called as the activity is: Louvre.
            place: args.place.or_else(|| {
                let found = self.0.find(&title, None, 1);
                (kind == Kind::Activity
                    && !title.is_empty()
                    && found.first().is_some_and(|place| place.name != place.city))
                .then(|| PlaceArg::Name(title.clone()))
            }),
            title,
            start: args.start,
            end: args.end,
            zones: (args.zone, None),
            opening: args.opening,
            ..Plan::new(kind)
        };
        add(stage, self.0, plan, common)
    }
}
