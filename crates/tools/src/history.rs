//! `history`: what was changed, newest first, and what can be undone or redone.

use async_trait::async_trait;
use domain::DomainChange;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{CallKey, Change, Journal, Op, Past, Redo, Rev, Stage, Undo};

use crate::domains::Guards;
use crate::journal_context::{JournalContext, failed};

/// The most entries of one page.
const MAX_LIMIT: u32 = 100;
const DEFAULT_LIMIT: u32 = 20;
/// So many rows of an entry are shown in a list; an entry that is asked for alone shows all.
const SHOWN: usize = 10;
/// So many changes are looked through at once for those of one row.
const LOOK: usize = 250;
/// After so many the page ends, however few are on it: the whole history is not in memory.
const LOOKED_AT: usize = 2_000;

pub(crate) struct JournalHistory(pub Guards);

/// Which page, or which entry.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// How many at most, 1 to 100; 20 when left out.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    /// next_cursor of the page before.
    cursor: Option<String>,
    /// Only this entry, with all its rows.
    rev: Option<Rev>,
    /// Only what was done to the row with this id.
    row: Option<String>,
}

/// A page of the history.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct History {
    /// The changes, newest first.
    entries: Vec<Entry>,
    /// Give it as `cursor` for what came before; absent at the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// One change.
#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    /// Its place in the history.
    rev: Rev,
    /// The key of the call.
    key: String,
    /// The tool.
    tool: String,
    /// The tool's name for people.
    title: String,
    /// When, in milliseconds since 1970.
    at: i64,
    /// What the call said.
    summary: String,
    /// change, undo or redo.
    kind: &'static str,
    /// done, or undone.
    state: &'static str,
    /// Whether undo can take it back.
    can_undo: bool,
    /// Whether redo can do it again.
    can_redo: bool,
    /// The revs it took back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undoes: Vec<Rev>,
    /// How many rows it changed.
    total: usize,
    /// The first of them.
    changes: Vec<DomainChange>,
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for JournalHistory {
    const NAME: &'static str = "history";
    const TITLE: &'static str = "Show the history";
    const DESCRIPTION: &'static str =
        "Lists the changes that were made, newest first, with what can be undone.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = History;

    async fn run(&self, args: Args, cx: &mut JournalContext<J>) -> Result<History, ToolError> {
        if let Some(rev) = args.rev {
            let past = cx.db.past(rev.saturating_add(1), 1).await.map_err(failed)?;
            let past = past.iter().filter(|past| past.change.rev == rev && is_told(past, cx));
            let entries = entries(past, cx, &self.0, Rows::All).await?;
            if entries.is_empty() {
                return Err(ToolError::Rejected(format!("There is no change {rev} in the history.")));
            }
            return Ok(History { entries, next_cursor: None });
        }
        let limit = args.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(ToolError::Rejected(format!("limit is {limit}; it may be 1 to {MAX_LIMIT}.")));
        }
        let before = match args.cursor.as_deref().map(str::parse::<Rev>) {
            None => Rev::MAX,
            Some(Ok(before)) => before,
            Some(Err(_)) => {
                let why = "The cursor is not from history. Leave it out to start over.";
                return Err(ToolError::Rejected(why.into()));
            }
        };
        let before = before.min(cx.db.rev() + 1);
        if let Some(row) = &args.row {
            let (past, next) = past_of(row, before, limit as usize, cx).await?;
            let entries = entries(past.iter(), cx, &self.0, Rows::Of(row)).await?;
            return Ok(History { entries, next_cursor: next.map(|next| next.to_string()) });
        }
        let past = cx.db.past(before, limit as usize).await.map_err(failed)?;
        let next = before.saturating_sub(Rev::from(limit));
        Ok(History {
            entries: entries(past.iter().filter(|past| is_told(past, cx)), cx, &self.0, Rows::First).await?,
            next_cursor: (next > 1).then(|| next.to_string()),
        })
    }
}

/// What a change's tool said that it did.
pub(crate) fn said(change: &Change) -> Option<String> {
    #[derive(Deserialize)]
    struct Reply {
        summary: Option<String>,
    }
    change.reply.parse::<Reply>().ok()?.summary
}

/// What is said of a change that has words in it which are not to be told: see [`domain::Domain::untold`].
pub(crate) fn neutral(of: &str) -> String {
    format!("A change of {of}.")
}

/// Whether a change is told to whoever asks. One that is about nothing but domains that are switched off for them is not there:
/// its sentence has the words.
fn is_told<J: Journal>(past: &Past, cx: &JournalContext<J>) -> bool {
    let change = &past.change;
    let tool = cx.domains.of_tool(&change.tool).map(|domain| domain.id());
    let is_of_hidden = tool.is_some_and(|tool| cx.without.iter().any(|without| without == tool));
    let is_about_hidden = is_of_hidden || change.ops.iter().any(|op| cx.is_hidden(op));
    !is_about_hidden || !change.ops.iter().all(|op| cx.is_hidden(op))
}

