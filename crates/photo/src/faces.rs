//! `detect_faces`: the photos with faces on them. The faces were looked for when the photos came in; who they are is no
//! business of this tool.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::found::{Found, photos};
use crate::images::{Images, photos_of};

pub(crate) struct DetectFaces;

/// Which photos, and how many faces.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
    /// At least this many faces; 1 when left out.
    #[schemars(range(min = 1, max = 100))]
    min_faces: Option<u32>,
}

#[async_trait(?Send)]
impl Tool<Stage> for DetectFaces {
    const NAME: &'static str = "detect_faces";
    const TITLE: &'static str = "Find photos with faces";
    const DESCRIPTION: &'static str = "Finds the photos with faces and counts the faces. It does not say who they are. The result can be \
         given to other tools as `images`.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = Found;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Found, ToolError> {
        let least = args.min_faces.unwrap_or(1).max(1);
        let mut found = photos_of(stage, args.images.as_ref())?;
        let unseen = found.iter().filter(|photo| photo.faces.is_none() && !photo.is_looked_at()).count();
        found.retain(|photo| photo.faces.is_some_and(|faces| faces >= least));
        let faces: usize = found.iter().filter_map(|photo| photo.faces).map(|faces| faces as usize).sum();
        let summary = match (found.len(), least) {
            (0, 1) => "No photo has a face on it.".to_owned(),
            (0, least) => format!("No photo has {least} faces or more on it."),
            (count, 1) => {
                format!("{} with faces, {} in all.", photos(count), domain::counted(faces, "face", "faces"))
            }
            (count, least) => {
                format!("{} with {least} faces or more, {faces} in all.", photos(count))
            }
        };
        let found = Found { num_faces: Some(faces), ..Found::of(&found, summary) };
        Ok(found.with_not_looked_at(unseen))
    }
}
