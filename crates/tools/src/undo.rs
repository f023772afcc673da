//! `undo` and `redo`: take changes back by appending their inverse.
//!
//! They are of the whole and of no domain: a domain's tools see a stage, these the journal.

use std::rc::Rc;

use async_trait::async_trait;
use domain::DomainChange;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{CallKey, Change, Journal, Op, Redo, Rev, Stage, Undo, UndoError};

use crate::domains::Guards;
use crate::history::{neutral, said};
use crate::journal_context::JournalContext;

/// The most changes one call takes back by their number.
const MAX_LAST: u32 = 20;

/// Taking back an addition deletes it, and a second call takes back something more.
const HINTS: Hints = Hints { destructive: true, ..Hints::ADD };

pub(crate) struct JournalUndo(pub Guards);

/// What to take back: the last change, unless told otherwise.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoArgs {
    /// How many of the last changes, 1 to 20; 1 when left out.
    #[schemars(range(min = 1, max = 20))]
    last: Option<u32>,
    /// The key of one call to take back instead.
    call: Option<String>,
    /// Or everything after this rev of history.
    to: Option<Rev>,
}

pub(crate) struct JournalRedo(pub Guards);

/// Which undo to take back: the last one, unless told otherwise.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RedoArgs {
    /// How many of the last undos, 1 to 20; 1 when left out.
    #[schemars(range(min = 1, max = 20))]
    last: Option<u32>,
    /// The key of one undone call to do again instead.
    call: Option<String>,
}

/// The answer of an undo or a redo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Undone {
    /// One sentence for a person.
    pub summary: String,
    /// Every row that changed by it.
    pub changes: Vec<DomainChange>,
    /// The calls that were taken back, newest first.
    pub undone: Vec<UndoneCall>,
}

