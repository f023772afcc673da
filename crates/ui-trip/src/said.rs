//! What the tools did to trips, as lines of the chat, of approvals and of the history. Pure.

use serde::Deserialize;
use serde_json::Value;
use ui_kit::dates::{day_in_full, time_written};
use ui_kit::{Difference, DomainChange, Line};

use crate::days::zone_city;
use crate::model::{Money, Place, Status, When};
use crate::words;

/// A change of an itinerary, a segment or a profile as a line; a profile's has no name of its own and is left out.
#[must_use]
pub fn line(change: &DomainChange) -> Option<Line> {
    let mut line = change.line()?;
    if line.title.is_empty() {
        return None;
    }
    let row = change.after.or(change.before)?;
    match (change.before, change.after) {
        (Some(before), Some(after)) => line.differences = differences(before, after),
        _ => line.aside = aside(row),
    }
    Some(line)
}

/// When a row is, in words.
fn aside(row: &Value) -> String {
    let start = row.get("start").map(moment).unwrap_or_default();
    let end = row.get("end").map(moment).unwrap_or_default();
    if start.is_empty() || end.is_empty() || start == end { start } else { words::from_to(&start, &end) }
}

/// A day, or a moment of a segment.
fn moment(value: &Value) -> String {
    match value.as_str() {
        Some(day) => day_in_full(day).unwrap_or_else(|| day.to_owned()),
        None => When::deserialize(value).map(|when| when_said(&when)).unwrap_or_default(),
    }
}

/// When something is, as the clock on its wall says it: `Mon, 15 Jun 2026, 09:00`.
#[must_use]
pub fn when_said(when: &When) -> String {
    let day = day_in_full(when.day()).unwrap_or_else(|| when.day().to_owned());
    when.time().map_or_else(|| day.clone(), |time| words::day_and_time(&day, &time_written(time)))
}

fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let text = |row: &Value, name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let when = |row: &Value, name: &str| row.get(name).map(moment).unwrap_or_default();
    let zone = |row: &Value, name: &str| {
        let zone = row.get(name).and_then(|when| when.get("zone")).and_then(Value::as_str);
        zone.map(zone_city).unwrap_or_default()
    };
    let place = |row: &Value, name: &str| {
        row.get(name)
            .and_then(|place| Place::deserialize(place).ok())
            .map(|place| place.said())
            .unwrap_or_default()
    };
    let money = |row: &Value, name: &str| {
        row.get(name)
            .and_then(|cost| Money::deserialize(cost).ok())
            .map(|cost| cost.said())
            .unwrap_or_default()
    };
    let status = |row: &Value| {
        let status = row.get("status").and_then(|status| Status::deserialize(status).ok());
        status.map(|status| status.name().to_owned()).unwrap_or_default()
    };
    let archived = |row: &Value| {
        let is = row.get("archived_ms").is_some_and(|at| !at.is_null());
        if is { words::archived().to_owned() } else { String::new() }
    };
    let both =
        |name: &'static str, of: &dyn Fn(&Value) -> String| Difference::between(name, of(before), of(after));
    [
        both(words::field_title(), &|row| text(row, "title")),
        both(words::field_start_day(), &|row| when(row, "start")),
        both(words::field_end_day(), &|row| when(row, "end")),
        both(words::field_start_zone(), &|row| zone(row, "start")),
        both(words::field_from(), &|row| place(row, "from")),
        both(words::field_to(), &|row| place(row, "to")),
        both(words::field_place(), &|row| place(row, "place")),
        both(words::field_status(), &status),
        both(words::field_cost(), &|row| money(row, "cost")),
        both(words::budget(), &|row| money(row, "budget")),
        both(words::field_code(), &|row| text(row, "code")),
        both(words::field_note(), &|row| text(row, "note")),
        both(words::state(), &archived),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Words for a tool at work.
#[must_use]
pub fn doing(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "get_itinerary" | "get_segment" | "itinerary_list" | "show_route" => words::doing_reading(),
        "search_flights" => words::doing_flights(),
        "search_hotels" => words::doing_hotels(),
        "search_transfers" => words::doing_transfers(),
        "search_web" => words::doing_web(),
        "search_ask" | "search_answer" => words::doing_elsewhere(),
        "check_itinerary" => words::doing_checking(),
        "move_segment" | "reorder_segments" => words::doing_moving(),
        "geocode_location" | "get_distance" => words::doing_places(),
        "update_preferences" => words::doing_noting(),
        "itinerary_export" | "itinerary_import" => words::doing_file(),
        "add_flight"
        | "add_hotel"
        | "add_activity"
        | "add_transfer"
        | "add_meeting"
        | "add_traveler"
        | "update_segment"
        | "delete_segment"
        | "update_itinerary"
        | "itinerary_create"
        | "itinerary_duplicate"
        | "itinerary_archive"
        | "itinerary_delete" => words::doing_planning(),
        _ => return None,
    })
}

/// What may be said after a tool: each is understood by the built-in model.
#[must_use]
pub fn follow_ups(tool: &str) -> Vec<&'static str> {
    match tool {
        "get_itinerary" | "add_flight" | "add_hotel" | "add_activity" | "add_transfer" | "add_meeting"
        | "update_segment" | "move_segment" => vec![words::say_wrong(), words::say_cost()],
        "check_itinerary" => vec![words::say_show(), words::say_later()],
        "itinerary_create" | "itinerary_list" | "itinerary_duplicate" => vec![words::say_show()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use ui_kit::outcome;

    use super::{doing, follow_ups, line};

    #[test]
    fn a_move_is_told_with_before_and_after() {
        let row =
            |at: &str| json!({ "id": "s", "title": "Louvre", "start": { "at": at, "zone": "Europe/Paris" } });
        let answer = json!({ "summary": "", "changes": [{ "domain": "trip", "table": "segments", "id": "s", "label": "Louvre",
            "before": row("2026-06-16T10:00"), "after": row("2026-06-17T10:00") }] });
        let line = line(&outcome(&answer).unwrap().changes[0]).unwrap();
        assert_eq!((line.title.as_str(), line.differences.len()), ("Louvre", 1));
        assert_eq!(line.differences[0].before, "Tue, 16 Jun 2026, 10:00");
        assert_eq!(line.differences[0].after, "Wed, 17 Jun 2026, 10:00");
    }

    #[test]
    fn what_is_new_says_when_it_is() {
        let answer = json!({ "summary": "", "changes": [{ "domain": "trip", "table": "itineraries", "id": "i", "label": "Paris",
            "before": null, "after": { "id": "i", "title": "Paris", "start": "2026-06-15", "end": "2026-06-22" } }] });
        let line = line(&outcome(&answer).unwrap().changes[0]).unwrap();
        assert_eq!(line.aside, "Mon, 15 Jun 2026 – Mon, 22 Jun 2026");
    }

    #[test]
    fn every_tool_of_trips_has_words_while_it_works() {
        let tools: serde_json::Value =
            serde_json::from_str(include_str!("../../trip/src/listing.json")).unwrap();
        let tools = tools.get("tools").unwrap_or(&tools).as_array().unwrap().clone();
        assert!(tools.len() > 25);
        for tool in tools {
            let name = tool["name"].as_str().unwrap();
            assert!(doing(name).is_some(), "{name}");
        }
        assert_eq!((doing("todo_list"), follow_ups("todo_list")), (None, vec![]));
    }
}
