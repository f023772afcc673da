//! `photo_export`: what an export would have, said and prepared. It writes nothing: the person does, by a press or a command (ADR 0066).
//!
//! What becomes of each file is decided here, for the browser and for a terminal alike; [`PhotoFiles`] tells whoever writes.

use std::rc::Rc;

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::found::{Found, Item, photos};
use crate::images::{Images, left_of, photos_of};
use crate::model::Photo;

/// As large as they are, or small enough to be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Size {
    /// The files as they came.
    #[default]
    Originals,
    /// JPEG of 2048 pixels at most.
    Small,
}

/// What is written of a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Way {
    /// Its file, byte for byte.
    Whole,
    /// Its file without what says where it was taken; its pixels stay as they are.
    Clean,
    /// A small JPEG with nothing but pixels.
    Small,
}

/// What becomes of a photo; none where it cannot be had so: nobody here can take its place out, and nobody could show it.
fn way(photo: &Photo, size: Size, gps: bool) -> Option<Way> {
    if !photo.has_file() {
        return None;
    }
    let small = (photo.width > 0).then_some(Way::Small);
    match size {
        Size::Small => small,
        Size::Originals if gps => Some(Way::Whole),
        // What `vision::export` takes the place out of.
        Size::Originals => match &*photo.kind {
            "image/jpeg" | "image/png" | "image/webp" | "image/gif" | "image/bmp" => Some(Way::Clean),
            _ => small,
        },
    }
}

/// Whether a page can write it: its bytes are kept beside the rows, or it was left in a folder that a page has a handle of. Else it is
/// where a terminal found it, in a folder of this machine.
fn is_for_a_page(photo: &Photo) -> bool {
    photo.is_kept() || !photo.left_at().is_empty()
}

pub(crate) struct PhotoExport;

/// Which ones, and how.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportArgs {
    /// Only these: ids, or the reference of an earlier result. All photos when left out.
    images: Option<Images>,
    /// originals (the default), or small: JPEG of 2048 pixels.
    #[serde(default)]
    size: Size,
    /// true only when the person wants the places (GPS) in the files; small ones have none.
    #[serde(default)]
    gps: bool,
}

/// What would be saved. Nothing is yet.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Prepared {
    /// One sentence for a person.
    summary: String,
    /// How many photos it has.
    num_images: usize,
    /// How large they are together; absent for small ones, which are made then.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// How large each is.
    size: Size,
    /// Whether their places go along.
    gps: bool,
    /// How many cannot be had so, and are left out.
    #[serde(skip_serializing_if = "is_none")]
    left_out: usize,
    /// How many are small, because their places cannot be taken out of the originals.
    #[serde(skip_serializing_if = "is_none")]
    made_small: usize,
    /// The bytes are in folders of this machine: a command copies them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_folders: bool,
    /// The first of them, at most 50.
    items: Vec<Item>,
    /// The ids of all, where they are more than `items`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ids: Vec<String>,
    /// There are words here that strangers may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoExport {
    const NAME: &'static str = "photo_export";
    const TITLE: &'static str = "Prepare an export";
    const DESCRIPTION: &'static str = "Prepares photos to be saved as a zip or into a folder. It writes nothing: the person saves them by \
         what the summary says, so tell them that.";
    const HINTS: Hints = Hints::READ;
    type Args = ExportArgs;
    type Output = Prepared;

    async fn run(&self, args: ExportArgs, stage: &mut Stage) -> Result<Prepared, ToolError> {
        let ExportArgs { images, size, gps } = args;
        // A small one is pixels alone.
        let gps = gps && size == Size::Originals;
        let all = photos_of(stage, images.as_ref())?;
        let meant = all.len();
        let bare = all.iter().filter(|photo| !photo.has_file()).count();
        let found: Vec<Rc<Photo>> = all.into_iter().filter(|photo| way(photo, size, gps).is_some()).collect();
        let left_out = meant - found.len();
        let made_small = match size {
            Size::Small => 0,
            Size::Originals => found.iter().filter(|photo| way(photo, size, gps) == Some(Way::Small)).count(),
        };
        let bytes = (size == Size::Originals).then(|| found.iter().map(|photo| photo.bytes).sum());
        let in_folders = found.iter().any(|photo| !is_for_a_page(photo));
        let mut summary = match found.len() {
            0 if meant == 0 => "No photo is meant: there is nothing to export.".to_owned(),
            0 => "None of them can be exported so.".to_owned(),
            count => {
                let large =
                    bytes.map_or_else(|| ", small".to_owned(), |bytes| format!(", {}", in_words(bytes)));
                let places = if gps { "with places" } else { "without places" };
                let them = if count == 1 { "it" } else { "them" };
                let how = match in_folders {
                    false => format!(
                        ", as a zip {places}: press Save in the chat to keep it, or choose {them} in Photos and press Export."
                    ),
                    true => format!(", {places}: {}.", command(size, gps, images.is_some())),
                };
                format!("{}{large}{how}", photos(count))
            }
        };
        if made_small > 0 {
            let (be, them) = if made_small == 1 { ("is", "its") } else { ("are", "their") };
            summary.push_str(&format!(
                " {made_small} of them {be} made small: {them} place cannot be taken out of such a file."
            ));
        }
        let others = left_out - bare;
        if others > 0 {
            let be = if others == 1 { "is" } else { "are" };
            let why = match size {
                Size::Small => "cannot be shown here",
                Size::Originals => "their place cannot be taken out of such files",
            };
            summary.push_str(&format!(" {} {be} left out: {why}.", photos(others)));
        }
        if bare > 0 {
            let why = if bare == 1 { "is left out: its file is" } else { "are left out: their files are" };
            summary.push_str(&format!(" {} {why} not on this device.", photos(bare)));
        }
        let Found { num_images, items, ids, untrusted, .. } = Found::of(&found, String::new());
        Ok(Prepared {
            summary,
            num_images,
            bytes,
            size,
            gps,
            left_out,
            made_small,
            in_folders,
            items,
            ids,
            untrusted,
        })
    }
}

