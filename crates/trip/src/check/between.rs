//! Two rows: whether they are at the same time, and whether there is time enough from one to the next. And one row that goes too fast.
//!
//! Rows are looked at in the order in which they begin; each is held against those that are still on, and against the last one that each
//! of its people was at. Hotels take no time of a day.

use super::borders::is_open;
use super::telling::{kilometres, minutes, point, row as told, shift, title, whole};
use super::timeline::{DAY, Row, Trip, distance};
use super::travel::{SAME_KM, fastest, most_kmh};
use super::{Findings, Said, rule};
use crate::model::{Kind, Mode, Place, Segment};

/// Two places so near are the same airport, or at it, in kilometres.
const AIRPORT_KM: f64 = 4.0;
/// The airports of a city are up to so far from its middle, in kilometres: Beauvais is 75 from Paris, Skavsta 100 from Stockholm.
const CITY_KM: f64 = 100.0;
/// What is shorter by so little is left to the person, in minutes: visits have no bell.
const LEEWAY: i64 = 10;

/// A row that takes time.
struct Stop<'a, 'b> {
    row: &'b Row<'a>,
    start: i64,
    /// The same as the start where the end is not known.
    end: i64,
}

pub(super) fn check(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    for row in &trip.rows {
        same_airport(row, findings);
    }
    let mut stops: Vec<Stop<'_, '_>> = trip.rows.iter().filter_map(stop).collect();
    order::sort_by_key(&mut stops, |stop| (stop.start, stop.row.place));
    // Who was last where, by bit.
    let mut last = [None; 64];
    let mut on: Vec<usize> = Vec::new();
    for (at, next) in stops.iter().enumerate() {
        of_itself(trip, next.row, findings);
        on.retain(|one| stops.get(*one).is_some_and(|one| one.end > next.start || one.start == next.start));
        let over = on.iter().filter_map(|one| stops.get(*one)).filter(|one| is_overlap(one, next));
        // One pair a row is enough to say it: the one that lasts longest.
        if let Some(one) = over.max_by_key(|one| (one.end, one.row.place)) {
            findings.warn(&[one.row, next.row], overlap(one, next));
        }
        on.push(at);
        if next.row.is_rental() {
            continue;
        }
        let mut before: Vec<usize> = Vec::new();
        for (bit, last) in last.iter_mut().enumerate() {
            if next.row.who & (1 << bit) == 0 {
                continue;
            }
            let previous = last.and_then(|last: usize| Some((last, stops.get(last)?)));
            if let Some((at, previous)) = previous
                && previous.end <= next.start
                && !before.contains(&at)
            {
                before.push(at);
            }
            if previous.is_none_or(|(_, previous)| previous.end <= next.end) {
                *last = Some(at);
            }
        }
        for one in before.iter().filter_map(|at| stops.get(*at)) {
            if !is_same_time(one, next) {
                way(trip, one, next, findings);
            }
        }
    }
}

fn stop<'a, 'b>(row: &'b Row<'a>) -> Option<Stop<'a, 'b>> {
    let takes_time =
        matches!(row.segment.kind, Kind::Flight | Kind::Activity | Kind::Transfer | Kind::Meeting);
    if !row.is_settled() || !takes_time {
        return None;
    }
    let (start, end) = row.moments()?;
    Some(Stop { row, start, end })
}

/// Whether both take up the same moment; two that begin together do, if one of them is no transfer of unknown length.
fn is_same_time(one: &Stop<'_, '_>, next: &Stop<'_, '_>) -> bool {
    let is_vague = |stop: &Stop<'_, '_>| stop.row.segment.kind == Kind::Transfer && !stop.row.has_end();
    one.end > next.start || (one.start == next.start && !is_vague(one) && !is_vague(next))
}

