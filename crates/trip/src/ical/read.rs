//! Reads calendars, ours and those of others ([`read()`]).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dates::calendar::{days_later, minutes_later};
use dates::due::Due;
use dates::icalendar::{Property, split_unescaped, spread, unescaped, unfolded};
use dates::iso::{read_day, read_moment};
use dates::remind::read_duration;
use dates::rule::Rule;
use jiff::civil::{Date, DateTime, Time};

use super::came::came;
use super::facts::{Facts, Stamp, civil, note_of, title_of};
use super::zones::{self, Described, Observance};
use super::{AT_US, OWN};
use crate::model::{Kind, Place, Segment, Status};

/// The most events that are read of a file: ten years of a busy calendar.
const MAX_EVENTS: usize = 10_000;

/// The most zones that are read of a calendar: there are no more than 600 in the world.
const MAX_ZONES: usize = 600;

/// The most days on which something that repeats does not take place.
const MAX_EXCEPTIONS: usize = 500;

/// So many days in a row on which it does not take place are passed over.
const MAX_SKIPPED: usize = 10;

/// Two coordinates that differ by less are the same, in degrees (11 m): programs round them.
const SAME_DEGREES: f64 = 1e-4;

/// How deep components may lie in one another: a calendar, an event, an alarm, and room for what others think of.
const MAX_DEPTH: usize = 8;

/// What a file has.
#[derive(Debug, Default)]
pub struct Reading {
    /// What can be segments, in the order of the file.
    pub drafts: Vec<Draft>,
    /// What is none, or not all of it.
    pub left_out: Vec<LeftOut>,
    /// What the calendar is called, where it says so.
    pub name: String,
}

/// An event that can be a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The line it begins in.
    pub line: usize,
    /// What tells the event from all others: the same file again has the same one.
    pub uid: String,
    /// The segment. Its id is the one its UID says where that is one of ours, else empty. Its itinerary is the one the file says, empty in a
    /// file of others. The places of others are names, with coordinates if the file has them.
    pub segment: Segment,
    /// What the event says, as a hash: of the file alone, whatever is known of where the trip is.
    pub(super) came: String,
    /// Its times were in UTC, and are on the clocks of the calendar's zone: where it takes place others may hang.
    pub was_utc: bool,
    /// When it takes place again, of what repeats by a rule that is known.
    pub(super) repeat: Option<Repeat>,
    /// Our own row as the file has it, and what the event says beside it.
    own: Option<(Box<Segment>, Facts)>,
}

impl Draft {
    /// Whether it is of a row of an itinerary.
    pub(super) fn is_of(&self, itinerary: &str) -> bool {
        self.own.as_ref().is_some_and(|(own, _)| own.itinerary == itinerary)
    }

    /// The row as it is here, with what another program changed in the file since that was written. None where the row is none of ours.
    pub(super) fn over(&self, here: &Segment) -> Option<Segment> {
        let (own, said) = self.own.as_ref()?;
        Some(merged(here.clone(), own, said))
    }
}

/// When an event takes place again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Repeat {
    rule: Rule,
    /// Days on which it does not (`EXDATE`).
    but: Vec<Date>,
}

impl Repeat {
    fn of(event: &Component) -> Option<Self> {
        let rule = event.get("RRULE")?.value.parse().ok()?;
        let lines = event.lines.iter().filter_map(|line| Property::parse(line));
        let days = lines.filter(|line| line.name == "EXDATE").flat_map(|line| {
            let day = |day: &str| read_day(&spread(day.trim().get(..8)?)?);
            line.value.split(',').filter_map(day).collect::<Vec<_>>()
        });
        Some(Self { rule, but: days.take(MAX_EXCEPTIONS).collect() })
    }

    /// The first day, not before a day, on which something takes place again that began on an earlier one.
    pub fn first_after(&self, start: Date, not_before: Date) -> Option<Date> {
        let mut from = not_before;
        for _ in 0..MAX_SKIPPED {
            let (next, _) = self.rule.next(Due::Day(start), from)?;
            if !self.but.contains(&next.date()) {
                return Some(next.date());
            }
            from = days_later(next.date(), 1)?;
        }
        None
    }
}

