//! Nights without a bed. A night on board of a flight, a train or a ship is one with a bed, as is one of which something else is planned;
//! so is one at home.
//!
//! A night is missing if all of the hours from 1:00 to 5:00 by the clock there are free of everything. Nights are looked at for each
//! person, and told together where they are the same.

use dates::calendar::{days_between, days_later};
use dates::iso::day_text;
use domain::{counted, quoted};
use jiff::civil::Date;
use places::Zone;
use serde_json::json;

use super::telling::{day, list};
use super::timeline::{HOME_KM, Row, Trip, distance, hour};
use super::{Call, Findings, Said, rule};
use crate::model::{Kind, Place};

/// From so far on a transfer leads to somewhere else, in kilometres.
const AWAY_KM: f64 = 100.0;
/// What the clocks of a place that is not known may differ by at the most, in seconds.
const ANY_ZONE: i64 = 14 * 3_600;
/// Where no row reaches, single nights may be on the way to or from the trip.
const EDGE_NIGHTS: i64 = 2;
/// Beyond the ends of any calendar, in seconds.
const EVER: i64 = i64::MAX / 4;

/// Hours that are not free.
struct Cover<'a, 'b> {
    from: i64,
    to: i64,
    row: &'b Row<'a>,
    zones: (Option<Zone>, Option<Zone>),
}

/// Nights in a row without a bed.
#[derive(PartialEq)]
struct Missing {
    first: Date,
    last: Date,
    /// The places in the itinerary of the beds before and after.
    beds: (Option<usize>, Option<usize>),
}

pub(super) fn check(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    let covers: Vec<Cover<'_, '_>> = {
        let mut covers: Vec<_> = trip.rows.iter().filter_map(cover).collect();
        order::sort_by_key(&mut covers, |cover| (cover.from, cover.row.place));
        covers
    };
    let is_away = |cover: &Cover<'_, '_>| {
        let segment = cover.row.segment;
        let is_far = || distance(segment.from.as_ref(), segment.to.as_ref()).is_some_and(|km| km > AWAY_KM);
        matches!(segment.kind, Kind::Hotel | Kind::Flight) || (segment.kind == Kind::Transfer && is_far())
    };
    // Visits alone may all be where the travellers live.
    if !covers.iter().any(is_away) {
        return;
    }
    let is_for_all = covers.iter().all(|cover| cover.row.who == u64::MAX);
    let people = if is_for_all { 1 } else { trip.people.len().clamp(1, 64) };
    let mut all: Vec<(Missing, Vec<usize>)> = Vec::new();
    for person in 0..people {
        let theirs: Vec<&Cover<'_, '_>> =
            covers.iter().filter(|cover| cover.row.who & (1 << person) != 0).collect();
        for missing in nights_of(trip, &theirs) {
            match all.iter_mut().find(|(known, _)| *known == missing) {
                Some((_, who)) => who.push(person),
                None => all.push((missing, vec![person])),
            }
        }
    }
    for (missing, who) in all {
        let names = if who.len() == people { Vec::new() } else { names(trip, &who) };
        let row_at = |place: Option<usize>| trip.rows.get(place?);
        let rows: Vec<&Row<'_>> = [missing.beds.0, missing.beds.1].into_iter().filter_map(row_at).collect();
        let city = rows.iter().find_map(|row| row.segment.ends_at().map(|place| &*place.city));
        findings.warn(&rows, said(trip, &missing, &names, city.unwrap_or_default()));
    }
}

fn names(trip: &Trip<'_>, who: &[usize]) -> Vec<String> {
    let name = |person: &usize| Some(quoted(&trip.itinerary.travellers.get(*person)?.name));
    who.iter().filter_map(name).collect()
}

fn said(trip: &Trip<'_>, missing: &Missing, names: &[String], city: &str) -> Said {
    let nights = days_between(missing.first, missing.last).saturating_add(1);
    let whose = if names.is_empty() { String::new() } else { format!(" for {}", list(names)) };
    let until = days_later(missing.last, 1).unwrap_or(missing.last);
    let which = if nights == 1 {
        format!("the night of {}", day(missing.first))
    } else {
        let count = counted(usize::try_from(nights).unwrap_or(usize::MAX), "night", "nights");
        format!("{count} from {} to {}", day(missing.first), day(until))
    };
    Said {
        rule: rule::NIGHT_WITHOUT_BED,
        text: format!("There is no bed{whose} for {which}."),
        way_out: format!(
            "Add a hotel from {} to {}, let another stay reach so far, or say where the night is spent.",
            day(missing.first),
            day(until)
        ),
        // Which one is for the person to say: this adds that there is to be one.
        call: (!city.is_empty()).then(|| Call {
            tool: "add_hotel",
            arguments: json!({
                "itinerary": trip.itinerary.id,
                "place": city,
                "start": day_text(missing.first),
                "end": day_text(until),
            }),
        }),
    }
}

