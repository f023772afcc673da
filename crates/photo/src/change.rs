//! What a change shows: a sentence, how many rows changed, and the first of them before and after.
//!
//! A photo in it is what a person changes of one: no coordinates, no hashes, nothing that was measured. It goes to whatever model
//! made the call, and to the history.

use domain::DomainChange;
use mcp::ToolError;
use schemars::JsonSchema;
use serde::Serialize;
use store::{Json, Record, Stage};

use crate::ID;
use crate::found::mark;
use crate::model::{Album, Photo};
use crate::person::{self, Person};

/// The most rows that an answer shows as they were and are. A change of thousands is in the journal; nobody reads it in a
/// conversation.
const SHOWN: usize = 50;

/// What a tool that writes answers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Changed {
    /// One sentence for a person.
    pub summary: String,
    /// How many photos, albums and people changed.
    pub total: usize,
    /// The first of them, at most 50.
    pub changes: Vec<DomainChange>,
}

/// A photo as a change shows it.
#[derive(Serialize)]
struct Brief<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<&'a str>,
    tags: Vec<&'a str>,
    stars: u32,
    in_bin: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// A photo as a change shows it, as JSON.
///
/// # Errors
/// [`ToolError::Failed`] where it cannot be written.
pub(crate) fn brief(photo: &Photo) -> Result<Json, ToolError> {
    let brief = Brief {
        id: &photo.id,
        name: &photo.name,
        taken: photo.taken.as_deref(),
        tags: photo.tags.iter().map(|tag| &*tag.name).collect(),
        stars: photo.stars,
        in_bin: !photo.is_here(),
        untrusted: mark(std::iter::once(photo)),
    };
    Json::of(&brief).map_err(ToolError::Failed)
}

/// The answer of a tool whose change is staged.
///
/// # Errors
/// [`ToolError::Failed`] for a row that cannot be written as JSON.
pub(crate) fn changed(stage: &Stage, summary: String) -> Result<Changed, ToolError> {
    let (albums, photos, people) =
        (stage.changed::<Album>(), stage.changed::<Photo>(), stage.changed::<Person>());
    // A person who loses a photo that is deleted for good is not what the answer is about: nothing of them stands in one without need.
    let people = if photos.is_empty() { people } else { Vec::new() };
    let total = albums.len() + photos.len() + people.len();
    let mut changes = Vec::new();
    for change in albums {
        changes.push(DomainChange::of(ID, change.before.as_deref(), change.after.as_deref())?);
    }
    for change in people.iter().take(SHOWN) {
        let Some(row) = change.after.as_ref().or(change.before.as_ref()) else { continue };
        let side = |person: &Option<std::rc::Rc<Person>>| {
            person.as_ref().map(|person| person::brief(person)).transpose()
        };
        changes.push(DomainChange {
            domain: ID.into(),
            table: Person::TABLE.to_owned(),
            id: row.id.clone(),
            label: row.label().to_owned(),
            before: side(&change.before)?,
            after: side(&change.after)?,
        });
    }
    for change in photos.iter().take(SHOWN.saturating_sub(changes.len())) {
        let Some(row) = change.after.as_ref().or(change.before.as_ref()) else { continue };
        let side = |photo: &Option<std::rc::Rc<Photo>>| photo.as_ref().map(|photo| brief(photo)).transpose();
        changes.push(DomainChange {
            domain: ID.into(),
            table: "photos".to_owned(),
            id: row.id.clone(),
            label: row.name.clone(),
            before: side(&change.before)?,
            after: side(&change.after)?,
        });
    }
    Ok(Changed { summary, total, changes })
}
