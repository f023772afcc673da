//! `add_hotel` (S4-20).

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::add::{Plan, add, add_args};
use crate::args::PlaceArg;
use crate::change::Written;
use crate::model::Kind;
use crate::search::Desk;

pub(crate) struct AddHotel(pub Desk);

add_args! {
    /// Nights with a bed.
    HotelArgs {
        /// The hotel with its city: Hotel Fabric, Paris.
        place: Option<PlaceArg>,
        /// The day of arrival: 2026-06-15, with a time if it was said.
        start: Option<String>,
        /// The day of departure: 2026-06-22.
        end: Option<String>,
        /// How many rooms.
        rooms: Option<u32>,
        /// How many people one room holds.
        sleeps: Option<u32>,
        /// The IANA time zone; that of the place when left out.
        zone: Option<String>,
        /// What to call it; the hotel's name when left out.
        title: Option<String>,
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for AddHotel {
    const NAME: &'static str = "add_hotel";
    const TITLE: &'static str = "Add a hotel";
    const DESCRIPTION: &'static str = "Adds nights at a hotel, an apartment or with friends to the itinerary. It books nothing: never say that \
         it did.";
    const HINTS: Hints = Hints::ADD;
    type Args = HotelArgs;
    type Output = Written;

    async fn run(&self, mut args: HotelArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let common = args.common();
        let plan = Plan {
            title: args.title.unwrap_or_default(),
            start: args.start,
            end: args.end,
            zones: (args.zone, None),
            place: args.place,
            rooms: args.rooms,
            sleeps: args.sleeps,
            ..Plan::new(Kind::Hotel)
        };
        add(stage, &self.0, plan, common)
    }
}
