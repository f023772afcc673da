//! `data_storage` and `data_changes`: how the data stands, and what happened since. For the app's screens only.

use async_trait::async_trait;
use mcp::{Hints, NoArguments, Tool, ToolError};
use memory::Memory;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Change, Journal, Json, Op, Record, Rev};
use todo::{Status, Todo};

use crate::desk::{Desk, failed};

/// The most changes of one answer.
const MAX_LIMIT: u32 = 1000;
const DEFAULT_LIMIT: u32 = 200;
/// Who is so many to-dos behind reads all of them anew.
const MAX_TODOS: usize = 2000;

pub(crate) struct DataStorage;
pub(crate) struct DataChanges;

/// How the data stands.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Storage {
    /// The last revision.
    rev: Rev,
    /// Tells one journal from another.
    epoch: String,
    /// All to-dos.
    todos: usize,
    open: usize,
    done: usize,
    /// What is remembered about the person.
    memories: usize,
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
impl<J: Journal> Tool<Desk<J>> for DataStorage {
    const NAME: &'static str = "data_storage";
    const TITLE: &'static str = "Look at the storage";
    const DESCRIPTION: &'static str =
        "Says how much is stored, how far it is copied, and what was found damaged.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = NoArguments;
    type Output = Storage;

    async fn run(&self, _: NoArguments, cx: &mut Desk<J>) -> Result<Storage, ToolError> {
        let saved = cx.db.saved().await.map_err(failed)?;
        let todos = cx.db.view().all::<Todo>();
        let open = todos.iter().filter(|todo| todo.status == Status::Open).count();
        let manifest = cx.db.manifest();
        Ok(Storage {
            rev: manifest.rev,
            epoch: manifest.epoch,
            todos: todos.len(),
            open,
            done: todos.len() - open,
            memories: cx.db.view().all::<Memory>().len(),
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
    /// Too much happened: read the to-dos anew.
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
    /// `{id, before, after}` of every to-do.
    #[schemars(with = "Vec<Value>")]
    todos: Vec<ChangedTodo>,
}

/// A to-do of a change as it is announced.
#[derive(Debug, Serialize)]
pub struct ChangedTodo {
    id: String,
    before: Option<Json>,
    after: Option<Json>,
}

/// The to-dos of a change as it is announced: `{id, before, after}`.
#[must_use]
pub fn todos_of(change: &Change) -> Vec<ChangedTodo> {
    let of = |op: &Op| ChangedTodo { id: op.id.clone(), before: op.before.clone(), after: op.after.clone() };
    change.ops.iter().filter(|op| op.table == Todo::TABLE).map(of).collect()
}

#[async_trait(?Send)]
impl<J: Journal> Tool<Desk<J>> for DataChanges {
    const NAME: &'static str = "data_changes";
    const TITLE: &'static str = "Read what has changed";
    const DESCRIPTION: &'static str = "Gives the changes after a revision, oldest first.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = Since;
    type Output = Feed;

    async fn run(&self, args: Since, cx: &mut Desk<J>) -> Result<Feed, ToolError> {
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
        let todos: usize = found.iter().map(|change| change.ops.len()).sum();
        // A change that cannot be read leaves the rest without meaning.
        if todos > MAX_TODOS || found.len() as Rev != until - args.since {
            return Ok(anew);
        }
        let news = found.into_iter().map(|change| News {
            rev: change.rev,
            key: change.key.0.clone(),
            tool: change.tool.clone(),
            todos: todos_of(change),
        });
        Ok(Feed { rev: until, more: until < head, reread: false, changes: news.collect() })
    }
}
