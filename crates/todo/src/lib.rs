//! The to-do domain: its model and one file per tool.
//!
//! [`Todo`] is what a to-do is, on disk, in a tool's answer and on the screen. [`tools`] are the ways to
//! change it; each reads and writes through a [`store::Stage`] and answers with what it changed. Undo is
//! not here: it needs the journal, which the assembled server owns.

mod change;
mod clear;
mod complete;
mod create;
mod delete;
mod get;
mod list;
mod model;
mod patch;
mod reopen;
mod repeat;
mod target;
mod text;
mod update;
mod when;

use mcp::Registry;
use store::{Schema, Stage};

pub use change::{Changes, TodoChange, changes_of, quoted, some_todos};
pub use list::Page;
pub use model::{INBOX, Priority, Status, Todo};
pub use repeat::Repeat;
pub use when::{Due, civil_now, utc_text};

/// The tables of this domain.
#[must_use]
pub fn schema() -> Schema {
    Schema::new().table::<Todo>()
}

/// All tools of this domain, in the order in which a model reads them.
#[must_use]
pub fn tools() -> Registry<Stage> {
    Registry::new()
        .with(create::TodoCreate)
        .with(list::TodoList)
        .with(get::TodoGet)
        .with(update::TodoUpdate)
        .with(complete::TodoComplete)
        .with(reopen::TodoReopen)
        .with(delete::TodoDelete)
        .with(clear::TodoClearCompleted)
}
