//! An itinerary as the rules look at it: rows in order, each with its moments in UTC where they are known, and who takes part.
//!
//! Moments are seconds since 1970 in UTC. A time without a zone is read in the place's; where that is unknown too, in the one zone that
//! all else of the trip is in. If there are several, the row has no moments and the rules of times pass it over: better nothing than a
//! guess.

use std::collections::BTreeMap;

use dates::iso::{read_day, read_moment};
use jiff::civil::{Date, DateTime, Time};
use places::zone::{Resolved, Zone, names, seconds_of};

use crate::assumed::Assumed;
use crate::model::{Itinerary, Kind, Mode, Place, Segment, Status, When};
use crate::profile::Profile;

/// A day in seconds.
pub(crate) const DAY: i64 = 86_400;

/// So near a transfer without zones is taken to stay in one, in kilometres.
const SAME_ZONE_KM: f64 = 150.0;

/// So near is home, in kilometres: the airports of a city are up to a hundred away from it. Nobody needs a bed there, or a way back.
pub(super) const HOME_KM: f64 = 100.0;

/// What an itinerary is checked as.
pub(crate) struct Trip<'a> {
    pub itinerary: &'a Itinerary,
    /// How many travel, where nobody is named ([`Itinerary::heads`]).
    pub heads: Option<u32>,
    pub assumed: Assumed,
    /// In the order of the itinerary.
    pub rows: Vec<Row<'a>>,
    /// The trip's days, where both are known and in order.
    pub days: Option<(Date, Date)>,
    /// Who travels, by their ids: bit `n` of [`Row::who`] is the one at `n`. Those of whom only a row knows are behind the rest.
    pub people: Vec<&'a str>,
}

/// A segment and what is known of its times.
pub(crate) struct Row<'a> {
    pub segment: &'a Segment,
    /// Its place in the order of the itinerary.
    pub place: usize,
    /// Who takes part, a bit for each.
    pub who: u64,
    pub start: Reading<'a>,
    pub end: Reading<'a>,
}

/// What a [`When`] comes to.
#[derive(Clone, Copy)]
pub(crate) enum Reading<'a> {
    /// Nothing was said.
    Open,
    /// It was said and cannot be read.
    Unreadable(&'a str),
    Known(Point<'a>),
}

/// A day or a time, read.
#[derive(Clone, Copy)]
pub(crate) struct Point<'a> {
    pub day: Date,
    /// The time on the wall; none for a day alone.
    pub civil: Option<DateTime>,
    /// The name of the zone that is said of it; empty where none is.
    pub zone_said: &'a str,
    pub zone: Option<Zone>,
    /// The earliest and the latest moment that the time may mean: two where clocks are changed. None where the zone is not known, and for
    /// a day alone.
    pub moment: Option<(i64, i64)>,
}

impl<'a> Reading<'a> {
    pub fn point(&self) -> Option<&Point<'a>> {
        match self {
            Self::Known(point) => Some(point),
            Self::Open | Self::Unreadable(_) => None,
        }
    }

    fn of(when: Option<&'a When>) -> Self {
        let Some(when) = when else { return Self::Open };
        let at = when.at.trim();
        let (day, civil) = match (at.len() == 10).then(|| read_day(at)).flatten() {
            Some(day) => (day, None),
            None if at.is_empty() => return Self::Open,
            None => match read_moment(at) {
                Some(civil) => (civil.date(), Some(civil)),
                None => return Self::Unreadable(at),
            },
        };
        Self::Known(Point { day, civil, zone_said: when.zone.trim(), zone: None, moment: None })
    }

    fn set_zone(&mut self, zone: Option<Zone>) {
        if let (Self::Known(point), Some(zone)) = (self, zone) {
            point.zone = Some(zone);
            point.moment = point.civil.map(|civil| bounds(zone.instant(civil)));
        }
    }
}

impl Point<'_> {
    /// The moment at a time of its day; by the wall in UTC where the zone is not known.
    pub fn at(&self, time: Time) -> i64 {
        moment_of(self.day.to_datetime(time), self.zone)
    }

    /// Its moment, or the one at a time of its day where it has none.
    pub fn moment_or(&self, time: Time) -> i64 {
        match self.civil {
            Some(civil) => self.moment.map_or_else(|| moment_of(civil, self.zone), |(earliest, _)| earliest),
            None => self.at(time),
        }
    }
}

