//! To-dos as files: our own JSON (lossless), iCalendar and CSV, out and in; and in from other programs, known by what is in their files:
//! Google Tasks and Things (JSON), Apple Reminders (iCalendar), Todoist, TickTick, and Outlook with Microsoft To Do (CSV).
//!
//! The writers and readers are ours: `csv` and `icalendar` bring tens of kilobytes into a worker that is
//! loaded on every wake-up, and what the formats need here is small (docs/adr/0011-effects-and-data.md).
//! Every reader gives `Draft`s, what a file says of each to-do; [`import::import`] makes to-dos of them.

mod columns;
mod csv;
mod foreign;
mod google;
mod ics;
mod import;
mod json;
mod outlook;
#[cfg(test)]
mod tests;
mod things;
mod ticktick;
mod todoist;

use domain::{Files, Imported, Intake, Origin};
use mcp::ToolError;
use serde_json::{Map, Value};
use store::{Stage, View};

use crate::model::Todo;

/// To-dos as files.
pub(crate) struct TodoFiles;

/// iCalendar (RFC 5545), a `VTODO` each.
const ICS: domain::Format = domain::Format { name: "ics", media_type: "text/calendar" };
/// Comma-separated values with a header line (RFC 4180).
const CSV: domain::Format = domain::Format { name: "csv", media_type: "text/csv" };

impl Files for TodoFiles {
    fn field(&self) -> &'static str {
        "todos"
    }

    /// As it was called when to-dos were all there was.
    fn hash_field(&self) -> String {
        "hash".to_owned()
    }

    fn rows(&self, view: &View) -> Result<Vec<String>, ToolError> {
        let rows = in_order(view).into_iter().map(|todo| serde_json::to_string(&*todo));
        rows.collect::<Result<_, _>>().map_err(|error| ToolError::Failed(error.to_string()))
    }

    fn formats(&self) -> &'static [domain::Format] {
        &[ICS, CSV]
    }

    fn write(&self, view: &View, format: &str, origin: &Origin) -> Result<String, ToolError> {
        let todos = in_order(view);
        let todos: Vec<&Todo> = todos.iter().map(|todo| &**todo).collect();
        match format {
            "ics" => Ok(ics::write(&todos, origin)),
            "csv" => Ok(csv::write(&todos)),
            _ => Err(ToolError::Failed(format!("There is no format {format}"))),
        }
    }

    fn import(&self, stage: &mut Stage, text: &str, intake: &Intake<'_>) -> Result<Imported, ToolError> {
        import::import(stage, text, intake)
    }
}

/// All to-dos as a person has arranged them.
fn in_order(view: &View) -> Vec<std::rc::Rc<Todo>> {
    let mut todos = view.all::<Todo>();
    order::sort_by(&mut todos, |one, other| {
        one.order.total_cmp(&other.order).then_with(|| one.id.cmp(&other.id))
    });
    todos
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
    /// Its date counts from the day on which it comes in: of a to-do that is there it says nothing.
    is_due_by_today: bool,
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
