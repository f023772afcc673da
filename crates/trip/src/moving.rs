//! What moves along when a segment moves (S4-12): the delta goes to whatever hangs on it, and on that, in civil time of each one's own
//! zone. What a booking pins stays where it is and is reported; what hangs on it stays with it.
//!
//! Pure: rows in, rows out. Start at [`along`].

use std::collections::BTreeMap;
use std::rc::Rc;

use dates::calendar::{days_between, days_later, minutes_between, minutes_later};
use dates::iso::day_text;

use crate::clean::civil_text;
use crate::model::{Dependency, How, Segment, When};

/// How far an end of a segment moved. A day without a time goes by days alone: what moves two hours within a day leaves it where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    pub minutes: i64,
    pub days: i64,
}

impl Shift {
    /// Whether it moved at all.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Whole days.
    pub fn days(days: i64) -> Self {
        Self { minutes: days.saturating_mul(1_440), days }
    }

    /// How far it is from one time to another; none where either cannot be read.
    pub fn between(before: Option<&When>, after: Option<&When>) -> Self {
        let (Some(before), Some(after)) = (before, after) else { return Self::default() };
        if let (Some(before), Some(after)) = (before.civil(), after.civil()) {
            let days = days_between(before.date(), after.date());
            return Self { minutes: minutes_between(before, after), days };
        }
        match (before.day(), after.day()) {
            (Some(before), Some(after)) => Self::days(days_between(before, after)),
            _ => Self::default(),
        }
    }
}

/// A time that moved. None beyond the calendar's end; what cannot be read stays.
pub(crate) fn moved(when: &When, by: Shift) -> Option<When> {
    let at = if let Some(civil) = when.civil() {
        civil_text(minutes_later(civil, by.minutes)?)
    } else if let Some(day) = when.day() {
        day_text(days_later(day, by.days)?)
    } else {
        return Some(when.clone());
    };
    Some(When { at, zone: when.zone.clone() })
}

/// A segment whose start and end moved by the same, so that its length on the wall stays.
///
/// # Errors
/// A sentence, where it would leave the calendar.
pub(crate) fn whole(segment: &Segment, by: Shift) -> Result<Segment, String> {
    let end = |when: &Option<When>| match when {
        None => Ok(None),
        Some(when) => moved(when, by).map(Some).ok_or_else(|| {
            format!("{} would leave the calendar: move it by less.", crate::found::segment_said(segment))
        }),
    };
    Ok(Segment { start: end(&segment.start)?, end: end(&segment.end)?, ..segment.clone() })
}

/// What comes of a move.
#[derive(Debug, Default)]
pub(crate) struct Along {
    /// What moves along, as it is then.
    pub moved: Vec<Segment>,
    /// What would and does not, because a booking pins it.
    pub pinned: Vec<Rc<Segment>>,
}

/// What becomes of the other segments of an itinerary when one changes from `before` to `after`.
///
/// Of several that a segment hangs on, the first in its list that moves decides. Each segment is looked at once, whatever hangs on what:
/// a circle, which no tool lets in, ends where it began.
///
/// # Errors
/// A sentence, where one of them would leave the calendar. Then none of it is to be done.
pub(crate) fn along(all: &[Rc<Segment>], before: &Segment, after: &Segment) -> Result<Along, String> {
    along_with(all, &[(before, after)])
}

/// The same where several change at once, from what is first of each pair to what is second. None of them moves by another one: one that
/// changes in nothing stays where it is.
///
/// # Errors
/// As [`along`].
pub(crate) fn along_with(all: &[Rc<Segment>], changes: &[(&Segment, &Segment)]) -> Result<Along, String> {
    let mut walk = Walk { all, shifts: vec![None; all.len()], along: Along::default() };
    for (before, after) in changes {
        let root = (
            Shift::between(before.start.as_ref(), after.start.as_ref()),
            Shift::between(before.end.as_ref(), after.end.as_ref()),
        );
        // Where it has one end only, that is where the other would be.
        let root = match (&after.start, &after.end) {
            (Some(_), None) => (root.0, root.0),
            (None, Some(_)) => (root.1, root.1),
            _ => root,
        };
        for (at, segment) in all.iter().enumerate() {
            if segment.id == before.id {
                walk.set(at, root);
            }
        }
    }
    for at in 0..all.len() {
        walk.shift_of(at)?;
    }
    Ok(walk.along)
}

