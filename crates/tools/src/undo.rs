//! `todo_undo`: takes changes back by appending their inverse.
//!
//! It lives here and not with the other to-do tools because it needs the journal; the rest of the domain
//! sees a stage only.

use std::rc::Rc;

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Call, CallKey, Change, Db, Journal, Stage, Undo, UndoError};
use todo::{TodoChange, changes_of};

/// The most changes one call takes back.
const MAX_LAST: u32 = 20;

pub(crate) struct TodoUndo;

/// What to take back: the last change, unless told otherwise.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// How many of the last changes, 1 to 20; 1 when left out.
    #[schemars(range(min = 1, max = 20))]
    last: Option<u32>,
    /// The key of one call to take back instead.
    call: Option<String>,
}

/// The answer of an undo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Undone {
    /// One sentence for a person.
    pub summary: String,
    /// Every to-do that changed by it.
    pub changes: Vec<TodoChange>,
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

/// What an undo works on: the database's journal, and the stage of the inverse once there is one.
pub(crate) struct Undoing<J> {
    db: Rc<Db<J>>,
    call: Call,
    stage: Option<Stage>,
}

impl<J: Journal> Undoing<J> {
    pub fn new(db: Rc<Db<J>>, call: Call) -> Self {
        Self { db, call, stage: None }
    }

    pub fn into_stage(self) -> Stage {
        let Self { db, call, stage } = self;
        stage.unwrap_or_else(|| db.stage(&call))
    }
}

#[async_trait(?Send)]
impl<J: Journal> Tool<Undoing<J>> for TodoUndo {
    const NAME: &'static str = "todo_undo";
    const TITLE: &'static str = "Undo";
    const DESCRIPTION: &'static str = "Takes back the last change to the to-dos, or the last several. Also brings back what \
         was deleted.";
    const HINTS: Hints = Hints::ADD;
    type Args = Args;
    type Output = Undone;

    async fn run(&self, args: Args, cx: &mut Undoing<J>) -> Result<Undone, ToolError> {
        let what = what(args)?;
        let stage = cx.db.stage_undo(&cx.call, &what).await.map_err(refusal)?;
        let undone = stage.undone();
        let answer = Undone {
            summary: summary(undone),
            changes: changes_of(&stage.ops())?,
            undone: undone
                .iter()
                .map(|change| UndoneCall { tool: change.tool.clone(), key: change.key.0.clone() })
                .collect(),
        };
        cx.stage = Some(stage);
        Ok(answer)
    }
}

fn what(args: Args) -> Result<Undo, ToolError> {
    match (args.last, args.call) {
        (Some(_), Some(_)) => Err(ToolError::Rejected("Give either `last` or `call`, not both.".into())),
        (None, Some(key)) => Ok(Undo::Key(CallKey(key))),
        (last, None) => {
            let last = last.unwrap_or(1);
            if !(1..=MAX_LAST).contains(&last) {
                return Err(ToolError::Rejected(format!("last is {last}; it may be 1 to {MAX_LAST}.")));
            }
            Ok(Undo::Last(usize::try_from(last).unwrap_or(1)))
        }
    }
}

/// What the undone calls had said, turned around.
fn summary(undone: &[Rc<Change>]) -> String {
    match undone {
        [change] => match change.reply.get("summary").and_then(|summary| summary.as_str()) {
            Some(said) => format!("Undone: {said}"),
            None => "Undone.".to_owned(),
        },
        undone => format!("Undid the last {} changes.", undone.len()),
    }
}

fn refusal(error: UndoError) -> ToolError {
    match error {
        UndoError::Store(error) => ToolError::Failed(error.to_string()),
        UndoError::Unknown(_) => ToolError::Rejected(
            "There is no change with this key. Leave `call` out to undo the last one.".into(),
        ),
        UndoError::AlreadyUndone(_) => ToolError::Rejected("That was undone already.".into()),
        UndoError::NothingToUndo | UndoError::NothingToRedo | UndoError::ChangedSince(_) => {
            ToolError::Rejected(error.to_string())
        }
    }
}
