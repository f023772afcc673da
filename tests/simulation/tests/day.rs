//! The day of a million people, and the page that tells of it.
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

use simulation::{Costs, People, plan, play, report};

/// Arithmetic and the day that is played come to the same, within what chance does; and docs/beyond.md says what they say
/// (`SATCHEL_WRITE_LISTINGS=1` writes it anew).
#[test]
fn the_day_of_a_million_people_goes_as_planned_and_as_it_is_told() {
    let costs = Costs::default();
    let of = |count| People { count, ..People::default() };
    let plans = [1_000, 100_000, 1_000_000].map(|count| (of(count), plan(&of(count), &costs)));
    let (people, planned) = &plans[2];
    let day = play(people, &costs, planned);
    let is_near = |one: f64, other: f64, part: f64| (one - other).abs() <= other * part;
    assert!(is_near(day.peak_per_s, planned.messages_per_s, 0.15), "{day:?} {planned:?}");
    assert!(is_near(day.open as f64, planned.open, 0.15), "{day:?} {planned:?}");
    assert!(day.busiest_core < 0.9 && day.busiest_cluster < 0.9, "{day:?}");
    assert!(day.touched > 0 && day.longest_s < costs.takeover_s + 10.0, "{day:?}");
    let told = report(&plans, &costs, &day);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/beyond.md");
    let page = std::fs::read_to_string(file).unwrap();
    let (start, end) = ("<!-- simulation -->\n", "<!-- end -->");
    let (before, rest) = page.split_once(start).unwrap();
    let (there, after) = rest.split_once(end).unwrap();
    if std::env::var_os("SATCHEL_WRITE_LISTINGS").is_some() {
        std::fs::write(file, format!("{before}{start}{told}{end}{after}")).unwrap();
    } else {
        assert_eq!(there, told, "SATCHEL_WRITE_LISTINGS=1 writes it anew");
    }
}
