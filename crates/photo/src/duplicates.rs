//! `find_duplicates`: groups of near-duplicates, and which of each is the best.

use std::collections::HashMap;
use std::rc::Rc;

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::found::{Item, ids, mark, photos, unseen};
use crate::images::{Images, best_first, photos_of};
use crate::model::Photo;

/// How many groups are told.
const SHOWN: usize = 50;

pub(crate) struct FindDuplicates;

/// Which photos.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
}

/// Groups of near-duplicates.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Groups {
    /// One sentence for a person.
    summary: String,
    /// How many groups.
    num_clusters: usize,
    /// How many photos are in them.
    num_images: usize,
    /// How many could be deleted without losing a motif.
    num_spare: usize,
    /// How many were not looked at yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_looked_at: Option<usize>,
    /// The groups, the largest first, at most 50.
    groups: Vec<Group>,
    /// The ids of all that could be deleted: everything but the best of each group.
    spare: Vec<String>,
    /// There are words here that strangers may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// Photos that show the same.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Group {
    /// The best of them, which is to be kept.
    best: Item,
    /// The ids of all of them, the best first.
    ids: Vec<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for FindDuplicates {
    const NAME: &'static str = "find_duplicates";
    const TITLE: &'static str = "Find duplicates";
    const DESCRIPTION: &'static str = "Finds photos that show the same (bursts, copies, edits) in groups, with the best of each to keep. \
         `spare` has the ids of all others: photo_delete takes them.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = Groups;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Groups, ToolError> {
        let found = photos_of(stage, args.images.as_ref())?;
        let unseen = unseen(&found);
        let groups = groups_of(&found);
        let count: usize = groups.iter().map(Vec::len).sum();
        let spare: Vec<String> = groups.iter().flat_map(|group| ids(&group[1..])).collect();
        let mut summary = match groups.len() {
            0 => "No duplicates.".to_owned(),
            groups => format!(
                "{} of near-duplicates with {}; {} could go.",
                domain::counted(groups, "group", "groups"),
                photos(count),
                photos(spare.len())
            ),
        };
        if unseen > 0 {
            summary = format!("{summary} {}", crate::found::not_looked_at(unseen));
        }
        let shown = || groups.iter().take(SHOWN);
        Ok(Groups {
            summary,
            num_clusters: groups.len(),
            num_images: count,
            num_spare: spare.len(),
            not_looked_at: (unseen > 0).then_some(unseen),
            untrusted: mark(shown().map(|group| &*group[0])),
            groups: shown().map(|group| Group { best: Item::of(&group[0]), ids: ids(group) }).collect(),
            spare,
        })
    }
}

/// The groups of near-duplicates among some photos: the largest first, the best of each first. What is alone among them is no
/// group.
pub(crate) fn groups_of(found: &[Rc<Photo>]) -> Vec<Vec<Rc<Photo>>> {
    let mut by_best: HashMap<&str, Vec<Rc<Photo>>> = HashMap::new();
    for photo in found.iter().filter(|photo| !photo.twin_of.is_empty()) {
        by_best.entry(&photo.twin_of).or_default().push(Rc::clone(photo));
    }
    let groups = by_best.into_values().filter(|group| group.len() > 1);
    // By quality now, and not by what was the best when they were grouped: stars and deletions change that.
    let mut groups: Vec<Vec<Rc<Photo>>> = groups
        .map(|group| {
            let mut group = best_first(group);
            order::sort_by_key(&mut group, |photo| std::cmp::Reverse(photo.stars));
            group
        })
        .collect();
    // The id ends it: the order of a map is nobody's.
    order::sort_by(&mut groups, |one, other| {
        other.len().cmp(&one.len()).then_with(|| one[0].id.cmp(&other[0].id))
    });
    groups
}
