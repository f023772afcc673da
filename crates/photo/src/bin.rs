//! `photo_delete` and `photo_restore`: into the bin, and out of it.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Changed, changed};
use crate::found::photos;
use crate::images::{Images, meant};
use crate::model::Photo;

/// Which photos.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The photos: ids, or the reference of an earlier result.
    images: Images,
}

pub(crate) struct PhotoDelete;

#[async_trait(?Send)]
impl Tool<Stage> for PhotoDelete {
    const NAME: &'static str = "photo_delete";
    const TITLE: &'static str = "Delete photos";
    const DESCRIPTION: &'static str =
        "Puts photos into the bin, where they stay for 30 days (undo and photo_restore bring them back).";
    const HINTS: Hints = Hints::DELETE;
    type Args = Args;
    type Output = Changed;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Changed, ToolError> {
        let now_ms = stage.moment().at_ms;
        let mut count = 0;
        for photo in meant(stage, &args.images)?.iter().filter(|photo| photo.is_here()) {
            count += 1;
            stage.put(Photo { deleted_ms: Some(now_ms), ..Photo::clone(photo) });
        }
        let summary = match count {
            0 => "They are in the bin already.".to_owned(),
            count => format!("Put {} into the bin. They stay there for 30 days.", photos(count)),
        };
        changed(stage, summary)
    }
}

pub(crate) struct PhotoRestore;

#[async_trait(?Send)]
impl Tool<Stage> for PhotoRestore {
    const NAME: &'static str = "photo_restore";
    const TITLE: &'static str = "Bring photos back";
    const DESCRIPTION: &'static str = "Brings photos back out of the bin.";
    const HINTS: Hints = Hints::SET;
    type Args = Args;
    type Output = Changed;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Changed, ToolError> {
        let mut count = 0;
        for photo in meant(stage, &args.images)?.iter().filter(|photo| !photo.is_here()) {
            count += 1;
            stage.put(Photo { deleted_ms: None, ..Photo::clone(photo) });
        }
        let summary = match count {
            0 => "None of them is in the bin.".to_owned(),
            count => format!("Brought {} back.", photos(count)),
        };
        changed(stage, summary)
    }
}
