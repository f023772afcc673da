//! Photos: their model and one file per tool.
//!
//! What is in a file's pixels is found elsewhere (`vision`, in a worker of its own or in a terminal) and comes in by
//! [`intake`]; every other tool answers from the rows alone, at once, and says how many photos nobody looked at yet. No tool
//! reads or gives bytes.
//!
//! Who is on photos is known only where a person turned that on: start at [`person`] for what is kept of it.
#![doc = include_str!("../README.md")]

mod albums;
mod bin;
mod change;
mod clusters;
mod domain;
mod duplicates;
mod events;
mod export;
mod faces;
mod filter;
mod found;
mod grouping;
mod images;
mod intake;
mod list;
mod model;
mod people;
mod people_intake;
mod person;
mod places;
mod purge;
mod quality;
mod reading;
mod search;
mod tags;
mod transfer;

use std::rc::Rc;

use ::domain::{Apart, Files};
use mcp::{Part, Registry};
use store::Stage;

pub use crate::domain::Photos;
pub use intake::{MAX_PER_IMPORT, photo_id};
pub use model::{Album, BIN_MS, By, Gps, MAX_ALBUMS, MAX_PHOTOS, Photo, Place, Quality, Tag};

/// The word for this domain in tagged changes.
pub(crate) const ID: &str = "photo";

/// What the tools say about themselves, made from their types; a test below keeps it true.
const LISTING: &str = include_str!("listing.json");

/// Calls a macro with all tools, in the order in which a model reads them.
macro_rules! every_tool {
    ($with:ident) => {
        $with!(
            list::PhotoList,
            list::PhotoGet,
            search::PhotoSearch,
            faces::DetectFaces,
            quality::AssessQuality,
            quality::AssessQualityBatch,
            quality::RankImages,
            clusters::ClusterImages,
            clusters::ShowCluster,
            clusters::SelectBestPerCluster,
            duplicates::FindDuplicates,
            people::GroupByPerson,
            people::PersonName,
            people::PersonMerge,
            people::PersonSplit,
            tags::FilterByTags,
            places::IdentifyPlaces,
            tags::PhotoTag,
            tags::PhotoUntag,
            tags::PhotoRate,
            albums::AlbumCreate,
            albums::AlbumAdd,
            albums::AlbumRemove,
            albums::AlbumList,
            bin::PhotoDelete,
            bin::PhotoRestore,
            export::PhotoExport,
            intake::PhotoImport,
            intake::PhotoLooked,
            intake::PhotoTwins,
            intake::PhotoLooks,
            intake::PhotoGrid,
            purge::PhotoPurge,
            purge::PhotoExpire,
            export::PhotoFiles,
            people_intake::PhotoPeopleOn,
            people_intake::PhotoFaces,
            people_intake::PhotoPeopleLooks,
            people_intake::PhotoPeopleGroups,
            people_intake::PhotoPeopleGrid,
            people_intake::PhotoPeopleSet
        )
    };
}

/// The earlier names of tools, and how others call them.
const EARLIER: [(&str, &str); 1] = [("list_images", "photo_list")];

/// All tools of this domain.
#[must_use]
pub fn tools() -> Registry<Stage> {
    macro_rules! listed {
        ($($tool:path),+) => { Registry::new()$(.with_listed($tool, LISTING))+ };
    }
    every_tool!(listed).earlier(&EARLIER)
}

/// The tools, and how photos are written to files, as a part of a program that comes when it is wanted. A handle.
#[derive(Clone)]
pub struct PhotoTools {
    tools: Rc<Registry<Stage>>,
    files: &'static dyn Files,
}

impl PhotoTools {
    /// All of them.
    #[must_use]
    pub fn here() -> Self {
        Self { tools: Rc::new(tools()), files: &transfer::Transfer }
    }
}

/// Photos for a program that is loaded often: their tools come when one of them is called.
pub type Later = ::domain::Later<PhotoTools>;

impl Apart for PhotoTools {
    type Domain = Photos;
    const DOMAIN: Photos = Photos;
    const FIELD: &'static str = transfer::FIELD;
    const WITHOUT: &'static str = transfer::WITHOUT;

    fn listed(part: &Rc<Part<Self>>) -> Registry<Stage> {
        macro_rules! listed {
            ($($tool:path),+) => { Registry::new()$(.with_later::<$tool, _>(part, LISTING))+ };
        }
        every_tool!(listed).earlier(&EARLIER)
    }

    fn files(&self) -> &'static dyn Files {
        self.files
    }
}

impl AsRef<Registry<Stage>> for PhotoTools {
    fn as_ref(&self) -> &Registry<Stage> {
        &self.tools
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// `listing.json` is what the types say. When a tool changed on purpose, run this with
    /// `SATCHEL_WRITE_LISTINGS=1` and look at the difference: it is what models and clients will read.
    #[test]
    fn the_listing_is_what_the_types_say() {
        macro_rules! defined {
            ($($tool:path),+) => { [$(mcp::definition::<Stage, $tool>()),+] };
        }
        let definitions = every_tool!(defined);
        if std::env::var_os("SATCHEL_WRITE_LISTINGS").is_some() {
            // A tool a line: no spaces to ship, and a difference can still be read.
            let lines = definitions.map(|definition| serde_json::to_string(&definition).unwrap());
            let text = format!("[\n{}\n]\n", lines.join(",\n"));
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/listing.json"), text).unwrap();
        } else {
            assert_eq!(tools().definitions(), definitions);
        }
    }
}
