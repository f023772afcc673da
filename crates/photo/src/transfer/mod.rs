//! Photos in the app's own file format: `photos`, a list beside the file's to-dos. What is known of photos leaves, and what the person
//! said of them; no bytes, no face and no name of a person (ADR 0069).
//!
//! Start at [`import`] for what comes in. A photo whose file is not on this device is a row without an original: it is shown as one, and
//! is whole again when its file is brought in (`photo_import`).

mod albums;
mod row;

use std::collections::HashSet;
use std::rc::Rc;

use domain::{ALTERED, Count, DomainChange, FileRows, Files, Imported, Intake, Mode, refused_whole};
use mcp::ToolError;
use store::{Stage, View};

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

/// What a file has, read and checked.
#[derive(Default)]
struct Read {
    /// As they come in where nothing is known of them.
    photos: Vec<Photo>,
    albums: Vec<WrittenAlbum>,
    /// What can be neither: line and reason.
    rejected: Vec<(usize, String)>,
}

/// Stages the photos and albums of a file. A file that says nothing of photos leaves them as they are.
///
/// # Errors
/// [`ToolError::Rejected`] where it has too many, or should replace what is there and has a row that cannot be read. Then nothing is
/// staged.
fn import(stage: &mut Stage, text: &str, from: &Intake<'_>) -> Result<Imported, ToolError> {
    let Some(file) = FileRows::read(&Transfer, text, from)? else { return Ok(Imported::default()) };
    if file.rows.len() > MAX_PHOTOS + MAX_ALBUMS {
        let why =
            format!("The file has {} photos and albums; {MAX_PHOTOS} photos can be kept.", file.rows.len());
        return Err(ToolError::Rejected(why));
    }
    let marks = file.marks(from);
    let Read { photos: read, albums, mut rejected } = read(&file.rows, stage, marks, from.is_own);
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
    for photo in read {
        let before = stage.get::<Photo>(&photo.id);
        if before.is_none() && room == 0 {
            of_photos.left_out += 1;
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
    of_photos.rejected = rejected.len();
    let mut of_albums = albums::import(stage, albums, from.mode, (marks, from.is_own), &mut rejected);
    of_albums.rejected = rejected.len() - of_photos.rejected;
    order::sort(&mut rejected);
    if from.mode == Mode::Replace
        && let Some((line, why)) = rejected.first()
    {
        return Err(refused_whole(*line, why));
    }
    let mut imported = Imported::of(&[(FIELD, of_photos), ("albums", of_albums)]);
    imported.notes = notes(stage, file.is_as_written == Some(false), of_photos.left_out);
    imported.reject("photos and albums of the file", rejected, SHOWN);
    (imported.total, imported.changes) = changes(stage)?;
    let marked = marked(stage);
    imported.marked = marked.0 + marked.1;
    Ok(imported)
}

/// The rows of a file, each checked, and each photo once.
fn read(rows: &[(usize, &str)], stage: &Stage, marks: bool, is_own: bool) -> Read {
    let now_ms = stage.moment().at_ms;
    let mut found = Read::default();
    let mut seen = HashSet::new();
    for &(line, row) in rows {
        if let Ok(album) = serde_json::from_str::<WrittenAlbum>(row) {
            found.albums.push(album.at(line));
            continue;
        }
        let photo = serde_json::from_str::<Written>(row)
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
