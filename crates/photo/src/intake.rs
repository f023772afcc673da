//! How photos come in, and what is found on them later: for the app's own screens and for a terminal, not for models.
//!
//! Bytes are kept before the row that names them (ADR 0047). A call brings up to 250 photos, so that a thousand of them are a
//! handful of changes in the journal.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use dates::iso::read_moment;
use mcp::{Hints, NoArguments, Tool, ToolError, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{BlobHash, Stage};

use crate::change::{Changed, changed};
use crate::found::{has_few_words, photos};
use crate::images::{Images, in_order};
use crate::model::{By, Gps, MAX_PHOTOS, Photo, Place, Quality, Tag};

/// The most photos that one call brings in.
pub const MAX_PER_IMPORT: usize = 250;

/// The most characters of a text that comes from a file.
const MAX_TEXT: usize = 200;

/// So many words may stand in a tag without anybody taking orders from it.
const PLAIN_TAG: usize = 4;

/// The most tags of one photo that a net and rules may find.
pub(crate) const MAX_FOUND: usize = 20;

/// A text that comes from a file: one line, and no longer than a text of a photo may be.
pub(crate) fn cut(text: &str) -> String {
    one_line(text).chars().take(MAX_TEXT).collect()
}

/// The id of the photo whose file has this SHA-256 (64 hexadecimal digits): the same bytes are one photo, however often and
/// from wherever they come.
#[must_use]
pub fn photo_id(hash: &str) -> String {
    const DIGITS: usize = 20;
    format!("photo_{}", hash.get(..DIGITS).unwrap_or(hash))
}

/// What was seen of a photo. What is left out is not known yet, and stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Seen {
    /// In pixels, as it is shown.
    width: Option<u32>,
    /// In pixels, as it is shown.
    height: Option<u32>,
    /// A small picture: `blob:` and its hash.
    thumb: Option<String>,
    /// A larger one: `blob:` and its hash.
    preview: Option<String>,
    /// Where it was taken, in words.
    place: Option<Place>,
    /// How good it is.
    quality: Option<Quality>,
    /// How many faces are on it.
    faces: Option<u32>,
    /// What is on it, by a net or by rules.
    tags: Option<Vec<Tag>>,
    /// What it looks like: 16 hexadecimal digits.
    look: Option<String>,
    /// The numbers that tell likeness: `blob:` and their hash.
    features: Option<String>,
    /// Why it could not be looked at.
    trouble: Option<String>,
}

/// A file that comes in.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct New {
    /// The SHA-256 of its bytes, 64 hexadecimal digits.
    hash: String,
    /// Its name, without its folder.
    name: String,
    /// Its length.
    bytes: u64,
    /// Its media type, by its first bytes.
    kind: String,
    /// When it was taken: 2026-11-21T22:30:00.
    taken: Option<String>,
    /// Where it was taken.
    gps: Option<Gps>,
    /// What its camera calls itself.
    #[serde(default)]
    camera: String,
    /// What its lens calls itself.
    #[serde(default)]
    lens: String,
    /// Where the original is, where that is not among the blobs: as a row has it in `original`.
    place_of_original: Option<String>,
    /// What was seen of it.
    #[serde(default)]
    seen: Seen,
}

pub(crate) struct PhotoImport;

/// The files.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportArgs {
    /// 1 to 250 of them.
    items: Vec<New>,
}

