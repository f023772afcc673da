//! Photos in the app's own file format: `photos`, a list beside the file's to-dos. What is known of photos leaves, and what the person
//! said of them; no bytes, no face and no name of a person (ADR 0069).
//!
//! Start at [`import`] for what comes in. A photo whose file is not on this device is a row without an original: it is shown as one, and
//! is whole again when its file is brought in (`photo_import`).

mod albums;
mod row;

use std::collections::HashSet;
use std::rc::Rc;

use domain::{ALTERED, DomainChange, Files, Imported, Intake, Mode, Rejected, in_words};
use mcp::ToolError;
use serde::Deserialize;
use serde_json::value::RawValue;
use store::{Stage, View, content_hash};

use self::albums::WrittenAlbum;
use self::row::Written;
use crate::ID;
use crate::change::brief;
use crate::found::photos;
use crate::images::in_order;
use crate::model::{Album, MAX_ALBUMS, MAX_PHOTOS, Photo};

/// So many rows and refused lines are shown of an import that may be very large.
const SHOWN: usize = 100;

/// Photos in files. A handle without anything in it.
pub(crate) struct Transfer;

/// Their field in a file.
pub(crate) const FIELD: &str = "photos";

/// What is said behind the number of photos in a file.
pub(crate) const WITHOUT: &str = "without their files";

impl Files for Transfer {
    fn without(&self) -> &'static str {
        WITHOUT
    }

    fn field(&self) -> &'static str {
        FIELD
    }

    /// The photos of the library, then the albums. What lies in the bin was thrown away: it does not leave.
    fn rows(&self, view: &View) -> Result<Vec<String>, ToolError> {
        let failed = |error: serde_json::Error| ToolError::Failed(error.to_string());
        let here: Vec<Rc<Photo>> = view.all::<Photo>().into_iter().filter(|photo| photo.is_here()).collect();
        let ids: HashSet<&String> = order::gather(here.iter().map(|photo| &photo.id));
        let mut albums = view.all::<Album>();
        order::sort_by(&mut albums, |one, other| {
            one.created_ms.cmp(&other.created_ms).then_with(|| one.id.cmp(&other.id))
        });
        let albums = albums.iter().map(|album| serde_json::to_string(&WrittenAlbum::of(album, &ids)));
        let albums = albums.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let mut rows = in_order(here)
            .iter()
            .map(|photo| serde_json::to_string(&Written::of(photo)))
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)?;
        rows.extend(albums);
        Ok(rows)
    }

    fn import(&self, stage: &mut Stage, text: &str, intake: &Intake<'_>) -> Result<Imported, ToolError> {
        import(stage, text, intake)
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default)]
    epoch: String,
    photos_hash: Option<String>,
    #[serde(borrow)]
    photos: Option<Vec<&'a RawValue>>,
}

/// Whether a file says anything of photos.
#[derive(Deserialize)]
struct Has {
    photos: Option<serde::de::IgnoredAny>,
}

/// What a file has, read and checked.
#[derive(Default)]
struct Read {
    /// As they come in where nothing is known of them.
    photos: Vec<Photo>,
    albums: Vec<WrittenAlbum>,
    /// What can be neither: line and reason.
    rejected: Vec<(usize, String)>,
}

/// How many rows became what.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    new: usize,
    changed: usize,
    unchanged: usize,
    removed: usize,
}

impl Count {
    /// Counts a row by what it was and what it is.
    fn add<T: PartialEq>(&mut self, before: Option<&T>, after: &T) {
        *(match before {
            None => &mut self.new,
            Some(before) if before == after => &mut self.unchanged,
            Some(_) => &mut self.changed,
        }) += 1;
    }

    /// `photos: 2 new, 1 changed`; empty where there is nothing to say.
    fn said(self, what: &str, rejected: usize, left_out: usize) -> String {
        let parts = [
            (self.new, "new"),
            (self.changed, "changed"),
            (self.removed, "removed"),
            (rejected, "not readable"),
            (left_out, "left out"),
        ];
        in_words(what, &parts)
    }
}

