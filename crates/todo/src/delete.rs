//! `todo_delete`: removes to-dos.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::change::{Changes, Changing, some_todos};
use crate::target::Targets;

pub(crate) struct TodoDelete;

#[async_trait(?Send)]
impl Tool<Stage> for TodoDelete {
    const NAME: &'static str = "todo_delete";
    const TITLE: &'static str = "Delete to-dos";
    const DESCRIPTION: &'static str = "Removes to-dos for good (undo brings them back). For something that was done \
         use todo_complete instead. Parts of a deleted to-do stay, on their own.";
    const HINTS: Hints = Hints::DELETE;
    type Args = Targets;
    type Output = Changes;

    async fn run(&self, args: Targets, stage: &mut Stage) -> Result<Changes, ToolError> {
        let named = args.find(stage)?;
        let mut changing = Changing::new(stage);
        changing.delete(&named);
        let titles = named.iter().map(|todo| todo.title.as_str());
        let summary = format!("Deleted {}.", some_todos(titles));
        Ok(changing.done(summary))
    }
}
