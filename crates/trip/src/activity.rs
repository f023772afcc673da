//! `add_activity`.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::add::{Plan, add, add_args};
use crate::args::PlaceArg;
use crate::atlas::{Atlas, NEAR_KM, is_named, kilometres};
use crate::change::Written;
use crate::found::{open_itinerary, segments_of};
use crate::model::{Kind, Place};
use crate::search::Desk;

pub(crate) struct AddActivity(pub Desk);

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

/// The sight that an activity is called as it is: Louvre. Only a whole name is one; and where it is known where the trip goes, only one that is
/// there: a walk called as a palace at the other end of the world is no visit to it.
fn sight(stage: &Stage, atlas: &dyn Atlas, title: &str, itinerary: Option<&str>) -> Option<PlaceArg> {
    let named = atlas.find(title, None, 5);
    let sights: Vec<Place> =
        named.into_iter().filter(|place| is_named(place, title) && place.name != place.city).collect();
    let is_sight = |spot: (f64, f64)| {
        let is_near = |sight: &&Place| sight.spot().is_some_and(|at| kilometres(at, spot) <= NEAR_KM);
        sights.iter().find(is_near)
    };
    let first = sights.first()?;
    let row = open_itinerary(stage, itinerary).ok()?;
    let segments = segments_of(stage, &row.id);
    let been = segments.iter().flat_map(|segment| [&segment.place, &segment.from, &segment.to]).flatten();
    let mut spots: Vec<(f64, f64)> = been.filter_map(Place::spot).collect();
    let found = row.destinations.iter().filter_map(|name| atlas.find(name, None, 1).into_iter().next());
    spots.extend(found.filter_map(|place| place.spot()));
    let sight = if spots.is_empty() { Some(first) } else { spots.into_iter().find_map(is_sight) };
    sight.cloned().map(PlaceArg::Known)
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
            place: args.place.or_else(|| {
                if kind != Kind::Activity || title.trim().is_empty() {
                    return None;
                }
                sight(stage, self.0.atlas, &title, common.itinerary.as_deref())
            }),
            title,
            start: args.start,
            end: args.end,
            zones: (args.zone, None),
            opening: args.opening,
            ..Plan::new(kind)
        };
        add(stage, &self.0, plan, common)
    }
}
