//! What standard properties of RFC 5545 say of a segment: made of a segment to be written, or read from a file to be compared.

use dates::calendar::{days_later, utc};
use jiff::civil::{Date, DateTime};
use places::Zone;

use super::zones;
use crate::model::{Kind, Place, Segment, Status, When};
use crate::private::CODE;
use crate::search::{capital, is_demo, source_said};

/// What is behind the title of something of the demo catalogue.
const DEMO_MARK: &str = " (demo)";

/// A day or a time of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stamp {
    /// A day without a time.
    Day(Date),
    /// A time on the clocks of a zone; on whatever clock is at hand where the zone is empty (a floating time).
    At(DateTime, String),
}

impl Stamp {
    /// What a time says; none for what is neither a day nor a time.
    pub fn of(when: &When) -> Option<Self> {
        match when.civil() {
            Some(civil) if !when.is_all_day() => Some(Self::At(civil, when.zone.clone())),
            _ => when.day().map(Self::Day),
        }
    }

    /// The same as a segment has it.
    pub fn when(&self) -> When {
        match self {
            Self::Day(day) => When::new(dates::iso::day_text(*day), ""),
            Self::At(civil, zone) => When::new(crate::clean::civil_text(*civil), zone.clone()),
        }
    }

    /// The day it is on.
    pub fn day(&self) -> Date {
        match self {
            Self::Day(day) => *day,
            Self::At(civil, _) => civil.date(),
        }
    }

    /// The moment, in seconds since 1970, of a time whose zone is known.
    pub fn moment(&self) -> Option<i64> {
        match self {
            Self::Day(_) => None,
            Self::At(civil, zone) => Some(Zone::named(zone)?.instant(*civil).utc()),
        }
    }

    /// Whether both are the same day, or the same time however it is written: other programs turn zones into UTC.
    pub fn is_same(&self, other: &Self) -> bool {
        self == other || (self.moment().is_some() && self.moment() == other.moment())
    }

    /// Whether it is after another one, as far as can be told.
    fn is_after(&self, other: &Self) -> bool {
        match (self, other, self.moment(), other.moment()) {
            (_, _, Some(one), Some(other)) => one > other,
            (Self::At(one, _), Self::At(other, _), ..) => one > other,
            _ => self.day() > other.day(),
        }
    }
}

/// What the properties of one event say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    /// `SUMMARY`.
    pub summary: String,
    /// `DESCRIPTION`.
    pub description: String,
    /// `DTSTART`; none for what has no day, which is no event.
    pub start: Option<Stamp>,
    /// The end: a time is `DTEND`, a day is the last one, which is the day before `DTEND`.
    pub end: Option<Stamp>,
    /// `LOCATION`.
    pub location: String,
    /// `GEO`, latitude and longitude.
    pub geo: Option<(f64, f64)>,
    /// `STATUS` is `TENTATIVE`.
    pub is_tentative: bool,
    /// `URL`.
    pub url: String,
    /// The kind, of `CATEGORIES`.
    pub kind: Option<Kind>,
}

impl Facts {
    /// What is written of a segment.
    pub fn of(segment: &Segment) -> Self {
        let (start, end) = span(segment);
        Self {
            summary: summary(segment),
            description: description(segment),
            start,
            end,
            location: segment.starts_at().map(location).unwrap_or_default(),
            geo: segment.starts_at().and_then(Place::spot),
            // What was invented is settled for nobody.
            is_tentative: segment.status == Status::Idea || is_demo(&segment.source),
            url: segment.links.first().cloned().unwrap_or_default(),
            kind: Some(segment.kind),
        }
    }
}

