//! What is wrong with a date or a time by itself: it does not exist, it is the wrong way round, it is outside of the trip.

use ::dates::calendar::{days_between, minutes_between};
use ::dates::iso::day_text;
use domain::quoted;
use places::zone::Resolved;
use serde_json::{Value, json};

use super::telling::{call, day, point, row as told, time, title};
use super::timeline::{Point, Reading, Row, Trip, has_zones, strict_day};
use super::{Call, Findings, Said, rule};
use crate::model::Kind;

/// The most that clocks of two places differ: from 12 hours behind UTC to 14 before it.
const ZONES_APART_MINUTES: i64 = 26 * 60;

pub(super) fn check(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    of_the_trip(trip, findings);
    for row in &trip.rows {
        for (reading, which, field) in [(&row.start, "start", "start_zone"), (&row.end, "end", "end_zone")] {
            match reading {
                Reading::Open => {}
                Reading::Unreadable(text) => findings.error(&[row], unreadable(&title(row), which, text)),
                Reading::Known(at) => of_point(row, at, field, findings),
            }
        }
        if is_reversed(row) {
            findings.error(&[row], reversed(row));
        } else {
            outside(trip, row, findings);
        }
    }
}

fn unreadable(whose: &str, which: &str, text: &str) -> Said {
    Said {
        rule: rule::IMPOSSIBLE_DATE,
        text: format!("The {which} of {whose}, {}, is no date or time that exists.", quoted(text)),
        way_out: "Say the day again, with month and year.".to_owned(),
        call: None,
    }
}

/// Dates of the itinerary and of who travels.
fn of_the_trip(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    let itinerary = trip.itinerary;
    let read = |text: &str| text.is_empty() || strict_day(text).is_some();
    for (text, which) in [(&itinerary.start, "first day"), (&itinerary.end, "last day")] {
        if let Some(text) = text.as_deref().filter(|text| !read(text)) {
            findings.error(&[], unreadable("the trip", which, text));
        }
    }
    let days = |text: &Option<String>| strict_day(text.as_deref()?);
    if let (Some(start), Some(end)) = (days(&itinerary.start), days(&itinerary.end))
        && end < start
    {
        findings.error(
            &[],
            Said {
                rule: rule::END_BEFORE_START,
                text: format!("The trip ends on {}, before it begins on {}.", day(end), day(start)),
                way_out: "Say its first and its last day again.".to_owned(),
                call: Some(of_itinerary(trip, json!({ "start": itinerary.end, "end": itinerary.start }))),
            },
        );
    }
    for traveller in &itinerary.travellers {
        let whose = quoted(&traveller.name);
        if let Some(passport) = traveller.passport.as_ref().filter(|passport| !read(&passport.valid_until)) {
            findings.error(
                &[],
                unreadable(&format!("the passport of {whose}"), "last day", &passport.valid_until),
            );
        }
        for visa in &traveller.visas {
            for (text, which) in [(&visa.valid_from, "first day"), (&visa.valid_until, "last day")] {
                if !read(text) {
                    findings.error(&[], unreadable(&format!("a visa of {whose}"), which, text));
                }
            }
        }
    }
}

/// Its zone, and a time that clocks do not show once.
fn of_point(row: &Row<'_>, at: &Point<'_>, field: &str, findings: &mut Findings<'_>) {
    if at.zone.is_none() && !at.zone_said.is_empty() && has_zones() {
        let name = quoted(at.zone_said);
        findings.error(
            &[row],
            Said {
                rule: rule::UNKNOWN_ZONE,
                text: format!("{} has the time zone {name}, which does not exist.", title(row)),
                way_out: "Say the city whose time is meant: zones are named like Europe/Paris.".to_owned(),
                call: None,
            },
        );
    }
    let (Some(zone), Some(civil)) = (at.zone, at.civil) else { return };
    if row.segment.kind == Kind::Note {
        return;
    }
    let (when, city) = (point(at), zone.name());
    match zone.instant(civil) {
        Resolved::Unique(_) => {}
        Resolved::Gap { before, .. } => {
            let meant = zone.civil(before);
            let argument = if field == "start_zone" { "start" } else { "end" };
            let text =
                format!("{:04}-{:02}-{:02}T{}", meant.year(), meant.month(), meant.day(), time(meant.time()));
            findings.warn(
                &[row],
                Said {
                    rule: rule::CLOCKS_FORWARD,
                    text: format!(
                        "{} has {when}, a time that no clock shows: clocks go forward over it that day ({city}).",
                        title(row)
                    ),
                    way_out: format!("Take {} for it, or say which time is meant.", time(meant.time())),
                    call: Some(call("update_segment", row, json!({ argument: text }))),
                },
            );
        }
        Resolved::Fold { .. } => findings.warn(
            &[row],
            Said {
                rule: rule::CLOCKS_BACK,
                text: format!(
                    "{} has {when}, a time that comes twice: clocks are put back that day ({city}).",
                    title(row)
                ),
                way_out: "Ask which of the two is meant, and keep it in the note.".to_owned(),
                call: None,
            },
        ),
    }
}

/// Whether it ends before it begins, whatever is not known of it.
fn is_reversed(row: &Row<'_>) -> bool {
    let (Some(start), Some(end)) = (row.start.point(), row.end.point()) else { return false };
    if row.segment.kind == Kind::Hotel && start.day != end.day {
        return end.day < start.day;
    }
    if let (Some(start), Some(end)) = (start.moment, end.moment) {
        return end.1 < start.0;
    }
    // Where a zone or a time is not known, a way may lead over the date line.
    match (start.civil, end.civil) {
        (Some(start), Some(end)) => {
            let slack = if row.is_way() { ZONES_APART_MINUTES } else { 0 };
            minutes_between(start, end) < -slack
        }
        _ => {
            let slack = i64::from(row.is_way());
            days_between(start.day, end.day) < -slack
        }
    }
}

fn reversed(row: &Row<'_>) -> Said {
    let (rule, text, way_out) = if row.segment.kind == Kind::Hotel {
        (
            rule::CHECK_OUT_BEFORE_CHECK_IN,
            format!("{} has its last day before its first.", told(row)),
            "Say again from when to when the stay is.",
        )
    } else {
        let zones = if row.is_way() { ", also by the clocks of both places" } else { "" };
        (
            rule::END_BEFORE_START,
            format!("{} ends before it begins{zones}.", told(row)),
            "Say its start and its end again; an arrival is in the time of the place it is at.",
        )
    };
    Said { rule, text, way_out: way_out.to_owned(), call: None }
}

/// Whether it is on one of the trip's days.
fn outside(trip: &Trip<'_>, row: &Row<'_>, findings: &mut Findings<'_>) {
    let (Some((first, last)), Some((start, end))) = (trip.days, row.days()) else { return };
    if !row.is_settled() || (start >= first && end <= last) {
        return;
    }
    let (arguments, which) = if start < first {
        (json!({ "start": day_text(start) }), day(start))
    } else {
        (json!({ "end": day_text(end) }), day(end))
    };
    findings.warn(
        &[row],
        Said {
            rule: rule::OUTSIDE_TRIP,
            text: format!(
                "{} is outside of the trip, which is from {} to {}.",
                told(row),
                day(first),
                day(last)
            ),
            way_out: format!("Move it, or let the trip reach to {which}."),
            call: Some(of_itinerary(trip, arguments)),
        },
    );
}

/// A call that changes the itinerary.
fn of_itinerary(trip: &Trip<'_>, mut arguments: Value) -> Call {
    arguments["itinerary"] = Value::String(trip.itinerary.id.clone());
    Call { tool: "update_itinerary", arguments }
}
