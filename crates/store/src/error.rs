//! What can go wrong, by who can act on it. All plain data.

use std::rc::Rc;

use crate::{CallKey, Change, Rev};

/// A journal could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The device has no room left. Reading and deleting still work.
    #[error("There is no storage space left on this device. Free some space and try again.")]
    Quota,
    /// Another tab holds an older version of the database open and did not let go.
    #[error("Another tab holds the database open. Close the other tabs and try again.")]
    Blocked,
    /// The browser rolled the write back; nothing was stored.
    #[error("The browser aborted the write, nothing was stored: {0}")]
    Aborted(String),
    /// The revision or the key is taken by another writer; nothing was stored.
    #[error("Another writer was faster.")]
    Conflict,
    /// Something on disk cannot be read and is needed.
    #[error("Stored data is damaged: {0}")]
    Damaged(String),
    /// The database was emptied while it was in use; nothing was stored.
    #[error("The database was emptied while it was in use.")]
    Emptied,
    /// The database was written by a newer version of the app, which this one must not touch.
    #[error(
        "The data was written by a newer version of the app (version {found}, this one knows {known}). Reload to update."
    )]
    TooNew {
        /// The version this build knows.
        known: u32,
        /// The version on disk; 0 when the browser does not tell.
        found: u32,
    },
    /// The storage cannot be used at all: switched off, or lost again and again.
    #[error("The browser's storage is not available: {0}")]
    Unavailable(String),
    /// Anything else, in the words of whoever failed.
    #[error("Storage failed: {0}")]
    Other(String),
}

/// A stage was not committed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CommitError {
    /// Something the tool read has changed meanwhile. The [`crate::Db`] has caught up: run the tool again on
    /// a new stage of the same call.
    #[error("What the tool read has changed meanwhile.")]
    Conflict,
    /// This key was committed before; here is what it did and answered.
    #[error("This call was answered before.")]
    Answered(Rc<Change>),
    /// The journal failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An undo or redo is not possible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UndoError {
    /// No change is left to take back.
    #[error("There is nothing to undo.")]
    NothingToUndo,
    /// No undo is left to take back.
    #[error("There is nothing to redo.")]
    NothingToRedo,
    /// No change has this key.
    #[error("No change was made by the call {0}.")]
    Unknown(CallKey),
    /// The change was taken back before.
    #[error("The call {0} was undone already.")]
    AlreadyUndone(CallKey),
    /// The change is in effect: there is nothing to do again.
    #[error("The call {0} was not undone.")]
    NotUndone(CallKey),
    /// There is nothing of the change to take back: it erased for good, or was erased.
    #[error("Nothing of the call {0} can be taken back: what it did is erased for good.")]
    Erased(CallKey),
    /// There is no such revision to go back to yet.
    #[error("There is no change {rev} yet; the last one is {head}.")]
    NotYet {
        /// The revision that was asked for.
        rev: Rev,
        /// The last one there is.
        head: Rev,
    },
    /// Rows have changed since, and undoing would overwrite that silently.
    #[error("Cannot undo: {}.", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    ChangedSince(Vec<Clash>),
    /// The journal failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A row that is not as the change to be undone left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The row's table.
    pub table: String,
    /// The row's id.
    pub id: String,
    /// The row in a person's words (see [`crate::Record::label`]).
    pub label: String,
    /// The tool that changed it since, when known.
    pub tool: Option<String>,
    /// The change that changed it since, when known.
    pub rev: Option<Rev>,
}

impl std::fmt::Display for Clash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "“{}” has changed since", self.label)?;
        match &self.tool {
            Some(tool) => write!(f, " ({tool})"),
            None => Ok(()),
        }
    }
}
