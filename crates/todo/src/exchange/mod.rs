//! To-dos as files: our own JSON (lossless), iCalendar and CSV, out and in.
//!
//! The writers and readers are ours: `csv` and `icalendar` bring tens of kilobytes into a worker that is
//! loaded on every wake-up, and what the formats need here is small (docs/adr/0011-effects-and-data.md).
//! Every reader gives `Draft`s, what a file says of each to-do; [`import`] makes to-dos of them.

mod csv;
mod ics;
mod import;
mod json;
mod todoist;

use serde_json::{Map, Value};

pub use import::{Imported, Mode, import};
pub use json::{ALTERED, Beside, Origin};

use crate::model::Todo;

/// A file's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Our own, lossless.
    Json,
    /// iCalendar (RFC 5545), a `VTODO` each.
    Ics,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
}

impl Format {
    /// The format of a name.
    ///
    /// # Errors
    /// A sentence that lists the names.
    pub fn parse(name: &str) -> Result<Self, String> {
        match name {
            "json" => Ok(Self::Json),
            "ics" => Ok(Self::Ics),
            "csv" => Ok(Self::Csv),
            _ => Err("The format must be json, ics or csv.".into()),
        }
    }

    /// How files of it end, and the name it is called by.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ics => "ics",
            Self::Csv => "csv",
        }
    }

    /// Its media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Ics => "text/calendar",
            Self::Csv => "text/csv",
        }
    }

    /// A file of some to-dos, in the order they are given. What is beside them only our own format has a place for.
    ///
    /// # Errors
    /// A to-do that cannot be written as JSON.
    pub fn write(self, todos: &[&Todo], beside: &[Beside], origin: &Origin) -> Result<String, String> {
        match self {
            Self::Json => json::write(todos, beside, origin),
            Self::Ics => Ok(ics::write(todos, origin)),
            Self::Csv => Ok(csv::write(todos)),
        }
    }
}

/// What a file says of one to-do.
#[derive(Debug, Default)]
struct Draft {
    /// The line it begins at, from 1.
    line: usize,
    /// Fields of a to-do by name, as they are in its JSON.
    given: Map<String, Value>,
    /// Its id is not the file's: the reader has made it of what the file says.
    is_named_here: bool,
}

/// What a reader found.
#[derive(Debug, Default)]
struct Drafts {
    /// The to-dos.
    drafts: Vec<Draft>,
    /// What stands alone and cannot be a to-do: line and reason.
    rejected: Vec<(usize, String)>,
    /// What a person should know, in sentences.
    notes: Vec<String>,
    /// Whether a draft is all of a to-do: a field it does not say is empty, and not left as it is.
    whole: bool,
    /// Whether the file is as this app wrote it: the person's own to-dos, and what came in from outside is marked in it.
    is_own_copy: bool,
}

/// An id made of a text: the same for the same text.
fn made_up(text: &str) -> String {
    let hash = store::content_hash(text.as_bytes());
    format!("todo_{}", &hash[..16])
}

impl Draft {
    /// Says a text field, unless it is empty.
    fn say(&mut self, field: &str, text: &str) {
        if !text.is_empty() {
            self.given.insert(field.to_owned(), text.into());
        }
    }
}
