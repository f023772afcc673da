//! How rows, times and lengths are told in a finding.

use dates::iso::day_month;
use dates::names::{short, weekday_name};
use domain::quoted;
use jiff::civil::{Date, Time};
use serde_json::{Value, json};

use super::Call;
use super::timeline::{Point, Row};
use crate::days::minutes_said;
use crate::model::Kind;

/// `Mon 15 Jun`.
pub(super) fn day(day: Date) -> String {
    format!("{} {}", short(weekday_name(day.weekday())), day_month(day))
}

/// `09:05`.
pub(super) fn time(time: Time) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// `Mon 15 Jun, 09:05`, as the clock there shows it, or the day alone.
pub(super) fn point(at: &Point<'_>) -> String {
    match at.civil {
        Some(civil) => format!("{}, {}", day(at.day), time(civil.time())),
        None => day(at.day),
    }
}

/// `“Louvre” (Mon 15 Jun, 10:00–12:00)`: a row and when it is, as clocks there show it.
pub(super) fn row(row: &Row<'_>) -> String {
    let title = title(row);
    match (row.start.point(), row.end.point()) {
        (Some(start), Some(end)) => match (start.day == end.day, end.civil) {
            (true, Some(civil)) if start.civil.is_some() => {
                format!("{title} ({}–{})", point(start), time(civil.time()))
            }
            (true, None) => format!("{title} ({})", point(start)),
            _ => format!("{title} ({} to {})", point(start), point(end)),
        },
        (Some(at), None) | (None, Some(at)) => format!("{title} ({})", point(at)),
        (None, None) => title,
    }
}

/// `“Louvre”`.
pub(super) fn title(row: &Row<'_>) -> String {
    quoted(&row.segment.title)
}

/// `2 h 30 min`; none at all for less than nothing.
pub(super) fn minutes(minutes: i64) -> String {
    minutes_said(minutes.max(0))
}

/// `12 km`, `800 m`.
pub(super) fn kilometres(km: f64) -> String {
    if km < 1.0 { format!("{} m", whole(km * 1_000.0)) } else { format!("{} km", whole(km)) }
}

/// A number without its fraction, rounded. Not by the formatting of floats: its code is large.
pub(super) fn whole(number: f64) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "lengths on the Earth and speeds; what is beyond is the largest number"
    )]
    let whole = number.round() as i64;
    whole
}

/// `Anna`, `Anna and Ben`, `Anna, Ben and Cleo`.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The way out by moving a row, in words and as a call: so many minutes later, or earlier. A booked row is not ours to move, and neither is
/// a flight.
pub(super) fn shift(row: &Row<'_>, by_minutes: i64) -> (String, Option<Call>) {
    let by = minutes(by_minutes.saturating_abs());
    let when = if by_minutes < 0 { "earlier" } else { "later" };
    let title = title(row);
    if row.segment.is_pinned() {
        return (format!("{title} is booked: ask whether it can be {by} {when}"), None);
    }
    // A flight leaves when it leaves: another one is for the person to find.
    if row.segment.kind == Kind::Flight {
        return (format!("Take a flight at least {by} {when} in place of {title}"), None);
    }
    (
        format!("Move {title} {by} {when}"),
        Some(call("move_segment", row, json!({ "by_minutes": by_minutes }))),
    )
}

/// A call about a row.
pub(super) fn call(tool: &'static str, row: &Row<'_>, mut arguments: Value) -> Call {
    arguments["segment"] = Value::String(row.segment.id.clone());
    Call { tool, arguments }
}
