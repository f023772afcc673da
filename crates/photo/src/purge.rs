//! `photo_purge` and `photo_expire`: photos of the bin are deleted for good, by the person or when their time is over. For the app's own
//! screens, not for models.
//!
//! They are two tools, because what the person does is the last change that “undo” takes back, and what happens by itself is not
//! ([`domain::Domain::upkeep`]).

use std::collections::HashSet;
use std::rc::Rc;

use async_trait::async_trait;
use mcp::{Hints, NoArguments, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Changed, changed};
use crate::found::photos;
use crate::images::{Images, named};
use crate::model::{Album, BIN_MS, Photo};

pub(crate) struct PhotoPurge;

/// Which photos of the bin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PurgeArgs {
    /// These, as far as they are in the bin.
    images: Images,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoPurge {
    const NAME: &'static str = "photo_purge";
    const TITLE: &'static str = "Empty the bin";
    const DESCRIPTION: &'static str = "Deletes photos of the bin for good.";
    const HINTS: Hints = Hints::DELETE;
    const APP_ONLY: bool = true;
    type Args = PurgeArgs;
    type Output = Changed;

    async fn run(&self, args: PurgeArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        let gone = named(stage, &args.images)?;
        let gone = gone.into_iter().filter(|photo| !photo.is_here()).collect();
        purged(stage, gone, "None of them is in the bin.")
    }
}

pub(crate) struct PhotoExpire;

#[async_trait(?Send)]
impl Tool<Stage> for PhotoExpire {
    const NAME: &'static str = "photo_expire";
    const TITLE: &'static str = "Empty the bin of what is old";
    const DESCRIPTION: &'static str = "Deletes for good what has been in the bin for 30 days.";
    const HINTS: Hints = Hints::DELETE;
    const APP_ONLY: bool = true;
    type Args = NoArguments;
    type Output = Changed;

    async fn run(&self, _: NoArguments, stage: &mut Stage) -> Result<Changed, ToolError> {
        let now_ms = stage.moment().at_ms;
        let gone = stage
            .filter::<Photo>(|photo| photo.deleted_ms.is_some_and(|at| now_ms.saturating_sub(at) >= BIN_MS));
        purged(stage, gone, "Nothing in the bin is that old.")
    }
}

/// Stages that photos are gone, and are nowhere else.
fn purged(stage: &mut Stage, gone: Vec<Rc<Photo>>, nothing: &str) -> Result<Changed, ToolError> {
    let ids: HashSet<&String> = order::gather(gone.iter().map(|photo| &photo.id));
    for album in stage.filter::<Album>(|album| album.photos.iter().any(|id| ids.contains(id))) {
        let mut after = Album::clone(&album);
        after.photos.retain(|id| !ids.contains(id));
        stage.put(after);
    }
    crate::person::forget(stage, &ids);
    for photo in &gone {
        stage.delete::<Photo>(&photo.id);
    }
    let left = gone.iter().filter(|photo| photo.has_file() && !photo.is_kept()).count();
    let deleted = || format!("Deleted {} for good.", photos(gone.len()));
    let summary = match (gone.len(), left) {
        (0, _) => nothing.to_owned(),
        (_, 0) => deleted(),
        // Nobody's own file is ever deleted, and whoever wants its room has to know that.
        (1, _) => format!("{} Its file stays in its folder.", deleted()),
        (count, left) if count == left => format!("{} Their files stay in their folders.", deleted()),
        _ => format!("{} Files that were left in their folders stay there.", deleted()),
    };
    changed(stage, summary)
}
