//! `itinerary_create`: where every trip begins (S4-02).

use async_trait::async_trait;
use domain::quoted;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::args::{PlaceArg, sum};
use crate::atlas::Atlas;
use crate::change::{Written, written};
use crate::model::{Itinerary, MAX_ITINERARIES};
use crate::{clean, days};

pub(crate) struct ItineraryCreate(pub &'static dyn Atlas);

/// What is known of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateArgs {
    /// What to call it: Paris in June.
    title: String,
    /// Its first day: 2026-06-15. Only where it was said.
    start: Option<String>,
    /// Its last day.
    end: Option<String>,
    /// Where it goes.
    destinations: Option<Vec<String>>,
    /// Where it sets out and comes back to.
    home: Option<PlaceArg>,
    /// What all of it may cost, in major units.
    budget: Option<f64>,
    /// Three letters of ISO 4217.
    currency: Option<String>,
    /// More about it.
    note: Option<String>,
}

/// Whether one more itinerary has room.
///
/// # Errors
/// [`ToolError::Rejected`] where it has not.
pub(crate) fn room(stage: &Stage) -> Result<(), ToolError> {
    if stage.all::<Itinerary>().len() < MAX_ITINERARIES {
        return Ok(());
    }
    Err(ToolError::Rejected(format!(
        "{MAX_ITINERARIES} itineraries are there, and no more can be: delete one with itinerary_delete first."
    )))
}

/// Whether no other itinerary than this one is called so: a person means one by its title.
///
/// # Errors
/// [`ToolError::Rejected`] where another one is.
pub(crate) fn only(stage: &Stage, itinerary: &Itinerary) -> Result<(), ToolError> {
    if is_used(stage, &itinerary.title, &itinerary.id) {
        return Err(ToolError::Rejected(format!(
            "There is an itinerary {} already: call this one something else.",
            quoted(&itinerary.title)
        )));
    }
    Ok(())
}

/// A title, with the first number behind it that makes it one that no itinerary has.
pub(crate) fn unused(stage: &Stage, title: &str) -> String {
    let mut numbered = (2..).map(|number| format!("{title} {number}"));
    let mut name = title.to_owned();
    while is_used(stage, &name, "") {
        let Some(next) = numbered.next() else { break };
        name = next;
    }
    name
}

fn is_used(stage: &Stage, title: &str, but: &str) -> bool {
    let lower = title.to_lowercase();
    let is_it = |other: &Itinerary| other.id != but && other.title.to_lowercase() == lower;
    !stage.filter::<Itinerary>(is_it).is_empty()
}

#[async_trait(?Send)]
impl Tool<Stage> for ItineraryCreate {
    const NAME: &'static str = "itinerary_create";
    const TITLE: &'static str = "Make an itinerary";
    const DESCRIPTION: &'static str = "Makes an itinerary for a trip: begin here. Only what the person said: leave out what is not known and ask. Who \
         travels is add_traveler's, what they like update_preferences'.";
    const HINTS: Hints = Hints::ADD;
    type Args = CreateArgs;
    type Output = Written;

    async fn run(&self, args: CreateArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        room(stage)?;
        let now_ms = stage.moment().at_ms;
        let mut itinerary = Itinerary {
            id: stage.new_id("itin"),
            title: args.title,
            start: args.start,
            end: args.end,
            home: args.home.map(|home| home.resolve(self.0, None)),
            destinations: args.destinations.unwrap_or_default(),
            currency: args.currency.clone().unwrap_or_default(),
            note: args.note.unwrap_or_default(),
            created_ms: now_ms,
            updated_ms: now_ms,
            ..Itinerary::default()
        };
        if let Some(budget) = args.budget {
            itinerary.budget = Some(sum(budget, args.currency.as_deref(), None)?);
        }
        clean::itinerary(&mut itinerary).map_err(ToolError::Rejected)?;
        only(stage, &itinerary)?;
        let when = days::span(&itinerary);
        let when = if when.is_empty() { String::new() } else { format!(", {when}") };
        let summary = format!("Made the itinerary {}{when}.", quoted(&itinerary.title));
        let id = itinerary.id.clone();
        stage.put(itinerary);
        written(stage, &id, summary)
    }
}