/// The command that copies photos whose files are in folders of this machine.
fn command(size: Size, gps: bool, is_some: bool) -> String {
    let small = if size == Size::Small { " --small" } else { "" };
    let places = if gps { " --with-places" } else { "" };
    match is_some {
        false => format!("`satchel photos export DIR{small}{places}` copies them into a folder"),
        true => format!(
            "put them into an album, and `satchel photos export DIR --album NAME{small}{places}` copies them into a folder"
        ),
    }
}

/// `48 MB`, as a person says it.
fn in_words(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let unit = UNITS.iter().find(|(unit, _)| bytes >= *unit);
    match unit {
        Some((unit, name)) if bytes < unit * 10 => {
            let tenths = (bytes * 10 + unit / 2) / unit;
            match tenths % 10 {
                0 => format!("{} {name}", tenths / 10),
                tenth => format!("{}.{tenth} {name}", tenths / 10),
            }
        }
        Some((unit, name)) => format!("{} {name}", (bytes + unit / 2) / unit),
        None => domain::counted(bytes as usize, "byte", "bytes"),
    }
}

pub(crate) struct PhotoFiles;

/// Which ones, and how.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilesArgs {
    /// Only these. All photos when left out.
    images: Option<Images>,
    /// Only those of this album.
    album: Option<String>,
    /// As large as they are, or small.
    #[serde(default)]
    size: Size,
    /// With their places.
    #[serde(default)]
    gps: bool,
}

/// What is to be written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ToWrite {
    /// By when they were taken, the oldest first.
    items: Vec<ToFile>,
    /// Those that are not written.
    left_out: Vec<LeftOut>,
}

/// A photo that is not written.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct LeftOut {
    /// Its name; its id where no photo has that.
    name: String,
    /// Why.
    why: Lacks,
}

/// Why a photo is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Lacks {
    /// It is not there any more.
    Gone,
    /// It is in the bin.
    Bin,
    /// It cannot be had in the way that was asked for.
    Way,
    /// Its file is not on this device.
    File,
}

/// A file that is to be written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ToFile {
    /// The photo's id, which is made of its bytes: what is in its file's place may be another one by now.
    id: String,
    /// The photo's name: not safe as a file's, and not the only one.
    name: String,
    /// The hash of its bytes; empty where they are not kept here.
    #[serde(skip_serializing_if = "String::is_empty")]
    hash: String,
    /// Where its file is, as its row has it; empty where its bytes are kept here.
    #[serde(skip_serializing_if = "String::is_empty")]
    path: String,
    /// The length of the original.
    bytes: u64,
    /// When it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<String>,
    /// What is written of it.
    way: Way,
}

#[async_trait(?Send)]
impl Tool<Stage> for PhotoFiles {
    const NAME: &'static str = "photo_files";
    const TITLE: &'static str = "Say what is to be written";
    const DESCRIPTION: &'static str = "Gives what an export writes.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = FilesArgs;
    type Output = ToWrite;

    async fn run(&self, args: FilesArgs, stage: &mut Stage) -> Result<ToWrite, ToolError> {
        let FilesArgs { images, album, size, gps } = args;
        // Chosen a while ago: what went since stops nothing.
        let (mut found, gone, binned) = match &images {
            None => (photos_of(stage, None)?, Vec::new(), Vec::new()),
            Some(images) => left_of(stage, images),
        };
        let lacks = |names: Vec<String>, why| names.into_iter().map(move |name| LeftOut { name, why });
        let mut left_out: Vec<LeftOut> = lacks(gone, Lacks::Gone).chain(lacks(binned, Lacks::Bin)).collect();
        if let Some(name) = album {
            let album = crate::albums::existing(stage, &name)?;
            let within: std::collections::HashSet<&String> = order::gather(album.photos.iter());
            found.retain(|photo| within.contains(&photo.id));
        }
        // Two with the same name: the earlier one keeps it.
        order::sort_by_key(&mut found, |photo| photo.moment());
        let mut items = Vec::new();
        for photo in found {
            let Some(way) = way(&photo, size, gps) else {
                let why = if photo.has_file() { Lacks::Way } else { Lacks::File };
                left_out.push(LeftOut { name: photo.name.clone(), why });
                continue;
            };
            let hash = photo.original.strip_prefix("blob:").unwrap_or_default().to_owned();
            items.push(ToFile {
                id: photo.id.clone(),
                name: photo.name.clone(),
                path: if hash.is_empty() { photo.original.clone() } else { String::new() },
                hash,
                bytes: photo.bytes,
                taken: photo.taken.clone(),
                way,
            });
        }
        Ok(ToWrite { items, left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn sizes_are_what_a_person_says() {
        for (bytes, expected) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1 kB"),
            (1_550, "1.6 kB"),
            (48_400_000, "48 MB"),
            (4_000_000_000, "4 GB"),
        ] {
            assert_eq!(in_words(bytes), expected);
        }
    }
}
