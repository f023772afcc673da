//! Writes itineraries as calendars ([`write()`]).

use dates::icalendar::{compact, escaped, push_line};
use dates::iso::day_text;
use places::Zone;

use super::facts::{Facts, Stamp, day_after};
use super::zones::{self, written};
use super::{AT_US, OWN};
use crate::model::{Itinerary, Kind, Segment, Status};
use crate::search::capital;

/// Names of zones whose times are written in UTC.
const UTC: [&str; 2] = ["UTC", "Etc/UTC"];

/// Segments of an itinerary as one calendar, in the order in which they come. Lines end with CRLF and are at most 75 octets long.
#[must_use]
pub fn write(itinerary: &Itinerary, segments: &[Segment]) -> String {
    let mut text = String::new();
    let facts: Vec<Facts> = segments.iter().map(Facts::of).collect();
    for line in [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Satchel//Satchel//EN", "CALSCALE:GREGORIAN",
        // Outlook takes more than one event only from what is published.
        "METHOD:PUBLISH",
    ] {
        push_line(&mut text, line);
    }
    push_line(&mut text, &format!("X-WR-CALNAME:{}", escaped(&itinerary.title)));
    for (zone, first, last) in used(&facts) {
        zones::write(&mut text, &zone, first, last);
    }
    for (segment, facts) in segments.iter().zip(&facts) {
        event(&mut text, segment, facts);
    }
    push_line(&mut text, "END:VCALENDAR");
    text
}

/// The zones of times, with the first and the last moment of each.
fn used(facts: &[Facts]) -> Vec<(Zone, i64, i64)> {
    let mut zones: Vec<(Zone, i64, i64)> = Vec::new();
    for stamp in facts.iter().flat_map(|facts| facts.start.iter().chain(&facts.end)) {
        let Stamp::At(civil, name) = stamp else { continue };
        let Some(zone) = zones::of(name).filter(|_| !UTC.contains(&name.as_str())) else { continue };
        let at = zone.instant(*civil).utc();
        match zones.iter_mut().find(|(known, ..)| *known == zone) {
            Some((_, first, last)) => (*first, *last) = ((*first).min(at), (*last).max(at)),
            None => zones.push((zone, at, at)),
        }
    }
    zones
}

fn event(text: &mut String, segment: &Segment, facts: &Facts) {
    // Nothing is an event without a day (RFC 5545, 3.6.1); a to-do may be.
    let (name, end_name) = if facts.start.is_some() { ("VEVENT", "DTEND") } else { ("VTODO", "DUE") };
    let mut line = |name: &str, value: &str| push_line(text, &format!("{name}:{value}"));
    line("BEGIN", name);
    line("UID", &escaped(&format!("{}{AT_US}", segment.id)));
    // What is not sent to anybody is stamped with when it last changed (RFC 5545, 3.8.7.2): no clock is needed.
    line("DTSTAMP", &stamped(segment.updated_ms));
    line("CREATED", &stamped(segment.created_ms));
    line("LAST-MODIFIED", &stamped(segment.updated_ms));
    line("SUMMARY", &escaped(&facts.summary));
    if let Some(start) = &facts.start {
        let (name, value) = property("DTSTART", start);
        line(&name, &value);
    }
    if let Some(end) = &facts.end {
        // The day a property ends on is the first that is not in it (RFC 5545, 3.6.1). A to-do is due on its day.
        let end = match end {
            Stamp::Day(last) if facts.start.is_some() => Stamp::Day(day_after(*last)),
            end => end.clone(),
        };
        let (name, value) = property(end_name, &end);
        line(&name, &value);
    }
    if !facts.location.is_empty() {
        line("LOCATION", &escaped(&facts.location));
    }
    if let Some((lat, lon)) = facts.geo {
        line("GEO", &format!("{lat};{lon}"));
    }
    if !facts.description.is_empty() {
        line("DESCRIPTION", &escaped(&facts.description));
    }
    if !facts.url.is_empty() {
        line("URL", &facts.url);
    }
    line("CATEGORIES", &capital(segment.kind.word()));
    if facts.start.is_some() {
        line("STATUS", if facts.is_tentative { "TENTATIVE" } else { "CONFIRMED" });
        // Nights and whole days leave room for what is done in them.
        let is_free = matches!(facts.start, Some(Stamp::Day(_)))
            || segment.kind == Kind::Note
            || segment.status == Status::Idea;
        line("TRANSP", if is_free { "TRANSPARENT" } else { "OPAQUE" });
    } else {
        line("STATUS", "NEEDS-ACTION");
    }
    if let Ok(own) = serde_json::to_string(segment) {
        line(OWN, &escaped(&own));
    }
    line("END", name);
}

/// A day or a time with the name of its property and how it is to be read.
fn property(name: &str, stamp: &Stamp) -> (String, String) {
    match stamp {
        Stamp::Day(day) => (format!("{name};VALUE=DATE"), compact(&day_text(*day))),
        Stamp::At(civil, zone) if zone.is_empty() => (name.to_owned(), written(*civil)),
        Stamp::At(civil, zone) if UTC.contains(&zone.as_str()) => {
            (name.to_owned(), format!("{}Z", written(*civil)))
        }
        Stamp::At(civil, zone) => {
            // What is no name is none of a parameter's letters either.
            let zone: String = zone.chars().filter(|letter| !"\";:,\r\n".contains(*letter)).collect();
            (format!("{name};TZID={zone}"), written(*civil))
        }
    }
}

/// Milliseconds since 1970 in UTC.
fn stamped(at_ms: i64) -> String {
    compact(&domain::utc_text(at_ms))
}
