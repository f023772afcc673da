//! `data_snapshots`, `data_snapshot` and `data_restore`: saved copies of everything, and the way back to one.
//!
//! For the app's screens only. The app takes one by itself before a bulk change (see `call.rs`).

use async_trait::async_trait;
use domain::{DomainChange, quoted};
use mcp::{Hints, Limits, NoArguments, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Journal, Rev, Saved};

use crate::domains::Guards;
use crate::journal_context::{JournalContext, failed};

/// So many rows are shown of a change that may be very large.
pub(crate) const SHOWN: usize = 100;
/// The most characters of a copy's name.
const MAX_NAME: usize = 100;

pub(crate) struct DataSnapshots;
pub(crate) struct DataSnapshot;
pub(crate) struct DataRestore(pub Guards);

/// All saved copies.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct List {
    /// The newest first.
    snapshots: Vec<Shown>,
}

/// A saved copy.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Shown {
    id: String,
    name: String,
    /// When, in milliseconds since 1970.
    at: i64,
    /// The revision it holds.
    rev: Rev,
    /// How many rows it holds.
    count: u64,
    /// How much room it takes.
    bytes: u64,
    /// Taken by the app before a bulk change.
    automatic: bool,
}

impl From<Saved> for Shown {
    fn from(saved: Saved) -> Self {
        let Saved { id, name, at_ms, rev, count, bytes, automatic } = saved;
        Self { id, name, at: at_ms, rev, count, bytes, automatic }
    }
}

/// What to call it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameArgs {
    /// A few words.
    name: String,
}

/// The copy that was taken.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Taken {
    summary: String,
    snapshot: Shown,
}

/// Which copy.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RestoreArgs {
    /// Its id.
    snapshot: String,
}

/// What going back changes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Restored {
    summary: String,
    /// The revision that is restored.
    rev: Rev,
    /// How many rows change.
    total: usize,
    /// The first 100 of them.
    changes: Vec<DomainChange>,
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataSnapshots {
    const NAME: &'static str = "data_snapshots";
    const TITLE: &'static str = "List saved copies";
    const DESCRIPTION: &'static str = "Lists the saved copies of everything, newest first.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = NoArguments;
    type Output = List;

    async fn run(&self, _: NoArguments, cx: &mut JournalContext<J>) -> Result<List, ToolError> {
        let saved = cx.db.saved().await.map_err(failed)?;
        Ok(List { snapshots: saved.into_iter().map(Shown::from).collect() })
    }
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataSnapshot {
    const NAME: &'static str = "data_snapshot";
    const TITLE: &'static str = "Save a copy";
    const DESCRIPTION: &'static str = "Saves a copy of everything on this device. The last ten are kept.";
    const HINTS: Hints = Hints::ADD;
    const APP_ONLY: bool = true;
    type Args = NameArgs;
    type Output = Taken;

    async fn run(&self, args: NameArgs, cx: &mut JournalContext<J>) -> Result<Taken, ToolError> {
        let name = args.name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            let why = format!("The name must be one line of 1 to {MAX_NAME} characters.");
            return Err(ToolError::Rejected(why));
        }
        let copied = cx.db.copy(&cx.call, name, false).await.map_err(failed)?;
        let snapshot = Shown::from(copied.saved.clone());
        cx.copied = Some(copied);
        Ok(Taken { summary: format!("Saved a copy: {}.", quoted(&snapshot.name)), snapshot })
    }
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataRestore {
    const NAME: &'static str = "data_restore";
    const TITLE: &'static str = "Restore a saved copy";
    const DESCRIPTION: &'static str = "Makes everything as it is in a saved copy, as one change.";
    const HINTS: Hints = Hints::DELETE;
    const APP_ONLY: bool = true;
    // It reads and writes everything there is.
    const LIMITS: Limits = Limits { is_task: true, ..Limits::DEFAULT };
    type Args = RestoreArgs;
    type Output = Restored;

    async fn run(&self, args: RestoreArgs, cx: &mut JournalContext<J>) -> Result<Restored, ToolError> {
        let saved = cx.db.saved().await.map_err(failed)?;
        let gone = || ToolError::Rejected("That saved copy is not there any more.".into());
        let saved = saved.into_iter().find(|saved| saved.id == args.snapshot).ok_or_else(gone)?;
        let view = cx.db.saved_view(&saved).await.map_err(failed)?.ok_or_else(gone)?;
        let mut stage = cx.db.stage_like(&cx.call, &view);
        let domains = cx.domains.clone();
        let guards = self.0.of(domains.all);
        let mended: Vec<String> = guards.iter().filter_map(|guard| guard.mend(&mut stage)).collect();
        cx.is_bulk = true;
        let ops = cx.hand_in(stage, &self.0)?.ops();
        let mut summary = match domains.counted(&ops) {
            _ if ops.is_empty() => "Everything is as it is in the saved copy already.".to_owned(),
            Some(said) => format!("Restored {}: {said} changed.", quoted(&saved.name)),
            None => format!("Restored {}.", quoted(&saved.name)),
        };
        for mended in mended {
            summary = format!("{summary} {mended}");
        }
        let told = domains.told(&ops, &cx.db.view());
        let changes = domains.changes(told.into_iter().take(SHOWN))?;
        Ok(Restored { summary, rev: saved.rev, total: ops.len(), changes })
    }
}