fn is_overlap(one: &Stop<'_, '_>, next: &Stop<'_, '_>) -> bool {
    let (first, second) = (one.row.segment, next.row.segment);
    one.row.who & next.row.who != 0
        && is_same_time(one, next)
        && !first.accepts_beside(rule::OVERLAP, &second.id)
        && !second.accepts_beside(rule::OVERLAP, &first.id)
        && !one.row.is_rental()
        && !next.row.is_rental()
        && !(next.end <= one.end && holds(one, first, second))
        && !(one.start == next.start && one.end <= next.end && holds(next, second, first))
}

/// Whether the second may take place within the first: a lunch at the congress, a walk on the days of a cruise.
fn holds(outer: &Stop<'_, '_>, first: &Segment, second: &Segment) -> bool {
    let is_stay = |segment: &Segment| matches!(segment.kind, Kind::Activity | Kind::Meeting);
    let is_long = first.kind != Kind::Flight && outer.end - outer.start > DAY;
    is_long
        || (is_stay(first) && is_stay(second) && is_at(first.place.as_ref(), second.place.as_ref(), SAME_KM))
}

/// Whether two places are one, by coordinates, an airport's letters or a name.
fn is_at(one: Option<&Place>, other: Option<&Place>, km: f64) -> bool {
    let (Some(first), Some(second)) = (one, other) else { return false };
    if !first.iata.is_empty() && !second.iata.is_empty() {
        return first.iata == second.iata;
    }
    match distance(one, other) {
        Some(apart) => apart <= km,
        None => !first.name.is_empty() && first.name == second.name,
    }
}

fn overlap(one: &Stop<'_, '_>, next: &Stop<'_, '_>) -> Said {
    let (way_out, call) = if one.end > next.start {
        let over = minutes_up(one.end - next.start);
        let back = minutes_up(next.end.max(next.start) - one.start);
        if next.row.segment.is_pinned() && !one.row.segment.is_pinned() {
            shift(one.row, -back)
        } else {
            shift(next.row, over)
        }
    } else {
        (format!("Move {} or {}", title(one.row), title(next.row)), None)
    };
    let zone = |stop: &Stop<'_, '_>| stop.row.start.point().and_then(|point| point.zone);
    let clocks = if zone(one) == zone(next) { "" } else { ", by the clocks of two zones" };
    Said {
        rule: rule::OVERLAP,
        text: format!("{} and {} are at the same time{clocks}.", told(one.row), told(next.row)),
        way_out: format!("{way_out}, or leave one of the two out."),
        call,
    }
}

/// Whether a flight or a transfer is faster than one can go, and whether a flight leads anywhere.
fn of_itself(trip: &Trip<'_>, row: &Row<'_>, findings: &mut Findings<'_>) {
    let segment = row.segment;
    let is_flight = segment.kind == Kind::Flight;
    if !row.is_way() || row.is_rental() {
        return;
    }
    let (Some(seconds), Some(km)) = (row.seconds(), distance(segment.from.as_ref(), segment.to.as_ref()))
    else {
        return;
    };
    let (most, from_km) = most_kmh(segment, is_flight, &trip.assumed);
    #[expect(clippy::cast_precision_loss, reason = "seconds of a calendar")]
    let hours = seconds.max(0) as f64 / 3_600.0;
    if km < from_km || km <= most * hours {
        return;
    }
    findings.warn(
        &[row],
        Said {
            rule: rule::IMPOSSIBLE_SPEED,
            text: format!(
                "{} is {} in {}: faster than {} km/h, which is the most reckoned with.",
                told(row),
                kilometres(km),
                minutes(seconds / 60),
                whole(most)
            ),
            way_out: "Look again at the two times; each is in the time of its own place.".to_owned(),
            call: None,
        },
    );
}

/// A flight that arrives where it left; it needs no times.
fn same_airport(row: &Row<'_>, findings: &mut Findings<'_>) {
    let segment = row.segment;
    let (Some(from), Some(to)) = (&segment.from, &segment.to) else { return };
    if segment.kind != Kind::Flight || !is_at(Some(from), Some(to), AIRPORT_KM) {
        return;
    }
    findings.warn(
        &[row],
        Said {
            rule: rule::SAME_AIRPORT,
            text: format!("{} arrives where it leaves, at {}.", told(row), from.name),
            way_out: "Say where it goes to.".to_owned(),
            call: None,
        },
    );
}

