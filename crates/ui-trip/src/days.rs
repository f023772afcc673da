//! A trip day by day: which rows stand in which order. Pure.
//!
//! The order within a day is the one that the tools tell. A night stands behind the day before it; many days on which nothing is are one
//! row.

use std::collections::BTreeMap;

use ui_kit::dates::{day_number, day_text};

use crate::model::{Kind, Segment, Status, When};

/// From so many days without anything on they are one row.
const MANY: i64 = 4;

/// The most days that are shown: a mistyped year would be a million rows.
const MOST_DAYS: i64 = 1_500;

/// A row of the days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A day begins.
    Day {
        /// Its text, `2026-06-15`.
        day: String,
        /// Which one of the trip it is, from 1; none before the trip begins.
        number: Option<i64>,
        /// Whether nothing is on it.
        is_empty: bool,
    },
    /// Days on which nothing is.
    Free {
        /// The first of them.
        from: String,
        /// The last of them.
        to: String,
        /// Where one sleeps in all of these nights; empty for nowhere that is known.
        bed: String,
    },
    /// Something that begins on this day.
    Segment {
        /// Its id.
        id: String,
        /// Whether the clock there is another one than in the row before.
        tells_zone: bool,
    },
    /// Something that began on another day ends on this one.
    End {
        /// Its id.
        id: String,
    },
    /// The night after a day.
    Night {
        /// The day before it.
        day: String,
        /// Where one sleeps, as a person calls it.
        bed: String,
    },
    /// What has no day.
    Undated,
}

impl Row {
    /// What it is known by, wherever it stands.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Day { day, .. } => format!("day/{day}"),
            Self::Free { from, .. } => format!("free/{from}"),
            Self::Segment { id, .. } => format!("segment/{id}"),
            Self::End { id } => format!("end/{id}"),
            Self::Night { day, .. } => format!("night/{day}"),
            Self::Undated => "undated".to_owned(),
        }
    }
}

/// The rows of a trip that is from one day to another, where those are known.
#[must_use]
pub fn rows(segments: &[Segment], start: Option<&str>, end: Option<&str>) -> Vec<Row> {
    let day_of = |when: Option<&When>| when.and_then(|when| day_number(when.day()));
    let (first, last) = (start.and_then(day_number), end.and_then(day_number));
    let mut on: BTreeMap<i64, Vec<Row>> = BTreeMap::new();
    let (mut beds, mut undated) = (BTreeMap::<i64, Vec<&str>>::new(), Vec::new());
    let mut zone = String::new();
    for segment in segments {
        let begins = day_of(segment.start.as_ref());
        let Some(day) = begins.or_else(|| day_of(segment.end.as_ref())) else {
            undated.push(Row::Segment { id: segment.id.clone(), tells_zone: false });
            continue;
        };
        let there = segment.start.as_ref().map(|when| when.zone.clone()).unwrap_or_default();
        let tells_zone = !there.is_empty() && there != zone;
        on.entry(day).or_default().push(Row::Segment { id: segment.id.clone(), tells_zone });
        let arrives = segment.end.as_ref().map(|when| when.zone.clone()).unwrap_or_default();
        // A hotel ends days later: until then the clock is the one there.
        zone = [arrives, there].into_iter().find(|zone| !zone.is_empty()).unwrap_or(zone);
        let until = day_of(segment.end.as_ref()).unwrap_or(day);
        if until > day && until - day <= MOST_DAYS {
            on.entry(until).or_default();
            if segment.kind == Kind::Hotel && segment.status != Status::Idea {
                for night in day..until {
                    beds.entry(night).or_default().push(&segment.title);
                }
            }
        }
    }
    // What ends on a day stands before what begins on it: one leaves a hotel in the morning.
    for segment in segments {
        let (begins, ends) = (day_of(segment.start.as_ref()), day_of(segment.end.as_ref()));
        if let (Some(begins), Some(ends)) = (begins, ends)
            && ends > begins
            && let Some(rows) = on.get_mut(&ends)
        {
            rows.insert(0, Row::End { id: segment.id.clone() });
        }
    }
    let mut all = Vec::new();
    let bounds = [first, last, on.keys().next().copied(), on.keys().next_back().copied()];
    let (from, to) = (bounds.iter().flatten().min().copied(), bounds.iter().flatten().max().copied());
    if let (Some(from), Some(to)) = (from, to) {
        let bed = |day: i64| beds.get(&day).map(|beds| beds.join(" · ")).unwrap_or_default();
        let number = |day: i64| first.map(|first| day - first + 1).filter(|number| *number > 0);
        let mut day = from;
        let mut shown = 0;
        while day <= to && shown < MOST_DAYS {
            shown += 1;
            if let Some(rows) = on.remove(&day) {
                let is_empty = rows.is_empty();
                all.push(Row::Day { day: day_text(day), number: number(day), is_empty });
                all.extend(rows);
            } else {
                // The next day that has something, or other nights.
                let next = on.keys().find(|other| **other > day).copied().unwrap_or(to + 1).min(to + 1);
                let here = bed(day);
                let other = if here.is_empty() {
                    beds.range(day..next).next().map(|(night, _)| *night)
                } else {
                    (day..next).find(|night| bed(*night) != here)
                };
                let same = other.unwrap_or(next) - day;
                if same >= MANY {
                    all.push(Row::Free { from: day_text(day), to: day_text(day + same - 1), bed: bed(day) });
                    day += same;
                    continue;
                }
                all.push(Row::Day { day: day_text(day), number: number(day), is_empty: true });
            }
            let bed = bed(day);
            if !bed.is_empty() {
                all.push(Row::Night { day: day_text(day), bed });
            }
            day += 1;
        }
    }
    if !undated.is_empty() {
        all.push(Row::Undated);
        all.extend(undated);
    }
    all
}

