//! What an itinerary is and what is on it. Pure data: the same JSON on disk, in a tool's answer and on the screen.
//!
//! Start at [`Itinerary`] and [`Segment`]: a segment is a row of its own and names its itinerary. What is known of the people who travel
//! is in [`crate::Profile`]. Fields that this version does not know are passed over when a row is read.
//!
//! Days and times are text, as they were said where the thing takes place: [`When`] reads them. What is empty is not known, and is not
//! written: nothing here is ever guessed (D-20).

use dates::iso::{read_day, read_moment};
pub(crate) use domain::FROM_A_FILE;
use domain::row;
use jiff::civil::{Date, DateTime};
use schemars::JsonSchema;
use serde::Serialize;

use crate::assumed::Assumptions;
use crate::money::Money;
use crate::profile::Profile;
use crate::words::words;

/// The most itineraries there may be (issue 16, acceptance 5).
pub const MAX_ITINERARIES: usize = 50;

/// The most segments of one itinerary (issue 16, acceptance 5).
pub const MAX_SEGMENTS: usize = 200;

/// The most travellers of one itinerary.
pub const MAX_TRAVELLERS: usize = 20;

/// The length of a day as text, `2026-06-15`.
const DAY: usize = 10;

/// A trip: who goes where and when, for how much. What happens on it are its [`Segment`]s.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default)]
pub struct Itinerary {
    /// Names it in calls; never shown to a person.
    pub id: String,
    /// What a person calls it, in a line.
    pub title: String,
    /// Its first day, `2026-06-15`; none where nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Its last day, the one on which one is home again; none where nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Where the travellers set out from and come back to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<Place>,
    /// Where it goes, in the person's words and order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub destinations: Vec<String>,
    /// The currency sums are told in, three letters of ISO 4217; empty where nobody said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub currency: String,
    /// What all of it may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Money>,
    /// Who travels, each as the person said it. Empty where nobody said: then how many there are is not known either (S4-18).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub travellers: Vec<Traveller>,
    /// What the checker is to reckon with in place of its own figures.
    #[serde(skip_serializing_if = "Assumptions::is_empty")]
    pub assumptions: Assumptions,
    /// Findings about the itinerary as a whole (its nights, its budget) that the person accepted on purpose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Accepted>,
    /// More about it, in lines.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// When it was put away, in milliseconds since 1970; none where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived_ms: Option<i64>,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: i64,
    /// When this row last changed, in milliseconds since 1970. Its segments have their own: a change of one is none of the itinerary, so
    /// that either can be undone by itself.
    pub updated_ms: i64,
    /// Words of it came in by a file that somebody else may have written.
    #[serde(rename = "untrusted", skip_serializing_if = "is_false", with = "domain::from_a_file")]
    #[schemars(skip)]
    pub imported: bool,
}

row!(Itinerary = Self::default(), needed [], may [id, title, start, end, home, destinations, currency, budget, travellers, assumptions, accepted, note, archived_ms, created_ms, updated_ms], from a file imported);

impl Itinerary {
    /// How many travel by its profile, where that says a number and nobody is named. Where an infant is among them it says nothing of beds.
    #[must_use]
    pub fn heads(&self, profile: Option<&Profile>) -> Option<u32> {
        let has_infant = |profile: &&Profile| {
            let kinds = profile.kinds.as_ref().map(|kinds| &kinds.value);
            kinds.is_some_and(|kinds| kinds.contains(&TravellerKind::Infant))
        };
        let said = profile.filter(|profile| self.travellers.is_empty() && !has_infant(profile));
        said.and_then(|profile| profile.travelers.as_ref()).map(|travelers| travelers.value)
    }

    /// Its first and last day, where both can be read and are in order.
    #[must_use]
    pub fn days(&self) -> Option<(Date, Date)> {
        let (start, end) = (read_day(self.start.as_deref()?)?, read_day(self.end.as_deref()?)?);
        (start <= end).then_some((start, end))
    }
}