/// What is needed between two rows, and why.
struct Need {
    rule: &'static str,
    minutes: i64,
    /// What the time is for, in words.
    because: String,
    leeway: i64,
}

/// Whether there is time enough from one row to the next.
fn way(trip: &Trip<'_>, one: &Stop<'_, '_>, next: &Stop<'_, '_>, findings: &mut Findings<'_>) {
    let is_vague = one.row.is_way() && !one.row.has_end();
    if one.row.is_rental() || is_vague {
        return;
    }
    let Some(need) = needed(trip, one.row, next.row) else { return };
    let there_is = (next.start - one.end).div_euclid(60);
    let short = need.minutes - there_is;
    if short <= need.leeway {
        return;
    }
    // A visit is moved more easily than a flight.
    let is_for_flight = next.row.segment.kind == Kind::Flight && one.row.segment.kind != Kind::Flight;
    let (way_out, call) = if (is_for_flight || next.row.segment.is_pinned()) && !one.row.segment.is_pinned() {
        shift(one.row, -short)
    } else {
        shift(next.row, short)
    };
    let begins = next.row.start.point().map(point).unwrap_or_default();
    let between = format!(
        "Between {} and {} at {begins} there are {}",
        told(one.row),
        title(next.row),
        minutes(there_is)
    );
    findings.warn(
        &[one.row, next.row],
        Said {
            rule: need.rule,
            text: format!("{between}; needed are {}: {}.", minutes(need.minutes), need.because),
            way_out: format!("{way_out}, or say that it is so on purpose."),
            call,
        },
    );
}

/// The least time between two rows; none where nothing is known to be needed.
fn needed(trip: &Trip<'_>, one: &Row<'_>, next: &Row<'_>) -> Option<Need> {
    let (first, second) = (one.segment, next.segment);
    let (left, reached) = (first.ends_at(), second.starts_at());
    let km = distance(left, reached);
    // Of a flight without an airport's letters no more than its city is known: it lands at any airport there.
    let is_flight = |segment: &Segment| segment.kind == Kind::Flight;
    let has_letters = |place: Option<&Place>| place.is_some_and(|place| !place.iata.is_empty());
    let is_city = |segment: &Segment, place| is_flight(segment) && !has_letters(place);
    let is_in_city = (is_city(first, left) || is_city(second, reached)) && km.is_some_and(|km| km <= CITY_KM);
    let are_airports = (is_flight(first) || has_letters(left)) && (is_flight(second) || has_letters(reached));
    let is_at_airport = is_at(left, reached, AIRPORT_KM) || (is_in_city && are_airports);
    let hop = km.filter(|_| !is_in_city && (!is_at_airport || !is_flight(first) && !is_flight(second)));
    let hop = hop.map(|km| fastest(km, &trip.assumed)).filter(|hop| hop.minutes > 0);
    let (mut minutes, mut reasons) = (0, Vec::new());
    let mut rule = rule::NOT_ENOUGH_TIME;
    if let Some(hop) = &hop {
        minutes += hop.minutes;
        reasons.push(format!("the way ({})", hop.words));
    }
    let mut leeway = LEEWAY;
    // A visit of which nobody said where it is may be at the airport, or a call.
    let is_somewhere = |segment: &Segment| segment.kind == Kind::Transfer || km.is_some();
    match (first.kind, second.kind) {
        (Kind::Flight, Kind::Flight) if is_at_airport => {
            let (least, words) = connection(trip, first, second);
            minutes = least;
            reasons = vec![words];
            (rule, leeway) = (rule::SHORT_CONNECTION, 0);
        }
        (Kind::Flight, Kind::Flight) => {
            // Nothing is known of where one of them is: then neither is whether one changes there.
            if km.is_none() && !is_other_airport(left, reached) {
                return None;
            }
            leave_airport(trip, &mut minutes, &mut reasons);
            before_flight(trip, second, &mut minutes, &mut reasons);
            (rule, leeway) = (rule::SHORT_CONNECTION, 0);
        }
        (Kind::Flight, _) if is_somewhere(second) && !(is_at_airport && is_unhurried(second)) => {
            if !is_met(second) {
                leave_airport(trip, &mut minutes, &mut reasons);
            }
            leeway = 0;
        }
        (_, Kind::Flight) if is_somewhere(first) && !(is_at_airport && is_unhurried(first)) => {
            before_flight(trip, second, &mut minutes, &mut reasons);
            (rule, leeway) = (rule::LATE_FOR_FLIGHT, 0);
        }
        (_, Kind::Transfer) if is_scheduled(second) => leeway = 0,
        _ => {}
    }
    if hop.is_some_and(|hop| hop.is_far) {
        (rule, leeway) = (rule::IMPOSSIBLE_SPEED, 0);
    }
    (minutes > 0).then(|| Need { rule, minutes, because: reasons.join(", "), leeway })
}