/// What came in.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Came {
    /// One sentence for a person.
    summary: String,
    /// How many are new.
    new: usize,
    /// How many were there already.
    known: usize,
    /// How many came back out of the bin.
    back: usize,
    /// How many were known without their files, and have them now.
    whole: usize,
    /// The photos that changed, at most 50.
    changes: Vec<domain::DomainChange>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoImport {
    const NAME: &'static str = "photo_import";
    const TITLE: &'static str = "Bring photos in";
    const DESCRIPTION: &'static str = "Brings in photos whose bytes are kept already.";
    // The same files again are there already.
    const HINTS: Hints = Hints::SET;
    const APP_ONLY: bool = true;
    type Args = ImportArgs;
    type Output = Came;

    async fn run(&self, args: ImportArgs, stage: &mut Stage) -> Result<Came, ToolError> {
        if !(1..=MAX_PER_IMPORT).contains(&args.items.len()) {
            return Err(ToolError::Rejected(format!("Bring in 1 to {MAX_PER_IMPORT} photos at once.")));
        }
        let mut room = MAX_PHOTOS.saturating_sub(stage.all::<Photo>().len());
        let (mut new, mut known, mut back, mut whole) = (0, 0, 0, 0);
        for item in args.items {
            let what = item.seen.clone();
            let photo = read(item, stage.moment().at_ms)?;
            match stage.get::<Photo>(&photo.id) {
                None if room == 0 => {
                    return Err(ToolError::Rejected(format!(
                        "{MAX_PHOTOS} photos are there, and no more can be. What came in before stays."
                    )));
                }
                None => {
                    room -= 1;
                    new += 1;
                    stage.put(photo);
                }
                Some(there) if !there.has_file() => {
                    whole += 1;
                    stage.put(completed(&there, photo, what)?);
                }
                // The same bytes can be had where they came from now, be that another folder.
                Some(there) if there.is_here() => {
                    known += 1;
                    if there.original != photo.original {
                        stage.put(Photo { original: photo.original, ..Photo::clone(&there) });
                    }
                }
                // Who brings a photo in again that lies in the bin wants it.
                Some(there) => {
                    back += 1;
                    let original = photo.original;
                    stage.put(Photo { original, deleted_ms: None, ..Photo::clone(&there) });
                }
            }
        }
        let mut summary = match new {
            0 => "No new photos.".to_owned(),
            new => format!("Brought in {}.", photos(new)),
        };
        if known > 0 {
            summary = format!("{summary} {} there already.", domain::counted(known, "was", "were"));
        }
        if back > 0 {
            summary = format!("{summary} {} came back out of the bin.", photos(back));
        }
        if whole > 0 {
            let have = if whole == 1 { "has its file" } else { "have their files" };
            summary = format!("{summary} {} {have} again.", photos(whole));
        }
        let Changed { summary, changes, .. } = changed(stage, summary)?;
        Ok(Came { summary, new, known, back, whole, changes })
    }
}

/// A moment as all of them are kept, to the second: they are compared as texts. None where it is none.
pub(crate) fn moment(taken: &str) -> Option<String> {
    const TO_THE_SECOND: usize = "2026-11-21T22:30:00".len();
    read_moment(taken)?.to_string().get(..TO_THE_SECOND).map(str::to_owned)
}

/// A photo of what came in.
fn read(item: New, now_ms: i64) -> Result<Photo, ToolError> {
    let hash = BlobHash::parse(&item.hash)
        .ok_or_else(|| ToolError::Rejected("A hash is 64 hexadecimal digits in lower case.".into()))?;
    let name = cut(&item.name);
    let taken = item.taken.and_then(|taken| moment(&taken));
    let gps = item.gps.filter(|gps| gps.lat.abs() <= 90.0 && gps.lon.abs() <= 180.0);
    let photo = Photo {
        id: photo_id(hash.as_str()),
        name: if name.is_empty() { "photo".to_owned() } else { name },
        original: item
            .place_of_original
            .filter(|place| !place.is_empty())
            .unwrap_or_else(|| hash.reference()),
        bytes: item.bytes,
        kind: cut(&item.kind),
        taken,
        gps,
        camera: cut(&item.camera),
        lens: cut(&item.lens),
        added_ms: now_ms,
        ..Photo::default()
    };
    seen(photo, item.seen)
}

