//! `add_traveler`: who travels, as the person says it. No number of a passport is ever kept.

use async_trait::async_trait;
use domain::{Patch, quoted};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::args::travellers;
use crate::change::{Written, written};
use crate::clean;
use crate::found::open_itinerary;
use crate::model::{Itinerary, MAX_TRAVELLERS, Passport, Traveller, TravellerKind, Visa};

pub(crate) struct AddTraveler;

/// Somebody who travels.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TravelerArgs {
    /// What the person calls them.
    name: String,
    /// The id or name of one who is there already and changes.
    traveler: Option<String>,
    /// Adult, child or infant, where it was said; null takes it back.
    #[serde(default)]
    #[schemars(with = "Option<TravellerKind>")]
    kind: Patch<TravellerKind>,
    /// The day they were born: 2019-04-01; null takes it back.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    born: Patch<String>,
    /// Country and last day of the passport; its number is never kept: do not ask for it. null takes it back.
    #[serde(default)]
    #[schemars(with = "Option<PassportArg>")]
    passport: Patch<PassportArg>,
    /// All visas, in place of those that are known; [] for none.
    visas: Option<Vec<VisaArg>>,
    /// The itinerary's id or title; to be given where there are several.
    itinerary: Option<String>,
}

/// A passport without its number.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct PassportArg {
    /// Two letters of ISO 3166.
    country: String,
    /// The last day it is valid: 2029-03-31.
    valid_until: String,
}

/// A visa without its number.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct VisaArg {
    /// The country it is for.
    country: String,
    /// The first day it is valid.
    valid_from: Option<String>,
    /// The last day it is valid.
    valid_until: String,
}

#[async_trait(?Send)]
impl Tool<Stage> for AddTraveler {
    const NAME: &'static str = "add_traveler";
    const TITLE: &'static str = "Add a traveller";
    const DESCRIPTION: &'static str = "Adds somebody who travels, or changes what is known of them. Only people the person named: never fill up a number. \
         Numbers of passports are never kept.";
    const HINTS: Hints = Hints::ADD;
    type Args = TravelerArgs;
    type Output = Written;

    async fn run(&self, args: TravelerArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let before = open_itinerary(stage, args.itinerary.as_deref())?;
        let mut after = Itinerary::clone(&before);
        let known = match args.traveler {
            Some(named) => travellers(&before, vec![named])?.pop(),
            None => None,
        };
        let is_new = known.is_none();
        let id = known.unwrap_or_else(|| stage.new_id("trav"));
        let was = before.travellers.iter().find(|traveller| traveller.id == id).cloned();
        let mut traveller = Traveller { id: id.clone(), name: args.name, ..was.unwrap_or_default() };
        traveller.kind = args.kind.over(traveller.kind);
        traveller.born = args.born.over(traveller.born);
        traveller.passport = match args.passport {
            Patch::Keep => traveller.passport,
            Patch::Clear => None,
            Patch::Set(PassportArg { country, valid_until }) => Some(Passport { country, valid_until }),
        };
        if let Some(visas) = args.visas {
            let visa = |visa: VisaArg| Visa {
                country: visa.country,
                valid_from: visa.valid_from.unwrap_or_default(),
                valid_until: visa.valid_until,
            };
            traveller.visas = visas.into_iter().map(visa).collect();
        }
        clean::traveller(&mut traveller).map_err(ToolError::Rejected)?;
        let lower = traveller.name.to_lowercase();
        if before.travellers.iter().any(|other| other.id != id && other.name.to_lowercase() == lower) {
            return Err(ToolError::Rejected(format!(
                "{} is on the itinerary already: give `traveler` to change what is known of them.",
                quoted(&traveller.name)
            )));
        }
        let name = quoted(&traveller.name);
        if let Some(known) = after.travellers.iter_mut().find(|known| known.id == id) {
            *known = traveller;
        } else if after.travellers.len() >= MAX_TRAVELLERS {
            return Err(ToolError::Rejected(format!(
                "{MAX_TRAVELLERS} travellers are on the itinerary, and no more can be."
            )));
        } else {
            after.travellers.push(traveller);
        }
        let summary = match (is_new, *before == after) {
            (true, _) => format!("Added the traveller {name} to {}.", quoted(&before.title)),
            (false, true) => format!("{name} was like that already."),
            (false, false) => format!("Changed what is known of {name}."),
        };
        if *before != after {
            after.updated_ms = stage.moment().at_ms;
            stage.put(after);
        }
        written(stage, &before.id, summary)
    }
}