/// Minutes between two flights at one airport, and what they are for.
fn connection(trip: &Trip<'_>, first: &Segment, second: &Segment) -> (i64, String) {
    let assumed = &trip.assumed;
    let crosses = |segment: &Segment| !is_open(country(segment.from.as_ref()), country(segment.to.as_ref()));
    // One booking for both: the airline answers for it and sells no less than the airport's own least.
    let is_one_booking = !first.code.is_empty() && first.code == second.code;
    if (crosses(first) || crosses(second)) && !is_one_booking {
        let least = assumed.connection_international_min;
        return (i64::from(least), format!("to change planes over a border ({least} min are reckoned with)"));
    }
    let least = assumed.connection_domestic_min;
    (i64::from(least), format!("to change planes ({least} min are reckoned with)"))
}

fn country(place: Option<&Place>) -> &str {
    place.map_or("", |place| &*place.country)
}

fn leave_airport(trip: &Trip<'_>, minutes: &mut i64, reasons: &mut Vec<String>) {
    let least = trip.assumed.leave_airport_min;
    *minutes += i64::from(least);
    reasons.push(format!("to leave the airport ({least} min are reckoned with)"));
}

/// Where no border is controlled two thirds are enough: airlines ask for an hour where they ask for 90 minutes else.
fn before_flight(trip: &Trip<'_>, flight: &Segment, minutes: &mut i64, reasons: &mut Vec<String>) {
    let all = trip.assumed.before_flight_min;
    let (from, to) = (country(flight.from.as_ref()), country(flight.to.as_ref()));
    let is_near = !from.is_empty() && !to.is_empty() && is_open(from, to);
    let least = if is_near { all / 3 * 2 } else { all };
    *minutes += i64::from(least);
    reasons.push(format!("to be at the airport before the flight ({least} min are reckoned with)"));
}

/// Whether both are known by their letters, and are two.
fn is_other_airport(one: Option<&Place>, other: Option<&Place>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    !one.iata.is_empty() && !other.iata.is_empty() && one.iata != other.iata
}

/// Whether it waits for who comes: at an airport a visit or a meeting, as a coffee in the lounge.
fn is_unhurried(segment: &Segment) -> bool {
    segment.kind != Kind::Transfer
}

/// Whether it may begin with the landing: drivers wait for flights, and one's own feet do.
fn is_met(segment: &Segment) -> bool {
    segment.kind == Kind::Transfer && !is_scheduled(segment)
}

/// Whether it leaves without who is late.
fn is_scheduled(segment: &Segment) -> bool {
    matches!(segment.mode, Some(Mode::Train | Mode::Bus | Mode::Ferry))
}

/// Seconds in minutes, rounded up.
fn minutes_up(seconds: i64) -> i64 {
    seconds.saturating_add(59).div_euclid(60)
}