struct Walk<'a> {
    all: &'a [Rc<Segment>],
    /// How far start and end of each moved, where that is known.
    shifts: Vec<Option<(Shift, Shift)>>,
    along: Along,
}

impl Walk<'_> {
    fn set(&mut self, at: usize, shift: (Shift, Shift)) {
        if let Some(place) = self.shifts.get_mut(at) {
            *place = Some(shift);
        }
    }

    /// How far start and end of a segment move. At most as deep as an itinerary has segments.
    fn shift_of(&mut self, at: usize) -> Result<(Shift, Shift), String> {
        let Some(segment) = self.all.get(at).cloned() else { return Ok(Default::default()) };
        if let Some(Some(known)) = self.shifts.get(at) {
            return Ok(*known);
        }
        // Whoever comes back here, in a circle, finds that it stays.
        self.set(at, Default::default());
        let mut by = Shift::default();
        for Dependency { on, how } in &segment.depends_on {
            let Some(on) = self.all.iter().position(|other| other.id == *on) else { continue };
            let (start, end) = self.shift_of(on)?;
            by = match how {
                How::SameShift | How::StartsWith | How::EndsBeforeStart => start,
                How::StartsAfterEnd | How::EndsWith => end,
            };
            if !by.is_none() {
                break;
            }
        }
        if by.is_none() {
            return Ok(Default::default());
        }
        let after = whole(&segment, by);
        if segment.is_pinned() {
            // It stays, so that it would leave the calendar refuses nothing.
            let would_move = |after: Segment| (&after.start, &after.end) != (&segment.start, &segment.end);
            if after.map_or(true, would_move) {
                self.along.pinned.push(segment);
            }
            return Ok(Default::default());
        }
        let after = after?;
        if (&after.start, &after.end) == (&segment.start, &segment.end) {
            return Ok(Default::default());
        }
        let start = Shift::between(segment.start.as_ref(), after.start.as_ref());
        let end = Shift::between(segment.end.as_ref(), after.end.as_ref());
        let shift = match (&after.start, &after.end) {
            (Some(_), None) => (start, start),
            (None, Some(_)) => (end, end),
            _ => (start, end),
        };
        self.set(at, shift);
        self.along.moved.push(after);
        Ok(shift)
    }
}

/// Whether a segment would hang on itself, over others, if it hung on these.
pub(crate) fn is_circle(all: &[Rc<Segment>], id: &str, on: &[Dependency]) -> bool {
    let mut links = Links::of(all.iter().map(|segment| &*segment.id).chain([id]));
    for segment in all.iter().filter(|segment| segment.id != id) {
        links.set(&segment.id, &segment.depends_on);
    }
    !links.hang(id, on)
}

/// What hangs on what among the segments of one itinerary, by their places in a list: a walk over them compares numbers.
pub(crate) struct Links<'a> {
    places: BTreeMap<&'a str, usize>,
    on: Vec<Vec<usize>>,
}

impl<'a> Links<'a> {
    /// Of segments with these ids, of which none hangs on anything yet.
    pub fn of(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let mut links = Self { places: BTreeMap::new(), on: Vec::new() };
        for id in ids {
            if !links.places.contains_key(id) {
                links.places.insert(id, links.on.len());
                links.on.push(Vec::new());
            }
        }
        links
    }

    /// Takes over what a segment hangs on, whatever comes of it. What is not in the list counts for nothing.
    pub fn set(&mut self, id: &str, on: &[Dependency]) {
        let known = on.iter().filter_map(|on| self.places.get(&*on.on).copied()).collect();
        if let Some(place) = self.places.get(id).and_then(|place| self.on.get_mut(*place)) {
            *place = known;
        }
    }