impl store::Record for Itinerary {
    const TABLE: &'static str = "itineraries";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        &self.title
    }
}

/// Somebody who travels. No number of a passport is ever kept: only what decides whether one is let in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default)]
pub struct Traveller {
    /// Names them in calls; never shown to a person.
    pub id: String,
    /// What a person calls them.
    pub name: String,
    /// Adult, child or infant; none where nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<TravellerKind>,
    /// The day they were born, `2019-04-01`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub born: Option<String>,
    /// The passport they travel with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passport: Option<Passport>,
    /// The visas they have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub visas: Vec<Visa>,
}

row!(Traveller = Self::default(), needed [], may [id, name, kind, born, passport, visas]);

words! {
    /// How old a traveller is, as airlines and hotels ask it.
    TravellerKind {
        /// 12 years or older, or as the airline says.
        Adult = "adult",
        /// 2 to 11 years.
        Child = "child",
        /// Under 2 years, without a seat or a bed of their own.
        Infant = "infant",
    }
}

/// A passport, without its number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default)]
pub struct Passport {
    /// The country that issued it, two letters of ISO 3166-1.
    pub country: String,
    /// The last day it is valid, `2029-03-31`.
    pub valid_until: String,
}

row!(Passport = Self::default(), needed [], may [country, valid_until]);

/// A visa, without its number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default)]
pub struct Visa {
    /// The country it is for, two letters of ISO 3166-1.
    pub country: String,
    /// The first day it is valid; empty where the person did not say.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub valid_from: String,
    /// The last day it is valid.
    pub valid_until: String,
}

row!(Visa = Self::default(), needed [], may [country, valid_from, valid_until]);

/// Something on an itinerary: a flight, a hotel's nights, a visit, a way from here to there.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Segment {
    /// Names it in calls; never shown to a person.
    pub id: String,
    /// The id of its itinerary.
    pub itinerary: String,
    /// What it is.
    pub kind: Kind,
    /// What a person calls it, in a line.
    pub title: String,
    /// How settled it is. Nothing here books anything (S4-20).
    #[serde(default)]
    pub status: Status,
    /// When it begins: a flight's departure, a hotel's first day. None for an idea without a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<When>,
    /// When it ends: a flight's arrival in the zone of the place it arrives at, the day one leaves a hotel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<When>,
    /// Where a flight or a transfer sets out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Place>,
    /// Where a flight or a transfer arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
    /// Where anything else is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What all of it costs: all nights, all people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Money>,
    /// The confirmation code of a booking that the person made; it pins the segment ([`Segment::is_pinned`]).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// Addresses of pages about it (`https://`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// When the place is open, as OpenStreetMap's `opening_hours` writes it; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// How many people one room holds; none where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleeps: Option<u32>,
    /// How many rooms; none where nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rooms: Option<u32>,
    /// Who flies or drives: an airline's name or code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub carrier: String,
    /// The flight's or train's number: `AF1735`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub number: String,
    /// How one goes, of a transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Ids of the travellers who take part; empty for everybody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub who: Vec<String>,
    /// What it hangs on, and moves with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<Dependency>,
    /// Where it stands in its day if it has no time: in thousandths of a minute since midnight, so that 540,000 stands with what begins at
    /// 9:00. Of two that begin at the same minute the lower comes first.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rank: i32,
    /// More about it, in lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Findings of the checker that the person accepted on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Accepted>,
    /// Where it came from, if from a search: `demo` for the catalogue that ships, or a server's name. Empty for what was typed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// What the event of a calendar that it is from said, as a hash: a file that comes again is told by it from one in which the event is
    /// another. Empty for all else.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(skip)]
    pub came: String,
    /// When it was added, in milliseconds since 1970.
    #[serde(default)]
    pub created_ms: i64,
    /// When it last changed, in milliseconds since 1970.
    #[serde(default)]
    pub updated_ms: i64,
    /// Words of it came in by a file that somebody else may have written, or by a search elsewhere.
    #[serde(default, rename = "untrusted", skip_serializing_if = "is_false", with = "domain::from_a_file")]
    #[schemars(skip)]
    pub imported: bool,
}

