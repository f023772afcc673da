//! `todo_undo` and `todo_redo`: take changes back by appending their inverse.
//!
//! They live here and not with the other to-do tools because they need the journal; the rest of the domain
//! sees a stage only.

use std::rc::Rc;

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use memory::Memory;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{CallKey, Change, Journal, Record, Redo, Rev, Stage, Undo, UndoError};

use crate::desk::{Desk, MEMORY_IS_OFF, is_memory};
use crate::history::said;
use crate::rows::{RowChange, changes_of};

/// The most changes one call takes back by their number.
const MAX_LAST: u32 = 20;

/// Taking back an addition deletes it, and a second call takes back something more.
const HINTS: Hints = Hints { destructive: true, ..Hints::ADD };

pub(crate) struct TodoUndo;

/// What to take back: the last change, unless told otherwise.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoArgs {
    /// How many of the last changes, 1 to 20; 1 when left out.
    #[schemars(range(min = 1, max = 20))]
    last: Option<u32>,
    /// The key of one call to take back instead.
    call: Option<String>,
    /// Or everything after this rev of todo_history.
    to: Option<Rev>,
}

pub(crate) struct TodoRedo;

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
    /// Every to-do and every memory that changed by it.
    pub changes: Vec<RowChange>,
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
impl<J: Journal> Tool<Desk<J>> for TodoUndo {
    const NAME: &'static str = "todo_undo";
    const TITLE: &'static str = "Undo";
    const DESCRIPTION: &'static str = "Takes back the last change to the to-dos or to what is remembered, or the last several. Also brings back what \
         was deleted.";
    const HINTS: Hints = HINTS;
    type Args = UndoArgs;
    type Output = Undone;

    async fn run(&self, args: UndoArgs, cx: &mut Desk<J>) -> Result<Undone, ToolError> {
        let what = match (args.last, args.call, args.to) {
            (None, Some(key), None) => Undo::Key(CallKey(key)),
            (None, None, Some(rev)) => Undo::To(rev),
            (last, None, None) => Undo::Last(count(last)?),
            _ => {
                return Err(ToolError::Rejected("Give either `last` or `call` or `to`, not several.".into()));
            }
        };
        let stage = cx.db.stage_undo(&cx.call, &what).await.map_err(|error| refusal(error, cx))?;
        answer(stage, cx, "Undone:", "Undid")
    }
}

#[async_trait(?Send)]
impl<J: Journal> Tool<Desk<J>> for TodoRedo {
    const NAME: &'static str = "todo_redo";
    const TITLE: &'static str = "Redo";
    const DESCRIPTION: &'static str =
        "Does again what todo_undo took back: the last undo, or the last several.";
    const HINTS: Hints = HINTS;
    type Args = RedoArgs;
    type Output = Undone;

    async fn run(&self, args: RedoArgs, cx: &mut Desk<J>) -> Result<Undone, ToolError> {
        let what = match (args.last, args.call) {
            (None, Some(key)) => Redo::Key(CallKey(key)),
            (last, None) => Redo::Last(count(last)?),
            _ => return Err(ToolError::Rejected("Give either `last` or `call`, not both.".into())),
        };
        let stage = cx.db.stage_redo(&cx.call, &what).await.map_err(|error| refusal(error, cx))?;
        answer(stage, cx, "Redone:", "Redid")
    }
}

fn count(last: Option<u32>) -> Result<usize, ToolError> {
    let last = last.unwrap_or(1);
    if !(1..=MAX_LAST).contains(&last) {
        return Err(ToolError::Rejected(format!("last is {last}; it may be 1 to {MAX_LAST}.")));
    }
    Ok(usize::try_from(last).unwrap_or(1))
}

fn answer<J: Journal>(stage: Stage, cx: &mut Desk<J>, one: &str, several: &str) -> Result<Undone, ToolError> {
    let touched = || stage.undone().iter().flat_map(|change| &change.ops).any(is_memory);
    if cx.no_memory && (touched() || stage.ops().iter().any(is_memory)) {
        return Err(ToolError::Rejected(MEMORY_IS_OFF.into()));
    }
    let stage = cx.hand_in(stage)?;
    let undone = stage.undone();
    Ok(Undone {
        summary: summary(undone, one, several),
        changes: changes_of(&stage.ops())?,
        undone: undone
            .iter()
            .map(|change| UndoneCall { tool: change.tool.clone(), key: change.key.0.clone() })
            .collect(),
    })
}

/// What the undone calls had said, turned around.
fn summary(undone: &[Rc<Change>], one: &str, several: &str) -> String {
    match undone {
        [change] => match said(change) {
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

fn refusal<J>(error: UndoError, cx: &Desk<J>) -> ToolError {
    let titles = &cx.titles;
    match error {
        // What clashes is named by its words.
        UndoError::ChangedSince(clashes)
            if cx.no_memory && clashes.iter().any(|clash| clash.table == Memory::TABLE) =>
        {
            ToolError::Rejected(MEMORY_IS_OFF.into())
        }
        // A person reads this too, and knows a tool by its title.
        UndoError::ChangedSince(mut clashes) => {
            for tool in clashes.iter_mut().filter_map(|clash| clash.tool.as_mut()) {
                if let Some(title) = titles.get(tool.as_str()) {
                    tool.clone_from(title);
                }
            }
            ToolError::Rejected(UndoError::ChangedSince(clashes).to_string())
        }
        UndoError::Store(error) => ToolError::Failed(error.to_string()),
        UndoError::Unknown(_) => ToolError::Rejected(
            "There is no change with this key. Leave `call` out to undo the last one.".into(),
        ),
        UndoError::AlreadyUndone(_) => ToolError::Rejected("That was undone already.".into()),
        UndoError::NotUndone(_) => ToolError::Rejected("That was not undone.".into()),
        UndoError::NotYet { .. } | UndoError::NothingToUndo | UndoError::NothingToRedo => {
            ToolError::Rejected(error.to_string())
        }
    }
}