fn cover<'a, 'b>(row: &'b Row<'a>) -> Option<Cover<'a, 'b>> {
    if !row.is_settled() || row.is_rental() {
        return None;
    }
    let (start, end) = (row.start.point(), row.end.point());
    let noon = hour(12);
    let (from, to) = if row.segment.kind == Kind::Hotel {
        // One may come and go at any time of these days.
        let from = start.map_or(-EVER, |point| point.at(noon).min(point.moment_or(noon)));
        (from, end.map_or(EVER, |point| point.at(noon).max(point.moment_or(noon))))
    } else {
        let from = start.or(end)?.moment_or(noon);
        (from, end.map_or(from, |point| point.moment_or(noon)))
    };
    let zones = (start.and_then(|point| point.zone), end.or(start).and_then(|point| point.zone));
    let pad = |zone: Option<Zone>| if zone.is_some() { 0 } else { ANY_ZONE };
    let (from, to) = (from - pad(zones.0), to + pad(zones.1));
    (from <= to).then_some(Cover { from, to, row, zones })
}

/// Whether it is a bed, or leads from one to another.
fn is_bed(cover: &Cover<'_, '_>) -> bool {
    cover.row.segment.kind == Kind::Hotel || cover.row.is_way()
}

/// The nights without a bed of one person, whose covers these are, by their beginning.
fn nights_of(trip: &Trip<'_>, covers: &[&Cover<'_, '_>]) -> Vec<Missing> {
    let mut all = Vec::new();
    let Some(first) = covers.first() else { return all };
    let mut reach: &Cover<'_, '_> = first;
    let mut bed: Option<&Cover<'_, '_>> = None;
    for (at, cover) in covers.iter().enumerate() {
        if cover.from > reach.to {
            let after = covers.get(at..).into_iter().flatten().find(|cover| is_bed(cover));
            let nights = between(reach, cover);
            let beds = (bed.map(|bed| bed.row.place), after.map(|after| after.row.place));
            all.extend(
                nights
                    .and_then(|nights| in_trip(trip, nights))
                    .map(|(first, last)| Missing { first, last, beds })
                    .filter(|_| !is_at_home(trip, reach, cover)),
            );
        }
        if cover.to >= reach.to {
            reach = cover;
        }
        if is_bed(cover) && bed.is_none_or(|bed| cover.to >= bed.to) {
            bed = Some(cover);
        }
    }
    all.extend(edges(trip, first, reach, covers));
    all
}

/// The first and the last night in a gap.
fn between(before: &Cover<'_, '_>, after: &Cover<'_, '_>) -> Option<(Date, Date)> {
    let last = night_before(after)?;
    let first = night_after(before)?;
    (first <= last).then_some((first, last))
}

/// The first night that is wholly after it, by the day it begins on.
fn night_after(cover: &Cover<'_, '_>) -> Option<Date> {
    let zone = cover.zones.1.or(cover.zones.0).or_else(|| Zone::named("UTC"))?;
    let civil = zone.civil(cover.to);
    if civil.time() <= hour(1) { days_later(civil.date(), -1) } else { Some(civil.date()) }
}

/// The last night that is wholly before it.
fn night_before(cover: &Cover<'_, '_>) -> Option<Date> {
    let zone = cover.zones.0.or(cover.zones.1).or_else(|| Zone::named("UTC"))?;
    let civil = zone.civil(cover.from);
    days_later(civil.date(), if civil.time() >= hour(5) { -1 } else { -2 })
}

/// What of some nights is on the trip, where its days are known: an errand before it is none.
fn in_trip(trip: &Trip<'_>, (first, last): (Date, Date)) -> Option<(Date, Date)> {
    let Some((start, end)) = trip.days else { return Some((first, last)) };
    let (first, last) = (first.max(start), last.min(days_later(end, -1)?));
    (first <= last).then_some((first, last))
}

/// Whether the gap between two rows is spent at home.
fn is_at_home(trip: &Trip<'_>, before: &Cover<'_, '_>, after: &Cover<'_, '_>) -> bool {
    let left = before.row.segment.ends_at();
    is_near_home(trip, left)
        || (left.and_then(Place::spot).is_none() && is_near_home(trip, after.row.segment.starts_at()))
}

fn is_near_home(trip: &Trip<'_>, place: Option<&Place>) -> bool {
    distance(trip.itinerary.home.as_ref(), place).is_some_and(|km| km <= HOME_KM)
}

/// Nights at the trip's ends that no row reaches, if there are hotels at all.
fn edges(
    trip: &Trip<'_>,
    first: &Cover<'_, '_>,
    last: &Cover<'_, '_>,
    covers: &[&Cover<'_, '_>],
) -> Vec<Missing> {
    let mut all = Vec::new();
    let has_hotel = covers.iter().any(|cover| cover.row.segment.kind == Kind::Hotel);
    let Some((start, end)) = trip.days.filter(|_| has_hotel) else { return all };
    let place = |cover: &Cover<'_, '_>| Some(cover.row.place).filter(|_| is_bed(cover));
    if !is_near_home(trip, first.row.segment.starts_at())
        && let Some(until) = night_before(first)
        && days_between(start, until) + 1 >= EDGE_NIGHTS
    {
        all.extend(in_trip(trip, (start, until)).map(|(first_night, last_night)| Missing {
            first: first_night,
            last: last_night,
            beds: (None, place(first)),
        }));
    }
    if !is_near_home(trip, last.row.segment.ends_at())
        && let (Some(from), Some(until)) = (night_after(last), days_later(end, -1))
        && days_between(from, until) + 1 >= EDGE_NIGHTS
    {
        all.extend(in_trip(trip, (from, until)).map(|(first_night, last_night)| Missing {
            first: first_night,
            last: last_night,
            beds: (place(last), None),
        }));
    }
    all
}