/// A zone as a person calls it, by the city in its name: `Europe/Paris` is Paris.
#[must_use]
pub fn zone_city(zone: &str) -> String {
    zone.rsplit('/').next().unwrap_or(zone).replace('_', " ")
}

/// How many nights there are between two days; none where either is no day.
#[must_use]
pub fn nights(from: &str, to: &str) -> Option<i64> {
    Some(day_number(to)? - day_number(from)?)
}

#[cfg(test)]
mod tests {
    use super::{Row, rows, zone_city};
    use crate::model::{Kind, Segment, When};

    fn segment(id: &str, kind: Kind, start: &str, end: &str, zones: [&str; 2]) -> Segment {
        let when = |at: &str, zone: &str| {
            (!at.is_empty()).then(|| When { at: at.to_owned(), zone: zone.to_owned() })
        };
        let (start, end) = (when(start, zones[0]), when(end, zones[1]));
        Segment { id: id.into(), kind, title: id.into(), start, end, ..Segment::default() }
    }

    fn said(rows: &[Row]) -> Vec<String> {
        let one = |row: &Row| match row {
            Row::Day { day, number, is_empty } => format!("{day} {number:?} {is_empty}"),
            Row::Free { from, to, bed } => format!("free {from} {to} {bed}"),
            Row::Segment { id, tells_zone } => format!("{id} {tells_zone}"),
            Row::End { id } => format!("end {id}"),
            Row::Night { bed, .. } => format!("night {bed}"),
            Row::Undated => "undated".to_owned(),
        };
        rows.iter().map(one).collect()
    }

    #[test]
    fn a_trip_stands_day_by_day_with_its_nights() {
        let there = ["Europe/Paris"; 2];
        let all = [
            segment(
                "f",
                Kind::Flight,
                "2026-06-15T09:00",
                "2026-06-15T10:50",
                ["Europe/London", "Europe/Paris"],
            ),
            segment("h", Kind::Hotel, "2026-06-15", "2026-06-17", there),
            segment("l", Kind::Activity, "2026-06-17T10:00", "", there),
            segment("i", Kind::Activity, "", "", ["", ""]),
        ];
        let rows = rows(&all, Some("2026-06-15"), Some("2026-06-17"));
        let expected = [
            "2026-06-15 Some(1) false", "f true", "h false", "night h", "2026-06-16 Some(2) true", "night h",
            "2026-06-17 Some(3) false", "end h", "l false", "undated", "i false",
        ];
        assert_eq!(said(&rows), expected);
    }

    #[test]
    fn many_days_without_anything_are_one_row_and_nights_tell_them_apart() {
        let all = [segment("h", Kind::Hotel, "2026-06-01", "2026-06-10", ["", ""])];
        let rows = rows(&all, Some("2026-06-01"), Some("2026-06-20"));
        let expected = [
            "2026-06-01 Some(1) false", "h false", "night h", "free 2026-06-02 2026-06-09 h",
            "2026-06-10 Some(10) false", "end h", "free 2026-06-11 2026-06-20 ",
        ];
        assert_eq!(said(&rows), expected);
    }

    #[test]
    fn a_mistyped_year_ends() {
        let all = [segment("a", Kind::Activity, "2026-06-01", "9999-06-01", ["", ""])];
        assert!(rows(&all, Some("2026-06-01"), Some("2026-06-02")).len() < 10);
        let far = [
            segment("a", Kind::Activity, "2026-06-01", "", ["", ""]),
            segment("b", Kind::Activity, "9999-06-01", "", ["", ""]),
        ];
        assert_eq!(rows(&far, None, None).len(), 5);
        assert_eq!(rows(&[], None, None), []);
    }

    #[test]
    fn an_idea_for_a_hotel_is_no_bed() {
        let mut hotel = segment("h", Kind::Hotel, "2026-06-01", "2026-06-03", ["", ""]);
        hotel.status = crate::model::Status::Idea;
        let rows = rows(&[hotel], None, None);
        assert!(!rows.iter().any(|row| matches!(row, Row::Night { .. })));
    }

    #[test]
    fn a_zone_is_called_by_its_city() {
        assert_eq!(zone_city("America/New_York"), "New York");
        assert_eq!(zone_city("UTC"), "UTC");
    }
}
