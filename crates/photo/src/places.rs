//! `identify_places`: where photos were taken, by GPS alone.

use std::collections::HashMap;

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::found::{of_files, photos};
use crate::images::{Images, photos_of};
use crate::model::Place;

/// How many places are told.
const SHOWN: usize = 100;

pub(crate) struct IdentifyPlaces;

/// Which photos.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only among these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
}

/// Where photos were taken.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Places {
    /// One sentence for a person.
    summary: String,
    /// How many photos say where they were taken.
    num_images: usize,
    /// How many do not: of those nothing can be known, whatever is on them.
    without_gps: usize,
    /// How many cities.
    num_clusters: usize,
    /// Cities, the one with the most photos first, at most 100.
    places: Vec<At>,
    /// Landmarks that the camera was near, by GPS. Nothing says that they are on the photos.
    near: Vec<At>,
    /// There are words here that strangers may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// A place, and the photos taken there.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct At {
    /// `Paris, France`, or a landmark.
    name: String,
    /// How many photos.
    count: usize,
    /// Their ids.
    ids: Vec<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for IdentifyPlaces {
    const NAME: &'static str = "identify_places";
    const TITLE: &'static str = "Find where photos were taken";
    const DESCRIPTION: &'static str = "Says in which cities photos were taken and which landmarks were near, by the GPS in their files alone. \
         Of photos without GPS nothing can be known: say so.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = Places;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Places, ToolError> {
        let found = photos_of(stage, args.images.as_ref())?;
        let (mut cities, mut landmarks) = (HashMap::new(), HashMap::new());
        let mut with_gps = 0;
        for photo in found.iter().filter(|photo| photo.gps.is_some()) {
            with_gps += 1;
            let place = photo.place.as_ref();
            let words = place.map(Place::words).filter(|words| !words.is_empty());
            let unknown = if place.is_some() { "far from any city" } else { "not looked up yet" };
            let words = words.unwrap_or_else(|| unknown.to_owned());
            add(&mut cities, words, &photo.id);
            for landmark in place.into_iter().flat_map(|place| &place.landmarks) {
                add(&mut landmarks, landmark.clone(), &photo.id);
            }
        }
        let (places, near) = (most_first(cities), most_first(landmarks));
        let without = found.len() - with_gps;
        let mut summary = match (with_gps, places.as_slice()) {
            (0, _) => {
                "No photo says where it was taken: without GPS in its file that can't be known.".to_owned()
            }
            (count, [only]) => format!("{} taken in {}.", photos(count), only.name),
            (count, places) => format!("{} taken in {} places.", photos(count), places.len()),
        };
        if without > 0 && with_gps > 0 {
            summary = format!("{summary} {} without GPS.", photos(without));
        }
        Ok(Places {
            summary,
            num_images: with_gps,
            without_gps: without,
            num_clusters: places.len(),
            places,
            near,
            untrusted: of_files(&found),
        })
    }
}

fn add(to: &mut HashMap<String, Vec<String>>, name: String, id: &str) {
    to.entry(name).or_default().push(id.to_owned());
}

fn most_first(by_name: HashMap<String, Vec<String>>) -> Vec<At> {
    let mut places: Vec<At> =
        by_name.into_iter().map(|(name, ids)| At { name, count: ids.len(), ids }).collect();
    order::sort_by(&mut places, |one, other| {
        other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name))
    });
    places.truncate(SHOWN);
    places
}
