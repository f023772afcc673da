//! `photo_list` and `photo_get`: what photos there are, and all that is known of one.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::found::{Found, Item, photos, unseen};
use crate::images::{Images, best_first, in_order, named};
use crate::model::{Album, Photo};

pub(crate) struct PhotoList;

/// Which ones, and in which order.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListArgs {
    /// The order; newest when left out.
    sort: Option<Sort>,
    /// true: those in the bin instead of those in the library.
    #[serde(default)]
    bin: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Sort {
    /// By when they were taken, the last first.
    #[default]
    Newest,
    /// By when they were taken, the first first.
    Oldest,
    /// By quality.
    Best,
}

impl Sort {
    pub fn apply(self, found: Vec<std::rc::Rc<Photo>>) -> Vec<std::rc::Rc<Photo>> {
        match self {
            Self::Newest => in_order(found),
            Self::Oldest => {
                let mut found = in_order(found);
                found.reverse();
                found
            }
            Self::Best => best_first(found),
        }
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoList {
    const NAME: &'static str = "photo_list";
    const TITLE: &'static str = "List photos";
    const DESCRIPTION: &'static str =
        "Lists the photos, in short. The result can be given to other tools as `images`.";
    const HINTS: Hints = Hints::READ;
    type Args = ListArgs;
    type Output = Found;

    async fn run(&self, args: ListArgs, stage: &mut Stage) -> Result<Found, ToolError> {
        let found = stage.filter::<Photo>(|photo| photo.is_here() != args.bin);
        let found = args.sort.unwrap_or_default().apply(found);
        let summary = match (found.is_empty(), args.bin) {
            (true, true) => "The bin is empty.".to_owned(),
            (true, false) => NONE_YET.to_owned(),
            (false, true) => format!("{} in the bin.", photos(found.len())),
            (false, false) => format!("{}{}.", photos(found.len()), span(&found)),
        };
        let count = if args.bin { 0 } else { unseen(&found) };
        Ok(Found::of(&found, summary).with_not_looked_at(count))
    }
}

/// What is said where nothing came in yet: a model that is asked for photos has only this tool then.
const NONE_YET: &str = "There are no photos yet: the person brings them in by the Photos panel. Until then there are no other tools for photos.";

/// `, taken from 2024-06-01 to 2026-11-21`; empty where no photo says when.
fn span(found: &[std::rc::Rc<Photo>]) -> String {
    let days = || found.iter().filter_map(|photo| photo.taken.as_deref()?.get(..10));
    match (days().min(), days().max()) {
        (Some(first), Some(last)) if first == last => format!(", taken on {first}"),
        (Some(first), Some(last)) => format!(", taken from {first} to {last}"),
        _ => String::new(),
    }
}

pub(crate) struct PhotoGet;

/// Which one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetArgs {
    /// Its id.
    id: String,
}

/// All that is known of a photo.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Known {
    /// One sentence for a person.
    summary: String,
    /// It in short.
    photo: Item,
    /// What its camera calls itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    camera: String,
    /// What its lens calls itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    lens: String,
    /// In pixels.
    width: u32,
    /// In pixels.
    height: u32,
    /// The length of the file in bytes.
    bytes: u64,
    /// `image/jpeg`.
    kind: String,
    /// Landmarks that the camera was near, by GPS; nothing says that they are on the photo.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    near: Vec<String>,
    /// The albums it is in.
    albums: Vec<String>,
    /// Why it could not be looked at.
    #[serde(skip_serializing_if = "String::is_empty")]
    trouble: String,
    /// It is in the bin.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_bin: bool,
    /// Its file is not on this device: it is known from a file of everything, and nobody can see it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_file: bool,
    /// There are words here that strangers may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoGet {
    const NAME: &'static str = "photo_get";
    const TITLE: &'static str = "Look at a photo";
    const DESCRIPTION: &'static str = "Says all that is known of one photo: date, place, size, camera, lens, faces, quality and why, tags, \
         albums. What is not there is not known: no age, mood or name can be told from it.";
    const HINTS: Hints = Hints::READ;
    type Args = GetArgs;
    type Output = Known;

    async fn run(&self, args: GetArgs, stage: &mut Stage) -> Result<Known, ToolError> {
        let photo = named(stage, &Images(vec![args.id]))?.remove(0);
        let albums = stage.filter::<Album>(|album| album.photos.contains(&photo.id));
        let of_file = photo.imported || albums.iter().any(|album| album.imported);
        let is_plain = !of_file
            && crate::found::is_plain(&photo.name)
            && crate::found::has_few_words(&photo.camera, 3)
            && crate::found::has_few_words(&photo.lens, 3);
        Ok(Known {
            summary: in_words(&photo),
            photo: Item::of(&photo),
            camera: photo.camera.clone(),
            lens: photo.lens.clone(),
            width: photo.width,
            height: photo.height,
            bytes: photo.bytes,
            kind: photo.kind.clone(),
            near: photo.place.as_ref().map(|place| place.landmarks.clone()).unwrap_or_default(),
            albums: albums.iter().map(|album| album.name.clone()).collect(),
            trouble: photo.trouble.clone(),
            in_bin: !photo.is_here(),
            no_file: !photo.has_file(),
            untrusted: (!is_plain).then_some("file"),
        })
    }
}

/// A photo in a sentence of what is known: `Taken on 2024-06-03 in Paris, France; 2 faces; quality 81 of 100.`
fn in_words(photo: &Photo) -> String {
    let mut parts = Vec::new();
    let day = photo.taken.as_deref().and_then(|taken| taken.get(..10));
    let place = photo.place.as_ref().map(crate::model::Place::words).filter(|words| !words.is_empty());
    parts.push(match (day, place) {
        (Some(day), Some(place)) => format!("taken on {day} in {place}"),
        (Some(day), None) => format!("taken on {day}"),
        (None, Some(place)) => format!("taken in {place}"),
        (None, None) => "its file does not say when and where it was taken".to_owned(),
    });
    match photo.faces {
        Some(0) => parts.push("no faces".to_owned()),
        Some(count) => parts.push(domain::counted(count as usize, "face", "faces")),
        None => {}
    }
    if let Some(quality) = &photo.quality {
        parts.push(format!("quality {} of 100", quality.score));
    }
    if !photo.has_file() {
        parts.push("its file is not on this device".to_owned());
    }
    let mut text = parts.join("; ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text + "."
}
