//! iCalendar (RFC 5545) out and in, with zones: an event for each segment.
//!
//! [`write()`] writes what Google, Apple and Microsoft calendars show well: times in their own zones (a flight's end in the zone it arrives
//! in) with a `VTIMEZONE` for each, days as `VALUE=DATE` whose last day is inside, `TENTATIVE` for an idea. What iCalendar has no property
//! for is in `X-SATCHEL-SEGMENT`, the row as JSON: where a standard property still says what the row would say the row's own field is taken,
//! and what another program changed is taken from the property. A segment without a day is a `VTODO`, which calendars pass over.
//!
//! Whatever of it is of the demo catalogue says so in its title and text, and is `TENTATIVE`.
//!
//! [`read()`] reads those of others as well: Windows names of zones, zones that a file brings itself, times in UTC beside `X-WR-TIMEZONE`,
//! floating times, days, folded lines. It says what it leaves out. It looks up no place and adds nothing: `itinerary_import` does.

mod came;
mod facts;
mod finding;
mod fit;
mod import;
mod read;
mod tools;
mod write;
mod zones;

pub(crate) use import::ItineraryImport;
pub use read::{Draft, Error, LeftOut, Reading, Why, read};
pub use tools::FileFormat;
pub(crate) use tools::ItineraryExport;
pub use write::write;

/// Our own property with a segment as JSON.
const OWN: &str = "X-SATCHEL-SEGMENT";

/// What makes the UID of one of our segments unique in the world, behind its id.
const AT_US: &str = "@satchel";
