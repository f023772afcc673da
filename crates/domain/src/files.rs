//! Domains as files: the app's own format, in which every domain has a field, and formats of a domain's own.

use std::pin::Pin;

use mcp::{NotLoaded, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Stage, View};

use crate::DomainChange;

/// A domain's files, once the part of the program that has them is there.
pub type LoadedFiles = Pin<Box<dyn Future<Output = Result<&'static dyn Files, NotLoaded>>>>;

/// How a domain is written to files and read from them.
pub trait Files {
    /// What has the rest of it, where that comes in a part of the program: then [`Files::rows`] and [`Files::import`] are asked of
    /// what this gives, and only where there is something to write or to read. None where all of it is here.
    fn later(&self) -> Option<LoadedFiles> {
        None
    }

    /// What of its things is in no file, as words behind their number: `without their files`. Empty where all of it is.
    fn without(&self) -> &'static str {
        ""
    }

    /// Its field in the app's own format.
    fn field(&self) -> &'static str;

    /// The field that has the hash over its rows.
    fn hash_field(&self) -> String {
        format!("{}_hash", self.field())
    }

    /// All its rows, each as JSON, in a person's order.
    ///
    /// # Errors
    /// A row that cannot be written.
    fn rows(&self, view: &View) -> Result<Vec<String>, ToolError>;

    /// The formats beside the app's own that it can be written to and read from.
    fn formats(&self) -> &'static [Format] {
        &[]
    }

    /// All of it in one of [`Files::formats`].
    ///
    /// # Errors
    /// A row that cannot be written.
    fn write(&self, _view: &View, format: &str, _origin: &Origin) -> Result<String, ToolError> {
        Err(ToolError::Failed(format!("There is no format {format}")))
    }

    /// Stages what a file has of this domain: of the app's own format, or of one of its own.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] with what is wrong, and where. Then nothing is staged.
    fn import(&self, stage: &mut Stage, text: &str, intake: &Intake<'_>) -> Result<Imported, ToolError>;
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// How files of it end, and the name it is called by.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
}

impl Format {
    /// The app's own.
    pub const JSON: Self = Self { name: "json", media_type: "application/json" };
}

/// Where and when a file is written.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The journal's last revision.
    pub rev: u64,
    /// Tells one journal from another.
    pub epoch: String,
    /// Now, in UTC: `2026-11-22T10:30:00Z`.
    pub now: String,
    /// How far the person's clock is ahead of UTC now, in seconds.
    pub offset_s: i32,
}

/// The rows of one domain in a file of the app's own.
#[derive(Clone, Debug)]
pub struct Rows {
    /// [`Files::field`].
    pub field: &'static str,
    /// [`Files::hash_field`].
    pub hash_field: String,
    /// [`Files::rows`].
    pub rows: Vec<String>,
}

/// What becomes of what a file does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Mode {
    /// It stays.
    #[default]
    Add,
    /// It is deleted.
    Replace,
}

/// How a file is brought in.
#[derive(Clone, Copy, Debug)]
pub struct Intake<'a> {
    /// `json` for the app's own, or one of [`Files::formats`].
    pub format: &'a str,
    /// What becomes of what it does not have.
    pub mode: Mode,
    /// What tells this device's journal from another, and a file that it wrote from a stranger's.
    pub epoch: &'a str,
    /// The person read it and says that it is their own.
    pub is_own: bool,
}

/// What an import does with the rows of one domain.
#[derive(Debug, Default)]
pub struct Imported {
    /// What it does, in words: `to-dos: 2 new, 1 changed`. Empty where there is nothing to say.
    pub said: String,
    /// How many are added.
    pub new: usize,
    /// How many are changed.
    pub changed: usize,
    /// How many are there already, the same.
    pub unchanged: usize,
    /// How many are deleted because the file does not have them.
    pub removed: usize,
    /// What cannot be imported: the first of them.
    pub rejected: Vec<Rejected>,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
    /// How many rows change in all.
    pub total: usize,
    /// How many of them have words that may be somebody else's and are marked so (D-17).
    pub marked: usize,
    /// The first of the rows that change.
    pub changes: Vec<DomainChange>,
}

/// A part of a file that cannot be imported.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Rejected {
    /// Where it begins, from 1.
    pub line: usize,
    /// Why, in a sentence.
    pub reason: String,
}

/// What becomes of the rows of a file, in words: `photos: 2 new, 1 changed`; empty where there is nothing to say.
#[must_use]
pub fn in_words(what: &str, parts: &[(usize, &str)]) -> String {
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = parts.map(|(count, word)| format!("{count} {word}")).collect();
    if said.is_empty() { String::new() } else { format!("{what}: {}", said.join(", ")) }
}

/// What is said of a file that is not as it was written.
pub const ALTERED: &str = "The file was changed after it was exported.";

/// The version of the app's own format.
pub const VERSION: u64 = 1;
