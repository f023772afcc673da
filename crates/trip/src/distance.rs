//! `get_distance` and `geocode_location`: where something is, and how far from something else. As the crow flies: no road is known here.

use async_trait::async_trait;
use domain::quoted;
use mcp::{Hints, Tool, ToolError, one_line};
use places::distance_km;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::args::{PlaceArg, around};
use crate::assumed::Assumptions;
use crate::atlas::{Atlas, look_up};
use crate::clean;
use crate::days::minutes_said;
use crate::found::{itinerary, segments_of};
use crate::model::{FROM_A_FILE, Place, Segment};

pub(crate) struct GetDistance(pub &'static dyn Atlas);

/// From where to where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DistanceArgs {
    /// A place, or a segment of the itinerary by its id or title.
    from: PlaceArg,
    /// A place, or a segment of the itinerary by its id or title.
    to: PlaceArg,
    /// The itinerary's id or title; the current one when left out.
    itinerary: Option<String>,
}

/// How far it is.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Distance {
    /// One sentence for a person.
    summary: String,
    /// As the crow flies, in kilometres.
    km: f64,
    /// About how long it takes, by the speeds the itinerary reckons with. No timetable and no road was looked at.
    about: Vec<About>,
    /// From where.
    from: Place,
    /// To where.
    to: Place,
    /// A place of an itinerary that came in by a file or a search, and that somebody else may have named.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// How long it takes one way.
#[derive(Debug, Serialize, JsonSchema)]
struct About {
    /// walk, car or train.
    mode: &'static str,
    /// In minutes.
    minutes: u32,
}

/// A place of which something can be measured.
fn located(
    stage: &Stage,
    atlas: &dyn Atlas,
    segments: &[std::rc::Rc<Segment>],
    arg: PlaceArg,
    near: Option<(f64, f64)>,
) -> Result<(Place, (f64, f64), bool), ToolError> {
    let found = match &arg {
        PlaceArg::Name(name) => {
            let lower = one_line(name).to_lowercase();
            let named =
                segments.iter().find(|one| one.id == *name || one.title.to_lowercase() == lower).cloned();
            let named = named.or_else(|| stage.get::<Segment>(name));
            named.and_then(|segment| {
                let place = segment.ends_at().filter(|place| place.spot().is_some())?;
                Some((place.clone(), segment.imported))
            })
        }
        PlaceArg::Known(_) => None,
    };
    let (place, is_foreign) = found.unwrap_or_else(|| (arg.resolve(atlas, near), false));
    match place.spot() {
        Some(spot) => Ok((place, spot, is_foreign)),
        None => Err(ToolError::Rejected(format!(
            "Where {} is is not known here: name a city or a landmark near it, or give its latitude and longitude.",
            quoted(&one_line(&place.name))
        ))),
    }
}

/// A distance as a person says it: to 0.1 km below ten, to a kilometre above.
pub(crate) fn km_said(km: f64) -> String {
    if km < 10.0 { format!("{km:.1} km") } else { format!("{km:.0} km") }
}

/// Minutes at a speed.
fn minutes(km: f64, kmh: u32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "half around the Earth on foot is 300,000"
    )]
    let minutes = (km / f64::from(kmh.max(1)) * 60.0).ceil() as u32;
    minutes
}

#[async_trait(?Send)]
impl Tool<Stage> for GetDistance {
    const NAME: &'static str = "get_distance";
    const TITLE: &'static str = "Measure a distance";
    const DESCRIPTION: &'static str = "Says how far two places are apart as the crow flies, and about how long that takes. It knows no road and no \
         timetable: say so.";
    const HINTS: Hints = Hints::READ;
    type Args = DistanceArgs;
    type Output = Distance;

