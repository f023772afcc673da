//! `add_transfer`.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::add::{Plan, add, add_args};
use crate::args::PlaceArg;
use crate::change::Written;
use crate::model::{Kind, Mode};
use crate::search::Desk;

pub(crate) struct AddTransfer(pub Desk);

add_args! {
    /// A way on the ground or the water.
    TransferArgs {
        /// Where it sets out.
        from: Option<PlaceArg>,
        /// Where it arrives.
        to: Option<PlaceArg>,
        /// How one goes.
        mode: Option<Mode>,
        /// When it sets out: 2026-06-15T12:00, or the day alone.
        start: Option<String>,
        /// When it arrives.
        end: Option<String>,
        /// The IANA time zone of the start; that of the place when left out.
        start_zone: Option<String>,
        /// The IANA time zone of the end; that of the place when left out.
        end_zone: Option<String>,
        /// Who drives: a railway, a ferry line.
        carrier: Option<String>,
        /// The train's or bus's number.
        number: Option<String>,
        /// What to call it; its places when left out.
        title: Option<String>,
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for AddTransfer {
    const NAME: &'static str = "add_transfer";
    const TITLE: &'static str = "Add a transfer";
    const DESCRIPTION: &'static str = "Adds a way by train, car, taxi, bus, ferry or on foot to the itinerary. It books nothing: never say that it \
         did. One that meets a flight hangs on it: depends_on with starts_after_end.";
    const HINTS: Hints = Hints::ADD;
    type Args = TransferArgs;
    type Output = Written;

    async fn run(&self, mut args: TransferArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let common = args.common();
        let plan = Plan {
            title: args.title.unwrap_or_default(),
            start: args.start,
            end: args.end,
            zones: (args.start_zone, args.end_zone),
            from: args.from,
            to: args.to,
            mode: args.mode,
            carrier: args.carrier,
            number: args.number,
            ..Plan::new(Kind::Transfer)
        };
        add(stage, &self.0, plan, common)
    }
}