/// The moment of a time on the wall; in UTC where the zone is not known.
pub(crate) fn moment_of(civil: DateTime, zone: Option<Zone>) -> i64 {
    match zone {
        Some(zone) => zone.instant(civil).utc(),
        None => seconds_of(civil),
    }
}

/// The time of day, for constants.
pub(crate) const fn hour(hour: i8) -> Time {
    Time::constant(hour, 0, 0, 0)
}

fn bounds(resolved: Resolved) -> (i64, i64) {
    match resolved {
        Resolved::Unique(moment) => (moment, moment),
        Resolved::Gap { before, after } => (before.min(after), before.max(after)),
        Resolved::Fold { first, second } => (first.min(second), first.max(second)),
    }
}

impl<'a> Row<'a> {
    /// Whether it counts beside others: several ideas may stand for one plan, and a note takes no time.
    pub fn is_settled(&self) -> bool {
        self.segment.status != Status::Idea && self.segment.kind != Kind::Note
    }

    /// The first and the last day of what is settled enough to have one.
    pub fn days(&self) -> Option<(Date, Date)> {
        let start = self.start.point().or(self.end.point())?;
        let end = self.end.point().unwrap_or(start);
        Some((start.day, end.day))
    }

    /// The latest moment it begins and the earliest it ends, where both are known and in order; the start alone is a row without length.
    pub fn moments(&self) -> Option<(i64, i64)> {
        let start = self.start.point()?.moment?;
        let end = self.end.point().and_then(|point| point.moment);
        match end {
            Some(end) if end.1 < start.0 => None,
            // Both in the hour that is twice: the reading in which it is in order.
            Some(end) if end.0 < start.1 => Some((start.0, end.1)),
            Some(end) => Some((start.1, end.0)),
            None => Some((start.0, start.0)),
        }
    }

    /// Whether the moment of its end is known.
    pub fn has_end(&self) -> bool {
        self.end.point().is_some_and(|point| point.moment.is_some())
    }

    /// How long it is in seconds; none where that is not known.
    pub fn seconds(&self) -> Option<i64> {
        let (start, end) = self.moments().filter(|_| self.has_end())?;
        Some(end - start)
    }

    /// Whether it is from somewhere to somewhere.
    pub fn is_way(&self) -> bool {
        matches!(self.segment.kind, Kind::Flight | Kind::Transfer)
    }

    /// A car for days: it is there all the time, and everything else takes place beside it.
    pub fn is_rental(&self) -> bool {
        self.segment.kind == Kind::Transfer
            && self.segment.mode == Some(Mode::Car)
            && (self.seconds().is_some_and(|seconds| seconds > DAY / 2)
                || self.days().is_some_and(|(first, last)| first != last && self.seconds().is_none()))
    }
}

impl<'a> Trip<'a> {
    pub fn read(itinerary: &'a Itinerary, profile: Option<&Profile>, segments: &[&'a Segment]) -> Self {
        let mut zones = Zones::default();
        let mut people: Vec<&str> = itinerary.travellers.iter().map(|one| &*one.id).collect();
        let mut rows: Vec<Row<'a>> = segments
            .iter()
            .map(|&segment| {
                let mut start = Reading::of(segment.start.as_ref());
                let mut end = Reading::of(segment.end.as_ref());
                start.set_zone(zones.of(zone_said(&start, segment.starts_at())));
                let at_end = zone_said(&end, segment.ends_at());
                let stays = || !matches!(segment.kind, Kind::Flight) && !goes_far(segment);
                let at_end = if at_end.is_empty() && stays() {
                    zone_said(&start, segment.starts_at())
                } else {
                    at_end
                };
                end.set_zone(zones.of(at_end));
                Row { segment, place: 0, who: mask(&segment.who, &mut people), start, end }
            })
            .collect();
        in_one_zone(&mut rows);
        // Ties are broken by all that a person could see, so that what comes in first changes nothing.
        order::sort_by(&mut rows, |one, other| {
            let key = |row: &Row<'_>| {
                row.start.point().or(row.end.point()).map_or(i64::MAX, |point| point.moment_or(hour(0)))
            };
            let (this, that) = (one.segment, other.segment);
            key(one)
                .cmp(&key(other))
                .then_with(|| this.rank.cmp(&that.rank))
                .then_with(|| this.created_ms.cmp(&that.created_ms))
                .then_with(|| this.id.cmp(&that.id))
        });
        for (place, row) in rows.iter_mut().enumerate() {
            row.place = place;
        }
        let heads = itinerary.heads(profile);
        Self {
            itinerary,
            heads,
            assumed: itinerary.assumptions.filled(),
            rows,
            days: days_of(itinerary),
            people,
        }
    }
}

