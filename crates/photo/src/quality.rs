//! `assess_quality`, `assess_quality_batch` and `rank_images`: how good photos are, and why.

use std::rc::Rc;

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::found::{Found, photos};
use crate::images::{Images, best_first, in_order, photos_of};
use crate::model::Photo;

/// How many photos are good ones, where nobody says how many.
const DEFAULT_TOP: usize = 10;

/// The most that may be asked for.
const MAX_TOP: usize = 500;

/// The most photos that are judged one by one.
const MAX_JUDGED: usize = 20;

pub(crate) struct AssessQuality;

/// Which ones.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssessArgs {
    /// The photos, at most 20: ids, or the reference of an earlier result.
    images: Images,
}

/// How good some photos are.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Judged {
    /// One sentence for a person.
    summary: String,
    /// How many photos.
    num_images: usize,
    /// In the order of the call.
    items: Vec<Judgement>,
}

/// How good a photo is, and why.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Judgement {
    /// Names it in calls; never show it to a person.
    id: String,
    /// 0 to 100; absent where it was not looked at yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<u32>,
    /// How sharp, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    sharp: Option<u32>,
    /// How well lit, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    light: Option<u32>,
    /// In words.
    why: String,
}

#[async_trait(?Send)]
impl Tool<Stage> for AssessQuality {
    const NAME: &'static str = "assess_quality";
    const TITLE: &'static str = "Judge photos";
    const DESCRIPTION: &'static str = "Says of a few photos how good they are technically, and why: sharpness, light. For many use \
         assess_quality_batch.";
    const HINTS: Hints = Hints::READ;
    type Args = AssessArgs;
    type Output = Judged;

    async fn run(&self, args: AssessArgs, stage: &mut Stage) -> Result<Judged, ToolError> {
        let found = photos_of(stage, Some(&args.images))?;
        if found.len() > MAX_JUDGED {
            return Err(ToolError::Rejected(format!(
                "These are {}; this judges at most {MAX_JUDGED} one by one. Use assess_quality_batch.",
                photos(found.len())
            )));
        }
        let items: Vec<Judgement> = found.iter().map(|photo| judgement(photo)).collect();
        let summary = match items.as_slice() {
            [] => "No photo is meant.".to_owned(),
            [only] => match only.score {
                Some(score) => format!("Quality {score} of 100: {}.", only.why),
                None => format!("Its quality is not known: {}.", only.why),
            },
            several => format!("{} judged.", photos(several.len())),
        };
        Ok(Judged { summary, num_images: items.len(), items })
    }
}

fn judgement(photo: &Photo) -> Judgement {
    let quality = photo.quality.as_ref();
    let why = match quality {
        Some(quality) => quality.reasons.join(", "),
        None if !photo.has_file() => "its file is not on this device".to_owned(),
        None if photo.trouble.is_empty() => "it was not looked at yet".to_owned(),
        None => photo.trouble.trim_end_matches('.').to_owned(),
    };
    Judgement {
        id: photo.id.clone(),
        score: quality.map(|quality| quality.score),
        sharp: quality.map(|quality| quality.sharp),
        light: quality.map(|quality| quality.light),
        why,
    }
}

pub(crate) struct AssessQualityBatch;

/// Which ones, and how many of the best.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchArgs {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
    /// How many of the best, 1 to 500; 10 when left out.
    #[schemars(range(min = 1, max = 500))]
    top_n: Option<usize>,
}

#[async_trait(?Send)]
impl Tool<Stage> for AssessQualityBatch {
    const NAME: &'static str = "assess_quality_batch";
    const TITLE: &'static str = "Find the best photos";
    const DESCRIPTION: &'static str = "Judges any number of photos and gives the best of them, each with its reasons. The result can be \
         given to other tools as `images`.";
    const HINTS: Hints = Hints::READ;
    type Args = BatchArgs;
    type Output = Found;

