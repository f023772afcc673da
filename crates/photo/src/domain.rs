//! Photos as a domain of the tool server.

use domain::{ContextBlock, Domain, DomainChange, Erasure, Files, changes_in};
use mcp::{Registry, ToolError};
use store::{Changed, Json, Op, Record, Schema, Stage, View};

use crate::ID;
use crate::found::{no_file, not_looked_at, photos};
use crate::model::{Album, Photo};
use crate::person::{ERASURES, Faces, Person, Recognition};
use crate::transfer::Transfer;

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
        schema.table::<Photo>().table::<Album>().table::<Faces>().table::<Person>().table::<Recognition>()
    }

    fn tools(&self) -> Registry<Stage> {
        crate::tools()
    }

    fn instructions(&self) -> &'static str {
        "Photos: find them with photo_list and photo_search; a result serves as the images of the next tool."
    }

    /// Without coordinates, hashes and what was measured: the history and an undo are told to models, too. Faces are not told at all,
    /// and of a person their name and on how many photos they are.
    fn changes(&self, ops: &[&Op]) -> Result<Vec<DomainChange>, ToolError> {
        let told: Vec<&Op> = ops
            .iter()
            .copied()
            .filter(|op| op.table != Faces::TABLE && op.table != Recognition::TABLE)
            .collect();
        let mut changes = changes_in(ID, &self.schema(Schema::new()), &told)?;
        for change in &mut changes {
            let short: fn(&Json) -> Result<Json, ToolError> = match change.table.as_str() {
                Photo::TABLE => |row| crate::change::brief(&row.parse::<Photo>().map_err(ToolError::Failed)?),
                Person::TABLE => {
                    |row| crate::person::brief(&row.parse::<Person>().map_err(ToolError::Failed)?)
                }
                _ => continue,
            };
            change.before = change.before.as_ref().map(short).transpose()?;
            change.after = change.after.as_ref().map(short).transpose()?;
        }
        Ok(changes)
    }

    /// Nothing that comes past the tools turns recognising people on: that is the person's, in the panel. Photos that go past the tools
    /// (the undo of an import) take their faces with them, as those of the bin do, and the undo of that brings both back. Of people who come
    /// back nobody has another one's faces.
    fn check(&self, stage: &mut Stage) -> Result<(), String> {
        let photos = stage.changed::<Photo>().into_iter();
        let gone: Vec<_> =
            photos.filter(|row| row.after.is_none()).filter_map(|row| Some(row.before?.id.clone())).collect();
        if !gone.is_empty() {
            crate::person::forget(stage, &order::gather(gone.iter()));
        }
        crate::person::settle(stage)?;
        match turned_on(stage) {
            Some(_) => Err("Recognising people is turned on in Photos → People alone.".to_owned()),
            None => Ok(()),
        }
    }

    /// A saved copy brings back what was found of people and what they are called, and leaves it off.
    fn mend(&self, stage: &mut Stage) -> Option<String> {
        left_off(stage)
    }

    /// An undo turns recognising people off, and never on.
    fn hold_back(&self, stage: &mut Stage) -> Option<String> {
        left_off(stage)
    }

    /// While people are not recognised nobody is told of, and whoever is hidden is not at any time.
    fn untold(&self, op: &Op, view: &View) -> Option<&'static str> {
        if op.table != Person::TABLE {
            return None;
        }
        let is_on = view.get::<Recognition>(Recognition::ID).is_some_and(|kept| kept.on);
        let is_hidden = |row: &Option<Json>| {
            // Whoever cannot be read may be hidden.
            row.as_ref().map(|row| row.parse::<Person>().map_or(true, |person| person.hidden))
        };
        // Whoever is gone went into somebody else, who may be hidden.
        let is_gone = view.get::<Person>(&op.id).is_none();
        if is_gone && view.all::<Person>().iter().any(|person| person.hidden) {
            return Some("people on photos");
        }
        let now = view.get::<Person>(&op.id).map(|person| person.hidden);
        let (before, after) = (is_hidden(&op.before), is_hidden(&op.after));
        // Where nothing is known of them, nothing is told.
        let is_untold = !is_on || after == Some(true) || now.or(before).or(after).unwrap_or(true);
        is_untold.then_some("people on photos")
    }

    /// An album, a face and a name are no photos.
    fn counts_as(&self, table: &str) -> bool {
        table == Photo::TABLE
    }

    fn erasures(&self) -> &'static [Erasure] {
        ERASURES
    }

    fn counts(&self, view: &View) -> Vec<(&'static str, usize)> {
        let all = view.all::<Photo>();
        let here = all.iter().filter(|photo| photo.is_here()).count();
        vec![("photos", here), ("in_bin", all.len() - here)]
    }

    fn upkeep(&self) -> &'static [&'static str] {
        // Whether people are recognised is turned in the panel: an undo takes back what was done before. What leaves the bin by itself was
        // deleted by the person 30 days ago: that is what they take back.
        &[
            "photo_looked", "photo_twins", "photo_faces", "photo_people_groups", "photo_people_on",
            "photo_expire",
        ]
    }

    fn uncopied(&self) -> &'static [&'static str] {
        &["photo_import", "photo_purge"]
    }

    fn is_idle(&self, view: &View) -> bool {
        view.all::<Photo>().is_empty() && view.all::<Album>().is_empty()
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
        let bare = here.iter().filter(|photo| !photo.has_file()).count();
        if bare > 0 {
            text = format!("{text}\n- {}", no_file(bare));
        }
        vec![ContextBlock {
            name: "photos",
            title: "Photos",
            lead: "The person's photos on this device when this message was sent, in numbers. You cannot see the pictures: use \
                   the tools and do not guess, nor ask the person what a tool can answer. Give the reference of a result as the \
                   images of the next tool. Never invent names of people or files, or paths; what no tool says is not known:",
            text,
            outside: false,
            stable: false,
        }]
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(&Transfer)
    }
}

/// What a stage makes of whether people are recognised, where it turns that on.
fn turned_on(stage: &Stage) -> Option<Changed<Recognition>> {
    let row = stage.changed::<Recognition>().pop()?;
    let was_on = row.before.as_ref().is_some_and(|before| before.on);
    let is_on = row.after.as_ref().is_some_and(|after| after.on);
    (is_on && !was_on).then_some(row)
}

/// Leaves it off where a stage would turn it on, as it was, and says so.
fn left_off(stage: &mut Stage) -> Option<String> {
    match turned_on(stage)?.before {
        Some(before) => stage.put(Recognition::clone(&before)),
        // No row is off, too.
        None => stage.delete::<Recognition>(Recognition::ID),
    }
    Some("People are not recognised until that is turned on in Photos → People.".to_owned())
}
