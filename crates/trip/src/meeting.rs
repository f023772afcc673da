//! `add_meeting`.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::add::{Plan, add, add_args};
use crate::args::PlaceArg;
use crate::change::Written;
use crate::model::Kind;
use crate::search::Desk;

pub(crate) struct AddMeeting(pub Desk);

add_args! {
    /// Somebody to meet.
    MeetingArgs {
        /// What to call it: Dinner with Ada.
        title: String,
        /// When it begins: 2026-06-16T19:00, or the day alone.
        start: String,
        /// When it ends.
        end: Option<String>,
        /// Where it is.
        place: Option<PlaceArg>,
        /// The IANA time zone; that of the place when left out.
        zone: Option<String>,
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for AddMeeting {
    const NAME: &'static str = "add_meeting";
    const TITLE: &'static str = "Add a meeting";
    const DESCRIPTION: &'static str = "Adds a meeting with somebody to the itinerary. It invites nobody and books nothing: never say that it did.";
    const HINTS: Hints = Hints::ADD;
    type Args = MeetingArgs;
    type Output = Written;

    async fn run(&self, mut args: MeetingArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let common = args.common();
        let plan = Plan {
            title: args.title,
            start: Some(args.start),
            end: args.end,
            zones: (args.zone, None),
            place: args.place,
            ..Plan::new(Kind::Meeting)
        };
        add(stage, &self.0, plan, common)
    }
}
