//! What the tools did to trips, as lines of the chat, of approvals and of the history. Pure.

use serde_json::Value;
use ui_kit::dates::{day_in_full, time_written};
use ui_kit::language::Word;
use ui_kit::{Difference, DomainChange, Line};

use crate::days::zone_city;
use crate::model::{Money, Status, When, named};
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
    value.as_str().map_or_else(|| at_said(text(value, "at")), day_said)
}

/// When something is, as the clock on its wall says it: `Mon, 15 Jun 2026, 09:00`.
#[must_use]
pub fn when_said(when: &When) -> String {
    at_said(&when.at)
}

fn at_said(at: &str) -> String {
    match at.split_once('T') {
        Some((day, time)) => words::day_and_time(&day_said(day), &time_written(time)),
        None => day_said(at),
    }
}

fn day_said(day: &str) -> String {
    day_in_full(day).unwrap_or_else(|| day.to_owned())
}

/// A text of a row; empty where there is none.
fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// How a field of a row is said.
#[derive(Clone, Copy)]
enum How {
    Text,
    When,
    Zone,
    Place,
    Money,
    Status,
    Archived,
}

/// What can be told of a row with before and after, in this order.
const TOLD: [(Word, &str, How); 13] = [
    (words::field_title, "title", How::Text),
    (words::field_start_day, "start", How::When),
    (words::field_end_day, "end", How::When),
    (words::field_start_zone, "start", How::Zone),
    (words::field_from, "from", How::Place),
    (words::field_to, "to", How::Place),
    (words::field_place, "place", How::Place),
    (words::field_status, "status", How::Status),
    (words::field_cost, "cost", How::Money),
    (words::budget, "budget", How::Money),
    (words::field_code, "code", How::Text),
    (words::field_note, "note", How::Text),
    (words::state, "archived_ms", How::Archived),
];

// Field by field out of the JSON: the page's first part has to say this, and what reads whole rows comes with the panel.
fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let said = |row: &Value, (_, name, how): &(Word, &str, How)| {
        row.get(*name).map(|value| said(value, *how)).unwrap_or_default()
    };
    TOLD.iter()
        .filter_map(|field| Difference::between(field.0(), said(before, field), said(after, field)))
        .collect()
}

// Twice in a line above, and large.
#[inline(never)]
fn said(value: &Value, how: How) -> String {
    match how {
        How::Text => value.as_str().unwrap_or_default().to_owned(),
        How::When => moment(value),
        How::Zone => zone_city(text(value, "zone")),
        How::Place => named(text(value, "name"), text(value, "iata")),
        How::Money => {
            let minor = value.get("minor").and_then(Value::as_i64);
            let money = minor.map(|minor| Money { minor, currency: text(value, "currency").to_owned() });
            money.map(|money| money.said()).unwrap_or_default()
        }
        How::Status => {
            let word = value.as_str().unwrap_or_default();
            let status = Status::ALL.into_iter().find(|status| status.word() == word);
            status.map(|status| status.name().to_owned()).unwrap_or_default()
        }
        How::Archived if value.is_null() => String::new(),
        How::Archived => words::archived().to_owned(),
    }
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
