//! `filter_by_tags`, `photo_tag`, `photo_untag` and `photo_rate`.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError, one_line};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Changed, changed};
use crate::filter::Filter;
use crate::found::{Found, photos, unseen};
use crate::images::{Images, meant, photos_of};
use crate::model::{By, MAX_TAGS, Photo, Tag};

/// The most characters of a tag.
pub(crate) const MAX_TAG: usize = 40;

pub(crate) struct FilterByTags;

/// Which tags, and among which photos.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilterArgs {
    /// The tags: dog, night, or the name of an album.
    tags: Vec<String>,
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
    /// true: one of the tags is enough.
    #[serde(default)]
    any: bool,
}

#[async_trait(?Send)]
impl Tool<Stage> for FilterByTags {
    const NAME: &'static str = "filter_by_tags";
    const TITLE: &'static str = "Filter photos by tags";
    const DESCRIPTION: &'static str = "Finds photos with tags: what was seen on them (dog, beach, food), what rules say (night, panorama, \
         screenshot, black and white), what the person said, or the name of an album. The result can be given to other \
         tools as `images`.";
    const HINTS: Hints = Hints::READ;
    type Args = FilterArgs;
    type Output = Found;

    async fn run(&self, args: FilterArgs, stage: &mut Stage) -> Result<Found, ToolError> {
        let tags: Vec<String> = args.tags.iter().map(|tag| one_line(tag).to_lowercase()).collect();
        if tags.iter().all(String::is_empty) {
            return Err(ToolError::Rejected("Say which tags: dog, night, beach …".into()));
        }
        let mut found = photos_of(stage, args.images.as_ref())?;
        let unseen = unseen(&found);
        let sieves = if args.any {
            let each = tags.iter().map(|tag| Filter { tags: Some(vec![tag.clone()]), ..Filter::default() });
            each.map(|filter| filter.read(stage)).collect::<Result<Vec<_>, _>>()?
        } else {
            vec![Filter { tags: Some(tags.clone()), ..Filter::default() }.read(stage)?]
        };
        found.retain(|photo| sieves.iter().any(|sieve| sieve.lets_through(photo)));
        let named = tags.join(if args.any { " or " } else { " and " });
        let summary = match found.len() {
            0 => format!("No photo has the tag {named}."),
            count => format!("{} with {named}.", photos(count)),
        };
        Ok(Found::of(&found, summary).with_not_looked_at(unseen))
    }
}

pub(crate) struct PhotoTag;

/// Which photos, and what to call them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TagArgs {
    /// The photos: ids, or the reference of an earlier result.
    images: Images,
    /// The tags, each a word or two.
    tags: Vec<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoTag {
    const NAME: &'static str = "photo_tag";
    const TITLE: &'static str = "Tag photos";
    const DESCRIPTION: &'static str = "Gives photos tags of the person's own.";
    const HINTS: Hints = Hints::SET;
    type Args = TagArgs;
    type Output = Changed;

    async fn run(&self, args: TagArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        let tags = clean(&args.tags)?;
        let before = meant(stage, &args.images)?;
        for photo in &before {
            let mut after = Photo::clone(photo);
            for tag in &tags {
                match after.tags.iter_mut().find(|known| known.name == *tag) {
                    // What a net guessed is sure once a person says it.
                    Some(known) => (known.by, known.sure) = (By::Person, 100),
                    None => after.tags.push(Tag { name: tag.clone(), by: By::Person, sure: 100 }),
                }
            }
            if after.tags.iter().filter(|tag| tag.by == By::Person).count() > MAX_TAGS {
                return Err(ToolError::Rejected(format!("A photo may have {MAX_TAGS} tags of one's own.")));
            }
            if after != **photo {
                stage.put(after);
            }
        }
        changed(stage, format!("Tagged {} with {}.", photos(before.len()), tags.join(", ")))
    }
}

pub(crate) struct PhotoUntag;

#[async_trait(?Send)]
impl Tool<Stage> for PhotoUntag {
    const NAME: &'static str = "photo_untag";
    const TITLE: &'static str = "Take tags off photos";
    const DESCRIPTION: &'static str = "Takes tags off photos, also such as were seen wrongly.";
    const HINTS: Hints = Hints::SET;
    type Args = TagArgs;
    type Output = Changed;

    async fn run(&self, args: TagArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        let tags = clean(&args.tags)?;
        let before = meant(stage, &args.images)?;
        let mut count = 0;
        for photo in &before {
            let mut after = Photo::clone(photo);
            after.tags.retain(|tag| !tags.contains(&tag.name));
            if after != **photo {
                count += 1;
                stage.put(after);
            }
        }
        let summary = match count {
            0 => format!("None of them has the tag {}.", tags.join(" or ")),
            count => format!("Took {} off {}.", tags.join(", "), photos(count)),
        };
        changed(stage, summary)
    }
}

/// Tags as they are kept: in lower case, each once.
fn clean(tags: &[String]) -> Result<Vec<String>, ToolError> {
    let mut clean: Vec<String> = Vec::new();
    for tag in tags {
        let tag = one_line(tag).trim_start_matches('#').to_lowercase();
        if !(1..=MAX_TAG).contains(&tag.chars().count()) {
            return Err(ToolError::Rejected(format!("A tag has 1 to {MAX_TAG} characters.")));
        }
        if !clean.contains(&tag) {
            clean.push(tag);
        }
    }
    if clean.is_empty() || clean.len() > MAX_TAGS {
        return Err(ToolError::Rejected(format!("Give 1 to {MAX_TAGS} tags.")));
    }
    Ok(clean)
}

pub(crate) struct PhotoRate;

/// Which photos, and how many stars.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateArgs {
    /// The photos: ids, or the reference of an earlier result.
    images: Images,
    /// 1 to 5 stars; 0 takes them away.
    #[schemars(range(min = 0, max = 5))]
    stars: u32,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoRate {
    const NAME: &'static str = "photo_rate";
    const TITLE: &'static str = "Rate photos";
    const DESCRIPTION: &'static str = "Gives photos 1 to 5 stars, as the person says.";
    const HINTS: Hints = Hints::SET;
    type Args = RateArgs;
    type Output = Changed;

    async fn run(&self, args: RateArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        const MOST: u32 = 5;
        if args.stars > MOST {
            return Err(ToolError::Rejected(format!("stars is {}; it may be 0 to {MOST}.", args.stars)));
        }
        let before = meant(stage, &args.images)?;
        for photo in &before {
            if photo.stars != args.stars {
                stage.put(Photo { stars: args.stars, ..Photo::clone(photo) });
            }
        }
        let summary = match args.stars {
            0 => format!("Took the stars off {}.", photos(before.len())),
            stars => {
                format!("Gave {} {}.", photos(before.len()), domain::counted(stars as usize, "star", "stars"))
            }
        };
        changed(stage, summary)
    }
}
