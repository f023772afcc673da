//! What the page knows of itineraries: the rows as the tools tell them. Pure.
//!
//! Times stay the text they are told in, what the clock on the wall of the place shows: nothing here turns them into the browser's zone.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use ui_kit::Icon;
use ui_kit::language::Word;

use crate::words;

/// The most itineraries there may be; see the tools (issue 16, acceptance 5).
pub const MOST: usize = 50;

/// An itinerary in short, as `itinerary_list` tells it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Item {
    /// Names it in calls; never shown.
    pub id: String,
    /// What a person calls it.
    pub title: String,
    /// Its first day, `2026-06-15`.
    pub start: Option<String>,
    /// Its last day.
    pub end: Option<String>,
    /// Where it goes.
    pub destinations: Vec<String>,
    /// How many segments it has.
    pub segments: usize,
    /// Whether it was put away.
    pub archived: bool,
}

/// The itineraries of an answer of `itinerary_list`; none where it is no such answer.
#[must_use]
pub fn items(answer: &Value) -> Option<Vec<Item>> {
    let items = answer.get("itineraries")?.as_array()?;
    Some(items.iter().filter_map(|item| Item::deserialize(item).ok()).collect())
}

/// An itinerary with all that is on it, as `get_itinerary` tells it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Whole {
    /// The itinerary.
    pub itinerary: Itinerary,
    /// What is on it, in a person's order.
    pub segments: Vec<Segment>,
    /// What all of it costs together, a sum for each currency; ideas are not counted.
    pub costs: Vec<Money>,
    /// What does not work, the worst first.
    pub findings: Vec<Finding>,
    /// What the checker reckons with, every gap filled in.
    pub assumed: BTreeMap<String, u32>,
    /// What was said of the travellers and their wishes, as the tools tell it; null where nothing was.
    pub profile: Value,
    /// What nobody said yet, by the names of the profile's fields.
    pub unknown: Vec<String>,
}

/// An itinerary.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Itinerary {
    /// Names it in calls; never shown.
    pub id: String,
    /// What a person calls it.
    pub title: String,
    /// Its first day, `2026-06-15`; none where nobody said.
    pub start: Option<String>,
    /// Its last day.
    pub end: Option<String>,
    /// Where the travellers set out from and come back to.
    pub home: Option<Place>,
    /// Where it goes, in the person's words and order.
    pub destinations: Vec<String>,
    /// The currency sums are told in; empty where nobody said.
    pub currency: String,
    /// What all of it may cost.
    pub budget: Option<Money>,
    /// Who travels; empty where nobody said.
    pub travellers: Vec<Traveller>,
    /// The figures of the checker that the person changed.
    pub assumptions: BTreeMap<String, u32>,
    /// Findings of the whole that the person accepted.
    pub accepted: Vec<Accepted>,
    /// More about it.
    pub note: String,
    /// When it was put away, in milliseconds since 1970.
    pub archived_ms: Option<i64>,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: i64,
    /// Not empty where words of it came in by a file that somebody else may have written (D-17).
    pub untrusted: String,
}

/// Somebody who travels.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Traveller {
    /// Names them in calls; never shown.
    pub id: String,
    /// What a person calls them.
    pub name: String,
    /// `adult`, `child` or `infant`; none where nobody said.
    pub kind: Option<String>,
    /// The day they were born.
    pub born: Option<String>,
    /// The passport they travel with.
    pub passport: Option<Passport>,
    /// The visas they have.
    pub visas: Vec<Visa>,
}

/// A passport, without its number.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Passport {
    /// The country that issued it, two letters.
    pub country: String,
    /// The last day it is valid.
    pub valid_until: String,
}

/// A visa, without its number.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Visa {
    /// The country it is for, two letters.
    pub country: String,
    /// The first day it is valid; empty where nobody said.
    pub valid_from: String,
    /// The last day it is valid.
    pub valid_until: String,
}

