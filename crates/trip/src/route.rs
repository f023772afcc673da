//! `show_route`: the stops of an itinerary or of a day in order, for a map.

use async_trait::async_trait;
use dates::iso::read_day;
use domain::{counted, quoted};
use mcp::{Hints, Tool, ToolError};
use places::distance_km;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::clean;
use crate::days::day_said;
use crate::distance::km_said;
use crate::found::{itinerary, segments_of};
use crate::model::{FROM_A_FILE, Kind, Place, Segment, When};

pub(crate) struct ShowRoute;

/// Which route.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RouteArgs {
    /// The itinerary's id or title; the current one when left out.
    itinerary: Option<String>,
    /// Only this day: 2026-06-16.
    day: Option<String>,
}

/// A route.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Route {
    /// One sentence for a person.
    summary: String,
    /// The stops in order, each numbered from 1.
    stops: Vec<Stop>,
    /// The ways between them, as the crow flies.
    legs: Vec<Leg>,
    /// All legs together, in kilometres.
    km: f64,
    /// What has no place on the map, because nobody knows where it is.
    unplaced: Vec<String>,
    /// Words on it came in by a file or a search that somebody else may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// Somewhere on the way.
#[derive(Debug, Serialize, JsonSchema)]
struct Stop {
    /// Its number, from 1.
    number: usize,
    /// The id of the segment that goes there; never show it to a person.
    segment: String,
    /// What a person calls it.
    name: String,
    /// When one is there, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<When>,
    /// Latitude in degrees.
    lat: f64,
    /// Longitude in degrees.
    lon: f64,
}

/// From a stop to the next.
#[derive(Debug, Serialize, JsonSchema)]
struct Leg {
    /// The number of the stop it begins at.
    from: usize,
    /// The number of the stop it ends at.
    to: usize,
    /// As the crow flies, in kilometres.
    km: f64,
    /// flight, a transfer's mode, or none where nothing on the itinerary goes there.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
}

/// Nearer than this two stops are one.
const SAME_KM: f64 = 0.05;

#[async_trait(?Send)]
impl Tool<Stage> for ShowRoute {
    const NAME: &'static str = "show_route";
    const TITLE: &'static str = "Show the route";
    const DESCRIPTION: &'static str = "Gives the stops of the itinerary or of a day in order with their places, and how far each is from the one before \
         as the crow flies.";
    const HINTS: Hints = Hints::READ;
    type Args = RouteArgs;
    type Output = Route;

    async fn run(&self, args: RouteArgs, stage: &mut Stage) -> Result<Route, ToolError> {
        let row = itinerary(stage, args.itinerary.as_deref())?;
        let mut segments = segments_of(stage, &row.id);
        let mut about = quoted(&row.title);
        if let Some(mut day) = args.day {
            clean::day(&mut day, "day").map_err(ToolError::Rejected)?;
            let day = read_day(&day);
            segments.retain(|segment| segment.start.as_ref().and_then(When::day) == day);
            about = format!("{about} on {}", day.map(day_said).unwrap_or_default());
        }
        let is_foreign = row.imported || segments.iter().any(|segment| segment.imported);
        let mut route = Route {
            summary: String::new(),
            stops: Vec::new(),
            legs: Vec::new(),
            km: 0.0,
            unplaced: Vec::new(),
            untrusted: is_foreign.then_some(FROM_A_FILE),
        };
        for segment in segments.iter().filter(|segment| segment.kind != Kind::Note) {
            let by = match segment.kind {
                Kind::Flight => Some("flight"),
                Kind::Transfer => Some(segment.mode.map_or("transfer", crate::model::Mode::word)),
                _ => None,
            };
            let before = route.stops.len();
            let ways = segment.from.is_some() || segment.to.is_some();
            let ends = match ways {
                true => [segment.from.as_ref(), segment.to.as_ref()],
                false => [segment.place.as_ref(), None],
            };
            let mut is_placed = false;
            for (at, place) in ends.into_iter().enumerate() {
                let Some((place, spot)) = place.and_then(|place| Some((place, place.spot()?))) else {
                    continue;
                };
                is_placed = true;
                // The way to where it sets out is none of its own.
                route.reach(segment, place, spot, at, by.filter(|_| at == 1));
            }
            if !is_placed && before == route.stops.len() {
                route.unplaced.push(segment.title.clone());
            }
        }
        let km = route.km;
        route.km = tenths(km);
        route.summary = match route.stops.len() {
            0 => format!("Nothing of {about} has a place that is known."),
            count => {
                let stops = counted(count, "stop", "stops");
                format!("{about} has {stops} over {} as the crow flies.", km_said(km))
            }
        };
        Ok(route)
    }
}

/// Kilometres to a tenth.
fn tenths(km: f64) -> f64 {
    (km * 10.0).round() / 10.0
}

impl Route {
    /// Adds a stop and the way to it; none where one is there already.
    fn reach(
        &mut self,
        segment: &Segment,
        place: &Place,
        (lat, lon): (f64, f64),
        at: usize,
        by: Option<&'static str>,
    ) {
        if let Some(last) = self.stops.last() {
            let km = distance_km((last.lat, last.lon), (lat, lon)).unwrap_or(0.0);
            if km < SAME_KM {
                return;
            }
            self.km += km;
            self.legs.push(Leg { from: last.number, to: last.number + 1, km: tenths(km), by });
        }
        let when = if at == 1 { &segment.end } else { &segment.start };
        self.stops.push(Stop {
            number: self.stops.len() + 1,
            segment: segment.id.clone(),
            name: place.name.clone(),
            at: when.clone(),
            lat,
            lon,
        });
    }
}