/// An event, or a part of one, that does not come along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The line it begins in.
    pub line: usize,
    /// What it is called; empty where it has no title.
    pub title: String,
    /// Why.
    pub why: Why,
}

/// Why something does not come along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// It repeats: it comes once, on its first day, and its rule does not.
    Repeats,
    /// It is a change of one turn of what repeats.
    OneTurn,
    /// It was cancelled.
    Cancelled,
    /// It is a to-do, a note, or another thing that is no event.
    NoEvent,
    /// It has no start, or one that cannot be read.
    NoStart,
    /// The file has it twice.
    Twice,
    /// There are more events than are read.
    TooMany,
    /// Its zone is not known: it comes, with its times on the clock of where the trip is.
    UnknownZone,
}

impl Why {
    /// Whether the event comes along all the same, without a part of it.
    #[must_use]
    pub fn comes(self) -> bool {
        matches!(self, Self::Repeats | Self::UnknownZone)
    }

    /// As a sentence about one event, for a person.
    #[must_use]
    pub fn said(self) -> &'static str {
        match self {
            Self::Repeats => "It repeats; only its first time was taken.",
            Self::OneTurn => "It is a change of a single turn of what repeats.",
            Self::Cancelled => "It is cancelled.",
            Self::NoEvent => "It is no event.",
            Self::NoStart => "It has no start that can be read.",
            Self::Twice => "The file has it twice.",
            Self::TooMany => "The file has more events than are read.",
            Self::UnknownZone => {
                "Its time zone is not known; its times were taken as the clock there shows them."
            }
        }
    }
}

/// Why a file cannot be read at all. Each has the line to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// There is nothing in it.
    Empty,
    /// It does not begin with `BEGIN:VCALENDAR`.
    NoCalendar(usize),
    /// A line has no colon.
    NoColon(usize),
    /// An `END` of what is not open.
    NotOpen(usize),
    /// Something begins and never ends. Its name is a word of the file, which may be anybody's: it is not told.
    NeverEnds(usize),
    /// Components lie too deep in one another.
    TooDeep(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => out.write_str("The file is empty."),
            Self::NoCalendar(line) => {
                write!(out, "Line {line}: this is no iCalendar file; it must begin with BEGIN:VCALENDAR.")
            }
            Self::NoColon(line) => write!(out, "Line {line}: there is no colon in it."),
            Self::NotOpen(line) => write!(out, "Line {line}: this ends what is not open."),
            Self::NeverEnds(line) => write!(out, "Line {line}: what begins here never ends."),
            Self::TooDeep(line) => write!(out, "Line {line}: too many parts lie in one another."),
        }
    }
}

impl std::error::Error for Error {}

/// A component with its properties and those in it.
#[derive(Debug, Default)]
struct Component {
    name: String,
    line: usize,
    lines: Vec<String>,
    inner: Vec<Component>,
}

impl Component {
    /// The first property of a name.
    fn get(&self, name: &str) -> Option<Property<'_>> {
        self.lines.iter().filter_map(|line| Property::parse(line)).find(|property| property.name == name)
    }

    /// The text of a property; empty where there is none.
    fn text(&self, name: &str) -> String {
        self.get(name).map(|property| unescaped(property.value)).unwrap_or_default()
    }
}

/// What a calendar says for all that is in it.
struct Calendar<'a> {
    zones: Vec<Described>,
    /// The zone that it names itself, as it has it.
    named: String,
    /// The zone that times in UTC are shown in.
    usual: String,
    /// Zones that one without a name is likely to be.
    likely: Vec<&'a str>,
    /// What names of zones came to, by name and year: to find one out means to look at all there are.
    found: RefCell<BTreeMap<(String, i16), Option<String>>>,
}

