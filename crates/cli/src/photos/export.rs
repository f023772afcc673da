//! `satchel photos export`: photos copied into a folder. Nothing is written over, and their places stay behind unless they are asked for
//! (ADR 0066).

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::json;
use store::{BlobHash, FolderBlobs};
use terminal::{Todos, write};
use vision::decode::{Limits, decode};
use vision::export::{FileNames, without_places};

use super::progress::{Count, Line, counted, list};

/// The longer side of a small photo in pixels, and how good its JPEG is: as in the page.
const SMALL: usize = 2048;
const QUALITY: u8 = 85;

#[derive(clap::Args)]
pub struct Export {
    /// The folder that they are copied into; made where it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// JPEG of 2048 pixels at most instead of the originals
    #[arg(long)]
    small: bool,
    /// Keep the places (GPS) in the files
    #[arg(long, conflicts_with = "small")]
    with_places: bool,
    /// Only the photos of this album
    #[arg(long, value_name = "NAME")]
    album: Option<String>,
    /// The folder that chat and mcp use [default: satchel in the person's data folder]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

/// A photo as `photo_files` tells it.
#[derive(Deserialize)]
struct ToFile {
    name: String,
    #[serde(default)]
    hash: String,
    #[serde(default)]
    path: String,
    way: String,
}

/// A photo that is not written, as `photo_files` tells it.
#[derive(Deserialize)]
struct LeftOut {
    name: String,
    why: String,
}

/// Why one is not written, in a sentence.
fn why_not(why: &str, small: bool) -> &'static str {
    match why {
        "gone" => "It is not there any more.",
        "bin" => "It is in the bin.",
        "file" => "Its file is not here: it came in by a file of everything.",
        _ if small => "It cannot be shown here.",
        _ => "Its place cannot be taken out: use --with-places.",
    }
}

/// Why an original is small all the same.
const MADE_SMALL: &str = "Its place cannot be taken out of its file; --with-places keeps it as it is.";

/// Does it. True when all that can be had so is there.
///
/// # Errors
/// When the folder cannot be written to, or there is no such album.
pub async fn export(options: Export, data: &Path) -> anyhow::Result<bool> {
    let Export { folder, small, with_places, album, .. } = options;
    let tools = Todos::open(data).await?;
    let size = if small { "small" } else { "originals" };
    let asked = json!({ "album": album, "size": size, "gps": with_places });
    let told = super::called(&tools, "photo_files", asked).await;
    tools.close().await;
    let told = told?;
    let items = told.get("items").cloned().unwrap_or_default();
    let items: Vec<ToFile> =
        serde_json::from_value(items).context("the tools tell of files in another form")?;
    let left_out = told.get("left_out").cloned().unwrap_or_default();
    let left_out: Vec<LeftOut> =
        serde_json::from_value(left_out).context("the tools tell of files in another form")?;
    let left_out = left_out.into_iter().map(|LeftOut { name, why }| (name, why_not(&why, small).to_owned()));
    let mut count = Count { total: items.len(), failed: left_out.collect(), ..Count::default() };
    let mut made_small = Vec::new();
    let shown = folder.display();
    if !items.is_empty() {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {shown}"))?;
    }
    let (blobs, mut names) = (FolderBlobs::beside(data), FileNames::default());
    let is_stopped = super::stop_at_a_signal();
    let mut line = Line::new();
    for item in items {
        if is_stopped.load(Ordering::Relaxed) {
            break;
        }
        match content(&item, &blobs).await {
            Ok((bytes, ending)) => {
                let written = put(&folder, &mut names, &item.name, ending, &bytes);
                written.inspect_err(|_| line.clear()).with_context(|| match count.new {
                    0 => format!("cannot write into {shown}"),
                    new => format!(
                        "cannot write into {shown} any more; {} written before stay there",
                        counted(new, "photo", "photos")
                    ),
                })?;
                count.new += 1;
                if !small && ending.is_some() {
                    made_small.push((item.name, MADE_SMALL.to_owned()));
                }
            }
            Err(why) => count.failed.push((item.name, why)),
        }
        count.done += 1;
        line.show(&count);
    }
    line.clear();
    let is_stopped = is_stopped.load(Ordering::Relaxed);
    let places = if with_places { "with places" } else { "without places" };
    let said = match count.new {
        0 => "No photos were exported.\n".to_owned(),
        new => format!("Exported {} into {shown}, {places}.\n", counted(new, "photo", "photos")),
    };
    let lists = [list("Made small:", &made_small), list("Left out:", &count.failed)].concat();
    write(&format!("{said}{lists}"));
    if is_stopped {
        write("Stopped. What is in the folder stays.\n");
    }
    Ok(!is_stopped)
}

/// What is written of a photo, and how its name ends where that is not as before.
///
/// # Errors
/// Why it cannot be had, in a sentence.
async fn content(item: &ToFile, blobs: &FolderBlobs) -> Result<(Vec<u8>, Option<&'static str>), String> {
    let bytes = match BlobHash::parse(&item.hash) {
        Some(hash) => store::whole_blob(blobs, &hash.reference())
            .await
            .ok_or("Its bytes are not kept on this machine.".to_owned())?,
        None => fs::read(&item.path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => format!("It is not at {} any more.", item.path),
            _ => format!("{} cannot be read: {error}.", item.path),
        })?,
    };
    match &*item.way {
        "whole" => return Ok((bytes, None)),
        "clean" => {
            if let Some(clean) = without_places(&bytes) {
                return Ok((clean, None));
            }
            // A damaged file: what can be seen of it leaves, and nothing else.
        }
        _ => {}
    }
    small(&bytes).map(|small| (small, Some("jpg")))
}

/// A file as a small JPEG with nothing but pixels.
fn small(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let decoded =
        decode(bytes, Limits::default()).map_err(|error| format!("It cannot be made small: {error}."))?;
    let longer = decoded.picture.width.max(decoded.picture.height);
    let shown = decoded.upright(SMALL.min(longer));
    let sides = [shown.width, shown.height].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let mut small = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut small, QUALITY);
    let coded = encoder.encode(&shown.rgb, sides[0], sides[1], jpeg_encoder::ColorType::Rgb);
    coded.map_err(|error| format!("It cannot be made small: {error}."))?;
    Ok(small)
}

/// Writes a new file into a folder. One that is there already stays, and the new one gets a number.
fn put(
    folder: &Path,
    names: &mut FileNames,
    name: &str,
    ending: Option<&str>,
    bytes: &[u8],
) -> std::io::Result<()> {
    loop {
        let path = folder.join(names.take(name, ending));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => {
                return filled(file, bytes).inspect_err(|_| {
                    // Half a photo is none.
                    drop(fs::remove_file(&path));
                });
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn filled(mut file: File, bytes: &[u8]) -> std::io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}