    /// The same, unless it would hang on itself by it, over others: then it hangs on nothing, and the answer is false.
    pub fn hang(&mut self, id: &str, on: &[Dependency]) -> bool {
        self.set(id, on);
        let Some(own) = self.places.get(id).copied() else { return true };
        let mut seen = vec![false; self.on.len()];
        let mut open = self.on.get(own).cloned().unwrap_or_default();
        while let Some(next) = open.pop() {
            if next == own {
                self.set(id, &[]);
                return false;
            }
            if let Some(seen @ false) = seen.get_mut(next) {
                *seen = true;
                open.extend(self.on.get(next).into_iter().flatten().copied());
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    fn segment(id: &str, start: &str, end: &str, on: &[(&str, How)]) -> Rc<Segment> {
        let mut segment = Segment::new(id.into(), "i".into(), Kind::Activity, id.into());
        let when = |at: &str| (!at.is_empty()).then(|| When::new(at, ""));
        (segment.start, segment.end) = (when(start), when(end));
        segment.depends_on = on.iter().map(|(on, how)| Dependency { on: (*on).into(), how: *how }).collect();
        Rc::new(segment)
    }

    fn starts(along: &Along) -> Vec<(&str, &str)> {
        along.moved.iter().map(|one| (&*one.id, one.start.as_ref().map_or("", |when| &*when.at))).collect()
    }

    #[test]
    fn a_day_without_a_time_moves_over_midnight_only() {
        let all = [
            segment("flight", "2026-06-15T21:00", "2026-06-15T23:00", &[]),
            segment("hotel", "2026-06-15", "2026-06-22", &[("flight", How::StartsAfterEnd)]),
            segment("taxi", "2026-06-15T23:30", "", &[("flight", How::StartsAfterEnd)]),
        ];
        for (minutes, expected) in [
            (30, vec![("taxi", "2026-06-16T00:00")]),
            (90, vec![("hotel", "2026-06-16"), ("taxi", "2026-06-16T01:00")]),
        ] {
            let after = whole(&all[0], Shift { minutes, days: 0 }).unwrap();
            assert_eq!(starts(&along(&all, &all[0], &after).unwrap()), expected);
        }
    }

    #[test]
    fn a_later_end_moves_what_goes_by_the_end_alone() {
        let all = [
            segment("visit", "2026-06-15T09:00", "2026-06-15T11:00", &[]),
            segment("lunch", "2026-06-15T11:30", "", &[("visit", How::StartsAfterEnd)]),
            segment("train", "2026-06-15T08:00", "2026-06-15T08:45", &[("visit", How::EndsBeforeStart)]),
            segment("guide", "2026-06-15T09:00", "", &[("visit", How::SameShift)]),
        ];
        let mut after = Segment::clone(&all[0]);
        after.end = Some(When::new("2026-06-15T12:00", ""));
        assert_eq!(starts(&along(&all, &all[0], &after).unwrap()), [("lunch", "2026-06-15T12:30")]);
    }

    #[test]
    fn a_circle_ends_and_the_calendar_has_an_end() {
        let all = [
            segment("a", "9999-12-30T09:00", "", &[("c", How::SameShift)]),
            segment("b", "9999-12-30T09:00", "", &[("a", How::SameShift)]),
            segment("c", "9999-12-30T09:00", "", &[("b", How::SameShift)]),
        ];
        let after = whole(&all[0], Shift::days(1)).unwrap();
        assert_eq!(along(&all, &all[0], &after).unwrap().moved.len(), 2);
        assert!(whole(&all[0], Shift::days(2)).unwrap_err().contains("leave the calendar"));
        assert!(is_circle(&all, "a", &all[0].depends_on));
        assert!(!is_circle(&all[1..2], "b", &all[1].depends_on));
    }

    #[test]
    fn what_is_booked_stays_at_the_end_of_the_calendar() {
        let mut booked = Segment::clone(&segment("b", "9999-12-31T09:00", "", &[("a", How::SameShift)]));
        booked.code = "X".into();
        let all = [segment("a", "9999-12-01T09:00", "", &[]), Rc::new(booked)];
        let after = whole(&all[0], Shift::days(1)).unwrap();
        let along = along(&all, &all[0], &after).unwrap();
        assert_eq!((along.moved.len(), along.pinned.len()), (0, 1));
    }
}
