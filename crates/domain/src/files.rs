//! Domains as files: the app's own format, in which every domain has a field, and formats of a domain's own.

use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;

use mcp::{NotLoaded, ToolError};
use schemars::JsonSchema;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{Record, Stage, View, content_hash};

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

/// The rows of one domain in a file of the app's own, as they stand in it, and what is to be thought of them.
#[derive(Debug)]
pub struct FileRows<'a> {
    /// Each row as JSON, with the line it begins in, from 1.
    pub rows: Vec<(usize, &'a str)>,
    /// Whether all of them are as they were written; none where the file has no hash over them.
    pub is_as_written: Option<bool>,
    /// It is a copy of all that this device had, as this device wrote it. Anybody can make the hash; the epoch is in files of this device
    /// alone.
    pub is_ours: bool,
}

impl<'a> FileRows<'a> {
    /// The rows in a text; none where it says nothing of this domain, as files of other domains and other programs do.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] where there are some that cannot be read: to pass over them would be to say that there are none.
    pub fn read(files: &dyn Files, text: &'a str, from: &Intake<'_>) -> Result<Option<Self>, ToolError> {
        let text = text.trim_start_matches('\u{feff}');
        // A list is one of to-dos.
        if text.trim_start().starts_with('[') {
            return Ok(None);
        }
        let (field, hash_field) = (files.field(), files.hash_field());
        let unreadable = |_unread| {
            ToolError::Rejected(format!("The {field} of the file cannot be read. Nothing was changed."))
        };
        let mut input = serde_json::Deserializer::from_str(text);
        let found = Fields { field, hash_field: &hash_field }.deserialize(&mut input).map_err(unreadable)?;
        input.end().map_err(unreadable)?;
        let Some(rows) = found.rows else { return Ok(None) };
        let Some(rows) = serde_json::from_str::<Option<Vec<&RawValue>>>(rows.get()).map_err(unreadable)?
        else {
            return Ok(None);
        };
        let hash = content_hash(rows.iter().map(|row| row.get()).collect::<Vec<_>>().join("\n").as_bytes());
        let said =
            |raw: Option<&RawValue>| raw.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        let is_as_written =
            found.hash.filter(|raw| raw.get() != "null").map(|raw| said(Some(raw)).as_ref() == Some(&hash));
        let epoch = said(found.epoch).unwrap_or_default();
        let is_ours = is_as_written == Some(true) && !epoch.is_empty() && epoch == from.epoch;
        // Lines are counted once, from one row to the next.
        let (mut line, mut counted) = (1, 0);
        let mut lines = Vec::with_capacity(rows.len());
        for row in rows {
            let offset = (row.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            line += text.get(counted..offset).unwrap_or_default().matches('\n').count();
            counted = offset;
            lines.push((line, row.get()));
        }
        Ok(Some(Self { rows: lines, is_as_written, is_ours }))
    }

    /// Whether words that come in are to be marked as somebody else's: they are neither this device's own nor vouched for by the person.
    #[must_use]
    pub fn marks(&self, from: &Intake<'_>) -> bool {
        !(self.is_ours || from.is_own)
    }
}

/// The fields of a file that say of one domain, unread.
struct Found<'a> {
    epoch: Option<&'a RawValue>,
    hash: Option<&'a RawValue>,
    rows: Option<&'a RawValue>,
}

/// The names of these fields, which look for them.
struct Fields<'a> {
    field: &'a str,
    hash_field: &'a str,
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = Found<'de>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Found<'de>, D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Found<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a file")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found<'de>, A::Error> {
        let mut found = Found { epoch: None, hash: None, rows: None };
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            let place = match &*name {
                "epoch" => &mut found.epoch,
                name if name == self.hash_field => &mut found.hash,
                name if name == self.field => &mut found.rows,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            // Of two nobody could say which is meant.
            if place.replace(map.next_value()?).is_some() {
                return Err(A::Error::custom("a field that is there twice"));
            }
        }
        Ok(found)
    }
}

/// How many rows of a file became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many were not there.
    pub new: usize,
    /// How many were another one.
    pub changed: usize,
    /// How many were there, the same.
    pub unchanged: usize,
    /// How many are deleted because the file does not have them.
    pub removed: usize,
    /// How many are no rows, or none that may be kept.
    pub rejected: usize,
    /// How many there is no room for.
    pub left_out: usize,
}

impl Count {
    /// Counts a row by what it was and what it is.
    pub fn add<T: PartialEq>(&mut self, before: Option<&T>, after: &T) {
        *(match before {
            None => &mut self.new,
            Some(before) if before == after => &mut self.unchanged,
            Some(_) => &mut self.changed,
        }) += 1;
    }

    /// Puts a row if it is another one than before, and counts it.
    pub fn put<T: Record + PartialEq>(&mut self, stage: &mut Stage, after: T) {
        let before = stage.get::<T>(after.id());
        self.add(before.as_deref(), &after);
        if before.as_deref() != Some(&after) {
            stage.put(after);
        }
    }

