//! `cluster_images`, `show_cluster` and `select_best_per_cluster`: photos by event, and the best of each event or person.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use async_trait::async_trait;
use dates::iso::{day_words, read_day};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::events::events;
use crate::found::{Found, Item, ids, mark, of_files, photos};
use crate::images::{Images, best_first, photos_of};
use crate::model::Photo;
use crate::person::must_be_on;

/// How many events are told: the panel shows them, too.
const SHOWN: usize = 1_000;

pub(crate) struct ClusterImages;

/// Which photos.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
}

/// Photos by event.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Clusters {
    /// One sentence for a person.
    summary: String,
    /// How many events.
    num_clusters: usize,
    /// How many photos are in them.
    num_images: usize,
    /// How many belong to no event: their files do not say when they were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_date: Option<usize>,
    /// The events, the newest first, at most 1000.
    clusters: Vec<Cluster>,
    /// There are words here that strangers may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// An event.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cluster {
    /// Its number, from 1: show_cluster takes it.
    number: usize,
    /// When and where, in words.
    name: String,
    /// How many photos.
    count: usize,
    /// The ids of its photos, in the order in which they were taken.
    ids: Vec<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for ClusterImages {
    const NAME: &'static str = "cluster_images";
    const TITLE: &'static str = "Group photos by event";
    const DESCRIPTION: &'static str =
        "Groups photos into events by when and where they were taken, the newest first.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = Clusters;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Clusters, ToolError> {
        let found = photos_of(stage, args.images.as_ref())?;
        let groups = events(&found);
        let count: usize = groups.iter().map(Vec::len).sum();
        let without = found.len() - count;
        let mut summary = match groups.len() {
            0 if found.is_empty() => "There are no photos to group.".to_owned(),
            0 => "No photo says when it was taken, so there are no events.".to_owned(),
            events => format!("{} in {}.", photos(count), domain::counted(events, "event", "events")),
        };
        if without > 0 && count > 0 {
            summary = format!("{summary} {} without a date.", photos(without));
        }
        let clusters = groups.iter().take(SHOWN).enumerate().map(|(index, group)| Cluster {
            number: index + 1,
            name: name(group),
            count: group.len(),
            ids: ids(group),
        });
        Ok(Clusters {
            summary,
            num_clusters: groups.len(),
            num_images: count,
            without_date: (without > 0).then_some(without),
            clusters: clusters.collect(),
            // A place in a name is of the app's own table, unless the photo came in by a file.
            untrusted: of_files(groups.iter().take(SHOWN).flatten()),
        })
    }
}

/// When and where an event was: `3 June 2024, Paris, France` or `3 to 5 June 2024`.
pub(crate) fn name(group: &[Rc<Photo>]) -> String {
    let mut days = group.iter().filter_map(|photo| photo.taken.as_deref()?.get(..10));
    let (first, last) = (days.clone().min(), days.by_ref().max());
    let words = |day: &str| read_day(day).map_or_else(|| day.to_owned(), day_words);
    let when = match (first, last) {
        (Some(first), Some(last)) if first == last => words(first),
        (Some(first), Some(last)) => format!("{} to {}", words(first), words(last)),
        _ => "without a date".to_owned(),
    };
    match commonest(group) {
        Some(place) => format!("{when}, {place}"),
        None => when,
    }
}

/// Where most of some photos were taken, if that is half of them at least: a city, or a country where the cities differ.
fn commonest(group: &[Rc<Photo>]) -> Option<String> {
    let most = |of: &dyn Fn(&crate::model::Place) -> String| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for place in group.iter().filter_map(|photo| photo.place.as_ref()) {
            *counts.entry(of(place)).or_default() += 1;
        }
        // The name decides between two that are as common: the order of a map is nobody's.
        let most = counts.into_iter().filter(|(place, _)| !place.is_empty());
        let (place, count) = most.max_by(|one, other| (one.1, &other.0).cmp(&(other.1, &one.0)))?;
        (count * 2 >= group.len()).then_some(place)
    };
    most(&crate::model::Place::words).or_else(|| most(&|place| place.country.clone()))
}

pub(crate) struct ShowCluster;

/// Which event, or which person.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShowArgs {
    /// Its number, as cluster_images or group_by_person gives it.
    number: usize,
    /// What cluster_images was given as `images` (all photos when left out), or the reference of group_by_person's result.
    images: Option<Clustered>,
}

/// Photos, or a result that has them in numbered clusters.
#[derive(Debug)]
pub(crate) struct Clustered {
    images: Images,
    clusters: Option<Vec<Shown>>,
    /// They are people, as group_by_person gives them.
    of_people: bool,
}

/// A cluster of such a result.
#[derive(Debug, Deserialize)]
struct Shown {
    number: usize,
    name: String,
    ids: Vec<String>,
}

impl<'de> Deserialize<'de> for Clustered {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let clusters = value.get("clusters").and_then(|clusters| Vec::deserialize(clusters).ok());
        let of_people = value.get("num_people").is_some();
        let images = Images::deserialize(value).map_err(serde::de::Error::custom)?;
        Ok(Self { images, clusters, of_people })
    }
}

