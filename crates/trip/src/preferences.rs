//! `update_preferences`: what was said of the travellers and of what they want (S4-18, S4-21, D-20).

use std::rc::Rc;

use async_trait::async_trait;
use domain::{Patch, quoted};
use mcp::{Hints, Tool, ToolError, one_line};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::args::sum;
use crate::change::{Written, written};
use crate::clean;
use crate::found::open_itinerary;
use crate::model::{Itinerary, TravellerKind};
use crate::money::Money;
use crate::profile::{Dates, Field, Known, Pace, Profile};
use crate::said::{Says, UNREAD, is_read, says_people, says_sum};

pub(crate) struct UpdatePreferences;

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct Said<T> {
    /// What it comes to.
    value: T,
    /// The person's own words it was taken from.
    said: String,
    /// How sure that is, 0 to 1; 0.9 when left out.
    confidence: Option<f64>,
}

/// When, as far as it was said.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct DatesArg {
    /// The first day: 2026-06-15.
    start: Option<String>,
    /// The last day.
    end: Option<String>,
    /// How many nights.
    nights: Option<u32>,
    /// The month or season, in the person's words.
    around: Option<String>,
}

/// A sum.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct SumArg {
    /// In major units.
    amount: f64,
    /// Three letters of ISO 4217; the itinerary's when left out.
    currency: Option<String>,
}

/// Only what was said; null forgets a field.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreferencesArgs {
    /// The itinerary's id or title; to be given where there are several.
    itinerary: Option<String>,
    /// How many people travel. “for my family” does not say it: leave it out and ask.
    #[serde(default)]
    #[schemars(with = "Option<Said<u32>>")]
    travelers: Patch<Said<u32>>,
    /// Which of adult, child and infant are among them.
    #[serde(default)]
    #[schemars(with = "Option<Said<Vec<TravellerKind>>>")]
    kinds: Patch<Said<Vec<TravellerKind>>>,
    /// Where they want to go.
    #[serde(default)]
    #[schemars(with = "Option<Said<Vec<String>>>")]
    destination: Patch<Said<Vec<String>>>,
    /// Where they set out.
    #[serde(default)]
    #[schemars(with = "Option<Said<String>>")]
    origin: Patch<Said<String>>,
    /// When.
    #[serde(default)]
    #[schemars(with = "Option<Said<DatesArg>>")]
    dates: Patch<Said<DatesArg>>,
    /// What all of it may cost.
    #[serde(default)]
    #[schemars(with = "Option<Said<SumArg>>")]
    budget: Patch<Said<SumArg>>,
    /// Where they like to sleep: hotel, boutique hotel, rental.
    #[serde(default)]
    #[schemars(with = "Option<Said<String>>")]
    accommodation: Patch<Said<String>>,
    /// What they like to see and do.
    #[serde(default)]
    #[schemars(with = "Option<Said<Vec<String>>>")]
    interests: Patch<Said<Vec<String>>>,
    /// How much they want in a day.
    #[serde(default)]
    #[schemars(with = "Option<Said<Pace>>")]
    pace: Patch<Said<Pace>>,
    /// What they do and do not eat.
    #[serde(default)]
    #[schemars(with = "Option<Said<Vec<String>>>")]
    diet: Patch<Said<Vec<String>>>,
    /// What they need to get about.
    #[serde(default)]
    #[schemars(with = "Option<Said<Vec<String>>>")]
    mobility: Patch<Said<Vec<String>>>,
}

/// How sure what was said is, where nobody says.
const USUAL: f64 = 0.9;

/// A confidence in words that are not read here. What is no number stays, and is refused.
fn unread(confidence: f64) -> f64 {
    if confidence > UNREAD && confidence <= 1.0 { UNREAD } else { confidence }
}

impl<T> Said<T> {
    /// Takes it for less sure, since its words are not read here.
    fn doubt(&mut self) {
        self.confidence = Some(unread(self.confidence.unwrap_or(USUAL)));
    }
}

