//! The photos of a trip: taken on its days, near one of its places. They are shown as the photos' panel shows what a tool found.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::{Value, json};
use ui_kit::{Panels, memo};

use super::words;
use crate::model::{Itinerary, Segment};
use crate::open::Open;

/// Whoever takes a picture within this distance of a place of the trip is on it, in kilometres: a day's outing.
const NEAR_KM: f64 = 60.0;

/// A degree of a meridian, in kilometres.
const DEGREE_KM: f64 = 111.2;

/// `photo_grid` has parts of a degree.
const PARTS: f64 = 10_000.0;

/// What of a photo decides whether it is of the trip.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Photo {
    id: String,
    gps: Option<[i32; 2]>,
    in_bin: bool,
}

/// When and where a trip is.
#[derive(Clone, Debug, PartialEq)]
struct Bounds {
    from: String,
    to: String,
    places: Vec<(f64, f64)>,
}

/// Draws them; nothing where there are none.
pub fn photos(trip: Open) -> AnyView {
    let bounds =
        memo(move |_| trip.itinerary.with(|itinerary| trip.segments.with(|all| bounds(itinerary, all))));
    let (found, reads) = (RwSignal::new(Vec::<String>::new()), StoredValue::new(0_u32));
    ui_kit::effect(move |_| {
        let bounds = bounds.get();
        let read = reads.get_value() + 1;
        reads.set_value(read);
        spawn_local(async move {
            let ids = match bounds {
                Some(bounds) => look(trip, &bounds).await.unwrap_or_default(),
                None => Vec::new(),
            };
            if reads.try_get_value() == Some(read) && found.with_untracked(|before| *before != ids) {
                found.set(ids);
            }
        });
    });
    let strip = move || {
        let ids = found.get();
        if ids.is_empty() {
            return None;
        }
        let items: Vec<Value> = ids.iter().map(|id| json!({ "id": id })).collect();
        let title = trip.itinerary.with_untracked(|itinerary| itinerary.title.clone());
        let answer = json!({ "ids": ids, "items": items, "title": title });
        Panels::get().first(|panel| panel.found("photo_search", &answer))
    };
    view! {
        <Show when=move || found.with(|ids| !ids.is_empty())>
            <section class="trip-photos" aria-labelledby="trip-photos-title" data-testid="trip-photos">
                <h3 id="trip-photos-title">{words::photos_of_trip()}</h3>
                <p class="hint">{move || words::photos_taken(found.with(Vec::len))}</p>
                {strip}
            </section>
        </Show>
    }
    .into_any()
}

/// The ids of the photos; none where they cannot be read, which is no matter of the trip.
async fn look(trip: Open, bounds: &Bounds) -> Option<Vec<String>> {
    let Bounds { from, to, .. } = bounds;
    let tools = trip.page.tools;
    let taken = tools.read("photo_search", json!({ "from": from, "to": to })).await.ok()?;
    let ids: Vec<&str> = match taken.get("ids").and_then(Value::as_array) {
        Some(ids) if !ids.is_empty() => ids.iter().filter_map(Value::as_str).collect(),
        _ => taken.get("items")?.as_array()?.iter().filter_map(|item| item.get("id")?.as_str()).collect(),
    };
    if ids.is_empty() {
        return None;
    }
    let cells = tools.read("photo_grid", json!({ "images": ids })).await.ok()?;
    let cells = cells.get("items")?.as_array()?.iter().filter_map(|cell| Photo::deserialize(cell).ok());
    Some(cells.filter(|photo| is_of(photo, bounds)).map(|photo| photo.id).collect())
}

/// When and where a trip is; none where either is not known.
fn bounds(itinerary: &Itinerary, segments: &[Segment]) -> Option<Bounds> {
    let days = segments.iter().flat_map(|segment| [&segment.start, &segment.end]).flatten();
    let days: Vec<&str> = days.map(|when| when.day()).filter(|day| !day.is_empty()).collect();
    let said = |day: &Option<String>| day.clone().filter(|day| !day.is_empty());
    let from = said(&itinerary.start).or_else(|| days.iter().min().map(|day| (*day).to_owned()))?;
    let to = said(&itinerary.end).or_else(|| days.iter().max().map(|day| (*day).to_owned()))?;
    let home = itinerary.home.as_ref().and_then(|home| home.spot());
    let places = segments.iter().flat_map(|segment| [&segment.from, &segment.to, &segment.place]).flatten();
    let mut spots: Vec<(f64, f64)> = Vec::new();
    for spot in places.filter_map(|place| place.spot()) {
        // What is taken at home is of no trip.
        let is_home = home.is_some_and(|home| km(home, spot) < NEAR_KM);
        if !is_home && !spots.contains(&spot) {
            spots.push(spot);
        }
    }
    (!spots.is_empty()).then_some(Bounds { from, to, places: spots })
}

/// Whether a photo of the right days was taken near a place of the trip.
fn is_of(photo: &Photo, bounds: &Bounds) -> bool {
    let Some(gps) = photo.gps.filter(|_| !photo.in_bin) else { return false };
    let [lat, lon] = gps.map(|part| f64::from(part) / PARTS);
    bounds.places.iter().any(|place| km(*place, (lat, lon)) < NEAR_KM)
}

/// How far two points are from each other that are near: on a plane that touches the Earth there.
fn km((lat, lon): (f64, f64), (other_lat, other_lon): (f64, f64)) -> f64 {
    let around = (lon - other_lon).abs();
    let around = around.min(360.0 - around) * lat.to_radians().cos();
    around.hypot(lat - other_lat) * DEGREE_KM
}

#[cfg(test)]
mod tests {
    use crate::model::{Place, When};

    use super::*;

    fn at(lat: f64, lon: f64, day: &str) -> Segment {
        Segment {
            start: Some(When { at: day.into(), zone: String::new() }),
            place: Some(Place { lat: Some(lat), lon: Some(lon), ..Place::default() }),
            ..Segment::default()
        }
    }

    #[test]
    fn photos_are_of_a_trip_by_its_days_and_places_and_not_from_home() {
        let home = Place { lat: Some(52.5), lon: Some(13.4), ..Place::default() };
        let trip = Itinerary { home: Some(home), start: Some("2026-06-15".into()), ..Itinerary::default() };
        let segments = [at(52.36, 13.5, "2026-06-15T09:00"), at(48.86, 2.34, "2026-06-20T10:00")];
        let bounds = bounds(&trip, &segments).unwrap();
        assert_eq!((&*bounds.from, &*bounds.to), ("2026-06-15", "2026-06-20"));
        let taken = |lat: f64, lon: f64| Photo {
            gps: Some([lat, lon].map(|part| (part * PARTS) as i32)),
            ..Photo::default()
        };
        assert!(is_of(&taken(48.80, 2.12), &bounds), "Versailles");
        assert!(!is_of(&taken(52.5, 13.4), &bounds), "at home");
        assert!(!is_of(&taken(43.3, 5.4), &bounds), "Marseille");
        assert!(!is_of(&Photo::default(), &bounds), "nobody knows where");
        assert!(!is_of(&Photo { in_bin: true, ..taken(48.86, 2.34) }, &bounds), "in the bin");
    }

    #[test]
    fn near_is_near_over_the_date_line_too() {
        assert!(km((0.0, 179.9), (0.0, -179.9)) < 25.0);
        assert_eq!(bounds(&Itinerary::default(), &[]), None);
        assert_eq!(bounds(&Itinerary::default(), &[Segment::default()]), None);
    }
}