impl JsonSchema for Clustered {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Images::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Images::json_schema(generator)
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for ShowCluster {
    const NAME: &'static str = "show_cluster";
    const TITLE: &'static str = "Show an event";
    const DESCRIPTION: &'static str = "Shows the photos of one event or person by the number from cluster_images or group_by_person. The result can be given to other \
         tools as `images`.";
    const HINTS: Hints = Hints::READ;
    type Args = ShowArgs;
    type Output = Found;

    async fn run(&self, args: ShowArgs, stage: &mut Stage) -> Result<Found, ToolError> {
        if args.images.as_ref().is_some_and(|images| images.of_people) {
            must_be_on(stage)?;
        }
        if let Some(clusters) = args.images.as_ref().and_then(|images| images.clusters.as_ref()) {
            let cluster = clusters.iter().find(|cluster| cluster.number == args.number).ok_or_else(|| {
                ToolError::Rejected(format!(
                    "There is no number {} in that result; there are {}.",
                    args.number,
                    clusters.len()
                ))
            })?;
            let group = photos_of(stage, Some(&Images(cluster.ids.clone())))?;
            return Ok(Found::of(&group, format!("{}: {}.", cluster.name, photos(group.len()))));
        }
        let groups = events(&photos_of(stage, args.images.as_ref().map(|given| &given.images))?);
        let group = args.number.checked_sub(1).and_then(|index| groups.get(index)).ok_or_else(|| {
            ToolError::Rejected(match groups.len() {
                0 => "There are no events: no photo says when it was taken.".to_owned(),
                count => format!("There is no event {}; there are 1 to {count}.", args.number),
            })
        })?;
        Ok(Found::of(group, format!("{}: {}.", name(group), photos(group.len()))))
    }
}

pub(crate) struct SelectBestPerCluster;

/// How many of each event, or of each person.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BestArgs {
    /// Only among these: ids, or the reference of an earlier result; of group_by_person's result the best of each person. All
    /// photos when left out.
    images: Option<Clustered>,
    /// How many of each, 1 to 20; 1 when left out.
    #[schemars(range(min = 1, max = 20))]
    per_cluster: Option<usize>,
}

/// The best of each event, or of each person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BestOfEach {
    /// One sentence for a person.
    summary: String,
    /// How many events or people.
    num_clusters: usize,
    /// How many photos.
    num_images: usize,
    /// How many of each were asked for.
    top_n: usize,
    /// The best of each, in the order of the events (the newest first) or people.
    items: Vec<Chosen>,
    /// There are words here that strangers may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// A photo, and what it is the best of.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Chosen {
    /// The event, when and where, or who.
    event: String,
    /// The photo.
    #[serde(flatten)]
    item: Item,
}

#[async_trait(?Send)]
impl Tool<Stage> for SelectBestPerCluster {
    const NAME: &'static str = "select_best_per_cluster";
    const TITLE: &'static str = "Best of each event";
    const DESCRIPTION: &'static str = "Gives the best photos of each event, or of each person of group_by_person's result, by quality. The \
         result can be given to other tools as `images`.";
    const HINTS: Hints = Hints::READ;
    type Args = BestArgs;
    type Output = BestOfEach;

    async fn run(&self, args: BestArgs, stage: &mut Stage) -> Result<BestOfEach, ToolError> {
        const MOST: usize = 20;
        let each = args.per_cluster.unwrap_or(1);
        if !(1..=MOST).contains(&each) {
            return Err(ToolError::Rejected(format!("per_cluster is {each}; it may be 1 to {MOST}.")));
        }
        let people = args.images.as_ref().filter(|images| images.of_people);
        let groups: Vec<(String, Vec<Rc<Photo>>)> = match people {
            Some(people) => {
                must_be_on(stage)?;
                let people = people.clusters.iter().flatten();
                let of = |person: &Shown| {
                    let theirs = photos_of(stage, Some(&Images(person.ids.clone())))?;
                    Ok((person.name.clone(), theirs))
                };
                people.map(of).collect::<Result<_, ToolError>>()?
            }
            None => {
                let groups = events(&photos_of(stage, args.images.as_ref().map(|given| &given.images))?);
                groups.into_iter().map(|group| (name(&group), group)).collect()
            }
        };
        let chosen: Vec<(String, Rc<Photo>)> = groups
            .iter()
            .flat_map(|(event, group)| {
                let mut best = best_first(group.clone());
                best.truncate(each);
                best.into_iter().map(move |photo| (event.clone(), photo))
            })
            .collect();
        // A photo may be the best of two people, and is one photo.
        let once: HashSet<&String> = order::gather(chosen.iter().map(|(_, photo)| &photo.id));
        let count = once.len();
        let summary = match (groups.len(), people.is_some()) {
            (0, true) => "Nobody is on two of them.".to_owned(),
            (0, false) => "There are no events: no photo says when it was taken.".to_owned(),
            (groups, of_people) => {
                let groups = match of_people {
                    true => domain::counted(groups, "person", "people"),
                    false => domain::counted(groups, "event", "events"),
                };
                format!("The best of {groups}: {}.", photos(count))
            }
        };
        Ok(BestOfEach {
            summary,
            num_clusters: groups.len(),
            num_images: count,
            top_n: each,
            untrusted: mark(chosen.iter().map(|(_, photo)| &**photo)),
            items: chosen
                .iter()
                .map(|(event, photo)| Chosen { event: event.clone(), item: Item::of(photo) })
                .collect(),
        })
    }
}
