//! A route as `show_route` tells it, for the map and for the list that says the same in words. Pure.

use serde::Deserialize;
use serde_json::Value;
use ui_map::LatLon;

use super::arcs::{arc, straight};
use super::words;
use crate::model::{Segment, Status, When};
use crate::said::when_said;

/// The way of a flight; every other word is of a transfer.
const FLIGHT: &str = "flight";

/// Nearer than this, in degrees, two stops have one marker: some 10 m.
const SAME: f64 = 1e-4;

/// So many numbers stand on a marker.
const NUMBERS: usize = 3;

/// A route.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Route {
    /// The stops in order, each numbered from 1.
    pub stops: Vec<Stop>,
    /// The ways between them.
    pub legs: Vec<Leg>,
    /// All legs together, in kilometres.
    pub km: f64,
    /// What has no place on the map, by its title.
    pub unplaced: Vec<String>,
}

/// Somewhere on the way.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Stop {
    /// Its number, from 1.
    pub number: usize,
    /// The id of the segment that goes there.
    pub segment: String,
    /// What a person calls it.
    pub name: String,
    /// When one is there, where it is known.
    pub at: Option<When>,
    /// In degrees.
    pub lat: f64,
    /// In degrees.
    pub lon: f64,
}

/// From a stop to the next.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Leg {
    /// The number of the stop it begins at.
    pub from: usize,
    /// The number of the stop it ends at.
    pub to: usize,
    /// As the crow flies, in kilometres.
    pub km: f64,
    /// `flight`, a transfer's mode, or none where nothing on the itinerary goes there.
    pub by: Option<String>,
}

/// A marker: the stops at one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Where it stands.
    pub at: LatLon,
    /// What stands on it: `3`, or `2, 5` where one comes back.
    pub label: String,
    /// What it is called in full.
    pub name: String,
    /// The number of the first stop there.
    pub first: usize,
}

/// Lines on the map, by what draws them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// Flights, as arcs.
    pub flights: Vec<Vec<LatLon>>,
    /// Everything else.
    pub ways: Vec<Vec<LatLon>>,
}

/// A line of the list that says the same as the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The stop's number.
    pub number: usize,
    /// What a person calls it.
    pub name: String,
    /// When one is there, on the clock there; empty where it is not known.
    pub when: String,
    /// How one comes there from the stop before; empty for the first.
    pub way: String,
    /// It is an idea.
    pub is_idea: bool,
    /// It is of the catalogue that ships (S4-10).
    pub is_demo: bool,
}

impl Route {
    /// The route of an answer; none where it is no such answer.
    pub fn of(answer: &Value) -> Option<Self> {
        answer.get("stops")?;
        Self::deserialize(answer).ok()
    }

    /// Where the stops are.
    pub fn points(&self) -> Vec<LatLon> {
        self.stops.iter().map(Stop::at).collect()
    }

    /// The markers, in the order of their first stops.
    pub fn spots(&self) -> Vec<Spot> {
        let mut spots: Vec<(LatLon, Vec<&Stop>)> = Vec::new();
        for stop in &self.stops {
            let at = stop.at();
            let is_here = |other: &LatLon| (0..2).all(|axis| (other[axis] - at[axis]).abs() < SAME);
            match spots.iter_mut().find(|(other, _)| is_here(other)) {
                Some((_, stops)) => stops.push(stop),
                None => spots.push((at, vec![stop])),
            }
        }
        let spot = |(at, stops): (LatLon, Vec<&Stop>)| {
            let mut numbers: Vec<String> =
                stops.iter().take(NUMBERS).map(|stop| stop.number.to_string()).collect();
            if stops.len() > NUMBERS {
                numbers.push("…".to_owned());
            }
            let names: Vec<String> =
                stops.iter().map(|stop| words::stop_named(&stop.number.to_string(), &stop.name)).collect();
            Spot {
                at,
                label: numbers.join(", "),
                name: names.join("; "),
                first: stops.first().map_or(0, |stop| stop.number),
            }
        };
        spots.into_iter().map(spot).collect()
    }

    /// The lines between the stops.
    pub fn lines(&self) -> Lines {
        let mut lines = Lines::default();
        for leg in &self.legs {
            let end = |number: usize| self.stops.iter().find(|stop| stop.number == number).map(Stop::at);
            let (Some(from), Some(to)) = (end(leg.from), end(leg.to)) else { continue };
            match leg.by.as_deref() {
                Some(FLIGHT) => lines.flights.extend(arc(from, to)),
                _ => lines.ways.extend(straight(from, to)),
            }
        }
        lines
    }

    /// The same in words: a line for each stop.
    pub fn list(&self, segments: &[Segment]) -> Vec<Line> {
        let line = |stop: &Stop| {
            let segment = segments.iter().find(|segment| segment.id == stop.segment);
            let leg = self.legs.iter().find(|leg| leg.to == stop.number);
            Line {
                number: stop.number,
                name: stop.name.clone(),
                when: stop.at.as_ref().map(when_said).unwrap_or_default(),
                way: leg.map(way).unwrap_or_default(),
                is_idea: segment.is_some_and(|segment| segment.status == Status::Idea),
                is_demo: segment.is_some_and(Segment::is_demo),
            }
        };
        self.stops.iter().map(line).collect()
    }
}

impl Stop {
    fn at(&self) -> LatLon {
        [self.lat, self.lon]
    }
}

