//! Itineraries in the app's own file format: `itineraries`, a list in which each row says what it is, `{"segment": {…}}`. All of it
//! leaves; what comes in goes through the same checks as a tool's arguments, and is marked where somebody else may have written it (D-17).
//!
//! Start at [`import::import`].

mod ids;
mod import;
mod stranger;

use std::rc::Rc;

use domain::{Files, Imported, Intake};
use mcp::ToolError;
use serde::{Deserialize, Serialize};
use store::{Stage, View};

use self::import::import;
use crate::days;
use crate::model::{Itinerary, Segment};
use crate::private::public_itinerary;
use crate::profile::Profile;

/// Itineraries in files. A handle without anything in it.
pub(crate) struct Transfer;

/// Their field in a file.
pub(crate) const FIELD: &str = "itineraries";

/// A row in a file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Row {
    Itinerary(Box<Itinerary>),
    Segment(Box<Segment>),
    Profile(Box<Profile>),
}

/// A row that is written.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Written<'a> {
    Itinerary(&'a Itinerary),
    Segment(&'a Segment),
    Profile(&'a Profile),
}

/// One itinerary as a file of the app's own format, which `data_import` takes. What is private of the travellers is in it only where
/// `with_private` says so: what is known of their wishes, days of birth, passports and visas. The segments are as they come.
///
/// # Errors
/// [`ToolError::Failed`] for a row that cannot be written as JSON.
pub(crate) fn file_of(
    itinerary: &Itinerary,
    profile: Option<&Profile>,
    segments: &[Rc<Segment>],
    with_private: bool,
) -> Result<String, ToolError> {
    let itinerary = if with_private { itinerary.clone() } else { public_itinerary(itinerary) };
    let mut rows = vec![Written::Itinerary(&itinerary)];
    rows.extend(profile.filter(|_| with_private).map(Written::Profile));
    rows.extend(segments.iter().map(|segment| Written::Segment(segment)));
    let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| ToolError::Failed(error.to_string()))?;
    Ok(format!("{{\"satchel\":{},\"{FIELD}\":[\n{}\n]}}\n", domain::VERSION, lines.join(",\n")))
}

impl Files for Transfer {
    fn field(&self) -> &'static str {
        FIELD
    }

    /// Each itinerary with what is known of its travellers and its segments behind it, the oldest first.
    fn rows(&self, view: &View) -> Result<Vec<String>, ToolError> {
        let write = |row: &Written<'_>| {
            serde_json::to_string(row).map_err(|error| ToolError::Failed(error.to_string()))
        };
        let mut itineraries = view.all::<Itinerary>();
        order::sort_by(&mut itineraries, |one, other| {
            one.created_ms.cmp(&other.created_ms).then_with(|| one.id.cmp(&other.id))
        });
        let mut segments = view.all::<Segment>();
        days::sort(&mut segments);
        let mut rows = Vec::new();
        for itinerary in &itineraries {
            rows.push(write(&Written::Itinerary(itinerary))?);
            if let Some(profile) = view.get::<Profile>(&itinerary.id) {
                rows.push(write(&Written::Profile(&profile))?);
            }
            for segment in segments.iter().filter(|segment| segment.itinerary == itinerary.id) {
                rows.push(write(&Written::Segment(segment))?);
            }
        }
        Ok(rows)
    }

    fn import(&self, stage: &mut Stage, text: &str, intake: &Intake<'_>) -> Result<Imported, ToolError> {
        import(stage, text, intake)
    }
}