/// Reads the events of a file. `zone` is the IANA name of the zone to show times in UTC in where the calendar names none, such as that of
/// where the trip is; empty for UTC.
///
/// # Errors
/// [`Error`] for what is no calendar. What is wrong with one event is in [`Reading::left_out`].
pub fn read(text: &str, zone: &str) -> Result<Reading, Error> {
    let (mut found, mut uids) = (Reading::default(), BTreeSet::new());
    for calendar in components(text)? {
        if found.name.is_empty() {
            found.name = mcp::one_line(&calendar.text("X-WR-CALNAME"));
        }
        let named = calendar.text("X-WR-TIMEZONE");
        let own = zones::named(&named);
        let usual = own.as_deref().unwrap_or(if zones::of(zone).is_some() { zone } else { "UTC" });
        let described = calendar.inner.iter().filter(|inner| inner.name == "VTIMEZONE").map(described);
        let about = Calendar {
            zones: described.take(MAX_ZONES).collect(),
            named,
            usual: usual.to_owned(),
            likely: own.iter().map(String::as_str).chain([zone]).collect(),
            found: RefCell::default(),
        };
        for inner in calendar.inner.iter().filter(|inner| inner.name != "VTIMEZONE") {
            take(inner, &about, &mut found, &mut uids);
        }
    }
    Ok(found)
}

/// The calendars of a file.
fn components(text: &str) -> Result<Vec<Component>, Error> {
    let (mut open, mut calendars): (Vec<Component>, Vec<Component>) = (Vec::new(), Vec::new());
    for (number, line) in unfolded(text) {
        if line.trim().is_empty() {
            continue;
        }
        let property = Property::parse(&line);
        let begins = |property: &Property<'_>| property.name == "BEGIN";
        if open.is_empty()
            && !property.as_ref().is_some_and(|property| {
                begins(property) && property.value.trim().eq_ignore_ascii_case("VCALENDAR")
            })
        {
            return Err(Error::NoCalendar(number));
        }
        let property = property.ok_or(Error::NoColon(number))?;
        match property.name.as_str() {
            "BEGIN" if open.len() >= MAX_DEPTH => return Err(Error::TooDeep(number)),
            "BEGIN" => {
                let name = property.value.trim().to_ascii_uppercase();
                open.push(Component { name, line: number, ..Component::default() });
            }
            "END" => {
                let done = open.pop().ok_or(Error::NotOpen(number))?;
                if !property.value.trim().eq_ignore_ascii_case(&done.name) {
                    return Err(Error::NeverEnds(done.line));
                }
                open.last_mut().map_or(&mut calendars, |around| &mut around.inner).push(done);
            }
            _ => {
                if let Some(within) = open.last_mut() {
                    within.lines.push(line);
                }
            }
        }
    }
    match open.into_iter().next() {
        Some(open) => Err(Error::NeverEnds(open.line)),
        None if calendars.is_empty() => Err(Error::Empty),
        None => Ok(calendars),
    }
}

fn described(zone: &Component) -> Described {
    let parts = zone.inner.iter().filter_map(|part| Observance::of(&part.lines));
    Described::new(zone.text("TZID"), zone.text("X-LIC-LOCATION"), parts)
}