/// A photo that was known without its file, with that: what the file says and what was seen on it, and all that the person said of it.
///
/// # Errors
/// [`ToolError::Rejected`] for a reference that is none.
fn completed(there: &Photo, file: Photo, what: Seen) -> Result<Photo, ToolError> {
    let is_said = |tag: &Tag| tag.by == By::Person;
    // What its words were is said by the file itself now, but for what a person said.
    let imported =
        there.imported && there.tags.iter().any(|tag| is_said(tag) && !has_few_words(&tag.name, PLAIN_TAG));
    let known = Photo {
        // What was seen once is known until it is seen again.
        place: there.place.clone().filter(|_| there.gps == file.gps),
        width: there.width,
        height: there.height,
        quality: there.quality.clone(),
        faces: there.faces,
        tags: there.tags.clone(),
        look: there.look.clone(),
        stars: there.stars,
        added_ms: there.added_ms,
        imported,
        ..file
    };
    seen(known, what)
}

/// A photo with what was seen of it.
///
/// # Errors
/// [`ToolError::Rejected`] for a reference that is none.
fn seen(mut photo: Photo, seen: Seen) -> Result<Photo, ToolError> {
    let reference = |text: &str| match text.strip_prefix("blob:").and_then(BlobHash::parse) {
        Some(hash) => Ok(hash.reference()),
        None if text.is_empty() => Ok(String::new()),
        None => Err(ToolError::Rejected("Bytes are named by blob: and 64 hexadecimal digits.".into())),
    };
    if let Some(thumb) = &seen.thumb {
        photo.thumb = reference(thumb)?;
    }
    if let Some(preview) = &seen.preview {
        photo.preview = reference(preview)?;
    }
    if let Some(features) = &seen.features {
        photo.features = reference(features)?;
    }
    if let (Some(width), Some(height)) = (seen.width, seen.height) {
        (photo.width, photo.height) = (width, height);
    }
    photo.place = seen.place.or(photo.place);
    photo.faces = seen.faces.or(photo.faces);
    if let Some(look) = seen.look.filter(|look| look.len() == 16 && u64::from_str_radix(look, 16).is_ok()) {
        photo.look = look;
    }
    if let Some(quality) = seen.quality {
        const MOST: u32 = 100;
        // What could not be looked at once was looked at now.
        photo.trouble = String::new();
        photo.quality = Some(Quality {
            score: quality.score.min(MOST),
            sharp: quality.sharp.min(MOST),
            light: quality.light.min(MOST),
            reasons: quality.reasons,
        });
    }
    if let Some(found) = seen.tags {
        // What the person said stays; what was seen before goes.
        photo.tags.retain(|tag| tag.by == By::Person);
        let known: HashSet<String> = photo.tags.iter().map(|tag| tag.name.clone()).collect();
        let found = found.into_iter().filter(|tag| tag.by != By::Person && !known.contains(&tag.name));
        photo.tags.extend(found.take(MAX_FOUND));
    }
    if let Some(trouble) = seen.trouble {
        photo.trouble = cut(&trouble);
    }
    Ok(photo)
}

pub(crate) struct PhotoLooked;

/// What was seen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookedArgs {
    /// 1 to 250 photos.
    items: Vec<Looked>,
}

/// What was seen of one photo.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Looked {
    /// Its id.
    id: String,
    /// What was seen of it.
    seen: Seen,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoLooked {
    const NAME: &'static str = "photo_looked";
    const TITLE: &'static str = "Say what was seen";
    const DESCRIPTION: &'static str = "Keeps what was seen on photos that are there.";
    const HINTS: Hints = Hints::SET;
    const APP_ONLY: bool = true;
    type Args = LookedArgs;
    type Output = Changed;

    async fn run(&self, args: LookedArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        if !(1..=MAX_PER_IMPORT).contains(&args.items.len()) {
            return Err(ToolError::Rejected(format!("Say it of 1 to {MAX_PER_IMPORT} photos at once.")));
        }
        let mut count = 0;
        for item in args.items {
            // It may have been deleted for good while it was looked at.
            let Some(photo) = stage.get::<Photo>(&item.id) else { continue };
            let after = seen(Photo::clone(&photo), item.seen)?;
            if after != *photo {
                count += 1;
                stage.put(after);
            }
        }
        changed(stage, format!("Looked at {}.", photos(count)))
    }
}

