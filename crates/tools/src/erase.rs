//! `data_erase`: what a domain lets be erased for good ([`domain::Erasure`]). For the app's screens only.

use async_trait::async_trait;
use domain::{Erasure, counted, quoted};
use mcp::{Hints, Limits, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Journal;

use crate::domains::Guards;
use crate::journal_context::JournalContext;

pub(crate) struct DataErase(pub Guards);

/// What is erased.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Its word for programs, such as people.
    what: String,
}

/// What was erased.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Erased {
    summary: String,
    what: &'static str,
    /// How many rows there were.
    rows: u64,
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataErase {
    const NAME: &'static str = "data_erase";
    const TITLE: &'static str = "Erase for good";
    const DESCRIPTION: &'static str = "Erases everything of one kind for good, also from the history and from \
                                       saved copies. It cannot be undone.";
    const HINTS: Hints = Hints::DELETE;
    const APP_ONLY: bool = true;
    // It reads and writes everything there is.
    const LIMITS: Limits = Limits { is_task: true, ..Limits::DEFAULT };
    type Args = Args;
    type Output = Erased;

    async fn run(&self, args: Args, cx: &mut JournalContext<J>) -> Result<Erased, ToolError> {
        let all: Vec<&Erasure> = cx.domains.all.iter().flat_map(|domain| domain.erasures()).collect();
        let Some(erasure) = all.iter().find(|erasure| erasure.id == args.what) else {
            return Err(ToolError::Rejected(unknown(&args.what, &all)));
        };
        if let Some(off) = erasure.tables.iter().find_map(|table| cx.table_when_off(table)) {
            return Err(ToolError::Rejected(off.into()));
        }
        let rows = cx.db.count_of(erasure.tables);
        let stage = cx.db.stage_erase(&cx.call, erasure.tables);
        cx.hand_in(stage, &self.0)?;
        let title = quoted(erasure.title);
        let summary = match usize::try_from(rows) {
            Ok(0) => {
                format!("Erased {title} for good: none was left, and what earlier changes had of it is gone.")
            }
            Ok(rows) => format!("Erased {title} for good: {}.", counted(rows, "record", "records")),
            Err(_) => format!("Erased {title} for good."),
        };
        Ok(Erased { summary, what: erasure.id, rows })
    }
}

/// What there is, for whoever asked for something else.
fn unknown(what: &str, all: &[&Erasure]) -> String {
    let there: Vec<String> =
        all.iter().map(|erasure| format!("{} ({})", erasure.id, erasure.title)).collect();
    match there.as_slice() {
        [] => "There is nothing here that could be erased for good.".to_owned(),
        there => format!(
            "There is no {} to erase. Give one of these as `what`: {}.",
            quoted(what),
            there.join(", ")
        ),
    }
}