/// Takes what an event says.
fn take(event: &Component, calendar: &Calendar<'_>, found: &mut Reading, uids: &mut BTreeSet<String>) {
    let title = mcp::one_line(&event.text("SUMMARY"));
    let mut out = |why: Why| found.left_out.push(LeftOut { line: event.line, title: title.clone(), why });
    let own = event.get(OWN).and_then(|own| serde_json::from_str::<Segment>(&unescaped(own.value)).ok());
    if event.name != "VEVENT" && !(event.name == "VTODO" && own.is_some()) {
        return out(Why::NoEvent);
    }
    if found.drafts.len() >= MAX_EVENTS {
        return out(Why::TooMany);
    }
    if event.get("RECURRENCE-ID").is_some() {
        return out(Why::OneTurn);
    }
    if event.text("STATUS").eq_ignore_ascii_case("CANCELLED") {
        return out(Why::Cancelled);
    }
    let mut clock = Clock { calendar, was_utc: false, is_unknown: false };
    let facts = facts(event, &title, &mut clock);
    if facts.start.is_none() && event.name == "VEVENT" {
        return out(Why::NoStart);
    }
    let uid = match event.text("UID") {
        uid if uid.trim().is_empty() => format!("{title} {:?}", facts.start),
        uid => uid,
    };
    if !uids.insert(uid.clone()) {
        return out(Why::Twice);
    }
    if event.get("RRULE").is_some() {
        out(Why::Repeats);
    }
    if clock.is_unknown {
        out(Why::UnknownZone);
    }
    let (mut segment, own) = match own {
        Some(own) => (merged(own.clone(), &own, &facts), Some((Box::new(own), facts))),
        None => (foreign(event, facts), None),
    };
    // Only the name it has in the file says which one it is.
    segment.id = uid.strip_suffix(AT_US).unwrap_or_default().to_owned();
    let (repeat, came) = (Repeat::of(event), came(&event.lines, &calendar.named));
    found.drafts.push(Draft { line: event.line, uid, segment, came, was_utc: clock.was_utc, repeat, own });
}

/// What the standard properties of an event say.
fn facts(event: &Component, title: &str, clock: &mut Clock<'_>) -> Facts {
    let is_event = event.name == "VEVENT";
    // Outlook writes a whole day as the time from midnight to midnight.
    let is_days = event.text("X-MICROSOFT-CDO-ALLDAYEVENT").eq_ignore_ascii_case("TRUE");
    let mut stamp = |name: &str| clock.stamp(&event.get(name)?, is_days);
    let start = stamp("DTSTART");
    let end = if is_event { stamp("DTEND") } else { stamp("DUE") };
    let end = match (&start, end) {
        // The day a property ends on is not in it any more. Some write the day itself.
        (Some(Stamp::Day(first)), Some(Stamp::Day(end))) if is_event => {
            Some(Stamp::Day(days_later(end, -1).filter(|last| last >= first).unwrap_or(*first)))
        }
        (Some(Stamp::Day(_)), Some(Stamp::At(..))) | (Some(Stamp::At(..)), Some(Stamp::Day(_))) => None,
        (Some(start), None) => event.get("DURATION").and_then(|it| after(start, &it)),
        (_, end) => end,
    };
    let (place, spot) = place(event);
    let words = event.get("CATEGORIES").map(|it| split_unescaped(it.value)).unwrap_or_default();
    let is_kind = |kind: &&Kind| words.iter().any(|word| word.trim().eq_ignore_ascii_case(kind.word()));
    Facts {
        summary: title.to_owned(),
        description: event.text("DESCRIPTION").replace('\r', ""),
        start,
        end,
        location: place,
        geo: spot,
        is_tentative: event.text("STATUS").eq_ignore_ascii_case("TENTATIVE"),
        url: event.text("URL").trim().to_owned(),
        kind: Kind::ALL.iter().find(is_kind).copied(),
    }
}

/// Where an event is: its name, and its coordinates.
fn place(event: &Component) -> (String, Option<(f64, f64)>) {
    let pair = |text: &str, between: char| {
        let (lat, lon) = text.split_once(between)?;
        let spot = (order::decimal(lat.trim())?, order::decimal(lon.trim())?);
        let known = Place { lat: Some(spot.0), lon: Some(spot.1), ..Place::default() };
        known.spot()
    };
    let mut spot = event.get("GEO").and_then(|geo| pair(geo.value, ';'));
    if let Some(apple) = event.get("X-APPLE-STRUCTURED-LOCATION") {
        spot = spot.or_else(|| pair(apple.value.strip_prefix("geo:")?, ','));
    }
    // Apple writes the address below the name, others may in one line.
    let text = event.text("LOCATION").replace("\r\n", "\n");
    let lines = text.split('\n').map(str::trim).filter(|line| !line.is_empty());
    (mcp::one_line(&lines.collect::<Vec<_>>().join(", ")), spot)
}