pub(crate) struct PhotoTwins;

/// Groups of near-duplicates.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TwinsArgs {
    /// The ids of each group, the best first. What is in no group is no duplicate.
    groups: Vec<Vec<String>>,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoTwins {
    const NAME: &'static str = "photo_twins";
    const TITLE: &'static str = "Say which are alike";
    const DESCRIPTION: &'static str =
        "Keeps which photos are near-duplicates of each other, in place of what was known of that.";
    const HINTS: Hints = Hints::SET;
    const APP_ONLY: bool = true;
    type Args = TwinsArgs;
    type Output = Changed;

    async fn run(&self, args: TwinsArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        let mut best: HashMap<&str, &str> = HashMap::new();
        for group in args.groups.iter().filter(|group| group.len() > 1) {
            for id in group {
                best.insert(id, &group[0]);
            }
        }
        for photo in stage.all::<Photo>() {
            let twin_of = best.get(photo.id.as_str()).copied().unwrap_or_default();
            if photo.twin_of != twin_of {
                stage.put(Photo { twin_of: twin_of.to_owned(), ..Photo::clone(&photo) });
            }
        }
        let groups = args.groups.iter().filter(|group| group.len() > 1).count();
        changed(stage, format!("{} of near-duplicates.", domain::counted(groups, "group", "groups")))
    }
}

pub(crate) struct PhotoGrid;

/// Which photos.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GridArgs {
    /// These, as far as they are there, in this order; all of them when left out.
    images: Option<Images>,
}

/// What the panel shows of all photos.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Grid {
    /// The library and the bin, by when they were taken, the newest first.
    items: Vec<Cell>,
}

/// A photo in the grid.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cell {
    /// Its id.
    id: String,
    /// The file's name.
    name: String,
    /// The hash of its small picture; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    thumb: String,
    /// The hash of what a screen shows of it; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    large: String,
    /// The hash of the original; empty where it is not kept here.
    #[serde(skip_serializing_if = "String::is_empty")]
    original: String,
    /// Where its file was left: `folder:`, a key and a path; empty for any other.
    #[serde(skip_serializing_if = "String::is_empty")]
    left_at: String,
    /// When it was taken, or added where that is not known.
    at: String,
    /// Whether its file says when it was taken.
    dated: bool,
    /// In pixels.
    width: u32,
    /// In pixels.
    height: u32,
    /// How many faces.
    #[serde(skip_serializing_if = "Option::is_none")]
    faces: Option<u32>,
    /// 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<u32>,
    /// Why it is as good as that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<String>,
    /// What is on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    /// Where.
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    /// Where, north and east, in ten-thousandths of a degree (11 m): a marker on a map has to be no nearer.
    #[serde(skip_serializing_if = "Option::is_none")]
    gps: Option<[i32; 2]>,
    /// What its camera calls itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    camera: String,
    /// What its lens calls itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    lens: String,
    /// The person's stars.
    #[serde(skip_serializing_if = "is_none")]
    stars: u32,
    /// The best of its near-duplicates.
    #[serde(skip_serializing_if = "String::is_empty")]
    twin_of: String,
    /// Why it could not be looked at.
    #[serde(skip_serializing_if = "String::is_empty")]
    trouble: String,
    /// Whether everything was seen of it that can be.
    looked_at: bool,
    /// It is in the bin.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_bin: bool,
    /// Its file is not on this device.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_file: bool,
    /// The names of the albums that it is in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    albums: Vec<String>,
}

/// The names of the albums that photos are in, by the photo's id.
fn in_albums(stage: &Stage) -> HashMap<String, Vec<String>> {
    let mut albums: HashMap<String, Vec<String>> = HashMap::new();
    for album in stage.all::<crate::model::Album>() {
        for id in &album.photos {
            albums.entry(id.clone()).or_default().push(album.name.clone());
        }
    }
    albums
}