/// Something on an itinerary.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Segment {
    /// Names it in calls; never shown.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// What a person calls it.
    pub title: String,
    /// How settled it is.
    pub status: Status,
    /// When it begins; none for an idea without a day.
    pub start: Option<When>,
    /// When it ends.
    pub end: Option<When>,
    /// Where a flight or a transfer sets out.
    pub from: Option<Place>,
    /// Where a flight or a transfer arrives.
    pub to: Option<Place>,
    /// Where anything else is.
    pub place: Option<Place>,
    /// What all of it costs.
    pub cost: Option<Money>,
    /// The confirmation code of a booking that the person made.
    pub code: String,
    /// Addresses of pages about it.
    pub links: Vec<String>,
    /// When the place is open, as OpenStreetMap writes it.
    pub opening: String,
    /// How many people one room holds.
    pub sleeps: Option<u32>,
    /// How many rooms.
    pub rooms: Option<u32>,
    /// Who flies or drives.
    pub carrier: String,
    /// The flight's or train's number.
    pub number: String,
    /// How one goes, of a transfer: `train`.
    pub mode: Option<String>,
    /// Ids of the travellers who take part; empty for everybody.
    pub who: Vec<String>,
    /// What it hangs on, and moves with.
    pub depends_on: Vec<Dependency>,
    /// More about it.
    pub note: String,
    /// Findings that the person accepted.
    pub accepted: Vec<Accepted>,
    /// Where it came from, if from a search: `demo` for the catalogue that ships.
    pub source: String,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: i64,
}

impl Segment {
    /// Whether a booking holds it where it is (S4-12).
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.status == Status::Booked || !self.code.is_empty()
    }

    /// Whether it is of the catalogue that ships (S4-10).
    #[must_use]
    pub fn is_demo(&self) -> bool {
        self.source == "demo"
    }
}

/// What a segment is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// From an airport to an airport.
    Flight,
    /// Nights with a bed.
    Hotel,
    /// Something to see or to do.
    #[default]
    Activity,
    /// A way on the ground or the water.
    Transfer,
    /// Somebody to meet.
    Meeting,
    /// Something to keep in mind.
    Note,
}

impl Kind {
    /// All of them, as they are offered.
    pub const ALL: [Self; 6] =
        [Self::Flight, Self::Hotel, Self::Activity, Self::Transfer, Self::Meeting, Self::Note];

    /// The word of the tools for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Flight => "flight",
            Self::Hotel => "hotel",
            Self::Activity => "activity",
            Self::Transfer => "transfer",
            Self::Meeting => "meeting",
            Self::Note => "note",
        }
    }

    /// What a person calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        let name: Word = match self {
            Self::Flight => words::flight,
            Self::Hotel => words::hotel,
            Self::Activity => words::activity,
            Self::Transfer => words::transfer,
            Self::Meeting => words::meeting,
            Self::Note => words::note,
        };
        name()
    }

    /// Its drawing.
    #[must_use]
    pub fn icon(self) -> Icon {
        match self {
            Self::Flight => Icon::Plane,
            Self::Hotel => Icon::Bed,
            Self::Activity => Icon::Ticket,
            Self::Transfer => Icon::Bus,
            Self::Meeting => Icon::People,
            Self::Note => Icon::File,
        }
    }

    /// Whether it goes from one place to another.
    #[must_use]
    pub fn is_way(self) -> bool {
        matches!(self, Self::Flight | Self::Transfer)
    }
}

/// How settled a segment is. Nothing here books anything (S4-20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// One of several.
    Idea,
    /// It is to be done.
    #[default]
    Planned,
    /// The person says that they booked it.
    Booked,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Idea, Self::Planned, Self::Booked];

    /// The word of the tools for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Idea => "idea",
            Self::Planned => "planned",
            Self::Booked => "booked",
        }
    }

    /// What a person calls it: `booked by you`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Idea => words::idea(),
            Self::Planned => words::planned(),
            Self::Booked => words::booked_by_you(),
        }
    }
}

/// When something is, as the clock on the wall there says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct When {
    /// `2026-06-15T09:00`, or a day alone.
    pub at: String,
    /// The time zone's IANA name; empty where it is not known.
    pub zone: String,
}

impl When {
    /// Its day, `2026-06-15`.
    #[must_use]
    pub fn day(&self) -> &str {
        self.at.split('T').next().unwrap_or_default()
    }

    /// Its time, `09:00`; none for a day alone.
    #[must_use]
    pub fn time(&self) -> Option<&str> {
        self.at.split_once('T').map(|(_, time)| time)
    }
}

/// Somewhere.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Place {
    /// What a person calls it.
    pub name: String,
    /// The city it is in or near.
    pub city: String,
    /// The country, two letters.
    pub country: String,
    /// In degrees.
    pub lat: Option<f64>,
    /// In degrees.
    pub lon: Option<f64>,
    /// The time zone there.
    pub zone: String,
    /// The three letters of an airport.
    pub iata: String,
}

/// A place's name, with an airport's letters.
#[must_use]
pub fn named(name: &str, iata: &str) -> String {
    if iata.is_empty() || name == iata { name.to_owned() } else { format!("{name} ({iata})") }
}

