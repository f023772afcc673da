//! In which order segments stand, and how days and times are told to a person.

use std::rc::Rc;

use dates::calendar::days_between;
use dates::iso::{day_month, day_words};
use dates::names::{short, weekday_name};
use jiff::civil::{Date, DateTime};

use crate::model::{Itinerary, Kind, Segment, When};

/// What one minute is in [`Segment::rank`].
pub(crate) const MINUTE: i32 = 1_000;

/// Where hotels stand in the day of their arrival if nobody says when: rooms are ready at 15:00.
pub(crate) const CHECK_IN: i32 = 15 * 60 * MINUTE;

/// The place of a segment in a person's order: its day, its time in it, what decides between two of the same minute. What has no day
/// comes last.
fn key(segment: &Segment) -> (Option<Date>, i32, i32) {
    let day = segment.start.as_ref().and_then(When::day);
    let time = segment.start.as_ref().and_then(When::civil).map(|civil| minute_of(civil) * MINUTE);
    match time {
        Some(time) => (day, time, segment.rank),
        // Within its minute, too, so that it may stand between two that begin in the same one.
        None => {
            let within = segment.rank.rem_euclid(MINUTE);
            (day, segment.rank.saturating_sub(within), within)
        }
    }
}

/// The minute of the day.
pub(crate) fn minute_of(civil: DateTime) -> i32 {
    i32::from(civil.hour()) * 60 + i32::from(civil.minute())
}

/// Segments in a person's order.
pub(crate) fn sort(segments: &mut [Rc<Segment>]) {
    order::sort_by(segments, |one, other| {
        let ((one_day, one_time, one_rank), (day, time, rank)) = (key(one), key(other));
        // Those without a day come last: a none is less than any day.
        one_day
            .is_none()
            .cmp(&day.is_none())
            .then_with(|| one_day.cmp(&day))
            .then_with(|| one_time.cmp(&time))
            .then_with(|| one_rank.cmp(&rank))
            .then_with(|| one.created_ms.cmp(&other.created_ms))
            .then_with(|| one.id.cmp(&other.id))
    });
}

/// `Mon 15 Jun 2026`.
pub(crate) fn day_said(day: Date) -> String {
    format!("{} {} {}", short(weekday_name(day.weekday())), day_month(day), day.year())
}

/// `Mon 15 Jun 2026 at 09:00`, or the day alone; as it is written where it cannot be read.
pub(crate) fn said(when: &When) -> String {
    match (when.civil(), when.day()) {
        (Some(civil), _) => {
            format!("{} at {:02}:{:02}", day_said(civil.date()), civil.hour(), civil.minute())
        }
        (None, Some(day)) => day_said(day),
        (None, None) => when.at.clone(),
    }
}

/// When a segment is, in words with a space before them: ` on Mon 15 Jun 2026 at 09:00`, ` for 7 nights from Mon 15 Jun 2026`. Empty where it
/// has no day.
pub(crate) fn on(segment: &Segment) -> String {
    let Some(start) = &segment.start else { return String::new() };
    let nights = match (start.day(), segment.end.as_ref().and_then(When::day)) {
        (Some(first), Some(last)) if segment.kind == Kind::Hotel => days_between(first, last),
        _ => 0,
    };
    if nights > 0 {
        return format!(
            " for {} from {}",
            domain::counted(nights.unsigned_abs() as usize, "night", "nights"),
            said(start)
        );
    }
    format!(" on {}", said(start))
}

/// The days of an itinerary in words: `15 June 2026 to 22 June 2026`. Empty where none is known.
pub(crate) fn span(itinerary: &Itinerary) -> String {
    let day = |text: &Option<String>| text.as_deref().and_then(dates::iso::read_day).map(day_words);
    match (day(&itinerary.start), day(&itinerary.end)) {
        (Some(start), Some(end)) => format!("{start} to {end}"),
        (Some(start), None) => format!("from {start}"),
        (None, Some(end)) => format!("until {end}"),
        (None, None) => String::new(),
    }
}

/// So many minutes in words: `2 h 30 min`, `1 day`.
pub(crate) fn minutes_said(minutes: i64) -> String {
    let all = minutes.unsigned_abs();
    let (days, hours, rest) = (all / 1_440, all / 60 % 24, all % 60);
    let mut parts = Vec::new();
    if days > 0 {
        parts.push(domain::counted(usize::try_from(days).unwrap_or(usize::MAX), "day", "days"));
    }
    if hours > 0 {
        parts.push(format!("{hours} h"));
    }
    if rest > 0 || parts.is_empty() {
        parts.push(format!("{rest} min"));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(id: &str, start: Option<&str>, rank: i32) -> Rc<Segment> {
        let mut segment = Segment::new(id.into(), "i".into(), Kind::Activity, id.into());
        segment.start = start.map(|at| When::new(at, ""));
        segment.rank = rank;
        Rc::new(segment)
    }

    #[test]
    fn times_come_before_ranks_and_what_has_no_day_comes_last() {
        let mut all = vec![
            segment("idea", None, 0),
            segment("ten", Some("2026-06-15T10:00"), 0),
            segment("after ten", Some("2026-06-15"), 600 * MINUTE + 1),
            segment("all day", Some("2026-06-15"), 0),
            segment("second at nine", Some("2026-06-15T09:00"), 2),
            segment("nine", Some("2026-06-15T09:00"), 1),
            segment("before", Some("2026-06-14T23:00"), 0),
        ];
        sort(&mut all);
        let names: Vec<&str> = all.iter().map(|segment| &*segment.id).collect();
        assert_eq!(names, ["before", "all day", "nine", "second at nine", "ten", "after ten", "idea"]);
    }

    #[test]
    fn times_are_told_in_words() {
        assert_eq!(said(&When::new("2026-06-15T09:05", "Europe/Paris")), "Mon 15 Jun 2026 at 09:05");
        assert_eq!(said(&When::new("2026-06-15", "")), "Mon 15 Jun 2026");
        for (minutes, words) in
            [(0, "0 min"), (150, "2 h 30 min"), (-1_440, "1 day"), (2_945, "2 days 1 h 5 min")]
        {
            assert_eq!(minutes_said(minutes), words);
        }
    }
}