/// Itinerary's days, read strictly: `2026-06-15` and nothing behind it.
fn days_of(itinerary: &Itinerary) -> Option<(Date, Date)> {
    let (start, end) = (strict_day(itinerary.start.as_deref()?)?, strict_day(itinerary.end.as_deref()?)?);
    (start <= end).then_some((start, end))
}

/// A day and nothing behind it.
pub(crate) fn strict_day(text: &str) -> Option<Date> {
    (text.len() == 10).then(|| read_day(text)).flatten()
}

/// The zone's name that is said of a time, or of its place.
fn zone_said<'a>(reading: &Reading<'a>, place: Option<&'a Place>) -> &'a str {
    match reading.point() {
        Some(point) if !point.zone_said.is_empty() => point.zone_said,
        _ => place.map_or("", |place| place.zone.trim()),
    }
}

/// Whether a row may end in another zone than it begins in.
pub(crate) fn goes_far(segment: &Segment) -> bool {
    let (Some(from), Some(to)) = (&segment.from, &segment.to) else { return false };
    distance(Some(from), Some(to)).is_none_or(|km| km > SAME_ZONE_KM)
}

/// How far two places are apart in kilometres, where both are known.
pub(crate) fn distance(from: Option<&Place>, to: Option<&Place>) -> Option<f64> {
    places::distance_km(from?.spot()?, to?.spot()?)
}

/// A bit for each who takes part; all of them where nobody is named. From the 64th on they share the last bit.
fn mask<'a>(who: &'a [String], people: &mut Vec<&'a str>) -> u64 {
    if who.is_empty() {
        return u64::MAX;
    }
    let mut mask = 0;
    for id in who {
        let at = people.iter().position(|known| known == id).unwrap_or_else(|| {
            people.push(id);
            people.len() - 1
        });
        mask |= 1 << at.min(63);
    }
    mask
}

/// Gives rows without a zone the one that the whole trip is in; ideas have no say in which it is. Flights are left out: they may lead out
/// of it. Where the clock at one end of a flight or of a far way is not known, the trip may be in two zones though only one was said.
fn in_one_zone(rows: &mut [Row<'_>]) {
    let leads_out = |row: &Row<'_>| {
        let is_far = row.segment.kind == Kind::Flight || goes_far(row.segment);
        let is_open = |reading: &Reading<'_>, place: Option<&Place>| {
            reading.point().is_none_or(|point| point.zone.is_none()) && zone_said(reading, place).is_empty()
        };
        let segment = row.segment;
        row.is_settled()
            && is_far
            && (is_open(&row.start, segment.starts_at()) || is_open(&row.end, segment.ends_at()))
    };
    let is_in_several = rows.iter().any(leads_out);
    let settled = rows.iter().filter(|row| row.is_settled());
    let points = settled.flat_map(|row| [row.start.point(), row.end.point()]).flatten();
    let known: Vec<Zone> = points.filter_map(|point| point.zone).collect();
    let one = match known.first() {
        Some(first) if !is_in_several && known.iter().all(|zone| zone == first) => *first,
        Some(_) => return,
        // Nobody said any: all clocks are taken to be the same one.
        None => match Zone::named("UTC") {
            Some(utc) => utc,
            None => return,
        },
    };
    for row in rows {
        if row.segment.kind == Kind::Flight || goes_far(row.segment) {
            continue;
        }
        for reading in [&mut row.start, &mut row.end] {
            if reading.point().is_some_and(|point| point.zone.is_none() && point.zone_said.is_empty()) {
                reading.set_zone(Some(one));
            }
        }
    }
}

/// Zones by their names, each looked up once.
#[derive(Default)]
struct Zones<'a> {
    known: BTreeMap<&'a str, Option<Zone>>,
}

impl<'a> Zones<'a> {
    fn of(&mut self, name: &'a str) -> Option<Zone> {
        if name.is_empty() {
            return None;
        }
        *self.known.entry(name).or_insert_with(|| Zone::named(name))
    }
}

/// Whether a program has the table of zones: without it none is unknown.
pub(crate) fn has_zones() -> bool {
    names().next().is_some()
}