impl Place {
    /// Its name, with an airport's letters: `Paris Charles de Gaulle (CDG)`.
    #[must_use]
    pub fn said(&self) -> String {
        named(&self.name, &self.iata)
    }

    /// Latitude and longitude, where both are known.
    #[must_use]
    pub fn spot(&self) -> Option<(f64, f64)> {
        Some((self.lat?, self.lon?))
    }
}

/// A sum in the smallest unit of its currency.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Money {
    /// Cents, or whole yen.
    pub minor: i64,
    /// Three letters of ISO 4217.
    pub currency: String,
}

/// Currencies without a smaller unit (ISO 4217): as the tools have them.
const WHOLE: [&str; 17] = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
    "XOF", "XPF",
];

/// Currencies with a thousandth (ISO 4217): as the tools have them.
const THOUSANDTHS: [&str; 7] = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// How many digits behind the point the sums of a currency have.
#[must_use]
pub fn digits(currency: &str) -> usize {
    match currency {
        whole if WHOLE.contains(&whole) => 0,
        fine if THOUSANDTHS.contains(&fine) => 3,
        _ => 2,
    }
}

impl Money {
    /// The amount as it is typed into a field: `3200.50`, `3200`.
    #[must_use]
    pub fn typed(&self) -> String {
        let digits = digits(&self.currency);
        let unit = 10_i64.pow(u32::try_from(digits).unwrap_or(2));
        let (major, minor) = (self.minor / unit, (self.minor % unit).abs());
        if minor == 0 { major.to_string() } else { format!("{major}.{minor:0digits$}") }
    }

    /// With its currency, as the language writes it: `3,200.50 EUR`.
    #[must_use]
    pub fn said(&self) -> String {
        let typed = self.typed();
        let (major, minor) = typed.split_once('.').unwrap_or((&typed, ""));
        let major = major.parse::<usize>().map_or_else(|_| major.to_owned(), ui_kit::locale::number);
        let amount = if minor.is_empty() { major } else { words::with_decimals(&major, minor) };
        words::sum(&amount, &self.currency)
    }
}

/// That a segment hangs on another one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Dependency {
    /// The id of the segment it hangs on.
    pub on: String,
    /// How: `same_shift`, `starts_after_end`, …
    pub how: String,
}

/// A finding that the person wants to be so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Accepted {
    /// The rule's name.
    pub rule: String,
    /// Why, in the person's words.
    pub why: String,
}

/// Something that does not work.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// The rule's name: `overlap`.
    pub rule: String,
    /// `error` or `warning`.
    pub severity: String,
    /// Ids of the segments it is about; empty for what is of the whole.
    pub rows: Vec<String>,
    /// What is wrong, in a sentence of the checker's.
    pub text: String,
    /// What to do about it, in a sentence.
    pub way_out: String,
    /// The same as a call, where one call does it.
    pub call: Option<Call>,
}

impl Finding {
    /// Whether it cannot be meant.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == "error"
    }
}

/// A call that is a way out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// What it is called with.
    pub arguments: Value,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Kind, Money, Status, Whole, items};

    #[test]
    fn an_answer_of_the_tools_is_read() {
        let answer = json!({
            "itinerary": { "id": "i", "title": "Paris", "start": "2026-06-15", "end": "2026-06-22" },
            "segments": [{ "id": "s", "itinerary": "i", "kind": "hotel", "title": "Fabric", "status": "booked",
                "start": { "at": "2026-06-15", "zone": "Europe/Paris" } }],
            "costs": [], "findings": [], "assumed": { "walking_kmh": 4 }, "unknown": ["travelers"],
        });
        let whole: Whole = serde_json::from_value(answer).unwrap();
        assert_eq!((whole.segments[0].kind, whole.segments[0].status), (Kind::Hotel, Status::Booked));
        assert!(whole.segments[0].is_pinned() && whole.profile.is_null());
        assert_eq!(whole.assumed["walking_kmh"], 4);
        assert_eq!(items(&json!({ "itineraries": [{ "id": "i", "title": "P" }, 7] })).unwrap().len(), 1);
        assert_eq!(items(&json!({ "items": [] })), None);
    }

    #[test]
    fn a_sum_is_typed_as_its_currency_has_it() {
        let typed = |minor, currency: &str| Money { minor, currency: currency.into() }.typed();
        assert_eq!(typed(320_050, "EUR"), "3200.50");
        assert_eq!(typed(320_000, "EUR"), "3200");
        assert_eq!(typed(3_200, "JPY"), "3200");
        assert_eq!(typed(1_005, "KWD"), "1.005");
    }
}
