//! `itinerary_list`: all itineraries in short (S4-32).

use async_trait::async_trait;
use domain::counted;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::found::current;
use crate::model::{FROM_A_FILE, Itinerary, Segment};
use crate::profile::Profile;

pub(crate) struct ItineraryList;

/// Which ones.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListArgs {
    /// Also those that are archived.
    archived: Option<bool>,
}

/// Itineraries in short.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listed {
    /// One sentence for a person.
    summary: String,
    /// The soonest first; those without days last.
    itineraries: Vec<Item>,
}

/// One of them.
#[derive(Debug, Serialize, JsonSchema)]
struct Item {
    /// Names it in calls; never show it to a person.
    id: String,
    /// What a person calls it.
    title: String,
    /// Its first day.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// Its last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    /// Where it goes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    destinations: Vec<String>,
    /// How many segments it has.
    segments: usize,
    /// Whether it is the one that was worked on last: a call that only reads means it when it names none.
    current: bool,
    /// Whether it was put away.
    archived: bool,
    /// Strangers may have written its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

#[async_trait(?Send)]
impl Tool<Stage> for ItineraryList {
    const NAME: &'static str = "itinerary_list";
    const TITLE: &'static str = "List itineraries";
    const DESCRIPTION: &'static str = "Lists the itineraries with their days, and which is the current one.";
    const HINTS: Hints = Hints::READ;
    type Args = ListArgs;
    type Output = Listed;

    async fn run(&self, args: ListArgs, stage: &mut Stage) -> Result<Listed, ToolError> {
        let mut all = stage.all::<Itinerary>();
        let segments = stage.all::<Segment>();
        let current = current(&all, &segments, &stage.all::<Profile>()).map(|itinerary| itinerary.id.clone());
        let put_away = all.iter().filter(|itinerary| itinerary.archived_ms.is_some()).count();
        if args.archived != Some(true) {
            all.retain(|itinerary| itinerary.archived_ms.is_none());
        }
        order::sort_by(&mut all, |one, other| {
            let days =
                one.start.is_none().cmp(&other.start.is_none()).then_with(|| one.start.cmp(&other.start));
            days.then_with(|| one.created_ms.cmp(&other.created_ms)).then_with(|| one.id.cmp(&other.id))
        });
        let items: Vec<Item> = all
            .iter()
            .map(|itinerary| Item {
                id: itinerary.id.clone(),
                title: itinerary.title.clone(),
                start: itinerary.start.clone(),
                end: itinerary.end.clone(),
                destinations: itinerary.destinations.clone(),
                segments: segments.iter().filter(|segment| segment.itinerary == itinerary.id).count(),
                current: Some(&itinerary.id) == current.as_ref(),
                archived: itinerary.archived_ms.is_some(),
                untrusted: itinerary.imported.then_some(FROM_A_FILE),
            })
            .collect();
        let hidden = if args.archived == Some(true) { 0 } else { put_away };
        let mut summary = match items.len() {
            0 => "There is no itinerary; itinerary_create makes one.".to_owned(),
            count => format!("{}.", counted(count, "itinerary", "itineraries")),
        };
        if hidden > 0 {
            summary = format!("{summary} {hidden} more {} archived.", if hidden == 1 { "is" } else { "are" });
        }
        Ok(Listed { summary, itineraries: items })
    }
}
