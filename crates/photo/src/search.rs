//! `photo_search`: finds photos by words, days, places, faces, quality.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::filter::{Filter, Orientation};
use crate::found::{Found, photos, unseen};
use crate::images::{Images, photos_of};
use crate::list::Sort;

pub(crate) struct PhotoSearch;

/// Filters (all have to hold), and the order.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
    /// Only with all of these words in tags, places, dates, albums, camera or the file's name.
    text: Option<String>,
    /// Only with all of these tags.
    tags: Option<Vec<String>>,
    /// Only taken in this city or country, or near this landmark, by GPS.
    place: Option<String>,
    /// Only taken on or after this day (2026-11-21).
    from: Option<String>,
    /// Only taken on or before this day.
    to: Option<String>,
    /// Only with at least this many faces.
    min_faces: Option<u32>,
    /// Only with at most this many faces.
    max_faces: Option<u32>,
    /// Only of at least this quality, 0 to 100.
    min_quality: Option<u32>,
    /// Only of at most this quality, 0 to 100.
    max_quality: Option<u32>,
    /// Only with at least this many stars, 1 to 5.
    min_stars: Option<u32>,
    /// Only in this album.
    album: Option<String>,
    /// Only of this shape.
    orientation: Option<Orientation>,
    /// true: only those that have near-duplicates.
    #[serde(default)]
    duplicates: bool,
    /// The order; newest when left out.
    sort: Option<Sort>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoSearch {
    const NAME: &'static str = "photo_search";
    const TITLE: &'static str = "Search photos";
    const DESCRIPTION: &'static str = "Finds photos by words, tags, place, days, faces, quality, album or shape. The result can be given \
         to other tools as `images`, also to this one to narrow it down.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = Found;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Found, ToolError> {
        let needs_looks = args.min_faces.is_some()
            || args.max_faces.is_some()
            || args.min_quality.is_some()
            || args.max_quality.is_some()
            || args.tags.is_some()
            || args.text.is_some();
        let mut found = photos_of(stage, args.images.as_ref())?;
        let count = if needs_looks { unseen(&found) } else { 0 };
        let sort = args.sort.unwrap_or_default();
        let sieve = Filter {
            text: args.text,
            tags: args.tags,
            place: args.place,
            from: args.from,
            to: args.to,
            min_faces: args.min_faces,
            max_faces: args.max_faces,
            min_quality: args.min_quality,
            max_quality: args.max_quality,
            min_stars: args.min_stars,
            album: args.album,
            orientation: args.orientation,
            duplicates: args.duplicates,
        }
        .read(stage)?;
        found.retain(|photo| sieve.lets_through(photo));
        let found = sort.apply(found);
        let summary = match found.len() {
            0 => "No photo fits.".to_owned(),
            1 => "1 photo fits.".to_owned(),
            count => format!("{} fit.", photos(count)),
        };
        Ok(Found::of(&found, summary).with_not_looked_at(count))
    }
}