    async fn run(&self, args: BatchArgs, stage: &mut Stage) -> Result<Found, ToolError> {
        let found = photos_of(stage, args.images.as_ref())?;
        let all = found.len();
        let unseen = found.iter().filter(|photo| photo.quality.is_none() && photo.trouble.is_empty()).count();
        let judged: Vec<Rc<Photo>> = found.into_iter().filter(|photo| photo.quality.is_some()).collect();
        let top = top(args.top_n)?;
        let mut best = best_first(judged);
        best.truncate(if args.top_n.is_some() { top } else { among(all, top) });
        let summary = match (best.len(), all) {
            (0, 0) => "There are no photos to judge.".to_owned(),
            (0, _) => "None of them was judged yet.".to_owned(),
            (count, all) if count == all => format!("{}, the best first.", photos(count)),
            (1, all) => format!("The best of {}.", photos(all)),
            (count, all) => format!("The best {count} of {}.", photos(all)),
        };
        let top_n = Some(best.len());
        Ok(Found { top_n, ..Found::of(&best, summary) }.with_not_looked_at(unseen))
    }
}

/// Of a few photos the best ten would be all of them: then it is the better half.
fn among(all: usize, top: usize) -> usize {
    if all <= top { all.div_ceil(2) } else { top }
}

fn top(asked: Option<usize>) -> Result<usize, ToolError> {
    let top = asked.unwrap_or(DEFAULT_TOP);
    if (1..=MAX_TOP).contains(&top) {
        return Ok(top);
    }
    Err(ToolError::Rejected(format!("top_n is {top}; it may be 1 to {MAX_TOP}.")))
}

pub(crate) struct RankImages;

/// Which ones, by what, how many.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankArgs {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
    /// By what; quality when left out.
    by: Option<By>,
    /// Only the first of them, 1 to 500; 20 when left out.
    #[schemars(range(min = 1, max = 500))]
    top_n: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum By {
    /// The best first.
    #[default]
    Quality,
    /// The sharpest first.
    Sharpness,
    /// The best lit first.
    Light,
    /// The most faces first.
    Faces,
    /// The most stars first.
    Stars,
    /// The last taken first.
    Newest,
    /// The first taken first.
    Oldest,
}

#[async_trait(?Send)]
impl Tool<Stage> for RankImages {
    const NAME: &'static str = "rank_images";
    const TITLE: &'static str = "Rank photos";
    const DESCRIPTION: &'static str = "Puts photos in an order (quality, sharpness, light, faces, stars, newest, oldest) and gives the first of \
         them. The result can be given to other tools as `images`.";
    const HINTS: Hints = Hints::READ;
    type Args = RankArgs;
    type Output = Found;

    async fn run(&self, args: RankArgs, stage: &mut Stage) -> Result<Found, ToolError> {
        const DEFAULT: usize = 20;
        let top = top(args.top_n.or(Some(DEFAULT)))?;
        let found = photos_of(stage, args.images.as_ref())?;
        let (all, by) = (found.len(), args.by.unwrap_or_default());
        let unseen = found.iter().filter(|photo| !photo.is_looked_at()).count();
        let mut ranked = in_order(found);
        if by == By::Oldest {
            ranked.reverse();
        }
        let key = |photo: &Photo| {
            let quality = photo.quality.as_ref();
            match by {
                By::Quality => photo.score(),
                By::Sharpness => quality.map_or(0, |quality| quality.sharp),
                By::Light => quality.map_or(0, |quality| quality.light),
                By::Faces => photo.faces.unwrap_or(0),
                By::Stars => photo.stars,
                By::Newest | By::Oldest => 0,
            }
        };
        order::sort_by_key(&mut ranked, |photo| std::cmp::Reverse(key(photo)));
        ranked.truncate(top);
        let word = match by {
            By::Quality => "the best",
            By::Sharpness => "the sharpest",
            By::Light => "the best lit",
            By::Faces => "those with the most faces",
            By::Stars => "those with the most stars",
            By::Newest => "the newest",
            By::Oldest => "the oldest",
        };
        let summary = match ranked.len() {
            0 => "There are no photos to rank.".to_owned(),
            count if count == all => format!("{}, {word} first.", photos(count)),
            count => format!("{count} of {}: {word}.", photos(all)),
        };
        let top_n = Some(ranked.len());
        let needs_no_look = matches!(by, By::Newest | By::Oldest | By::Stars);
        let unseen = if needs_no_look { 0 } else { unseen };
        Ok(Found { top_n, ..Found::of(&ranked, summary) }.with_not_looked_at(unseen))
    }
}