/// Whether a change has made a row: there is nothing of it before. What belongs to a row and has its id (the faces of a photo) is made
/// later than it; what an undo brings back was made before.
fn has_made<J: Journal>(change: &Change, row: &str, cx: &JournalContext<J>) -> bool {
    let is_made = |op: &Op| op.id == row && op.before.is_none();
    let is_it = |op: &Op| cx.domains.of_table(&op.table).is_some_and(|domain| domain.counts_as(&op.table));
    change.undoes.is_empty() && change.ops.iter().any(|op| is_made(op) && is_it(op))
}

/// The last changes of a row before a revision that are told, newest first, and before which one to go on; none where there are no more:
/// it was made there, or the history begins.
async fn past_of<J: Journal>(
    row: &str,
    mut before: Rev,
    limit: usize,
    cx: &JournalContext<J>,
) -> Result<(Vec<Past>, Option<Rev>), ToolError> {
    let is_of_row = |past: &Past| past.change.ops.iter().any(|op| op.id == row && !cx.is_hidden(op));
    let mut found = Vec::new();
    for _ in 0..LOOKED_AT / LOOK {
        for past in cx.db.past(before, LOOK).await.map_err(failed)? {
            let is_first = has_made(&past.change, row, cx);
            if is_of_row(&past) && is_told(&past, cx) {
                if found.len() == limit {
                    // One more than fits: the next page begins with it.
                    return Ok((found, Some(past.change.rev + 1)));
                }
                found.push(past);
            }
            if is_first {
                return Ok((found, None));
            }
        }
        before = before.saturating_sub(LOOK as Rev);
        if before <= 1 {
            return Ok((found, None));
        }
    }
    Ok((found, Some(before)))
}

/// Which rows of an entry are shown.
#[derive(Clone, Copy)]
enum Rows<'a> {
    All,
    /// As many as are read in a list.
    First,
    /// The one that is asked for.
    Of(&'a str),
}

async fn entries<'a, J: Journal>(
    past: impl Iterator<Item = &'a Past>,
    cx: &JournalContext<J>,
    guards: &Guards,
    rows: Rows<'_>,
) -> Result<Vec<Entry>, ToolError> {
    let mut entries = Vec::new();
    for past in past {
        let mut entry = entry(past, cx, rows)?;
        let key = || CallKey(entry.key.clone());
        entry.can_undo = entry.can_undo && would_undo(cx, guards, &Undo::Key(key())).await;
        entry.can_redo = entry.can_redo && would_redo(cx, guards, &Redo::Key(key())).await;
        entries.push(entry);
    }
    Ok(entries)
}

/// Whether anything would come of an undo: the domains may hold all of it back, or have something against it. What is offered and then
/// refused is worse than what is not offered.
async fn would_undo<J: Journal>(cx: &JournalContext<J>, guards: &Guards, what: &Undo) -> bool {
    cx.db.stage_undo(&cx.call, what).await.is_ok_and(|stage| would(cx, guards, stage))
}

/// The same of a redo.
async fn would_redo<J: Journal>(cx: &JournalContext<J>, guards: &Guards, what: &Redo) -> bool {
    cx.db.stage_redo(&cx.call, what).await.is_ok_and(|stage| would(cx, guards, stage))
}

/// What [`crate::undo`] asks of a stage before it hands that in.
fn would<J: Journal>(cx: &JournalContext<J>, guards: &Guards, mut stage: Stage) -> bool {
    if stage.ops().iter().any(|op| cx.is_hidden(op)) {
        return false;
    }
    let guards = guards.of(cx.domains.all);
    let mut is_held_back = false;
    for guard in &guards {
        is_held_back |= guard.hold_back(&mut stage).is_some();
    }
    !(is_held_back && stage.is_idle()) && guards.iter().all(|guard| guard.check(&mut stage).is_ok())
}

/// An entry by its rows alone.
fn entry<J: Journal>(past: &Past, cx: &JournalContext<J>, rows: Rows<'_>) -> Result<Entry, ToolError> {
    let change: &Change = &past.change;
    let is_done = past.taken_back_by.is_none();
    let kind = match (change.undoes.is_empty(), change.redo) {
        (true, _) => "change",
        (false, false) => "undo",
        (false, true) => "redo",
    };
    // A redo is the undo of an undo.
    let stands = cx.db.stands(past.taken_back_by.unwrap_or(change.rev), cx.call.moment.at_ms);
    let view = cx.db.view();
    let summary = match change.ops.iter().find_map(|op| cx.domains.untold(op, &view)) {
        Some(of) => Some(neutral(of)),
        None => said(change),
    };
    let told = cx.domains.told(change.ops.iter().filter(|op| !cx.is_hidden(op)), &view);
    let (most, row) = match rows {
        Rows::All => (usize::MAX, None),
        Rows::First => (SHOWN, None),
        Rows::Of(row) => (usize::MAX, Some(row)),
    };
    let shown = told.iter().filter(|op| row.is_none_or(|row| op.id == row)).take(most).copied();
    Ok(Entry {
        rev: change.rev,
        key: change.key.0.clone(),
        tool: change.tool.clone(),
        title: cx.title(&change.tool).to_owned(),
        at: change.at_ms,
        summary: summary.unwrap_or_default(),
        kind,
        state: if is_done { "done" } else { "undone" },
        can_undo: is_done && stands,
        can_redo: stands && (!is_done || kind == "undo"),
        undoes: change.undoes.clone(),
        total: told.len(),
        changes: cx.domains.changes(shown)?,
    })
}
