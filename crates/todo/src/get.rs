//! `todo_get`: one to-do by its id.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::model::Todo;
use crate::target::existing;

pub(crate) struct TodoGet;

/// Which one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The to-do's id, as todo_list shows it.
    id: String,
}

/// The one.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Found {
    /// The to-do.
    todo: Todo,
}

#[async_trait(?Send)]
impl Tool<Stage> for TodoGet {
    const NAME: &'static str = "todo_get";
    const TITLE: &'static str = "Show a to-do";
    const DESCRIPTION: &'static str =
        "Shows one to-do with everything about it. To find to-dos use todo_list.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = Found;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Found, ToolError> {
        Ok(Found { todo: (*existing(stage, &args.id)?).clone() })
    }
}
