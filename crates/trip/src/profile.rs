//! What is known of the people who travel and of what they want: only what was said, with a confidence for each field, and unknown as a
//! value (D-20). The trap of S4-18 is a profile that has four travellers nobody stated: a field without words it was taken from cannot be
//! made here.

use domain::row;
use schemars::JsonSchema;
use serde::Serialize;

use crate::model::{Itinerary, TravellerKind};
use crate::money::Money;
use crate::words::words;

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Known<T> {
    /// What it comes to.
    pub value: T,
    /// How sure that is, 0 to 1: 1 for what was said in so many words.
    pub confidence: f64,
    /// The words it was taken from, as the person said them.
    pub said: String,
}

row!(
    Known<T> = Self { value: T::blank(), confidence: 0.0, said: String::new() },
    needed [value, confidence, said],
    may []
);

/// What is known of a trip's travellers and their wishes; one row for each itinerary, under its id. A field that is none is unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default)]
pub struct Profile {
    /// The itinerary's id.
    pub id: String,
    /// How many people travel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub travelers: Option<Known<u32>>,
    /// Which of adult, child and infant are among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Known<Vec<TravellerKind>>>,
    /// Where they want to go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination: Option<Known<Vec<String>>>,
    /// Where they set out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Known<String>>,
    /// When, as far as it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<Known<Dates>>,
    /// What all of it may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Known<Money>>,
    /// Where they like to sleep: `boutique hotel`, `rental`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accommodation: Option<Known<String>>,
    /// What they like to see and do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interests: Option<Known<Vec<String>>>,
    /// How much they want in a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<Known<Pace>>,
    /// What they do and do not eat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diet: Option<Known<Vec<String>>>,
    /// What they need to get about: `wheelchair`, `no stairs`, `pushchair`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobility: Option<Known<Vec<String>>>,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: i64,
    /// It came in by a file that somebody else may have written.
    #[serde(rename = "untrusted", skip_serializing_if = "is_false", with = "domain::from_a_file")]
    #[schemars(skip)]
    pub imported: bool,
}

row!(Profile = Self::default(), needed [], may [id, travelers, kinds, destination, origin, dates, budget, accommodation, interests, pace, diet, mobility, updated_ms], from a file imported);

/// When a trip is, as far as it was said: “a week in June” has no days yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(default)]
pub struct Dates {
    /// The first day, `2026-06-15`; empty where it was not said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// The last day; empty where it was not said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub end: String,
    /// How many nights; none where it was not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nights: Option<u32>,
    /// The month or season, in the person's words; empty where days are known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub around: String,
}

row!(Dates = Self::default(), needed [], may [start, end, nights, around]);

words! {
    /// How much travellers want in a day.
    Pace {
        /// One thing a day, and time.
        Relaxed = "relaxed",
        /// Two or three things a day.
        Moderate = "moderate",
        /// As much as there is time for.
        Packed = "packed",
    }
}

words! {
    /// A field of a profile, for what is asked and told of it.
    Field {
        /// [`Profile::destination`].
        Destination = "destination",
        /// [`Profile::dates`].
        Dates = "dates",
        /// [`Profile::travelers`].
        Travelers = "travelers",
        /// [`Profile::budget`].
        Budget = "budget",
        /// [`Profile::accommodation`].
        Accommodation = "accommodation",
        /// [`Profile::origin`].
        Origin = "origin",
        /// [`Profile::interests`].
        Interests = "interests",
        /// [`Profile::pace`].
        Pace = "pace",
        /// [`Profile::kinds`].
        Kinds = "kinds",
        /// [`Profile::diet`].
        Diet = "diet",
        /// [`Profile::mobility`].
        Mobility = "mobility",
    }
}

impl Profile {
    /// How sure a field is; none where it is unknown.
    #[must_use]
    pub fn confidence_of(&self, field: Field) -> Option<f64> {
        fn sure<T>(known: &Option<Known<T>>) -> Option<f64> {
            known.as_ref().map(|known| known.confidence)
        }
        match field {
            Field::Destination => sure(&self.destination),
            Field::Dates => sure(&self.dates),
            Field::Travelers => sure(&self.travelers),
            Field::Budget => sure(&self.budget),
            Field::Accommodation => sure(&self.accommodation),
            Field::Origin => sure(&self.origin),
            Field::Interests => sure(&self.interests),
            Field::Pace => sure(&self.pace),
            Field::Kinds => sure(&self.kinds),
            Field::Diet => sure(&self.diet),
            Field::Mobility => sure(&self.mobility),
        }
    }

    /// What is still to be asked, in the order in which it matters for a search (S4-18 asks for travellers, budget and accommodation).
    /// Diet and mobility are not asked: who needs something says so.
    #[must_use]
    pub fn missing(&self) -> Vec<Field> {
        const ASKED: [Field; 8] = [
            Field::Destination,
            Field::Dates,
            Field::Travelers,
            Field::Budget,
            Field::Accommodation,
            Field::Origin,
            Field::Interests,
            Field::Pace,
        ];
        ASKED.into_iter().filter(|field| self.confidence_of(*field).is_none()).collect()
    }

    /// The same without what the itinerary itself says.
    #[must_use]
    pub fn missing_of(&self, itinerary: &Itinerary) -> Vec<Field> {
        let is_said = |field: &Field| match field {
            Field::Destination => !itinerary.destinations.is_empty(),
            Field::Dates => itinerary.days().is_some(),
            Field::Travelers => !itinerary.travellers.is_empty(),
            Field::Budget => itinerary.budget.is_some(),
            Field::Origin => itinerary.home.is_some(),
            _ => false,
        };
        self.missing().into_iter().filter(|field| !is_said(field)).collect()
    }
}

impl store::Record for Profile {
    const TABLE: &'static str = "trip_profiles";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        "what is known of the travellers"
    }
}

fn is_false(is: &bool) -> bool {
    !is
}
