//! `photo_search`: finds photos by words, days, places, faces, quality.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::filter::Filter;
use crate::found::{Found, photos, unseen};
use crate::images::photos_of;
use crate::person::{not_looked_at, not_looked_at_words};

pub(crate) struct PhotoSearch;

#[async_trait(?Send)]
impl Tool<Stage> for PhotoSearch {
    const NAME: &'static str = "photo_search";
    const TITLE: &'static str = "Search photos";
    const DESCRIPTION: &'static str = "Finds photos by words, tags, people, place, days, faces, quality, album or shape. The result can be given \
         to other tools as `images`, also to this one to narrow it down.";
    const HINTS: Hints = Hints::READ;
    type Args = Filter;
    type Output = Found;

    async fn run(&self, args: Filter, stage: &mut Stage) -> Result<Found, ToolError> {
        let needs_looks = args.min_faces.is_some()
            || args.max_faces.is_some()
            || args.min_quality.is_some()
            || args.max_quality.is_some()
            || args.tags.is_some()
            || args.text.is_some();
        let asks_for_people = args.people.is_some();
        let mut found = photos_of(stage, args.images.as_ref())?;
        let for_people = if asks_for_people { not_looked_at(stage, &found).len() } else { 0 };
        let count = if needs_looks { unseen(&found) } else { 0 };
        let sort = args.sort.unwrap_or_default();
        let sieve = args.read(stage)?;
        found.retain(|photo| sieve.lets_through(photo));
        sieve.take_out_spare(&mut found);
        let found = sort.apply(found);
        let summary = match found.len() {
            0 => "No photo fits.".to_owned(),
            1 => "1 photo fits.".to_owned(),
            count => format!("{} fit.", photos(count)),
        };
        let summary = summary + &not_looked_at_words(for_people);
        Ok(Found::of(&found, summary).with_not_looked_at(count))
    }
}