/// How one comes from a stop to the next: `By plane, 878 km`.
fn way(leg: &Leg) -> String {
    let far = km(leg.km);
    let by = match leg.by.as_deref() {
        None => return words::from_here(&far),
        Some(FLIGHT) => words::by_plane(),
        Some("walk") => words::by_foot(),
        Some("car") => words::by_car(),
        Some("train") => words::by_train(),
        Some("bus") => words::by_bus(),
        Some("ferry") => words::by_ferry(),
        Some("taxi") => words::by_taxi(),
        Some("metro") => words::by_metro(),
        Some("bicycle") => words::by_bicycle(),
        Some(_) => words::by_transfer(),
    };
    words::way(by, &far)
}

/// A distance as the language writes it: with a tenth below ten kilometres.
pub fn km(far: f64) -> String {
    let is_near = far < 10.0;
    let tenths = (far * 10.0).round().max(0.0) as u64;
    let number =
        if is_near { ui_kit::locale::tenths(tenths) } else { ui_kit::locale::number(far.round() as usize) };
    words::kilometres(&number)
}

/// The days on which something is that has a place, in order.
pub fn days(segments: &[Segment]) -> Vec<String> {
    let is_somewhere = |segment: &&Segment| {
        [&segment.from, &segment.to, &segment.place].into_iter().flatten().any(|place| place.spot().is_some())
    };
    let days = segments.iter().filter(is_somewhere).filter_map(|segment| segment.start.as_ref());
    let mut days: Vec<String> =
        days.map(|when| when.day().to_owned()).filter(|day| !day.is_empty()).collect();
    order::sort(&mut days);
    days.dedup();
    days
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn paris() -> Route {
        Route::of(&json!({
            "summary": "…", "km": 885.4, "unplaced": ["Dinner somewhere"],
            "stops": [
                { "number": 1, "segment": "f", "name": "Berlin", "at": { "at": "2026-06-15T09:00", "zone": "Europe/Berlin" }, "lat": 52.36, "lon": 13.5 },
                { "number": 2, "segment": "f", "name": "Paris", "at": { "at": "2026-06-15T10:45", "zone": "Europe/Paris" }, "lat": 49.0, "lon": 2.55 },
                { "number": 3, "segment": "h", "name": "Fabric", "at": { "at": "2026-06-15", "zone": "" }, "lat": 48.86, "lon": 2.37 },
                { "number": 4, "segment": "l", "name": "Louvre", "lat": 48.8606, "lon": 2.3376 },
                { "number": 5, "segment": "h", "name": "Fabric", "lat": 48.86001, "lon": 2.37001 },
            ],
            "legs": [
                { "from": 1, "to": 2, "km": 858.0, "by": "flight" }, { "from": 2, "to": 3, "km": 20.4, "by": "train" },
                { "from": 3, "to": 4, "km": 2.4 }, { "from": 4, "to": 5, "km": 2.4 },
            ],
        }))
        .unwrap()
    }

    #[test]
    fn the_list_says_what_the_map_shows() {
        let mut hotel = Segment { id: "h".into(), source: "demo".into(), ..Segment::default() };
        hotel.status = Status::Idea;
        let list = paris().list(&[hotel]);
        let told: Vec<_> = list.iter().map(|line| (line.number, &*line.name, &*line.way)).collect();
        assert_eq!(
            told,
            [
                (1, "Berlin", ""),
                (2, "Paris", "By plane, 858 km"),
                (3, "Fabric", "By train, 20 km"),
                (4, "Louvre", "2.4 km from the stop before"),
                (5, "Fabric", "2.4 km from the stop before"),
            ]
        );
        // On the clock there, whatever the browser's zone is.
        assert_eq!(&list[1].when, "Mon, 15 Jun 2026, 10:45");
        assert_eq!((&*list[2].when, &*list[3].when), ("Mon, 15 Jun 2026", ""));
        assert_eq!(list.iter().filter(|line| line.is_idea && line.is_demo).count(), 2);
    }

    #[test]
    fn stops_at_one_point_have_one_marker_with_all_their_numbers() {
        let spots = paris().spots();
        let labels: Vec<_> = spots.iter().map(|spot| (&*spot.label, spot.first)).collect();
        assert_eq!(labels, [("1", 1), ("2", 2), ("3, 5", 3), ("4", 4)]);
        assert_eq!(spots[2].name, "3: Fabric; 5: Fabric");
        let mut often = paris();
        for stop in &mut often.stops {
            (stop.lat, stop.lon) = (1.0, 2.0);
        }
        assert_eq!(often.spots().iter().map(|spot| &*spot.label).collect::<Vec<_>>(), ["1, 2, 3, …"]);
    }

    #[test]
    fn flights_are_arcs_and_everything_else_is_straight() {
        let lines = paris().lines();
        assert_eq!((lines.flights.len(), lines.ways.len()), (1, 3));
        assert!(lines.flights[0].len() > 2 && lines.ways.iter().all(|way| way.len() == 2));
    }

    #[test]
    fn a_day_can_be_chosen_on_which_something_has_a_place() {
        let at = |day: &str, lat: Option<f64>| Segment {
            start: Some(When { at: day.into(), zone: String::new() }),
            place: Some(crate::model::Place { lat, lon: Some(2.0), ..crate::model::Place::default() }),
            ..Segment::default()
        };
        let all = [
            at("2026-06-16T10:00", Some(48.0)),
            at("2026-06-15", Some(48.0)),
            at("2026-06-16", Some(48.0)),
            at("2026-06-17", None),
        ];
        assert_eq!(days(&all), ["2026-06-15", "2026-06-16"]);
        assert_eq!(Route::of(&json!({ "error": "no" })), None);
    }
}