/// A call that was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoneCall {
    /// Its tool.
    pub tool: String,
    /// Its key.
    pub key: String,
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for JournalUndo {
    const NAME: &'static str = "undo";
    const TITLE: &'static str = "Undo";
    const DESCRIPTION: &'static str =
        "Takes back the last change, or the last several. Also brings back what was deleted.";
    const HINTS: Hints = HINTS;
    type Args = UndoArgs;
    type Output = Undone;

    async fn run(&self, args: UndoArgs, cx: &mut JournalContext<J>) -> Result<Undone, ToolError> {
        let what = match (args.last, args.call, args.to) {
            (None, Some(key), None) => Undo::Key(CallKey(key)),
            (None, None, Some(rev)) => Undo::To(rev),
            (last, None, None) => Undo::Last(count(last)?),
            _ => {
                return Err(ToolError::Rejected("Give either `last` or `call` or `to`, not several.".into()));
            }
        };
        let stage = cx.db.stage_undo(&cx.call, &what).await.map_err(|error| refusal(error, cx))?;
        answer(stage, cx, &self.0, "Undone:", "Undid")
    }
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for JournalRedo {
    const NAME: &'static str = "redo";
    const TITLE: &'static str = "Redo";
    const DESCRIPTION: &'static str = "Does again what undo took back: the last undo, or the last several.";
    const HINTS: Hints = HINTS;
    type Args = RedoArgs;
    type Output = Undone;

    async fn run(&self, args: RedoArgs, cx: &mut JournalContext<J>) -> Result<Undone, ToolError> {
        let what = match (args.last, args.call) {
            (None, Some(key)) => Redo::Key(CallKey(key)),
            (last, None) => Redo::Last(count(last)?),
            _ => return Err(ToolError::Rejected("Give either `last` or `call`, not both.".into())),
        };
        let stage = cx.db.stage_redo(&cx.call, &what).await.map_err(|error| refusal(error, cx))?;
        answer(stage, cx, &self.0, "Redone:", "Redid")
    }
}

fn count(last: Option<u32>) -> Result<usize, ToolError> {
    let last = last.unwrap_or(1);
    if !(1..=MAX_LAST).contains(&last) {
        return Err(ToolError::Rejected(format!("last is {last}; it may be 1 to {MAX_LAST}.")));
    }
    Ok(usize::try_from(last).unwrap_or(1))
}

fn answer<J: Journal>(
    mut stage: Stage,
    cx: &mut JournalContext<J>,
    guards: &Guards,
    one: &str,
    several: &str,
) -> Result<Undone, ToolError> {
    let touched = stage.undone().iter().flat_map(|change| &change.ops).find_map(|op| cx.when_off(op));
    if let Some(off) = touched.or_else(|| stage.ops().iter().find_map(|op| cx.when_off(op))) {
        return Err(ToolError::Rejected(off.into()));
    }
    let (domains, view) = (cx.domains.clone(), cx.db.view());
    let held_back: Vec<String> =
        guards.of(domains.all).iter().filter_map(|guard| guard.hold_back(&mut stage)).collect();
    let stage = cx.hand_in(stage, guards)?;
    let (undone, ops) = (stage.undone(), stage.ops());
    let untold = undone.iter().flat_map(|change| &change.ops).chain(&ops);
    let untold = untold.into_iter().find_map(|op| domains.untold(op, &view));
    let mut said = match held_back.is_empty() || !ops.is_empty() {
        true => vec![summary(undone, one, several, untold)],
        // What it was about is what stays as it is.
        false => Vec::new(),
    };
    said.extend(held_back);
    Ok(Undone {
        summary: said.join(" "),
        changes: domains.changes(domains.told(&ops, &view))?,
        undone: undone
            .iter()
            .map(|change| UndoneCall { tool: change.tool.clone(), key: change.key.0.clone() })
            .collect(),
    })
}

/// What the undone calls had said, turned around; in neutral words where it is not to be told.
fn summary(undone: &[Rc<Change>], one: &str, several: &str, untold: Option<&str>) -> String {
    match undone {
        [change] => match untold.map(neutral).or_else(|| said(change)) {
            Some(said) => format!("{one} {}", core(&said)),
            None => one.replace(':', "."),
        },
        undone => format!("{several} the last {} changes.", undone.len()),
    }
}

/// What was said first: of the redo of an undo, what was done at the beginning.
fn core(mut said: &str) -> &str {
    while let Some(rest) = said.strip_prefix("Undone: ").or_else(|| said.strip_prefix("Redone: ")) {
        said = rest;
    }
    said
}

fn refusal<J: Journal>(error: UndoError, cx: &JournalContext<J>) -> ToolError {
    match error {
        UndoError::ChangedSince(mut clashes) => {
            // What clashes is named by its words.
            if let Some(off) = clashes.iter().find_map(|clash| cx.table_when_off(&clash.table)) {
                return ToolError::Rejected(off.into());
            }
            // Nor by words that are not to be told.
            let view = cx.db.view();
            for clash in &mut clashes {
                let op = Op { table: clash.table.clone(), id: clash.id.clone(), before: None, after: None };
                if let Some(of) = cx.domains.untold(&op, &view) {
                    of.clone_into(&mut clash.label);
                }
            }
            // A person reads this too, and knows a tool by its title.
            for tool in clashes.iter_mut().filter_map(|clash| clash.tool.as_mut()) {
                *tool = cx.title(tool).to_owned();
            }
            ToolError::Rejected(UndoError::ChangedSince(clashes).to_string())
        }
        UndoError::Store(error) => ToolError::Failed(error.to_string()),
        UndoError::Unknown(_) => ToolError::Rejected(
            "There is no change with this key. Leave `call` out to undo the last one.".into(),
        ),
        UndoError::AlreadyUndone(_) => ToolError::Rejected("That was undone already.".into()),
        UndoError::Erased(_) => {
            ToolError::Rejected("Nothing of that can be taken back: it is erased for good.".into())
        }
        UndoError::NotUndone(_) => ToolError::Rejected("That was not undone.".into()),
        UndoError::NotYet { .. } | UndoError::NothingToUndo | UndoError::NothingToRedo => {
            ToolError::Rejected(error.to_string())
        }
    }
}