/// A start and a length.
fn after(start: &Stamp, length: &Property<'_>) -> Option<Stamp> {
    let minutes = read_duration(length.value.trim()).filter(|minutes| *minutes > 0)?;
    match start {
        Stamp::Day(day) => {
            let last = days_later(*day, minutes / 1_440 - 1)?;
            Some(Stamp::Day(last.max(*day)))
        }
        // So much later by a watch, whatever clocks do meanwhile (RFC 5545, 3.3.6: hours are exact).
        Stamp::At(at, zone) => {
            let later = match start.moment() {
                Some(moment) => civil(moment.checked_add(minutes.checked_mul(60)?)?, zone),
                None => minutes_later(*at, minutes)?,
            };
            Some(Stamp::At(later, zone.clone()))
        }
    }
}

/// Reads the times of one event.
struct Clock<'a> {
    calendar: &'a Calendar<'a>,
    was_utc: bool,
    is_unknown: bool,
}

impl Clock<'_> {
    fn stamp(&mut self, property: &Property<'_>, is_days: bool) -> Option<Stamp> {
        let said = spread(property.value.trim())?;
        let is_utc = said.ends_with('Z');
        let plain = said.strip_suffix('Z').unwrap_or(&said);
        let Some(at) = read_moment(plain) else {
            return (plain.len() == 10).then(|| read_day(plain)).flatten().map(Stamp::Day);
        };
        if is_days && at.time() == Time::midnight() {
            return Some(Stamp::Day(at.date()));
        }
        let zone = match property.parameter("TZID") {
            _ if is_utc => {
                self.was_utc = true;
                let utc = Stamp::At(at, "UTC".to_owned()).moment()?;
                let zone = self.calendar.usual.clone();
                return Some(Stamp::At(civil(utc, &zone), zone));
            }
            None => String::new(),
            Some(id) => self.zone(id, at).unwrap_or_else(|| {
                self.is_unknown = true;
                String::new()
            }),
        };
        Some(Stamp::At(at, zone))
    }

    /// The IANA zone of a `TZID`.
    fn zone(&self, id: &str, at: DateTime) -> Option<String> {
        let described = self.calendar.zones.iter().find(|zone| zone.id == id);
        let known = self.calendar.found.borrow().get(&(id.to_owned(), at.year())).cloned();
        let named = known.unwrap_or_else(|| {
            let named = zones::named(id).or_else(|| {
                let described = described?;
                zones::named(&described.location).or_else(|| described.zone(at, &self.calendar.likely))
            });
            self.calendar.found.borrow_mut().insert((id.to_owned(), at.year()), named.clone());
            named
        });
        // A fixed offset is the one of the very time.
        named.or_else(|| described?.fixed(at))
    }
}

/// A row with what another program changed of it since: what the event says and `wrote`, our own row in the file, does not.
fn merged(mut own: Segment, wrote: &Segment, said: &Facts) -> Segment {
    let (row, wrote) = (wrote, Facts::of(wrote));
    let same = |one: &Option<Stamp>, other: &Option<Stamp>| match (one, other) {
        (Some(one), Some(other)) => one.is_same(other),
        (one, other) => one.is_none() && other.is_none(),
    };
    if !same(&said.start, &wrote.start) {
        own.start = said.start.as_ref().map(Stamp::when);
    }
    if !same(&said.end, &wrote.end) {
        own.end = said.end.as_ref().map(Stamp::when);
    }
    if said.summary != mcp::one_line(&wrote.summary) {
        title_of(&said.summary, row).clone_into(&mut own.title);
    }
    if said.description != wrote.description {
        own.note = note_of(&said.description, row);
    }
    let is_same_spot = |one: (f64, f64), other: (f64, f64)| {
        (one.0 - other.0).abs() < SAME_DEGREES && (one.1 - other.1).abs() < SAME_DEGREES
    };
    let is_moved = said.geo.is_some_and(|said| wrote.geo.is_none_or(|wrote| !is_same_spot(said, wrote)));
    if said.location != mcp::one_line(&wrote.location) || is_moved {
        let place = place_of(&said.location, said.geo);
        if own.from.is_some() { own.from = place } else { own.place = place }
    }
    if said.is_tentative != wrote.is_tentative && said.start.is_some() {
        own.status = if said.is_tentative { Status::Idea } else { Status::Planned };
    }
    if said.url != wrote.url && !said.url.is_empty() {
        own.links = vec![said.url.clone()];
    }
    if said.kind != wrote.kind {
        own.kind = said.kind.unwrap_or(own.kind);
    }
    own
}