/// When an event is. Both ends are days or both are times (RFC 5545, 3.8.2.2), and the end is not before the start.
fn span(segment: &Segment) -> (Option<Stamp>, Option<Stamp>) {
    let start = segment.start.as_ref().and_then(Stamp::of);
    let end = segment.end.as_ref().and_then(Stamp::of);
    let (Some(start), Some(end)) = (start.clone(), end.clone()) else { return (start, end) };
    match (&start, &end) {
        (Stamp::At(..), Stamp::At(..)) => {
            let end = end.is_after(&start).then_some(end);
            (Some(start), end)
        }
        (Stamp::At(..), Stamp::Day(last)) if *last <= start.day() => (Some(start), None),
        _ => {
            let last = Stamp::Day(end.day());
            let end = (end.day() >= start.day()).then_some(last);
            (Some(Stamp::Day(start.day())), end)
        }
    }
}

/// What a calendar shows of it: the title, which says of the demo catalogue's that they are (S4-10).
pub(super) fn summary(segment: &Segment) -> String {
    let is_said = !is_demo(&segment.source) || segment.title.ends_with(DEMO_MARK);
    if is_said { segment.title.clone() } else { format!("{}{DEMO_MARK}", segment.title) }
}

/// The title of a summary.
pub(super) fn title_of<'a>(summary: &'a str, segment: &Segment) -> &'a str {
    let bare = summary.strip_suffix(DEMO_MARK).filter(|_| is_demo(&segment.source));
    bare.filter(|bare| !bare.is_empty()).unwrap_or(summary)
}

/// What a person reads below the title: what iCalendar has no property for that is shown, then the note.
fn description(segment: &Segment) -> String {
    let mut lines = shown(segment);
    if !segment.note.is_empty() {
        lines.push(segment.note.clone());
    }
    lines.join("\n")
}

/// The note of a description: without the lines that are written of what else is known.
pub(super) fn note_of(description: &str, segment: &Segment) -> String {
    let mut ours = shown(segment);
    let is_note = |line: &&str| match ours.iter().position(|own| own.trim() == line.trim()) {
        Some(at) => {
            ours.remove(at);
            false
        }
        None => true,
    };
    let lines: Vec<&str> = description.lines().filter(is_note).collect();
    lines.join("\n").trim().to_owned()
}

/// Where it came from and its confirmation code, a line for each: what stays of them with a row that somebody else may have written.
pub(super) fn kept(segment: &Segment) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(source_said(segment).map(|said| format!("{}.", capital(&said))));
    if !segment.code.is_empty() {
        lines.push(format!("{CODE}{}", segment.code));
    }
    lines
}

/// What is shown of a segment, in lines, besides its note.
fn shown(segment: &Segment) -> Vec<String> {
    let mut lines = Vec::new();
    let flight = format!("{} {}", segment.carrier, segment.number);
    if !flight.trim().is_empty() && !segment.title.contains(flight.trim()) {
        lines.push(flight.trim().to_owned());
    }
    if let Some(to) = &segment.to {
        lines.push(format!("To: {}", location(to)));
    }
    if segment.status == Status::Booked {
        lines.push("Booked by you".to_owned());
    }
    lines.extend(kept(segment));
    if let Some(cost) = &segment.cost {
        lines.push(format!("Cost: {}", cost.text()));
    }
    if !segment.opening.is_empty() {
        lines.push(format!("Open: {}", segment.opening));
    }
    lines.extend(segment.links.iter().skip(1).cloned());
    lines
}

/// A place in a line.
fn location(place: &Place) -> String {
    let mut line = place.name.clone();
    for more in [&place.iata, &place.city] {
        if !more.is_empty() && !line.contains(more.as_str()) {
            line = format!("{line}, {more}");
        }
    }
    line
}

/// The day after a day, or the day itself at the end of the calendar.
pub(super) fn day_after(day: Date) -> Date {
    days_later(day, 1).unwrap_or(day)
}

/// What a clock shows of seconds since 1970 in a zone; in UTC where the zone is not known.
pub(super) fn civil(seconds: i64, zone: &str) -> DateTime {
    zones::of(zone).map_or_else(|| utc(seconds.saturating_mul(1_000)), |zone| zone.civil(seconds))
}