/// A field after an update.
fn known<T>(patch: Patch<Said<T>>, was: Option<Known<T>>) -> Option<Known<T>> {
    match patch {
        Patch::Keep => was,
        Patch::Clear => None,
        Patch::Set(Said { value, said, confidence }) => {
            let confidence = confidence.unwrap_or(USUAL);
            let confidence = if is_read(&said) { confidence } else { unread(confidence) };
            Some(Known { value, confidence, said: one_line(&said) })
        }
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for UpdatePreferences {
    const NAME: &'static str = "update_preferences";
    const TITLE: &'static str = "Note what the travellers want";
    const DESCRIPTION: &'static str = "Keeps what the person said of the travellers and of what they want, each with the words it was taken from. Keep only \
         what was said: what is not known stays unknown, and is asked.";
    const HINTS: Hints = Hints::SET;
    type Args = PreferencesArgs;
    type Output = Written;

    async fn run(&self, args: PreferencesArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let itinerary = open_itinerary(stage, args.itinerary.as_deref())?;
        let row = stage.get::<Profile>(&itinerary.id);
        let before = row
            .as_deref()
            .cloned()
            .unwrap_or_else(|| Profile { id: itinerary.id.clone(), ..Profile::default() });
        let mut travelers = args.travelers;
        if let Patch::Set(travelers) = &mut travelers {
            match says_people(&travelers.said, travelers.value) {
                Says::Yes => {}
                Says::Unread => travelers.doubt(),
                Says::No => {
                    return Err(ToolError::Rejected(format!(
                        "{} does not say that {} travel: leave `travelers` out and ask how many there are.",
                        quoted(&one_line(&travelers.said)),
                        travelers.value
                    )));
                }
            }
        }
        let (is_about_budget, says_budget) = (args.budget.is_said(), matches!(args.budget, Patch::Set(_)));
        let budget: Patch<Said<Money>> = match args.budget {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(Said { value, said, confidence }) => {
                let money = sum(value.amount, value.currency.as_deref(), Some(&itinerary))?;
                let mut said = Said { value: money, said, confidence };
                match says_sum(&said.said, &said.value) {
                    Says::Yes => {}
                    Says::Unread => said.doubt(),
                    Says::No => {
                        return Err(ToolError::Rejected(format!(
                            "{} does not say {}: leave `budget` out and ask what it may cost.",
                            quoted(&one_line(&said.said)),
                            said.value.text()
                        )));
                    }
                }
                Patch::Set(said)
            }
        };
        let dates: Patch<Said<Dates>> = match args.dates {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(Said { value, said, confidence }) => {
                let dates = Dates {
                    start: value.start.unwrap_or_default(),
                    end: value.end.unwrap_or_default(),
                    nights: value.nights,
                    around: value.around.unwrap_or_default(),
                };
                if dates == Dates::default() {
                    return Err(ToolError::Rejected(
                        "The dates say nothing: give days, nights or a time of the year, or leave them out."
                            .into(),
                    ));
                }
                Patch::Set(Said { value: dates, said, confidence })
            }
        };
        let mut after = Profile {
            id: before.id.clone(),
            travelers: known(travelers, before.travelers.clone()),
            kinds: known(args.kinds, before.kinds.clone()),
            destination: known(args.destination, before.destination.clone()),
            origin: known(args.origin, before.origin.clone()),
            dates: known(dates, before.dates.clone()),
            budget: known(budget, before.budget.clone()),
            accommodation: known(args.accommodation, before.accommodation.clone()),
            interests: known(args.interests, before.interests.clone()),
            pace: known(args.pace, before.pace.clone()),
            diet: known(args.diet, before.diet.clone()),
            mobility: known(args.mobility, before.mobility.clone()),
            updated_ms: before.updated_ms,
            imported: before.imported,
        };
        clean::profile(&mut after).map_err(ToolError::Rejected)?;
        let mut is_changed = before != after;
        // The checker goes by the itinerary's budget: what was said is it, where there is none yet. Where that is corrected or taken back it
        // follows, and no other word brings it back. One that was given to the itinerary alone is another one.
        let sum_of = |profile: &Profile| profile.budget.as_ref().map(|known| known.value.clone());
        let budget = match &itinerary.budget {
            None if says_budget => sum_of(&after),
            Some(_) if is_about_budget && itinerary.budget == sum_of(&before) => sum_of(&after),
            known => known.clone(),
        };
        let mut itinerary = itinerary;
        if budget != itinerary.budget {
            is_changed = true;
            let updated_ms = stage.moment().at_ms;
            let with_budget = Itinerary { budget, updated_ms, ..Itinerary::clone(&itinerary) };
            stage.put(with_budget.clone());
            itinerary = Rc::new(with_budget);
        }
        let missing = after.missing_of(&itinerary);
        if before != after {
            after.updated_ms = stage.moment().at_ms;
            stage.put(after);
        }
        let mut summary = if is_changed { "Noted." } else { "That was noted already." }.to_owned();
        if !missing.is_empty() {
            let names: Vec<&str> = missing.iter().map(|field| said(*field)).collect();
            summary = format!("{summary} Not known yet: {}.", names.join(", "));
        }
        written(stage, &itinerary.id, summary)
    }
}

/// A field in a person's words.
pub(crate) fn said(field: Field) -> &'static str {
    match field {
        Field::Destination => "where it goes",
        Field::Dates => "when it is",
        Field::Travelers => "how many travel",
        Field::Budget => "what it may cost",
        Field::Accommodation => "where they like to sleep",
        Field::Origin => "where they set out",
        Field::Interests => "what they like to do",
        Field::Pace => "how much they want in a day",
        Field::Kinds => "who of them is a child",
        Field::Diet => "what they eat",
        Field::Mobility => "what they need to get about",
    }
}
