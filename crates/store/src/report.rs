//! What a database found wrong with itself. Said, never hidden behind an empty list.

use crate::Rev;

/// One thing that was wrong, or was done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The snapshot could not be read; the tables were folded without it.
    SnapshotUnreadable {
        /// What is wrong with it.
        why: String,
    },
    /// A journal entry could not be read and was skipped.
    ChangeUnreadable {
        /// Its place in the journal.
        rev: Rev,
        /// What is wrong with it.
        why: String,
    },
    /// A row could not be read; it is kept as it is and not shown.
    RecordUnreadable {
        /// Its table.
        table: String,
        /// Its id.
        id: String,
        /// What is wrong with it.
        why: String,
    },
    /// Journal entries are not there.
    Missing {
        /// The first missing revision.
        from: Rev,
        /// The last missing revision.
        to: Rev,
    },
    /// The journal is not the one the second copy describes: same length, other content.
    Differs {
        /// The revision where they were compared.
        rev: Rev,
    },
    /// Data was brought back.
    Restored {
        /// The revision it was brought back to.
        rev: Rev,
        /// How many rows there are now.
        count: u64,
        /// Where it came from.
        from: Source,
    },
    /// Data is gone and could not be brought back.
    Lost {
        /// The revision there should be.
        expected: Rev,
        /// The revision there is.
        found: Rev,
    },
}

/// Where restored data came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The second copy, outside the database.
    SecondCopy,
    /// The running app's own memory.
    Memory,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SnapshotUnreadable { why } => {
                write!(f, "The saved snapshot could not be read and was rebuilt from the journal ({why}).")
            }
            Self::ChangeUnreadable { rev, why } => {
                write!(f, "Change {rev} could not be read and was skipped ({why}).")
            }
            // Without its id: ids are not for people.
            Self::RecordUnreadable { table, id: _, why } => {
                write!(f, "A record in {table} could not be read and was set aside ({why}).")
            }
            Self::Missing { from, to } if from == to => write!(f, "Change {from} is missing."),
            Self::Missing { from, to } => write!(f, "Changes {from} to {to} are missing."),
            Self::Differs { rev } => {
                write!(f, "The data differs from its second copy at change {rev}.")
            }
            Self::Restored { rev, count, from: Source::SecondCopy } => {
                write!(
                    f,
                    "The database was damaged; {} restored from the second copy (change {rev}).",
                    records(*count)
                )
            }
            Self::Restored { rev, count, from: Source::Memory } => {
                write!(
                    f,
                    "The database was emptied while in use; {} written back (change {rev}).",
                    records(*count)
                )
            }
            Self::Lost { expected, found } => {
                let changes = if *expected == 1 { "change" } else { "changes" };
                let were = if *found == 1 { "was" } else { "were" };
                write!(
                    f,
                    "Data is missing: there should be {expected} {changes} and only {found} {were} found, and no second copy could be read."
                )
            }
        }
    }
}

fn records(count: u64) -> String {
    if count == 1 { "1 record was".to_owned() } else { format!("{count} records were") }
}

/// Everything that was found wrong since the database was opened. Empty when all is well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What was found, in the order it was found.
    pub notes: Vec<Note>,
}
