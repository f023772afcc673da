//! `album_create`, `album_add`, `album_remove` and `album_list`.

use std::collections::HashSet;
use std::rc::Rc;

use async_trait::async_trait;
use domain::quoted;
use mcp::{Hints, NoArguments, Tool, ToolError, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::change::{Changed, changed};
use crate::found::{ids, photos};
use crate::images::{Images, in_order, meant};
use crate::model::{Album, MAX_ALBUMS, Photo};

/// The most characters of an album's name.
pub(crate) const MAX_NAME: usize = 80;

/// The album with an id or a name, in any case of letters.
///
/// # Errors
/// [`ToolError::Rejected`] when there is none.
pub(crate) fn existing(stage: &Stage, name: &str) -> Result<Rc<Album>, ToolError> {
    find(stage, name).ok_or_else(|| {
        let shown: String = one_line(name).chars().take(MAX_NAME).collect();
        ToolError::Rejected(format!(
            "There is no album {}; album_list shows those there are.",
            quoted(&shown)
        ))
    })
}

fn find(stage: &Stage, name: &str) -> Option<Rc<Album>> {
    let lower = one_line(name).to_lowercase();
    stage
        .get::<Album>(name)
        .or_else(|| stage.filter::<Album>(|album| album.name.to_lowercase() == lower).into_iter().next())
}

pub(crate) struct AlbumCreate;

/// Its name, and what is in it at first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateArgs {
    /// What the person calls it.
    name: String,
    /// What to put in: ids, or the reference of an earlier result. Empty when left out.
    images: Option<Images>,
}

#[async_trait(?Send)]
impl Tool<Stage> for AlbumCreate {
    const NAME: &'static str = "album_create";
    const TITLE: &'static str = "Make an album";
    const DESCRIPTION: &'static str = "Makes an album, with photos in it where some are given.";
    const HINTS: Hints = Hints::ADD;
    type Args = CreateArgs;
    type Output = Changed;

    async fn run(&self, args: CreateArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        let name = one_line(&args.name);
        if !(1..=MAX_NAME).contains(&name.chars().count()) {
            return Err(ToolError::Rejected(format!("An album's name has 1 to {MAX_NAME} characters.")));
        }
        if find(stage, &name).is_some() {
            let name = quoted(&name);
            return Err(ToolError::Rejected(format!(
                "There is an album {name} already: album_add puts photos in."
            )));
        }
        if stage.all::<Album>().len() >= MAX_ALBUMS {
            return Err(ToolError::Rejected(format!("{MAX_ALBUMS} albums are there, and no more can be.")));
        }
        let put_in = match &args.images {
            Some(images) => ids(&meant(stage, images)?),
            None => Vec::new(),
        };
        let with = match put_in.len() {
            0 => String::new(),
            count => format!(" with {}", photos(count)),
        };
        let album = Album {
            id: stage.new_id("album"),
            name,
            photos: put_in,
            created_ms: stage.moment().at_ms,
            imported: false,
        };
        let summary = format!("Made the album {}{with}.", quoted(&album.name));
        stage.put(album);
        changed(stage, summary)
    }
}

/// Which album, and which photos.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutArgs {
    /// The album's name or id.
    album: String,
    /// The photos: ids, or the reference of an earlier result.
    images: Images,
}

pub(crate) struct AlbumAdd;

#[async_trait(?Send)]
impl Tool<Stage> for AlbumAdd {
    const NAME: &'static str = "album_add";
    const TITLE: &'static str = "Put photos into an album";
    const DESCRIPTION: &'static str = "Puts photos into an album.";
    const HINTS: Hints = Hints::SET;
    type Args = PutArgs;
    type Output = Changed;

    async fn run(&self, args: PutArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        let album = existing(stage, &args.album)?;
        let known: HashSet<&String> = album.photos.iter().collect();
        let new: Vec<String> =
            ids(&meant(stage, &args.images)?).into_iter().filter(|id| !known.contains(id)).collect();
        let summary = match new.len() {
            0 => format!("They are in the album {} already.", quoted(&album.name)),
            count => format!("Put {} into the album {}.", photos(count), quoted(&album.name)),
        };
        if !new.is_empty() {
            let mut after = Album::clone(&album);
            after.photos.extend(new);
            stage.put(after);
        }
        changed(stage, summary)
    }
}

pub(crate) struct AlbumRemove;

/// Which album, and which photos.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveArgs {
    /// The album's name or id.
    album: String,
    /// The photos to take out: ids, or the reference of an earlier result. The album itself goes when left out; its photos stay.
    images: Option<Images>,
}

#[async_trait(?Send)]
impl Tool<Stage> for AlbumRemove {
    const NAME: &'static str = "album_remove";
    const TITLE: &'static str = "Take photos out of an album";
    const DESCRIPTION: &'static str =
        "Takes photos out of an album, or removes the album. The photos stay in the library.";
    const HINTS: Hints = Hints::DELETE;
    type Args = RemoveArgs;
    type Output = Changed;

    async fn run(&self, args: RemoveArgs, stage: &mut Stage) -> Result<Changed, ToolError> {
        let album = existing(stage, &args.album)?;
        let name = quoted(&album.name);
        let Some(images) = args.images else {
            stage.delete::<Album>(&album.id);
            return changed(stage, format!("Removed the album {name}; its photos stay."));
        };
        let gone: HashSet<&String> = images.0.iter().collect();
        let mut after = Album::clone(&album);
        after.photos.retain(|id| !gone.contains(id));
        let count = album.photos.len() - after.photos.len();
        let summary = match count {
            0 => format!("None of them is in the album {name}."),
            count => format!("Took {} out of the album {name}.", photos(count)),
        };
        if count > 0 {
            stage.put(after);
        }
        changed(stage, summary)
    }
}

pub(crate) struct AlbumList;

/// All albums.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Albums {
    /// One sentence for a person.
    summary: String,
    /// How many albums.
    num_clusters: usize,
    /// The newest first.
    albums: Vec<Shown>,
    /// There are words here that strangers may have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// An album in short.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Shown {
    /// Names it in calls; never show it to a person.
    id: String,
    /// What the person calls it.
    name: String,
    /// How many photos it has in the library.
    count: usize,
    /// The ids of its photos, the newest first.
    ids: Vec<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for AlbumList {
    const NAME: &'static str = "album_list";
    const TITLE: &'static str = "List albums";
    const DESCRIPTION: &'static str = "Lists the albums with their photos.";
    const HINTS: Hints = Hints::READ;
    type Args = NoArguments;
    type Output = Albums;

    async fn run(&self, _: NoArguments, stage: &mut Stage) -> Result<Albums, ToolError> {
        let mut albums = stage.all::<Album>();
        order::sort_by(&mut albums, |one, other| {
            other.created_ms.cmp(&one.created_ms).then_with(|| one.id.cmp(&other.id))
        });
        let untrusted = albums.iter().any(|album| album.imported).then_some("file");
        let albums: Vec<Shown> = albums
            .iter()
            .map(|album| {
                let here = album.photos.iter().filter_map(|id| stage.get::<Photo>(id));
                let here = in_order(here.filter(|photo| photo.is_here()).collect());
                Shown { id: album.id.clone(), name: album.name.clone(), count: here.len(), ids: ids(&here) }
            })
            .collect();
        let summary = match albums.len() {
            0 => "There are no albums yet.".to_owned(),
            count => format!("{}.", domain::counted(count, "album", "albums")),
        };
        Ok(Albums { summary, num_clusters: albums.len(), albums, untrusted })
    }
}