    /// `photos: 2 new, 1 changed`; empty where there is nothing to say.
    #[must_use]
    pub fn said(self, what: &str) -> String {
        let parts = [
            (self.new, "new"),
            (self.changed, "changed"),
            (self.removed, "removed"),
            (self.rejected, "not readable"),
            (self.left_out, "left out"),
        ];
        in_words(what, &parts)
    }
}

impl Imported {
    /// What is said and counted of several kinds of rows, each with its word: `photos: 2 new; albums: 1 changed`. The rest is empty.
    #[must_use]
    pub fn of(counts: &[(&str, Count)]) -> Self {
        let said = counts.iter().map(|(what, count)| count.said(what));
        let said: Vec<String> = said.filter(|said| !said.is_empty()).collect();
        let sum = |of: fn(&Count) -> usize| counts.iter().map(|(_, count)| of(count)).sum();
        Self {
            said: said.join("; "),
            new: sum(|count| count.new),
            changed: sum(|count| count.changed),
            unchanged: sum(|count| count.unchanged),
            removed: sum(|count| count.removed),
            ..Self::default()
        }
    }

    /// Takes what cannot be imported, in the order of the lines: the first `most`, and a note of how many there are where there are more.
    pub fn reject(&mut self, what: &str, mut rejected: Vec<(usize, String)>, most: usize) {
        if rejected.len() > most {
            let count = rejected.len();
            self.notes.push(format!("{count} {what} cannot be imported; the first {most} are listed."));
        }
        rejected.truncate(most);
        self.rejected = rejected.into_iter().map(|(line, reason)| Rejected { line, reason }).collect();
    }
}

/// Why a file with a row that cannot be imported replaces nothing: the first of them, with its line.
#[must_use]
pub fn refused_whole(line: usize, why: &str) -> ToolError {
    ToolError::Rejected(format!(
        "Line {line}: {why} Nothing was changed: only a file that can be read as a whole may replace everything."
    ))
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Notes;

    impl Files for Notes {
        fn field(&self) -> &'static str {
            "notes"
        }

        fn rows(&self, _: &View) -> Result<Vec<String>, ToolError> {
            Ok(Vec::new())
        }

        fn import(&self, _: &mut Stage, _: &str, _: &Intake<'_>) -> Result<Imported, ToolError> {
            Ok(Imported::default())
        }
    }

    const HERE: Intake<'_> = Intake { format: "json", mode: Mode::Add, epoch: "e1", is_own: false };

    fn read(text: &str) -> Result<Option<FileRows<'_>>, String> {
        FileRows::read(&Notes, text, &HERE).map_err(|error| error.to_string())
    }

    #[test]
    fn rows_are_found_with_their_lines() {
        let rows = read("\u{feff}{\"other\": [1],\n\"notes\": [\n{\"a\": 1},\n\n2]}").unwrap().unwrap();
        assert_eq!(rows.rows, [(3, "{\"a\": 1}"), (5, "2")]);
        assert_eq!((rows.is_as_written, rows.is_ours, rows.marks(&HERE)), (None, false, true));
        assert!(!rows.marks(&Intake { is_own: true, ..HERE }));
    }

    #[test]
    fn a_file_that_says_nothing_of_them_is_passed_over_and_one_that_cannot_be_read_refused() {
        for text in ["[]", " [{\"notes\": []}]", "{}", "{\"notes\": null}", "{\"epoch\": 7, \"other\": 1}"] {
            assert!(read(text).unwrap().is_none(), "{text}");
        }
        let twice = "{\"notes\": [1], \"notes\": []}";
        for text in ["", "{", "7", "{\"notes\": 7}", "{\"notes\": {}}", "{\"notes\": []} more", twice] {
            let why = read(text).unwrap_err();
            assert_eq!(why, "The notes of the file cannot be read. Nothing was changed.", "{text}");
        }
    }

    #[test]
    fn only_a_copy_of_this_device_as_it_was_written_is_ours() {
        let hash = content_hash(b"1\n{}");
        for (epoch, hash, is_as_written, is_ours) in [
            ("\"e1\"", format!("\"{hash}\""), Some(true), true),
            ("\"e2\"", format!("\"{hash}\""), Some(true), false),
            ("\"\"", format!("\"{hash}\""), Some(true), false),
            ("7", format!("\"{hash}\""), Some(true), false),
            ("\"e1\"", "\"sha256:0\"".into(), Some(false), false),
            ("\"e1\"", "7".into(), Some(false), false),
            ("\"e1\"", "null".into(), None, false),
        ] {
            let text = format!("{{\"epoch\": {epoch}, \"notes_hash\": {hash}, \"notes\": [1,\n{{}}]}}");
            let rows = read(&text).unwrap().unwrap();
            assert_eq!((rows.is_as_written, rows.is_ours), (is_as_written, is_ours), "{text}");
        }
    }
}
