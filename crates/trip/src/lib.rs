//! Trips: itineraries, what is on them, and one file per tool (S4).
//!
//! Start at [`Itinerary`] and [`Segment`] for what there is, at [`Trips`] for the whole as a [`::domain::Domain`]. `moving` has what moves
//! along with a segment, [`check`] what cannot work, [`atlas`] where places are, `clean` what a row may hold.
//!
//! Adding is never called booking (S4-20), and nothing is kept of travellers that was not said (D-20).
#![doc = include_str!("../README.md")]

mod activity;
mod add;
mod archive;
mod args;
mod assumed;
pub mod atlas;
mod change;
pub mod check;
mod checking;
mod clean;
mod create;
mod days;
mod delete;
mod distance;
mod domain;
mod duplicate;
mod edit;
mod flight;
mod found;
mod get;
mod hotel;
pub mod ical;
mod list;
mod meeting;
mod model;
pub mod money;
mod moving;
mod preferences;
mod private;
mod profile;
mod reorder;
mod route;
mod said;
pub mod search;
mod shift;
mod tables;
mod transfer;
mod traveler;
mod update;
mod way;
mod whole;
mod words;

use std::rc::Rc;

use ::domain::{Apart, ContextBlock, Domain as _, Files};
use mcp::{Part, Registry};
use store::{Stage, View};

use crate::atlas::Atlas;

pub use crate::domain::Trips;
pub use assumed::{Assumed, Assumptions};
pub use check::{Finding, Severity};
pub use model::{
    Accepted, Dependency, How, Itinerary, Kind, MAX_ITINERARIES, MAX_SEGMENTS, MAX_TRAVELLERS, Mode,
    Passport, Place, Segment, Status, Traveller, TravellerKind, Visa, When,
};
pub use money::Money;
pub use profile::{Dates, Field, Known, Pace, Profile};
pub use tables::TABLES;

/// The word for this domain in tagged changes.
pub(crate) const ID: &str = "trip";

/// What the tools say about themselves, made from their types; a test below keeps it true.
const LISTING: &str = include_str!("listing.json");

/// Calls a macro with all tools and how each is made with what they share, in the order in which a model reads them. The first is the one that is
/// offered where there is no itinerary yet.
macro_rules! every_tool {
    ($with:ident, $desk:expr) => {
        $with!(
            create::ItineraryCreate = create::ItineraryCreate($desk.atlas),
            list::ItineraryList = list::ItineraryList,
            get::GetItinerary = get::GetItinerary,
            get::GetSegment = get::GetSegment,
            flight::AddFlight = flight::AddFlight($desk.clone()),
            hotel::AddHotel = hotel::AddHotel($desk.clone()),
            activity::AddActivity = activity::AddActivity($desk.clone()),
            way::AddTransfer = way::AddTransfer($desk.clone()),
            meeting::AddMeeting = meeting::AddMeeting($desk.clone()),
            update::UpdateSegment = update::UpdateSegment($desk.atlas),
            delete::DeleteSegment = delete::DeleteSegment,
            shift::MoveSegment = shift::MoveSegment,
            reorder::ReorderSegments = reorder::ReorderSegments,
            checking::CheckItinerary = checking::CheckItinerary,
            search::SearchFlights = search::SearchFlights($desk.clone()),
            search::SearchHotels = search::SearchHotels($desk.clone()),
            search::SearchTransfers = search::SearchTransfers($desk.clone()),
            search::SearchWeb = search::SearchWeb($desk.clone()),
            search::SearchAsk = search::SearchAsk($desk.clone()),
            search::SearchAnswer = search::SearchAnswer($desk.clone()),
            edit::UpdateItinerary = edit::UpdateItinerary($desk.atlas),
            preferences::UpdatePreferences = preferences::UpdatePreferences,
            traveler::AddTraveler = traveler::AddTraveler,
            distance::GetDistance = distance::GetDistance($desk.atlas),
            distance::GeocodeLocation = distance::GeocodeLocation($desk.atlas),
            route::ShowRoute = route::ShowRoute,
            ical::ItineraryExport = ical::ItineraryExport,
            ical::ItineraryImport = ical::ItineraryImport($desk.atlas),
            duplicate::ItineraryDuplicate = duplicate::ItineraryDuplicate,
            archive::ItineraryArchive = archive::ItineraryArchive,
            archive::ItineraryDelete = archive::ItineraryDelete
        )
    };
}

/// All tools of this domain, over what knows places.
#[must_use]
pub fn tools(atlas: &'static dyn Atlas) -> Registry<Stage> {
    macro_rules! listed {
        ($($tool:path = $made:expr),+) => { Registry::new()$(.with_listed($made, LISTING))+ };
    }
    let desk = search::Desk::new(atlas);
    every_tool!(listed, desk)
}

/// The tools, and how itineraries are written to files, as a part of a program that comes when it is wanted. A handle.
#[derive(Clone)]
pub struct TripTools {
    tools: Rc<Registry<Stage>>,
    files: &'static dyn Files,
    told: fn(&View, Option<&str>) -> Vec<ContextBlock>,
}

impl TripTools {
    /// All of them, over what knows places.
    #[must_use]
    pub fn here(atlas: &'static dyn Atlas) -> Self {
        let told: fn(&View, Option<&str>) -> Vec<ContextBlock> = |view, subject| match subject {
            Some(subject) => Self::DOMAIN.context_about(view, subject),
            None => Self::DOMAIN.context(view),
        };
        Self { tools: Rc::new(tools(atlas)), files: &transfer::Transfer, told }
    }
}

/// Trips for a program that is loaded often: their tools come when one of them is called.
pub type Later = ::domain::Later<TripTools>;

impl Apart for TripTools {
    type Domain = Trips;
    const DOMAIN: Trips = Trips { atlas: &atlas::Blank };
    const FIELD: &'static str = transfer::FIELD;
    // What it tells has been checked, and that needs the zones.
    const TELLS: bool = true;

    fn listed(part: &Rc<Part<Self>>) -> Registry<Stage> {
        macro_rules! listed {
            ($($tool:path = $made:expr),+) => { Registry::new()$(.with_later::<$tool, _>(part, LISTING))+ };
        }
        every_tool!(listed, ())
    }

    fn files(&self) -> &'static dyn Files {
        self.files
    }

    fn told(&self, view: &View, subject: Option<&str>) -> Vec<ContextBlock> {
        (self.told)(view, subject)
    }
}

impl AsRef<Registry<Stage>> for TripTools {
    fn as_ref(&self) -> &Registry<Stage> {
        &self.tools
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// `listing.json` is what the types say. When a tool changed on purpose, run this with
    /// `SATCHEL_WRITE_LISTINGS=1` and look at the difference: it is what models and clients will read.
    #[test]
    fn the_listing_is_what_the_types_say() {
        macro_rules! defined {
            ($($tool:path = $made:expr),+) => { [$(mcp::definition::<Stage, $tool>()),+] };
        }
        let definitions = every_tool!(defined, ());
        if std::env::var_os("SATCHEL_WRITE_LISTINGS").is_some() {
            // A tool a line: no spaces to ship, and a difference can still be read.
            let lines = definitions.map(|definition| serde_json::to_string(&definition).unwrap());
            let text = format!("[\n{}\n]\n", lines.join(",\n"));
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/listing.json"), text).unwrap();
        } else {
            assert_eq!(tools(&atlas::Blank).definitions(), definitions);
        }
    }
}