/// Stages the photos and albums of a file. A file that says nothing of photos leaves them as they are.
///
/// # Errors
/// [`ToolError::Rejected`] where it has too many, or should replace what is there and has a row that cannot be read. Then nothing is
/// staged.
fn import(stage: &mut Stage, text: &str, from: &Intake<'_>) -> Result<Imported, ToolError> {
    // A list is one of to-dos; a struct would be read from it by its places.
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('[') {
        return Ok(Imported::default());
    }
    // What is no file of ours at all was refused with the to-dos.
    let (epoch, photos_hash, rows) = match serde_json::from_str(text) {
        Ok(Envelope { epoch, photos_hash, photos: Some(rows) }) => (epoch, photos_hash, rows),
        Ok(Envelope { photos: None, .. }) => return Ok(Imported::default()),
        // Where there are none there is nothing to be read. To pass over some would be to say that there are none.
        Err(_unread) if serde_json::from_str(text).is_ok_and(|Has { photos }| photos.is_none()) => {
            return Ok(Imported::default());
        }
        Err(_unread) => {
            return Err(ToolError::Rejected(
                "The photos of the file cannot be read. Nothing was changed.".into(),
            ));
        }
    };
    let hash = content_hash(rows.iter().map(|row| row.get()).collect::<Vec<_>>().join("\n").as_bytes());
    let is_as_written = photos_hash.as_ref().map(|expected| *expected == hash);
    // Anybody can make the hash. The epoch is in files of this device alone.
    let is_ours = is_as_written == Some(true) && !epoch.is_empty() && epoch == from.epoch;
    if rows.len() > MAX_PHOTOS + MAX_ALBUMS {
        let why = format!("The file has {} photos and albums; {MAX_PHOTOS} photos can be kept.", rows.len());
        return Err(ToolError::Rejected(why));
    }
    let marks = !(is_ours || from.is_own);
    let Read { photos: read, albums, mut rejected } = read(text, rows, stage, marks, from.is_own);
    let mut of_photos = Count::default();
    if from.mode == Mode::Replace {
        let kept: HashSet<&String> = order::gather(read.iter().map(|photo| &photo.id));
        // The bin stays: no file speaks of it.
        for gone in stage.filter::<Photo>(|photo| photo.is_here() && !kept.contains(&photo.id)) {
            of_photos.removed += 1;
            stage.delete::<Photo>(&gone.id);
        }
    }
    let mut room = MAX_PHOTOS.saturating_sub(stage.all::<Photo>().len());
    let mut too_many = 0;
    for photo in read {
        let before = stage.get::<Photo>(&photo.id);
        if before.is_none() && room == 0 {
            too_many += 1;
            continue;
        }
        if before.is_none() {
            room -= 1;
        }
        let after = match &before {
            None => photo,
            Some(there) => row::joined(there, photo),
        };
        of_photos.add(before.as_deref(), &after);
        if before.as_deref() != Some(&after) {
            stage.put(after);
        }
    }
    let of_photos_rejected = rejected.len();
    let of_albums = albums::import(stage, albums, from.mode, (marks, from.is_own), &mut rejected);
    order::sort(&mut rejected);
    if from.mode == Mode::Replace
        && let Some((line, why)) = rejected.first()
    {
        let why = format!(
            "Line {line}: {why} Nothing was changed: only a file that can be read as a whole may replace everything."
        );
        return Err(ToolError::Rejected(why));
    }
    let mut notes = notes(stage, is_as_written == Some(false), too_many);
    if rejected.len() > SHOWN {
        let count = rejected.len();
        notes.push(format!(
            "{count} photos and albums of the file cannot be imported; the first {SHOWN} are listed."
        ));
    }
    let of_albums_rejected = rejected.len() - of_photos_rejected;
    let said = [
        of_photos.said(FIELD, of_photos_rejected, too_many),
        of_albums.said("albums", of_albums_rejected, 0),
    ];
    let said: Vec<String> = said.into_iter().filter(|said| !said.is_empty()).collect();
    let (total, changes) = changes(stage)?;
    let marked = marked(stage);
    Ok(Imported {
        said: said.join("; "),
        new: of_photos.new + of_albums.new,
        changed: of_photos.changed + of_albums.changed,
        unchanged: of_photos.unchanged + of_albums.unchanged,
        removed: of_photos.removed + of_albums.removed,
        rejected: rejected.into_iter().take(SHOWN).map(|(line, reason)| Rejected { line, reason }).collect(),
        notes,
        total,
        marked: marked.0 + marked.1,
        changes,
    })
}

