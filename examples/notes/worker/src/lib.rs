//! Notes on the tool server: a table, and the tools that add, find and delete.

use async_trait::async_trait;
use domain::{Changes, Domain, quoted};
use mcp::{Hints, Registry, Tool, ToolError, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Record, Schema, Stage, View};

worker::app!("notes", "Notes", [Notes]);

/// The word for them in tagged changes.
const ID: &str = "note";

/// A note, as it is kept and shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// Names it in calls; never shown to a person.
    pub id: String,
    /// What it says.
    pub text: String,
    /// When it was written, in milliseconds since 1970.
    pub created_ms: i64,
}

impl Record for Note {
    const TABLE: &'static str = "notes";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }
    fn label(&self) -> &str {
        &self.text
    }
}

/// What the assistant brings to the tool server.
pub struct Notes;

impl Domain for Notes {
    fn id(&self) -> &'static str {
        ID
    }
    fn noun(&self) -> (&'static str, &'static str) {
        ("note", "notes")
    }
    fn schema(&self, schema: Schema) -> Schema {
        schema.table::<Note>()
    }
    fn tools(&self) -> Registry<Stage> {
        Registry::new().with(Add).with(Find).with(Delete)
    }
    fn instructions(&self) -> &'static str {
        "The person's notes: find them with note_find."
    }
    fn counts(&self, view: &View) -> Vec<(&'static str, usize)> {
        vec![("notes", view.all::<Note>().len())]
    }
}

struct Add;
struct Find;
struct Delete;

/// What to note.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddArgs {
    /// The note, as the person said it.
    text: String,
}

#[async_trait(?Send)]
impl Tool<Stage> for Add {
    const NAME: &'static str = "note_add";
    const TITLE: &'static str = "Add a note";
    const DESCRIPTION: &'static str = "Keeps a note.";
    const HINTS: Hints = Hints::ADD;
    type Args = AddArgs;
    type Output = Changes;

    async fn run(&self, args: AddArgs, stage: &mut Stage) -> Result<Changes, ToolError> {
        let text = one_line(&args.text);
        if !(1..=2_000).contains(&text.chars().count()) {
            return Err(ToolError::Rejected("A note has 1 to 2,000 characters.".into()));
        }
        let note = Note { id: stage.new_id("note"), text, created_ms: stage.moment().at_ms };
        stage.put(note.clone());
        Changes::of(ID, format!("Noted {}.", quoted(&note.text)), None, Some(&note))
    }
}

/// Which ones.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindArgs {
    /// Only those with all of these words.
    text: Option<String>,
}

/// What was found.
#[derive(Serialize, JsonSchema)]
struct Found {
    /// The newest first.
    items: Vec<Note>,
}

#[async_trait(?Send)]
impl Tool<Stage> for Find {
    const NAME: &'static str = "note_find";
    const TITLE: &'static str = "Find notes";
    const DESCRIPTION: &'static str = "Finds notes by their words; all of them without any.";
    const HINTS: Hints = Hints::READ;
    type Args = FindArgs;
    type Output = Found;

    async fn run(&self, args: FindArgs, stage: &mut Stage) -> Result<Found, ToolError> {
        let text = args.text.unwrap_or_default().to_lowercase();
        let has_words =
            |note: &Note| text.split_whitespace().all(|word| note.text.to_lowercase().contains(word));
        let all = stage.all::<Note>();
        let mut items: Vec<Note> =
            all.iter().filter(|note| has_words(note)).map(|note| (**note).clone()).collect();
        items.sort_by(|one, other| (other.created_ms, &other.id).cmp(&(one.created_ms, &one.id)));
        Ok(Found { items })
    }
}

/// Which one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeleteArgs {
    /// Its id, as note_find shows it.
    id: String,
}

#[async_trait(?Send)]
impl Tool<Stage> for Delete {
    const NAME: &'static str = "note_delete";
    const TITLE: &'static str = "Delete a note";
    const DESCRIPTION: &'static str = "Deletes a note (undo brings it back).";
    const HINTS: Hints = Hints::DELETE;
    type Args = DeleteArgs;
    type Output = Changes;

    async fn run(&self, args: DeleteArgs, stage: &mut Stage) -> Result<Changes, ToolError> {
        let Some(note) = stage.get::<Note>(&args.id) else {
            return Err(ToolError::Rejected("There is no such note: note_find shows the ids.".into()));
        };
        stage.delete::<Note>(&note.id);
        Changes::of(ID, format!("Deleted {}.", quoted(&note.text)), Some(&*note), None)
    }
}