    async fn run(&self, args: DistanceArgs, stage: &mut Stage) -> Result<Distance, ToolError> {
        // Distances are asked before there is a trip, too.
        let row = match args.itinerary {
            Some(named) => Some(itinerary(stage, Some(&named))?),
            None => itinerary(stage, None).ok(),
        };
        let segments = row.as_ref().map(|row| segments_of(stage, &row.id)).unwrap_or_default();
        let here = row.as_ref().and_then(|row| around(self.0, row, &segments, None));
        let near = here.as_ref().and_then(Place::spot);
        let (from, start, from_outside) = located(stage, self.0, &segments, args.from, near)?;
        let (to, end, to_outside) = located(stage, self.0, &segments, args.to, Some(start))?;
        let km = distance_km(start, end).unwrap_or(0.0);
        let assumed =
            row.as_ref().map_or_else(|| Assumptions::default().filled(), |row| row.assumptions.filled());
        let ways = [
            ("walk", assumed.walking_kmh, 0.0..=15.0),
            ("car", assumed.driving_kmh, 1.0..=1_500.0),
            ("train", assumed.rail_kmh, 20.0..=1_500.0),
        ];
        let ways = ways.into_iter().filter(|(_, _, range)| range.contains(&km));
        let about: Vec<About> =
            ways.map(|(mode, kmh, _)| About { mode, minutes: minutes(km, kmh) }).collect();
        let times: Vec<String> = about
            .iter()
            .map(|about| {
                let way =
                    if about.mode == "walk" { "on foot".to_owned() } else { format!("by {}", about.mode) };
                format!("{} {way}", minutes_said(i64::from(about.minutes)))
            })
            .collect();
        let times = match times.is_empty() {
            true => String::new(),
            false => format!(", about {}", times.join(" or ")),
        };
        let summary = format!(
            "From {} to {} it is {} as the crow flies{times}.",
            quoted(&from.name),
            quoted(&to.name),
            km_said(km)
        );
        Ok(Distance {
            summary,
            km: (km * 100.0).round() / 100.0,
            about,
            from,
            to,
            untrusted: (from_outside || to_outside).then_some(FROM_A_FILE),
        })
    }
}

pub(crate) struct GeocodeLocation(pub &'static dyn Atlas);

/// A name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GeocodeArgs {
    /// A city, a landmark or an airport's three letters: Louvre; Paris, Texas; CDG.
    name: String,
}

/// Where it may be.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Geocoded {
    /// One sentence for a person.
    summary: String,
    /// The likeliest first; empty where it is not known here.
    places: Vec<Place>,
}

/// So many places of a name are told.
const MOST_PLACES: usize = 5;

#[async_trait(?Send)]
impl Tool<Stage> for GeocodeLocation {
    const NAME: &'static str = "geocode_location";
    const TITLE: &'static str = "Find a place";
    const DESCRIPTION: &'static str = "Finds where a city, a landmark or an airport is, offline. Streets and most hotels are not known to it; never make \
         coordinates up.";
    const HINTS: Hints = Hints::READ;
    type Args = GeocodeArgs;
    type Output = Geocoded;

    async fn run(&self, args: GeocodeArgs, _: &mut Stage) -> Result<Geocoded, ToolError> {
        let mut asked = Place::named(args.name);
        clean::place(&mut asked).map_err(ToolError::Rejected)?;
        let first = look_up(self.0, &asked.name, None);
        let mut places = if first.spot().is_some() { vec![first] } else { Vec::new() };
        for place in self.0.find(&asked.name, None, MOST_PLACES) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places.truncate(MOST_PLACES);
        let name = quoted(&asked.name);
        let summary = match places.as_slice() {
            [] => format!("Where {name} is is not known here."),
            [one] => format!("{name} is {}.", said(one)),
            [one, ..] => format!("{name} is likely {}; {} places are called so.", said(one), places.len()),
        };
        Ok(Geocoded { summary, places })
    }
}

/// A place with what it is in.
fn said(place: &Place) -> String {
    let city = Some(&place.city).filter(|city| !city.is_empty() && **city != place.name);
    let parts = [Some(&place.name), city, Some(&place.country).filter(|country| !country.is_empty())];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
}
