//! Albums in a file: rows with a name and the ids of their photos, behind the photos.

use std::collections::HashSet;
use std::rc::Rc;

use domain::{Count, FROM_A_FILE};
use mcp::one_line;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::albums::MAX_NAME;
use crate::found::has_few_words;
use crate::model::{Album, MAX_ALBUMS, MAX_PHOTOS, Photo};

/// The most letters of an id that is taken from a file.
const MAX_ID: usize = 64;

/// So many words may stand in a name without anybody taking orders from them.
const WORDS: usize = 3;

/// An album in a file. Its name is under `album`: a row that has that is no photo.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WrittenAlbum {
    album: String,
    id: String,
    photos: Vec<String>,
    #[serde(default)]
    created_ms: i64,
    /// A stranger may have called it that.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    untrusted: String,
    /// Where it begins, from 1.
    #[serde(skip)]
    line: usize,
}

impl WrittenAlbum {
    /// What leaves of an album: of its photos those that leave, too.
    pub fn of(album: &Album, photos: &HashSet<&String>) -> Self {
        Self {
            album: album.name.clone(),
            id: album.id.clone(),
            photos: album.photos.iter().filter(|id| photos.contains(id)).cloned().collect(),
            created_ms: album.created_ms,
            untrusted: if album.imported { FROM_A_FILE.to_owned() } else { String::new() },
            line: 0,
        }
    }

    /// The same, as it was read in a line.
    pub fn at(self, line: usize) -> Self {
        Self { line, ..self }
    }
}

/// Stages albums, once the photos of the file are staged. One that is there is known by its id, then by its name. `marks` and `is_own` as
/// with photos ([`super::row::Written::photo`]).
pub(super) fn import(
    stage: &mut Stage,
    written: Vec<WrittenAlbum>,
    mode: domain::Mode,
    (marks, is_own): (bool, bool),
    rejected: &mut Vec<(usize, String)>,
) -> Count {
    let is_replacing = mode == domain::Mode::Replace;
    let mut count = Count::default();
    let mut done: HashSet<String> = HashSet::new();
    // Where all others go, each that is named takes a place.
    let mut room = MAX_ALBUMS.saturating_sub(if is_replacing { 0 } else { stage.all::<Album>().len() });
    let takes_place = |before: &Option<Rc<Album>>, after: &Album, done: &HashSet<String>| {
        if is_replacing { !done.contains(&after.id) } else { before.is_none() }
    };
    for album in written {
        let line = album.line;
        match one(stage, album, is_replacing, (marks, is_own), &done) {
            Ok((before, after)) if room == 0 && takes_place(&before, &after, &done) => {
                rejected.push((line, format!("{MAX_ALBUMS} albums can be kept, and no more.")));
            }
            Ok((before, after)) => {
                if takes_place(&before, &after, &done) {
                    room -= 1;
                }
                count.add(before.as_deref(), &after);
                done.insert(after.id.clone());
                if before.as_deref() != Some(&after) {
                    stage.put(after);
                }
            }
            Err(why) => rejected.push((line, why)),
        }
    }
    if is_replacing {
        for gone in stage.filter::<Album>(|album| !done.contains(&album.id)) {
            count.removed += 1;
            stage.delete::<Album>(&gone.id);
        }
    }
    count
}

/// What becomes of an album of a file: as it was, and as it is to be.
fn one(
    stage: &Stage,
    written: WrittenAlbum,
    is_replacing: bool,
    (marks, is_own): (bool, bool),
    done: &HashSet<String>,
) -> Result<(Option<Rc<Album>>, Album), String> {
    let name = one_line(&written.album);
    if !(1..=MAX_NAME).contains(&name.chars().count()) {
        return Err(format!("An album’s name has 1 to {MAX_NAME} characters."));
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !(1..=MAX_ID).contains(&written.id.len()) || !written.id.chars().all(is_plain) {
        return Err("An album’s id has 1 to 64 letters, digits, _ and -.".into());
    }
    let mut seen = HashSet::new();
    let photos: Vec<String> = written
        .photos
        .into_iter()
        .take(MAX_PHOTOS)
        .filter(|id| stage.get::<Photo>(id).is_some() && seen.insert(id.clone()))
        .collect();
    let lower = name.to_lowercase();
    let named = stage.filter::<Album>(|album| album.name.to_lowercase() == lower).into_iter().next();
    let imported = (marks && !has_few_words(&name, WORDS)) || (written.untrusted == FROM_A_FILE && !is_own);
    let before = stage.get::<Album>(&written.id).or_else(|| named.clone());
    let Some(there) = before else {
        let now_ms = stage.moment().at_ms;
        let created_ms = if (0..=now_ms).contains(&written.created_ms) { written.created_ms } else { now_ms };
        // A model reads the ids, too: one that anybody may have written is made anew.
        let id = if marks { stage.new_id("album") } else { written.id };
        return Ok((None, Album { id, name, photos, created_ms, imported }));
    };
    let mut after = Album::clone(&there);
    // Its new name, unless another one is called so.
    if there.id == written.id && named.is_none() {
        (after.name, after.imported) = (name, imported);
    }
    if is_replacing && !done.contains(&there.id) {
        // What lies in the bin may come back into it: no file speaks of that.
        let in_bin = |id: &&String| stage.get::<Photo>(id).is_some_and(|photo| !photo.is_here());
        let is_new = |id: &&String| !photos.contains(id);
        let binned: Vec<String> = there.photos.iter().filter(in_bin).filter(is_new).cloned().collect();
        after.photos = photos;
        after.photos.extend(binned);
    } else {
        let known: HashSet<&String> = order::gather(there.photos.iter());
        let more: Vec<String> = photos.into_iter().filter(|id| !known.contains(id)).collect();
        after.photos.extend(more);
    }
    Ok((Some(there), after))
}
