//! The to-do domain: its model and one file per tool.
//!
//! [`Todo`] is what a to-do is, on disk, in a tool's answer and on the screen. [`tools`] are the ways to
//! change it; each reads and writes through a [`store::Stage`] and answers with what it changed. Undo is
//! not here: it needs the journal, which the assembled server owns. [`Todos`] is all of it, as a [`::domain::Domain`].
#![doc = include_str!("../README.md")]

mod change;
mod clear;
mod complete;
mod create;
mod delete;
mod domain;
mod family;
mod get;
mod index;
mod list;
mod model;
mod notices;
mod place;
mod prompts;
mod quick;
mod reopen;
mod resources;
mod screen;
mod target;
mod text;
mod transfer;
mod update;
mod when;
mod wire;

use mcp::Registry;
use store::Stage;

pub use dates::{due::Due, remind::Remind, rule::Rule};

pub use change::{Changes, TodoChange};
pub use domain::Todos;
pub use index::TodoIndex;
pub use list::Page;
pub use model::{INBOX, Priority, Status, Todo, Unknown};
pub use screen::{GroupCounts, Rows, Screen, screen};
pub use when::civil_now;

/// What the tools say about themselves, made from their types; a test below keeps it true.
const LISTING: &str = include_str!("listing.json");

/// All tools of this domain, in the order in which a model reads them.
#[must_use]
pub fn tools() -> Registry<Stage> {
    Registry::new()
        .with_listed(create::TodoCreate, LISTING)
        .with_listed(list::TodoList, LISTING)
        .with_listed(get::TodoGet, LISTING)
        .with_listed(update::TodoUpdate, LISTING)
        .with_listed(complete::TodoComplete, LISTING)
        .with_listed(reopen::TodoReopen, LISTING)
        .with_listed(delete::TodoDelete, LISTING)
        .with_listed(clear::TodoClearCompleted, LISTING)
}

#[cfg(test)]
mod testing {
    use std::rc::Rc;

    use serde_json::{Value, json};

    use crate::Todo;

    /// A to-do that is called as its id is, with these fields.
    pub fn todo(id: &str, more: Value) -> Rc<Todo> {
        let mut todo = json!({"id": id, "title": id, "status": "open", "created": "c", "updated": "u"});
        todo.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Rc::new(serde_json::from_value(todo).unwrap())
    }

    /// Several.
    pub fn todos(rows: &[(&str, Value)]) -> Vec<Rc<Todo>> {
        rows.iter().map(|(id, more)| todo(id, more.clone())).collect()
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
        let definitions = [
            mcp::definition::<Stage, create::TodoCreate>(),
            mcp::definition::<Stage, list::TodoList>(),
            mcp::definition::<Stage, get::TodoGet>(),
            mcp::definition::<Stage, update::TodoUpdate>(),
            mcp::definition::<Stage, complete::TodoComplete>(),
            mcp::definition::<Stage, reopen::TodoReopen>(),
            mcp::definition::<Stage, delete::TodoDelete>(),
            mcp::definition::<Stage, clear::TodoClearCompleted>(),
        ];
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