row!(Segment = Self::new(String::new(), String::new(), Kind::Note, String::new()), needed [id, itinerary, kind, title], may [status, start, end, from, to, place, cost, code, links, opening, sleeps, rooms, carrier, number, mode, who, depends_on, rank, note, accepted, source, came, created_ms, updated_ms], from a file imported);

impl Segment {
    /// A segment of which no more is known than that it is there; for whoever fills in the rest.
    #[must_use]
    pub fn new(id: String, itinerary: String, kind: Kind, title: String) -> Self {
        Self {
            id,
            itinerary,
            kind,
            title,
            status: Status::default(),
            start: None,
            end: None,
            from: None,
            to: None,
            place: None,
            cost: None,
            code: String::new(),
            links: Vec::new(),
            opening: String::new(),
            sleeps: None,
            rooms: None,
            carrier: String::new(),
            number: String::new(),
            mode: None,
            who: Vec::new(),
            depends_on: Vec::new(),
            rank: 0,
            note: String::new(),
            accepted: Vec::new(),
            source: String::new(),
            came: String::new(),
            created_ms: 0,
            updated_ms: 0,
            imported: false,
        }
    }

    /// Whether a booking holds it where it is: nothing that moves takes it along, it is reported instead (S4-12).
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.status == Status::Booked || !self.code.is_empty()
    }

    /// Whether the person accepted what a rule of the checker finds of it alone.
    #[must_use]
    pub fn accepts(&self, rule: &str) -> bool {
        self.accepted.iter().any(|accepted| accepted.rule == rule)
    }

    /// Whether the person accepted what a rule finds of it and another segment, which is given by its id.
    #[must_use]
    pub fn accepts_beside(&self, rule: &str, other: &str) -> bool {
        let is_of = |accepted: &Accepted| accepted.of.is_empty() || accepted.of.iter().any(|of| of == other);
        self.accepted.iter().any(|accepted| accepted.rule == rule && is_of(accepted))
    }

    /// Where one is when it begins: where it sets out, or where it is.
    #[must_use]
    pub fn starts_at(&self) -> Option<&Place> {
        self.from.as_ref().or(self.place.as_ref())
    }

    /// Where one is when it ends: where it arrives, or where it is.
    #[must_use]
    pub fn ends_at(&self) -> Option<&Place> {
        self.to.as_ref().or(self.place.as_ref())
    }
}

impl store::Record for Segment {
    const TABLE: &'static str = "segments";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        &self.title
    }
}

words! {
    /// What a segment is (S4-06, S4-22).
    Kind {
        /// From an airport to an airport.
        Flight = "flight",
        /// Nights with a bed: a hotel, an apartment, a night at friends'.
        Hotel = "hotel",
        /// Something to see or to do.
        Activity = "activity",
        /// A way on the ground or the water.
        Transfer = "transfer",
        /// Somebody to meet.
        Meeting = "meeting",
        /// Something to keep in mind, which takes no time.
        Note = "note",
    }
}

words! {
    /// How settled a segment is. What an assistant adds is an idea or planned: nothing here books (S4-20).
    #[derive(Default)]
    Status {
        /// One of several, or something to think about.
        Idea = "idea",
        /// It is to be done.
        #[default]
        Planned = "planned",
        /// The person says that they booked it themselves: “booked by you”.
        Booked = "booked",
    }
}

words! {
    /// How one goes from one place to another.
    Mode {
        /// On foot.
        Walk = "walk",
        /// In a car of one's own, or a rented one.
        Car = "car",
        /// By train.
        Train = "train",
        /// By bus or coach.
        Bus = "bus",
        /// By ferry or another ship.
        Ferry = "ferry",
        /// By taxi or with a driver.
        Taxi = "taxi",
        /// By metro, tram or a city's trains.
        Metro = "metro",
        /// By bicycle.
        Bicycle = "bicycle",
    }
}