/// Whether every browser shows files of this kind; the worker answers images with these and no others.
fn is_shown(kind: &str) -> bool {
    matches!(kind, "image/jpeg" | "image/png" | "image/gif" | "image/webp" | "image/avif")
}

fn is_none(number: &u32) -> bool {
    *number == 0
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoGrid {
    const NAME: &'static str = "photo_grid";
    const TITLE: &'static str = "Show all photos";
    const DESCRIPTION: &'static str = "Gives what the panel shows of all photos.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = GridArgs;
    type Output = Grid;

    async fn run(&self, args: GridArgs, stage: &mut Stage) -> Result<Grid, ToolError> {
        let photos = match &args.images {
            Some(images) => images.0.iter().filter_map(|id| stage.get::<Photo>(id)).collect(),
            None => in_order(stage.all::<Photo>()),
        };
        let albums = in_albums(stage);
        let hash = |reference: &str| reference.strip_prefix("blob:").unwrap_or_default().to_owned();
        let items = photos.iter().map(|photo| Cell {
            id: photo.id.clone(),
            name: photo.name.clone(),
            thumb: hash(&photo.thumb),
            large: match (photo.preview.is_empty(), is_shown(&photo.kind)) {
                (false, _) => hash(&photo.preview),
                (true, true) => hash(&photo.original),
                (true, false) => hash(&photo.thumb),
            },
            original: hash(&photo.original),
            left_at: photo.left_at().to_owned(),
            at: photo.moment(),
            dated: photo.taken.is_some(),
            width: photo.width,
            height: photo.height,
            faces: photo.faces,
            quality: photo.quality.as_ref().map(|quality| quality.score),
            why: photo.quality.as_ref().map(|quality| quality.reasons.clone()).unwrap_or_default(),
            tags: photo.tags.iter().map(|tag| tag.name.clone()).collect(),
            place: photo.place.as_ref().map(Place::words).unwrap_or_default(),
            gps: photo.gps.map(|gps| [gps.lat, gps.lon].map(|part| (part * 10_000.0).round() as i32)),
            camera: photo.camera.clone(),
            lens: photo.lens.clone(),
            stars: photo.stars,
            twin_of: photo.twin_of.clone(),
            trouble: photo.trouble.clone(),
            looked_at: photo.is_looked_at(),
            in_bin: !photo.is_here(),
            no_file: !photo.has_file(),
            albums: albums.get(&photo.id).cloned().unwrap_or_default(),
        });
        Ok(Grid { items: items.collect() })
    }
}

pub(crate) struct PhotoLooks;

/// What near-duplicates are found by.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Looks {
    /// The photos of the library that were looked at.
    items: Vec<KeptLook>,
}

/// What was kept of a look at a photo.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct KeptLook {
    /// Its id.
    id: String,
    /// What it looks like: 16 hexadecimal digits.
    look: String,
    /// The numbers that tell likeness: `blob:` and their hash.
    #[serde(skip_serializing_if = "String::is_empty")]
    features: String,
    /// When it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<String>,
    /// How good it is, 0 to 100.
    score: u32,
    /// How many pixels it has.
    pixels: u64,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoLooks {
    const NAME: &'static str = "photo_looks";
    const TITLE: &'static str = "Give what is compared";
    const DESCRIPTION: &'static str = "Gives what near-duplicates are found by.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = NoArguments;
    type Output = Looks;

    async fn run(&self, _: NoArguments, stage: &mut Stage) -> Result<Looks, ToolError> {
        let looked = stage.filter::<Photo>(|photo| {
            // One without its file is never the better of two.
            photo.is_here() && photo.has_file() && !photo.look.is_empty()
        });
        let items = looked.iter().map(|photo| KeptLook {
            id: photo.id.clone(),
            look: photo.look.clone(),
            features: photo.features.clone(),
            taken: photo.taken.clone(),
            score: photo.score(),
            pixels: u64::from(photo.width) * u64::from(photo.height),
        });
        Ok(Looks { items: items.collect() })
    }
}
