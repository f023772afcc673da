//! `data_storage` and `data_changes`: how the data stands, and what happened since. For the app's screens only.

use std::collections::BTreeMap;

use async_trait::async_trait;
use mcp::{Hints, NoArguments, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Change, Journal, Json, Op, Rev};

use crate::journal_context::{JournalContext, failed};

/// The most changes of one answer.
const MAX_LIMIT: u32 = 1000;
const DEFAULT_LIMIT: u32 = 200;
/// Who is so many rows behind reads all of them anew.
const MAX_ROWS: usize = 2000;

pub(crate) struct DataStorage;
pub(crate) struct DataChanges;

/// How the data stands.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Storage {
    /// The last revision.
    rev: Rev,
    /// Tells one journal from another.
    epoch: String,
    /// How many there are of what: `{"todos": 12, "open": 5}`.
    counts: BTreeMap<&'static str, usize>,
    /// All rows, unreadable ones included.
    rows: u64,
    journal: Stand,
    snapshots: Room,
    /// What was found damaged, lost or restored, in sentences.
    notes: Vec<String>,
}

/// How far the journal goes, and what is made of it.
#[derive(Debug, Serialize, JsonSchema)]
struct Stand {
    /// How many changes it has.
    changes: Rev,
    /// The revision of the last packed tables.
    snapshot_rev: Rev,
    /// The revision of the copy outside the database.
    second_copy_rev: Rev,
}

/// The saved copies together.
#[derive(Debug, Serialize, JsonSchema)]
struct Room {
    count: usize,
    bytes: u64,
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataStorage {
    const NAME: &'static str = "data_storage";
    const TITLE: &'static str = "Look at the storage";
    const DESCRIPTION: &'static str =
        "Says how much is stored, how far it is copied, and what was found damaged.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = NoArguments;
    type Output = Storage;

    async fn run(&self, _: NoArguments, cx: &mut JournalContext<J>) -> Result<Storage, ToolError> {
        let saved = cx.db.saved().await.map_err(failed)?;
        let view = cx.db.view();
        let counts = order::gather(cx.domains.all.iter().flat_map(|domain| domain.counts(&view)));
        let manifest = cx.db.manifest();
        Ok(Storage {
            rev: manifest.rev,
            epoch: manifest.epoch,
            counts,
            rows: manifest.count,
            journal: Stand {
                changes: manifest.rev,
                snapshot_rev: manifest.snapshot_rev,
                second_copy_rev: cx.db.copied_rev(),
            },
            snapshots: Room { count: saved.len(), bytes: saved.iter().map(|saved| saved.bytes).sum() },
            notes: cx.db.report().notes.iter().map(ToString::to_string).collect(),
        })
    }
}

/// From where on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Since {
    /// The last revision that is known.
    since: Rev,
    /// How many changes at most, 1 to 1000; 200 when left out.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

/// What happened.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Feed {
    /// The revision that one is at with these changes.
    rev: Rev,
    /// Whether there are more.
    more: bool,
    /// Too much happened: read everything anew.
    reread: bool,
    /// The oldest first.
    changes: Vec<News>,
}

/// One change, as it is announced.
#[derive(Debug, Serialize, JsonSchema)]
struct News {
    rev: Rev,
    key: String,
    tool: String,
    /// Every row that changed, of all domains.
    rows: Vec<ChangedRow>,
}

/// A row of a change as it is announced: as the journal has it, in whatever form it was written then.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChangedRow {
    table: String,
    id: String,
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    before: Option<Json>,
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    after: Option<Json>,
}

/// The rows of a change as it is announced.
#[must_use]
pub fn rows_of(change: &Change) -> Vec<ChangedRow> {
    let rows = change.ops.iter().cloned();
    rows.map(|Op { table, id, before, after }| ChangedRow { table, id, before, after }).collect()
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataChanges {
    const NAME: &'static str = "data_changes";
    const TITLE: &'static str = "Read what has changed";
    const DESCRIPTION: &'static str = "Gives the changes after a revision, oldest first.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = Since;
    type Output = Feed;

    async fn run(&self, args: Since, cx: &mut JournalContext<J>) -> Result<Feed, ToolError> {
        let limit = args.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(ToolError::Rejected(format!("limit is {limit}; it may be 1 to {MAX_LIMIT}.")));
        }
        let head = cx.db.rev();
        let anew = Feed { rev: head, more: false, reread: true, changes: Vec::new() };
        let behind = head.saturating_sub(args.since);
        // Another journal took the place of the one that was known, or it is cheaper to read all.
        if args.since > head || behind > Rev::from(MAX_LIMIT) {
            return Ok(anew);
        }
        let until = args.since + behind.min(Rev::from(limit));
        let found = cx.db.changes(args.since + 1).await.map_err(failed)?;
        let found: Vec<_> = found.iter().filter(|change| change.rev <= until).collect();
        let rows: usize = found.iter().map(|change| change.ops.len()).sum();
        // What an erasure took is in no list of rows.
        let erases = found.iter().any(|change| !change.erases.is_empty());
        // A change that cannot be read leaves the rest without meaning.
        if erases || rows > MAX_ROWS || found.len() as Rev != until - args.since {
            return Ok(anew);
        }
        let news = found.into_iter().map(|change| News {
            rev: change.rev,
            key: change.key.0.clone(),
            tool: change.tool.clone(),
            rows: rows_of(change),
        });
        Ok(Feed { rev: until, more: until < head, reread: false, changes: news.collect() })
    }
}
