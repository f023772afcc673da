//! `add_flight` (S4-11).

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::add::{Plan, add, add_args};
use crate::args::PlaceArg;
use crate::change::Written;
use crate::model::Kind;
use crate::search::Desk;

pub(crate) struct AddFlight(pub Desk);

add_args! {
    /// A flight.
    FlightArgs {
        /// Where it departs: an airport's three letters (CDG) or a city.
        from: Option<PlaceArg>,
        /// Where it arrives.
        to: Option<PlaceArg>,
        /// When it departs, as the clock there shows it: 2026-06-15T09:00, or the day alone.
        start: Option<String>,
        /// When it arrives, as the clock at the destination shows it.
        end: Option<String>,
        /// The IANA time zone of the departure; that of the place when left out.
        start_zone: Option<String>,
        /// The IANA time zone of the arrival; that of the place when left out.
        end_zone: Option<String>,
        /// The airline.
        carrier: Option<String>,
        /// The flight's number: AF1735.
        number: Option<String>,
        /// What to call it; its places when left out.
        title: Option<String>,
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for AddFlight {
    const NAME: &'static str = "add_flight";
    const TITLE: &'static str = "Add a flight";
    const DESCRIPTION: &'static str = "Adds a flight to the itinerary. It books nothing: never say that it did. Times are the clocks' \
         of each end; leave out what was not said.";
    const HINTS: Hints = Hints::ADD;
    type Args = FlightArgs;
    type Output = Written;

    async fn run(&self, mut args: FlightArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let common = args.common();
        let plan = Plan {
            title: args.title.unwrap_or_default(),
            start: args.start,
            end: args.end,
            zones: (args.start_zone, args.end_zone),
            from: args.from,
            to: args.to,
            carrier: args.carrier,
            number: args.number,
            ..Plan::new(Kind::Flight)
        };
        add(stage, &self.0, plan, common)
    }
}