/// When something is, as the clock on the wall there says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(default)]
pub struct When {
    /// A moment in civil time, `2026-06-15T09:00`; or a day, `2026-06-15`, for what is so all day or at a time nobody said.
    pub at: String,
    /// The time zone it is said in, by its name in the IANA database: `Europe/Berlin`. Empty where it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub zone: String,
}

row!(When = Self::default(), needed [], may [at, zone]);

impl When {
    /// A day, or a moment, in a zone.
    #[must_use]
    pub fn new(at: impl Into<String>, zone: impl Into<String>) -> Self {
        Self { at: at.into(), zone: zone.into() }
    }

    /// The moment on the wall; none for a day without a time, and for what cannot be read.
    #[must_use]
    pub fn civil(&self) -> Option<DateTime> {
        read_moment(&self.at)
    }

    /// The day it is on; none for what cannot be read.
    #[must_use]
    pub fn day(&self) -> Option<Date> {
        if self.is_all_day() { read_day(&self.at) } else { self.civil().map(DateTime::date) }
    }

    /// Whether it is a day without a time.
    #[must_use]
    pub fn is_all_day(&self) -> bool {
        self.at.len() == DAY && read_day(&self.at).is_some()
    }
}

/// Somewhere. What could not be looked up has its name alone, as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default)]
pub struct Place {
    /// What a person calls it: `Louvre`, `Paris Charles de Gaulle`, `Hotel Fabric`.
    pub name: String,
    /// The city it is in or near.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub city: String,
    /// The country, two letters of ISO 3166-1.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub country: String,
    /// Latitude in degrees, -90 to 90.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
    /// Longitude in degrees, -180 to 180.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lon: Option<f64>,
    /// The time zone there, by its name in the IANA database.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub zone: String,
    /// The three letters of an airport.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub iata: String,
}

row!(Place = Self::default(), needed [], may [name, city, country, lat, lon, zone, iata]);

impl Place {
    /// A place of which the name alone is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Latitude and longitude, where both are known and on the Earth.
    #[must_use]
    pub fn spot(&self) -> Option<(f64, f64)> {
        let (lat, lon) = (self.lat?, self.lon?);
        ((-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lon)).then_some((lat, lon))
    }
}

/// That a segment hangs on another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Dependency {
    /// The id of the segment it hangs on, of the same itinerary.
    pub on: String,
    /// How it hangs on it.
    #[serde(default)]
    pub how: How,
}

row!(Dependency = Self { on: String::new(), how: How::default() }, needed[on], may[how]);

words! {
    /// How a segment hangs on another. Its length stays whatever moves; what differs is which end of the other one it goes by.
    #[derive(Default)]
    How {
        /// It moves as the other one's start does. What nobody said more of.
        #[default]
        SameShift = "same_shift",
        /// It starts so long after the other one ends: a taxi that meets a flight, a hotel night after an arrival.
        StartsAfterEnd = "starts_after_end",
        /// It starts with the other one.
        StartsWith = "starts_with",
        /// It ends with the other one.
        EndsWith = "ends_with",
        /// It ends so long before the other one starts: the train to the airport.
        EndsBeforeStart = "ends_before_start",
    }
}

/// A finding of the checker that the person wants to be so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Accepted {
    /// The rule's name, [`crate::check::Finding::rule`].
    pub rule: String,
    /// Why it is so on purpose, in the person's words.
    #[serde(default)]
    pub why: String,
    /// What it was of when it was accepted, which the tools fill in: ids of the other segments, or the sum that was above the budget, in minor
    /// units (`520000 EUR`). Another segment, or a larger sum, is told again. Empty for whatever the rule finds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub of: Vec<String>,
}

row!(Accepted = Self::default(), needed [rule], may [why, of]);

fn is_false(is: &bool) -> bool {
    !is
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}