/// An event of another program as a segment.
fn foreign(event: &Component, said: Facts) -> Segment {
    let kind = said.kind.unwrap_or_else(|| guessed(event, &said));
    let title = if said.summary.is_empty() { "Without a title".to_owned() } else { said.summary.clone() };
    let mut segment = Segment::new(String::new(), String::new(), kind, title);
    segment.status = if said.is_tentative { Status::Idea } else { Status::Planned };
    segment.start = said.start.as_ref().map(Stamp::when);
    segment.end = said.end.as_ref().map(Stamp::when);
    let place = place_of(&said.location, said.geo);
    if kind == Kind::Flight {
        let (to, number) = flight(&said.summary);
        segment.from = place;
        segment.to = to;
        segment.number = number;
    } else {
        segment.place = place;
    }
    segment.note = said.description.trim().to_owned();
    if said.url.starts_with("https://") || said.url.starts_with("http://") {
        segment.links.push(said.url);
    }
    segment
}

/// What an event is that does not say so: airlines and Gmail write "Flight to Paris (AF 1735)" and "Stay at Hotel Fabric".
fn guessed(event: &Component, said: &Facts) -> Kind {
    let title = said.summary.to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| title.starts_with(word));
    let is_days = matches!(said.start, Some(Stamp::Day(_)));
    if begins(&["flight to ", "flight from ", "flight: ", "flug nach ", "vol vers ", "✈"]) {
        Kind::Flight
    } else if begins(&["stay at ", "hotel", "aufenthalt: ", "séjour à l"]) && is_days {
        Kind::Hotel
    } else if begins(&["train to ", "train from ", "bus to ", "ferry to ", "transfer "]) {
        Kind::Transfer
    } else if event.get("ATTENDEE").is_some() {
        Kind::Meeting
    } else if is_days && said.location.is_empty() && said.geo.is_none() {
        Kind::Note
    } else {
        Kind::Activity
    }
}

/// Where a flight goes and its number, of its title: "Flight to Paris (AF 1735)".
fn flight(title: &str) -> (Option<Place>, String) {
    let (before, number) = match title.rsplit_once('(') {
        Some((before, number)) => (before, number.trim_end_matches(')').replace(' ', "")),
        None => (title, String::new()),
    };
    let is_number = number.len() <= 8
        && number.bytes().all(|letter| letter.is_ascii_alphanumeric())
        && number.bytes().any(|letter| letter.is_ascii_digit());
    let to = before.split_once(" to ").map(|(_, to)| to.trim()).filter(|to| !to.is_empty());
    (to.map(Place::named), if is_number { number } else { String::new() })
}

/// A place of a name and coordinates; none without either.
fn place_of(name: &str, spot: Option<(f64, f64)>) -> Option<Place> {
    let named =
        |name: &str| Place { lat: spot.map(|it| it.0), lon: spot.map(|it| it.1), ..Place::named(name) };
    match (name.is_empty(), spot) {
        (true, None) => None,
        (true, Some((lat, lon))) => Some(named(&format!("{lat}, {lon}"))),
        (false, _) => Some(named(name)),
    }
}