/// The rows of a file, each checked, and each photo once.
fn read(text: &str, rows: Vec<&RawValue>, stage: &Stage, marks: bool, is_own: bool) -> Read {
    let now_ms = stage.moment().at_ms;
    let mut found = Read::default();
    let mut seen = HashSet::new();
    // Lines are counted once, from one row to the next.
    let (mut line, mut counted) = (1, 0);
    for row in rows {
        let offset = row.get().as_ptr() as usize - text.as_ptr() as usize;
        line += text.get(counted..offset).unwrap_or_default().matches('\n').count();
        counted = offset;
        if let Ok(album) = serde_json::from_str::<WrittenAlbum>(row.get()) {
            found.albums.push(album.at(line));
            continue;
        }
        let photo = serde_json::from_str::<Written>(row.get())
            .map_err(|_unread| "This is no photo and no album.".to_owned())
            .and_then(|row| row.photo(now_ms, marks, is_own));
        match photo {
            Ok(photo) if seen.insert(photo.id.clone()) => found.photos.push(photo),
            Ok(_) => found.rejected.push((line, "The file has this photo twice.".into())),
            Err(why) => found.rejected.push((line, why)),
        }
    }
    found
}

/// How many photos and how many albums come in, or change, with words that may be somebody else's.
fn marked(stage: &Stage) -> (usize, usize) {
    let photos = stage.changed::<Photo>().into_iter().filter_map(|row| row.after);
    let albums = stage.changed::<Album>().into_iter().filter_map(|row| row.after);
    (photos.filter(|photo| photo.imported).count(), albums.filter(|album| album.imported).count())
}

/// What a person should know of what is staged.
fn notes(stage: &Stage, is_altered: bool, too_many: usize) -> Vec<String> {
    let came = || {
        let changed = stage.changed::<Photo>().into_iter();
        changed.filter_map(|row| row.after.filter(|after| row.before.as_ref() != Some(after)))
    };
    let mut notes = Vec::new();
    let bare = came().filter(|photo| !photo.has_file()).count();
    if bare > 0 {
        let (come, their) = if bare == 1 { ("comes", "its file") } else { ("come", "their files") };
        notes.push(format!(
            "{} {come} without {their}. Bring {their} in again under Photos to see {}: stars, tags and albums are there then.",
            photos(bare),
            if bare == 1 { "it" } else { "them" },
        ));
    }
    let (of_photos, of_albums) = marked(stage);
    let whose = [(of_photos, photos(of_photos)), (of_albums, domain::counted(of_albums, "album", "albums"))];
    let whose: Vec<String> =
        whose.into_iter().filter(|(count, _)| *count > 0).map(|(_, said)| said).collect();
    if !whose.is_empty() {
        notes.push(format!(
            "Words of {} may be somebody else’s: a conversation that is told of them asks before it deletes or sends anything.",
            whose.join(" and ")
        ));
    }
    if too_many > 0 {
        let more = domain::counted(too_many, "photo is", "photos are");
        notes.push(format!("{more} left out: {MAX_PHOTOS} can be kept."));
    }
    if is_altered {
        notes.push(ALTERED.to_owned());
    }
    notes
}

/// How many photos and albums change, and the first of them: those with words that may be somebody else's before the others.
fn changes(stage: &Stage) -> Result<(usize, Vec<DomainChange>), ToolError> {
    let (mut photos, albums) = (stage.changed::<Photo>(), stage.changed::<Album>());
    let total = photos.len() + albums.len();
    order::sort_by_key(&mut photos, |row| !row.after.as_ref().is_some_and(|after| after.imported));
    let mut changes = Vec::new();
    for row in albums.iter().take(SHOWN) {
        changes.push(DomainChange::of(ID, row.before.as_deref(), row.after.as_deref())?);
    }
    for row in photos.iter().take(SHOWN.saturating_sub(changes.len())) {
        let Some(photo) = row.after.as_ref().or(row.before.as_ref()) else { continue };
        let side = |photo: &Option<Rc<Photo>>| photo.as_ref().map(|photo| brief(photo)).transpose();
        changes.push(DomainChange {
            domain: ID.into(),
            table: "photos".to_owned(),
            id: photo.id.clone(),
            label: photo.name.clone(),
            before: side(&row.before)?,
            after: side(&row.after)?,
        });
    }
    Ok((total, changes))
}
