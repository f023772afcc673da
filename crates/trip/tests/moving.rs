//! `move_segment` on random itineraries (issue 16, acceptance 3): dependants keep their distance, pinned ones do not move, undo gives the
//! same bytes. Through a real server.

use crate::common;

use common::Desk;
use jiff::civil::DateTime;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A segment of a random itinerary. What it hangs on comes before it.
#[derive(Clone, Debug)]
struct Random {
    /// Minutes from the beginning of the trip.
    start: i64,
    length: i64,
    is_all_day: bool,
    is_pinned: bool,
    on: Vec<(usize, &'static str)>,
}

const HOW: [&str; 5] = ["same_shift", "starts_after_end", "starts_with", "ends_with", "ends_before_start"];

fn random() -> impl Strategy<Value = (Vec<Random>, usize, i64)> {
    let one = (0..20_000_i64, 15..3_000_i64, prop::bool::weighted(0.25), prop::bool::weighted(0.2));
    let on = prop::collection::vec((any::<prop::sample::Index>(), 0..HOW.len()), 0..3);
    prop::collection::vec((one, on), 2..12)
        .prop_flat_map(|all| {
            let count = all.len();
            let shift = prop_oneof![-5_000..5_000_i64, (-20..20_i64).prop_map(|days| days * 1_440)];
            (Just(all), 0..count, shift)
        })
        .prop_map(|(all, moved, by)| {
            let all =
                all.into_iter().enumerate().map(|(place, ((start, length, is_all_day, is_pinned), on))| {
                    let on = if place == 0 { Vec::new() } else { on };
                    let mut hangs: Vec<(usize, &'static str)> = Vec::new();
                    for (on, how) in on {
                        let on = on.index(place);
                        // On each other one it hangs once, as was said last.
                        hangs.retain(|(known, _)| *known != on);
                        hangs.push((on, HOW[how]));
                    }
                    let on = hangs;
                    Random { start, length, is_all_day, is_pinned, on }
                });
            (all.collect(), moved, by)
        })
}

fn text(minutes: i64, is_all_day: bool) -> String {
    let begin: DateTime = jiff::civil::date(2026, 3, 20).at(0, 0, 0, 0);
    let at = dates::calendar::minutes_later(begin, minutes).unwrap();
    let day = dates::iso::day_text(at.date());
    if is_all_day { day } else { format!("{day}T{:02}:{:02}", at.hour(), at.minute()) }
}

fn minutes(at: &Value) -> i64 {
    let begin: DateTime = jiff::civil::date(2026, 3, 20).at(0, 0, 0, 0);
    let text = at["at"].as_str().unwrap();
    let moment = dates::iso::read_moment(text)
        .unwrap_or_else(|| dates::iso::read_day(text).unwrap().to_datetime(jiff::civil::Time::midnight()));
    dates::calendar::minutes_between(begin, moment)
}

fn day(minutes: i64) -> i64 {
    minutes.div_euclid(1_440)
}

/// Both ends of each segment, in minutes, by the number in its title.
fn ends(desk: &Desk) -> Vec<(i64, i64)> {
    let mut all = desk.done("get_itinerary", json!({}))["segments"].as_array().unwrap().clone();
    all.sort_by_key(|one| one["title"].as_str().unwrap().parse::<usize>().unwrap());
    all.iter().map(|one| (minutes(&one["start"]), minutes(&one["end"]))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dependants_keep_their_distance_and_pinned_ones_stay((all, moved, by) in random()) {
        let desk = Desk::quick();
        desk.done("itinerary_create", json!({ "title": "T" }));
        let zones = ["Europe/Berlin", "America/New_York", "Pacific/Auckland"];
        let mut ids: Vec<Value> = Vec::new();
        for (place, one) in all.iter().enumerate() {
            let on: Vec<Value> = one.on.iter().map(|(on, how)| json!({ "on": ids[*on], "how": how })).collect();
            let done = desk.done("add_meeting", json!({
                "title": place.to_string(), "start": text(one.start, one.is_all_day), "end": text(one.start + one.length, one.is_all_day),
                "zone": zones[place % 3], "code": if one.is_pinned { "X" } else { "" }, "depends_on": on,
            }));
            ids.push(done["segmentId"].clone());
        }
        let (bytes, before) = (desk.bytes(), ends(&desk));
        // What has days alone goes by days; the person changed the booking of the one that they move.
        let by = if all[moved].is_all_day { by / 1_440 * 1_440 } else { by };
        let done = desk.done("move_segment", json!({ "segment": ids[moved], "by_minutes": by, "booking_changed": true }));
        let after = ends(&desk);
        let shift = |place: usize| (after[place].0 - before[place].0, after[place].1 - before[place].1);
        prop_assert_eq!(shift(moved), (by, by));
        for (place, one) in all.iter().enumerate().filter(|(place, _)| *place != moved) {
            let is_reported = done["notMoved"].as_array().is_some_and(|all| all.iter().any(|not| not["id"] == ids[place]));
            // How far the one that decides moved: the first in the list that did.
            let anchor = one.on.iter().find_map(|(on, how)| {
                let by_end = matches!(*how, "starts_after_end" | "ends_with");
                let (was, is) = if by_end { (before[*on].1, after[*on].1) } else { (before[*on].0, after[*on].0) };
                (was != is).then_some((was, is))
            });
            let expected = anchor.map_or(0, |(was, is)| {
                if one.is_all_day { (day(is) - day(was)) * 1_440 } else { is - was }
            });
            if one.is_pinned {
                prop_assert_eq!(shift(place), (0, 0));
                prop_assert_eq!(is_reported, expected != 0);
            } else {
                prop_assert_eq!(shift(place), (expected, expected), "{} of {:?}", place, all);
                prop_assert!(!is_reported);
            }
        }
        if by != 0 {
            desk.done("undo", json!({}));
        }
        prop_assert_eq!(desk.bytes(), bytes);
    }
}
