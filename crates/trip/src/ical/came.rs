//! What tells one state of an event from another when its file comes again: a hash of what the file itself says.
//!
//! A row also has what was guessed of the event (a zone, a place), which goes by what is around it: compared by that, an event that nobody
//! touched would be another one as soon as the trip has a hotel.

use dates::icalendar::Property;
use store::content_hash;

use super::OWN;

/// The properties of an event that are read. The others are of the program that wrote it, and some change with each file: `DTSTAMP`.
const READ: [&str; 17] = [
    "SUMMARY", "DESCRIPTION", "DTSTART", "DTEND", "DUE", "DURATION", "LOCATION", "GEO", "STATUS", "URL",
    "CATEGORIES", "RRULE", "EXDATE", "ATTENDEE", "X-APPLE-STRUCTURED-LOCATION",
    "X-MICROSOFT-CDO-ALLDAYEVENT", OWN,
];

/// So many digits of a hash tell two states of one event apart.
const DIGITS: usize = 20;

/// What an event with these lines says, of a calendar that names such a zone for times in UTC.
pub(super) fn came(lines: &[String], zone: &str) -> String {
    let is_read =
        |line: &&String| Property::parse(line).is_some_and(|property| READ.contains(&&*property.name));
    let read = lines.iter().filter(is_read).map(String::as_str);
    let all: Vec<&str> = [zone].into_iter().chain(read).collect();
    content_hash(all.join("\n").as_bytes()).chars().filter(char::is_ascii_hexdigit).take(DIGITS).collect()
}
