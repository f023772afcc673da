//! Visits before opening, after closing, or on a day on which it is closed.

use dates::calendar::{days_between, days_later};
use dates::names::weekday_name;
use jiff::civil::Date;
use serde_json::json;

use super::hours::{DAY, Hours};
use super::telling::{call, day as told_day, row as told, time, title};
use super::timeline::{Row, Trip};
use super::{Call, Findings, Said, rule};
use crate::model::Kind;

pub(super) fn check(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    for row in &trip.rows {
        let is_visit = matches!(row.segment.kind, Kind::Activity | Kind::Meeting);
        if is_visit && !row.segment.opening.is_empty() {
            visit(trip, row, findings);
        }
    }
}

/// When one is there, in minutes from a day's beginning by the clock there: the whole of what is known.
struct Visit {
    day: Date,
    /// None for a day without a time.
    from: Option<i32>,
    to: i32,
}

fn visit(trip: &Trip<'_>, row: &Row<'_>, findings: &mut Findings<'_>) {
    let Some(visit) = when(row) else { return };
    let Some(hours) = Hours::read(&row.segment.opening) else { return };
    let Some(why) = why_closed(&hours, &visit) else { return };
    let (way_out, call) = way_out(trip, row, &hours, &visit);
    findings.warn(
        &[row],
        Said {
            rule: rule::CLOSED,
            text: format!("{}: {why} (opening hours {}).", told(row), row.segment.opening),
            way_out,
            call,
        },
    );
}

fn when(row: &Row<'_>) -> Option<Visit> {
    let (start, end) = (row.start.point()?, row.end.point());
    let Some(civil) = start.civil else {
        // Of several days without times it may be any of them.
        let is_one_day = end.is_none_or(|end| end.day == start.day);
        return is_one_day.then_some(Visit { day: start.day, from: None, to: DAY });
    };
    let from = i32::from(civil.hour()) * 60 + i32::from(civil.minute());
    let to = end.and_then(|end| {
        let civil = end.civil?;
        let days =
            i32::try_from(days_between(start.day, end.day)).ok().filter(|days| (0..=1).contains(days))?;
        Some(days * DAY + i32::from(civil.hour()) * 60 + i32::from(civil.minute()))
    });
    Some(Visit { day: start.day, from: Some(from), to: to.filter(|to| *to >= from).unwrap_or(from) })
}

/// What is wrong with a visit; none where nothing is.
fn why_closed(hours: &Hours, visit: &Visit) -> Option<String> {
    let open = hours.around(visit.day);
    let clock = |minute: i32| {
        let minute =
            i8::try_from(minute.rem_euclid(DAY) / 60).ok().zip(i8::try_from(minute.rem_euclid(60)).ok());
        minute
            .and_then(|(hour, minute)| jiff::civil::Time::new(hour, minute, 0, 0).ok())
            .map(time)
            .unwrap_or_default()
    };
    let weekday = weekday_name(visit.day.weekday());
    let is_that_day = |(from, to): &&(i32, i32)| *from < DAY && *to > 0;
    let Some(from) = visit.from else {
        return open.iter().find(is_that_day).is_none().then(|| format!("it is closed on that {weekday}"));
    };
    if let Some((_, to)) = open.iter().find(|(opens, closes)| (*opens..*closes).contains(&from)) {
        return (visit.to > *to).then(|| format!("it closes at {}, before the visit ends", clock(*to)));
    }
    if open.iter().find(is_that_day).is_none() {
        return Some(format!("it is closed on that {weekday}"));
    }
    let next = open.iter().find(|(opens, _)| *opens > from && *opens < DAY);
    Some(match next {
        Some((opens, _)) => format!("it is closed then and opens at {}", clock(*opens)),
        None => {
            let closed =
                open.iter().rev().find(|(_, closes)| *closes <= from).map_or(0, |(_, closes)| *closes);
            format!("it closes at {}, before the visit begins", clock(closed))
        }
    })
}

/// The nearest time at which it is open for the whole visit: the same day, or the same time on another day of the trip.
fn way_out(trip: &Trip<'_>, row: &Row<'_>, hours: &Hours, visit: &Visit) -> (String, Option<Call>) {
    let title = title(row);
    if row.segment.is_pinned() {
        return (format!("{title} is booked: ask the place whether it is open then."), None);
    }
    if let Some(from) = visit.from {
        let length = visit.to - from;
        let fits = |(opens, closes): &&(i32, i32)| *closes - *opens >= length && *opens < DAY && *closes > 0;
        let by = |(opens, closes): &(i32, i32)| {
            if from < *opens { *opens - from } else { (*closes - length - from).min(0) }
        };
        let best = hours.around(visit.day).iter().filter(fits).map(by).min_by_key(|by| by.abs());
        if let Some(by) = best.filter(|by| *by != 0 && (0..DAY).contains(&(from + by))) {
            let (words, call) = super::telling::shift(row, i64::from(by));
            return (format!("{words}."), call);
        }
    }
    let is_in_trip = |day: Date| trip.days.is_none_or(|(first, last)| day >= first && day <= last);
    let other = [1, -1, 2, -2, 3, -3, 4, 5, 6].into_iter().find(|by| {
        days_later(visit.day, *by)
            .filter(|day| is_in_trip(*day))
            .is_some_and(|day| why_closed(hours, &Visit { day, from: visit.from, to: visit.to }).is_none())
    });
    match other.and_then(|by| Some((by, days_later(visit.day, by)?))) {
        Some((by, day)) => (
            format!("Move {title} to {}, when it is open.", told_day(day)),
            Some(call("move_segment", row, json!({ "by_days": by }))),
        ),
        None => (format!("Look for another time for {title}, or leave it out."), None),
    }
}
