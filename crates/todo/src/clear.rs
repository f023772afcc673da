//! `todo_clear_completed`: removes everything that is done.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Changes, Changing};
use crate::model::{Status, Todo};
use crate::text;

pub(crate) struct TodoClearCompleted;

/// Where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only in this list; everywhere when left out.
    list: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for TodoClearCompleted {
    const NAME: &'static str = "todo_clear_completed";
    const TITLE: &'static str = "Clear completed to-dos";
    const DESCRIPTION: &'static str =
        "Removes all to-dos that are done, or only those of one list (undo brings them back).";
    const HINTS: Hints = Hints::DELETE;
    type Args = Args;
    type Output = Changes;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Changes, ToolError> {
        let list = args.list.as_deref().map(text::list_name).transpose().map_err(ToolError::Rejected)?;
        let is_in = |todo: &Todo| list.as_ref().is_none_or(|list| text::same(list, &todo.list));
        let done = stage.filter::<Todo>(|todo| todo.status == Status::Done && is_in(todo));
        let mut changing = Changing::new(stage);
        changing.delete(&done);
        let summary = match done.len() {
            0 => "There was nothing completed to clear.".to_owned(),
            1 => "Cleared 1 completed to-do.".to_owned(),
            count => format!("Cleared {count} completed to-dos."),
        };
        Ok(changing.done(summary))
    }
}
