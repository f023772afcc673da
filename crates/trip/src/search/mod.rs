//! Searches: what can be found, where it comes from, and the four tools that look for it (S4-10, S4-19, S4-31, D-20).
//!
//! A [`Query`] is asked of a [`SearchSource`], which gives [`Found`] things. One source ships: [`Demo`], a catalogue of 23 cities that says
//! `demo` wherever it says anything, and is a function of the query. Real sources are tools of servers elsewhere; the page calls those, and a
//! [`Mapping`] says how a query becomes their arguments and their result becomes [`Found`]. [`Recent`] keeps answers for five minutes
//! (S4-31): it is memory and no table, because what was found is nothing that a person did. All tools hold the same one (`Desk`): what was
//! found elsewhere is added by its id as what the catalogue has.

mod catalogue;
mod demo;
mod desk;
mod elsewhere;
mod mapping;
mod recent;
mod tools;
mod ways;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::atlas::Atlas;
use crate::model::{Kind, Mode, Place, Segment, When};
use crate::money::Money;
use crate::words::words;

pub use demo::Demo;
pub(crate) use desk::Desk;
pub(crate) use elsewhere::{SearchAnswer, SearchAsk};
pub use mapping::{Mapping, MappingError, apply, read};
pub use recent::{FIVE_MINUTES_MS, Recent};
pub(crate) use tools::{SearchFlights, SearchHotels, SearchTransfers, SearchWeb};

/// The source of what the catalogue that ships has: nobody else wrote it.
pub(crate) const DEMO: &str = "demo";

/// Whether a source is the demo catalogue, however it is written.
pub(crate) fn is_demo(source: &str) -> bool {
    mcp::one_line(source).eq_ignore_ascii_case(DEMO)
}

/// Where a segment came from if from a search, for behind a comma or as a sentence's end: wherever a segment is told one at a time it is told with
/// this (S4-10). None for what was typed.
pub(crate) fn source_said(segment: &Segment) -> Option<String> {
    match &*segment.source {
        "" => None,
        source if is_demo(source) => Some("from the demo catalogue (invented)".to_owned()),
        source => Some(format!("found by {source}")),
    }
}

/// The same behind a comma; empty for what was typed.
pub(crate) fn sourced(segment: &Segment) -> String {
    source_said(segment).map_or_else(String::new, |said| format!(", {said}"))
}

/// A word with a capital letter: `Flight`.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
}

words! {
    /// What is looked for.
    What {
        /// Flights between two airports.
        Flights = "flights",
        /// Nights at a place.
        Hotels = "hotels",
        /// Ways on the ground.
        Transfers = "transfers",
        /// Sights and notes.
        Web = "web",
    }
}

/// A query, the same for every source. What is empty was not said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Query {
    /// What is looked for.
    pub what: What,
    /// Where, of hotels and of what is on the web.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Where a way begins: an airport's three letters, a city, a place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from: String,
    /// Where a way ends.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub to: String,
    /// The day (`2026-06-15`), the moment of a transfer (`2026-06-15T11:30`), or the month alone (`2026-06`).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// The day of departure from a hotel, or of the flight back.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub end: String,
    /// How many nights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nights: Option<u32>,
    /// How many people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub travelers: Option<u32>,
    /// How many rooms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rooms: Option<u32>,
    /// What all of it may cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Money>,
    /// What it should be like, and words to look for: charming, family, museum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub style: Vec<String>,
}

impl Query {
    /// A query of which nothing is said yet.
    #[must_use]
    pub fn new(what: What) -> Self {
        Self {
            what,
            place: String::new(),
            from: String::new(),
            to: String::new(),
            start: String::new(),
            end: String::new(),
            nights: None,
            travelers: None,
            rooms: None,
            budget: None,
            style: Vec::new(),
        }
    }
}

/// Something that was found. It can be added to an itinerary as it is: by its id (`from_search`) or by its fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Names it in calls (`from_search` of `add_hotel` and the like); never shown to a person.
    pub id: String,
    /// What it would be on an itinerary.
    pub kind: Kind,
    /// What a person calls it.
    pub title: String,
    /// All that matters in a sentence or two for a person. The demo's says “demo”.
    pub text: String,
    /// It is of the demo catalogue: invented, and never to be told as a real offer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub demo: bool,
    /// What all of it costs: all nights, all people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Money>,
    /// What speaks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pros: Vec<String>,
    /// What speaks against it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cons: Vec<String>,
    /// Why it fits what was asked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Where it comes from: `demo`, or a server's name.
    pub source: String,
    /// When that was looked up, in UTC: `2026-06-01T10:00:00Z`.
    pub checked_at: String,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Where a way begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Place>,
    /// Where a way ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
    /// When it begins, if a day was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<When>,
    /// When it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<When>,
    /// How one goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Who flies or drives.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub carrier: String,
    /// The flight's number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub number: String,
    /// When it is open, as OpenStreetMap writes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// How many people a room holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleeps: Option<u32>,
    /// How many rooms the price is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rooms: Option<u32>,
    /// Pages about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
}

impl Found {
    /// Something of a source of which no more is known than what it is called.
    #[must_use]
    pub fn new(id: String, kind: Kind, title: String, source: &str, checked_at: &str) -> Self {
        Self {
            id,
            kind,
            text: title.clone(),
            title,
            demo: source == DEMO,
            price: None,
            pros: Vec::new(),
            cons: Vec::new(),
            why: String::new(),
            source: source.to_owned(),
            checked_at: checked_at.to_owned(),
            place: None,
            from: None,
            to: None,
            start: None,
            end: None,
            mode: None,
            carrier: String::new(),
            number: String::new(),
            opening: String::new(),
            sleeps: None,
            rooms: None,
            links: Vec::new(),
        }
    }
}

/// What a source answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// What was found, the best first.
    pub found: Vec<Found>,
    /// How many more there are above the budget.
    pub above_budget: usize,
    /// What the source took for granted because nobody said it, in sentences for a person.
    pub assumed: Vec<String>,
}

/// Somewhere to search. It does not wait for anybody: what has to be asked over a network is asked by the page, through a [`Mapping`].
pub trait SearchSource {
    /// The word for it in [`Found::source`].
    fn name(&self) -> &'static str;

    /// Searches. `checked_at` is the present moment, which the results carry.
    ///
    /// # Errors
    /// A sentence that says what to say instead, for a model.
    fn search(&self, query: &Query, atlas: &dyn Atlas, checked_at: &str) -> Result<Results, String>;

    /// What has an id, on other days if `start` or `end` are said. None for an id of another source.
    ///
    /// # Errors
    /// As [`SearchSource::search`].
    fn again(
        &self,
        id: &str,
        days: (Option<&str>, Option<&str>),
        atlas: &dyn Atlas,
        checked_at: &str,
    ) -> Result<Option<Found>, String>;
}

fn is_false(is: &bool) -> bool {
    !is
}
