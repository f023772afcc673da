//! What arguments of several tools are made of: places by name, fields that can be cleared, what one segment hangs on.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use mcp::ToolError;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use store::Stage;

use crate::atlas::{Atlas, is_named, look_up};
use crate::found;
use crate::model::{Dependency, How, Itinerary, Kind, Place, Segment, When};
use crate::money::Money;
use crate::moving::is_circle;

/// A place as an argument: its name, which is looked up, or all that is known of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlaceArg {
    Name(String),
    Known(Place),
}

impl JsonSchema for PlaceArg {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PlaceArg".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string" },
            { "type": "object", "required": ["name"], "additionalProperties": false, "properties": {
                "name": { "type": "string" }, "city": { "type": "string" }, "country": { "type": "string" },
                "lat": { "type": "number" }, "lon": { "type": "number" }, "zone": { "type": "string" },
                "iata": { "type": "string" },
            } },
        ] })
    }
}

impl<'de> Deserialize<'de> for PlaceArg {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = PlaceArg;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a place’s name, or an object with its name")
            }

            fn visit_str<E>(self, name: &str) -> Result<PlaceArg, E> {
                Ok(PlaceArg::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PlaceArg, A::Error> {
                Place::deserialize(MapAccessDeserializer::new(map)).map(PlaceArg::Known)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl PlaceArg {
    /// Whether it is only the name of a place, alone or with its city behind a comma.
    pub fn is_called(&self, place: &Place) -> bool {
        let Self::Name(name) = self else { return false };
        let name = mcp::one_line(name).to_lowercase();
        let [own, city] = [&place.name, &place.city].map(|name| name.to_lowercase());
        name == own || name.strip_prefix(&own).is_some_and(|rest| rest.trim_start_matches([',', ' ']) == city)
    }

    /// The place, looked up. What is not found stays as it was typed, but for its city where that is said behind a comma: `Hotel Fabric,
    /// Paris`.
    pub fn resolve(self, atlas: &dyn Atlas, near: Option<(f64, f64)>) -> Place {
        let mut place = match self {
            Self::Name(name) => look_up(atlas, &name, near),
            Self::Known(place) if place.lat.is_none() && place.lon.is_none() && place.iata.is_empty() => {
                sought(atlas, place, near)
            }
            Self::Known(place) => place,
        };
        if !place.iata.is_empty()
            && place.spot().is_none()
            && let Some(airport) = atlas.airport(&place.iata.to_ascii_uppercase())
        {
            return airport;
        }
        if !place.zone.is_empty() {
            return place;
        }
        let around = match place.spot() {
            Some((lat, lon)) => atlas.at(lat, lon),
            None => {
                let behind = || place.name.rsplit_once(',').map(|(_, city)| city.trim());
                let city = Some(&*place.city).filter(|city| !city.is_empty()).or_else(behind);
                city.and_then(|city| atlas.find(city, near, 1).into_iter().next())
            }
        };
        if let Some(around) = around {
            place.zone = around.zone;
            let gap = |own: &mut String, other: String| {
                if own.is_empty() {
                    *own = other;
                }
            };
            gap(&mut place.city, around.city);
            gap(&mut place.country, around.country);
        }
        place
    }
}

/// A place of which nobody said where it is, looked up by its name. What was said of it goes before what is found; what is in another city
/// or country than was said is another place.
fn sought(atlas: &dyn Atlas, place: Place, near: Option<(f64, f64)>) -> Place {
    let mut found = look_up(atlas, &place.name, near);
    if found.iata.is_empty() && !place.zone.is_empty() && found.zone != place.zone {
        // Of several of a name the one that is on the clock that was said.
        let others = atlas.find(&place.name, near, SEVERAL);
        found = others.into_iter().find(|other| other.zone == place.zone).unwrap_or(found);
    }
    let is_other = |said: &str, found: &str| !said.is_empty() && said.to_lowercase() != found.to_lowercase();
    // In a city that was said a beginning of a name is no place: “Louvre Hotel” is not the Louvre.
    let is_guess = !place.city.is_empty() && found.iata.is_empty() && !is_named(&found, &place.name);
    if is_guess || is_other(&place.city, &found.city) || is_other(&place.country, &found.country) {
        return place;
    }
    let over = |said: String, found: String| if said.is_empty() { found } else { said };
    Place {
        city: over(place.city, found.city),
        country: over(place.country, found.country),
        zone: over(place.zone, found.zone),
        ..found
    }
}

/// So many places of a name are looked at for the one on a clock.
const SEVERAL: usize = 10;

/// Where a trip is on a day: the place of what lasts over it, a hotel before anything else; then any place of it; then where it goes.
pub(crate) fn around(
    atlas: &dyn Atlas,
    itinerary: &Itinerary,
    segments: &[Rc<Segment>],
    when: Option<&When>,
) -> Option<Place> {
    let day = when.and_then(When::day);
    let covers = |segment: &&Rc<Segment>| {
        let start = segment.start.as_ref().and_then(When::day);
        let end = segment.end.as_ref().and_then(When::day).or(start);
        day.is_some() && start <= day && day <= end && start.is_some()
    };
    let at = |segment: &Rc<Segment>| segment.ends_at().filter(|place| place.spot().is_some()).cloned();
    let hotels = segments.iter().filter(|segment| segment.kind == Kind::Hotel);
    let found = hotels.filter(covers).find_map(at).or_else(|| segments.iter().filter(covers).find_map(at));
    found.or_else(|| segments.iter().filter(|segment| segment.kind != Kind::Flight).find_map(at)).or_else(
        || itinerary.destinations.iter().find_map(|name| atlas.find(name, None, 1).into_iter().next()),
    )
}

/// Whether a zone may be said, as far as is known.
///
/// # Errors
/// [`ToolError::Rejected`] for a name that is none.
pub(crate) fn checked_zone(atlas: &dyn Atlas, zone: String) -> Result<String, ToolError> {
    if !zone.is_empty() && atlas.has_zone(&zone) == Some(false) {
        let zone = domain::quoted(&zone);
        return Err(ToolError::Rejected(format!(
            "There is no time zone {zone}: write it like Europe/Paris."
        )));
    }
    Ok(zone)
}

/// A sum that was said with or without its currency.
///
/// # Errors
/// [`ToolError::Rejected`] where there is no currency, or it is no sum.
pub(crate) fn sum(
    amount: f64,
    currency: Option<&str>,
    itinerary: Option<&Itinerary>,
) -> Result<Money, ToolError> {
    let usual = itinerary.map(|itinerary| match &itinerary.budget {
        Some(budget) if itinerary.currency.is_empty() => budget.currency.clone(),
        _ => itinerary.currency.clone(),
    });
    let mut currency = currency.map(str::to_owned).or(usual).unwrap_or_default();
    crate::clean::currency(&mut currency).map_err(ToolError::Rejected)?;
    if currency.is_empty() {
        return Err(ToolError::Rejected(format!(
            "{amount} of what? Say the currency: three letters of ISO 4217, like EUR."
        )));
    }
    Money::of(amount, &currency)
        .ok_or_else(|| ToolError::Rejected("A sum may be 0 to 1,000,000,000,000.".into()))
}

/// What a segment hangs on, as an argument.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DependencyArg {
    /// The other segment's id or title.
    pub on: String,
    /// How: same_shift when left out.
    pub how: Option<How>,
}

/// What a segment hangs on, each other one once.
///
/// # Errors
/// [`ToolError::Rejected`] where there is no such segment on the itinerary, or it would hang on itself.
pub(crate) fn dependencies(
    stage: &Stage,
    itinerary: &Itinerary,
    id: &str,
    named: Vec<DependencyArg>,
) -> Result<Vec<Dependency>, ToolError> {
    let mut all: Vec<Dependency> = Vec::new();
    for DependencyArg { on, how } in named {
        let other = found::segment(stage, &on, Some(&itinerary.id))?;
        if other.itinerary != itinerary.id {
            let title = found::segment_said(&other);
            return Err(ToolError::Rejected(format!(
                "{title} is on another itinerary: a segment hangs on one of its own."
            )));
        }
        all.retain(|known| known.on != other.id);
        all.push(Dependency { on: other.id.clone(), how: how.unwrap_or_default() });
    }
    if is_circle(&found::segments_of(stage, &itinerary.id), id, &all) {
        return Err(ToolError::Rejected(
            "It would hang on itself: what it hangs on already hangs on it. Take one of the two out first."
                .into(),
        ));
    }
    Ok(all)
}

/// Ids of travellers by id or name.
///
/// # Errors
/// [`ToolError::Rejected`] for somebody who is not on the itinerary.
pub(crate) fn travellers(itinerary: &Itinerary, named: Vec<String>) -> Result<Vec<String>, ToolError> {
    let mut all: Vec<String> = Vec::new();
    for name in named {
        let lower = mcp::one_line(&name).to_lowercase();
        let is_it = |traveller: &&crate::model::Traveller| {
            traveller.id == name || traveller.name.to_lowercase() == lower
        };
        let Some(traveller) = itinerary.travellers.iter().find(is_it) else {
            let name = domain::quoted(&mcp::one_line(&name));
            return Err(ToolError::Rejected(format!(
                "{name} is no traveller of this itinerary: add_traveler adds one."
            )));
        };
        if !all.contains(&traveller.id) {
            all.push(traveller.id.clone());
        }
    }
    Ok(all)
}
