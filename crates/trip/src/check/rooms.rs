//! Beds: two for one night, and fewer than there are people.

use domain::counted;
use serde_json::json;

use super::telling::{call, day, row as told, title};
use super::timeline::{Row, Trip, hour};
use super::{Findings, Said, rule};
use crate::model::{Kind, Traveller, TravellerKind};

/// Two stays that have less in common are no two beds for one night, in seconds: one leaves the one and comes to the other.
const NIGHT: i64 = 8 * 3_600;

/// A stay of which both ends are known.
struct Stay<'a, 'b> {
    row: &'b Row<'a>,
    from: i64,
    to: i64,
    /// Whether its moments are in a known zone; otherwise they are by the clock on the wall.
    has_zone: bool,
    /// How many people it is for; none where that is not known.
    people: Option<u64>,
    /// How many it holds; none where that is not known.
    holds: Option<u64>,
}

pub(super) fn check(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    let mut stays: Vec<Stay<'_, '_>> = trip.rows.iter().filter_map(|row| stay(trip, row)).collect();
    order::sort_by_key(&mut stays, |stay| (stay.from, stay.row.place));
    let mut on: Vec<usize> = Vec::new();
    for (at, next) in stays.iter().enumerate() {
        on.retain(|one| stays.get(*one).is_some_and(|one| one.to > next.from));
        let twice = on.iter().filter_map(|one| stays.get(*one)).filter(|one| {
            is_same_night(one, next)
                && (has_room_for_all(one) || has_room_for_all(next))
                && !one.row.segment.accepts_beside(rule::BED_TWICE, &next.row.segment.id)
                && !next.row.segment.accepts_beside(rule::BED_TWICE, &one.row.segment.id)
        });
        if let Some(one) = twice.max_by_key(|one| (one.to, one.row.place)) {
            findings.warn(&[one.row, next.row], bed_twice(one, next));
        }
        on.push(at);
    }
    for stay in &stays {
        too_many(trip, stay, &stays, findings);
    }
}

fn stay<'a, 'b>(trip: &Trip<'_>, row: &'b Row<'a>) -> Option<Stay<'a, 'b>> {
    if row.segment.kind != Kind::Hotel || !row.is_settled() {
        return None;
    }
    let (start, end) = (row.start.point()?, row.end.point()?);
    let (from, to) = (start.moment_or(hour(15)), end.moment_or(hour(11)));
    let has_zone = start.zone.is_some() && end.zone.is_some();
    Some(Stay { row, from, to, has_zone, people: people(trip, row), holds: holds(trip, row) })
}

/// Whether both are for the same people in the same night.
fn is_same_night(one: &Stay<'_, '_>, other: &Stay<'_, '_>) -> bool {
    one.has_zone == other.has_zone
        && one.row.who & other.row.who != 0
        && one.to.min(other.to) - one.from.max(other.from) > NIGHT
}

/// Whether one needs no other beside it, as far as is known.
fn has_room_for_all(stay: &Stay<'_, '_>) -> bool {
    stay.holds.zip(stay.people).is_none_or(|(holds, people)| holds >= people)
}

fn bed_twice(one: &Stay<'_, '_>, next: &Stay<'_, '_>) -> Said {
    let night = next.row.start.point().map(|point| day(point.day)).unwrap_or_default();
    Said {
        rule: rule::BED_TWICE,
        text: format!("{} and {} are both for the night of {night}.", told(one.row), told(next.row)),
        way_out: format!(
            "Let {} end when {} begins, or say why both are wanted.",
            title(one.row),
            title(next.row)
        ),
        call: None,
    }
}

/// How many beds are needed: infants have none of their own. None where nobody said who travels, nor how many.
fn people(trip: &Trip<'_>, row: &Row<'_>) -> Option<u64> {
    let travellers = &trip.itinerary.travellers;
    if travellers.is_empty() && row.segment.who.is_empty() {
        return trip.heads.map(u64::from).filter(|count| *count > 0);
    }
    let needs_bed = |traveller: &&Traveller| !is_infant(traveller, row);
    let count = if row.segment.who.is_empty() {
        travellers.iter().filter(needs_bed).count()
    } else {
        let mut who: Vec<&String> = row.segment.who.iter().collect();
        order::sort(&mut who);
        who.dedup();
        let is_infant = |id: &&String| {
            travellers.iter().any(|traveller| traveller.id == **id && is_infant(traveller, row))
        };
        who.iter().filter(|id| !is_infant(id)).count()
    };
    u64::try_from(count).ok().filter(|count| *count > 0)
}

fn is_infant(traveller: &Traveller, row: &Row<'_>) -> bool {
    match traveller.kind {
        Some(kind) => kind == TravellerKind::Infant,
        None => {
            let born = traveller.born.as_deref().and_then(super::timeline::strict_day);
            let start = row.start.point().map(|point| point.day);
            born.zip(start).is_some_and(|(born, start)| {
                (start.year(), start.month(), start.day())
                    < (born.year().saturating_add(2), born.month(), born.day())
            })
        }
    }
}

/// How many people the rooms hold; none where nobody said anything of them.
fn holds(trip: &Trip<'_>, row: &Row<'_>) -> Option<u64> {
    let (sleeps, rooms) = (row.segment.sleeps, row.segment.rooms);
    if sleeps.is_none() && rooms.is_none() {
        return None;
    }
    let sleeps = sleeps.unwrap_or(trip.assumed.room_sleeps);
    Some(u64::from(sleeps).saturating_mul(u64::from(rooms.unwrap_or(1))))
}

/// More people than beds, with all that is for the same people in the same night.
fn too_many(trip: &Trip<'_>, stay: &Stay<'_, '_>, stays: &[Stay<'_, '_>], findings: &mut Findings<'_>) {
    let (Some(people), Some(holds)) = (stay.people, stay.holds) else { return };
    if people <= holds {
        return;
    }
    let mut rows = vec![stay.row];
    let mut all = holds;
    for other in stays.iter().filter(|other| other.row.place != stay.row.place && is_same_night(stay, other))
    {
        let Some(holds) = other.holds else { return };
        all = all.saturating_add(holds);
        rows.push(other.row);
    }
    // Of several rows that are too small together the first one says it.
    let is_first = rows.iter().all(|row| stay.row.place <= row.place);
    if people <= all || !is_first {
        return;
    }
    let segment = stay.row.segment;
    let assumed = if segment.sleeps.is_none() {
        format!(" ({} to a room are reckoned with)", trip.assumed.room_sleeps)
    } else if segment.rooms.is_none() {
        " (one room is reckoned with)".to_owned()
    } else {
        String::new()
    };
    let count = |number: u64| counted(usize::try_from(number).unwrap_or(usize::MAX), "person", "people");
    let each = segment.sleeps.unwrap_or(trip.assumed.room_sleeps).max(1);
    let rooms = people.div_ceil(u64::from(each));
    let titles: Vec<String> = rows.iter().map(|row| title(row)).collect();
    let holds = if rows.len() == 1 { "holds" } else { "hold" };
    findings.warn(
        &rows,
        Said {
            rule: rule::TOO_MANY_PEOPLE,
            text: format!(
                "{} {holds} {}{assumed}, and {} there.",
                super::telling::list(&titles),
                count(all),
                if people == 1 { "1 sleeps".to_owned() } else { format!("{people} sleep") }
            ),
            way_out: format!(
                "Take {}, or a larger one.",
                counted(usize::try_from(rooms).unwrap_or(usize::MAX), "room", "rooms")
            ),
            call: (rows.len() == 1).then(|| call("update_segment", stay.row, json!({ "rooms": rooms }))),
        },
    );
}
