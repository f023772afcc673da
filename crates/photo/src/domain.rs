//! Photos as a domain of the tool server.

use std::rc::Rc;

use domain::{ContextBlock, Domain, DomainChange, Erasure, changes_in};
use mcp::{Load, Part, Registry, ToolError};
use store::{Json, Op, Schema, Stage, View};

use crate::found::{not_looked_at, photos};
use crate::model::{Album, Photo};
use crate::{ID, PhotoTools};

/// The photo assistant.
pub struct Photos;

impl Domain for Photos {
    fn id(&self) -> &'static str {
        ID
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("photo", "photos")
    }

    fn schema(&self, schema: Schema) -> Schema {
        schema.table::<Photo>().table::<Album>()
    }

    fn tools(&self) -> Registry<Stage> {
        crate::tools()
    }

    fn instructions(&self) -> &'static str {
        "Photos: find them with photo_list and photo_search; a result serves as the images of the next tool."
    }

    /// Without coordinates, hashes and what was measured: the history and an undo are told to models, too.
    fn changes(&self, ops: &[&Op]) -> Result<Vec<DomainChange>, ToolError> {
        let mut changes = changes_in(ID, &self.schema(Schema::new()), ops)?;
        let short = |row: Option<Json>| {
            let photo = row.map(|row| row.parse::<Photo>()).transpose().map_err(ToolError::Failed)?;
            photo.as_ref().map(crate::change::brief).transpose()
        };
        for change in changes.iter_mut().filter(|change| change.table == "photos") {
            change.before = short(change.before.take())?;
            change.after = short(change.after.take())?;
        }
        Ok(changes)
    }

    fn counts(&self, view: &View) -> Vec<(&'static str, usize)> {
        let all = view.all::<Photo>();
        let here = all.iter().filter(|photo| photo.is_here()).count();
        vec![("photos", here), ("in_bin", all.len() - here)]
    }

    /// How many photos there are and of when; nothing of what is on them, and no name of a file (S0-36).
    fn context(&self, view: &View) -> Vec<ContextBlock> {
        let here: Vec<_> = view.all::<Photo>().into_iter().filter(|photo| photo.is_here()).collect();
        if here.is_empty() {
            return Vec::new();
        }
        let mut text = format!("- {}", photos(here.len()));
        let days = || here.iter().filter_map(|photo| photo.taken.as_deref()?.get(..10));
        if let (Some(first), Some(last)) = (days().min(), days().max()) {
            text = format!("{text}, taken from {first} to {last}");
        }
        let unseen = here.iter().filter(|photo| !photo.is_looked_at()).count();
        if unseen > 0 {
            text = format!("{text}\n- {}", not_looked_at(unseen));
        }
        vec![ContextBlock {
            name: "photos",
            title: "Photos",
            lead: "The person's photos on this device when this message was sent, in numbers (use the tools for more; you \
                   cannot see the pictures):",
            text,
            outside: false,
            stable: false,
        }]
    }
}

/// The same for a program that is loaded often: its tools come when one of them is called.
pub struct Later {
    /// What fetches them.
    pub load: Load<PhotoTools>,
}

impl Domain for Later {
    fn id(&self) -> &'static str {
        ID
    }

    fn noun(&self) -> (&'static str, &'static str) {
        Photos.noun()
    }

    fn schema(&self, schema: Schema) -> Schema {
        Photos.schema(schema)
    }

    fn tools(&self) -> Registry<Stage> {
        crate::tools_of(&Rc::new(Part::later(self.load)))
    }

    fn instructions(&self) -> &'static str {
        Photos.instructions()
    }

    fn changes(&self, ops: &[&Op]) -> Result<Vec<DomainChange>, ToolError> {
        Photos.changes(ops)
    }

    fn counts(&self, view: &View) -> Vec<(&'static str, usize)> {
        Photos.counts(view)
    }

    fn erasures(&self) -> &'static [Erasure] {
        Photos.erasures()
    }

    fn context(&self, view: &View) -> Vec<ContextBlock> {
        Photos.context(view)
    }
}
