//! `todo_reopen`: marks done to-dos as open again.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::change::{Changes, Changing, quoted, some_todos};
use crate::model::{Status, Todo};
use crate::target::Targets;

pub(crate) struct TodoReopen;

#[async_trait(?Send)]
impl Tool<Stage> for TodoReopen {
    const NAME: &'static str = "todo_reopen";
    const TITLE: &'static str = "Reopen to-dos";
    const DESCRIPTION: &'static str = "Marks done to-dos as open again. Open ones stay as they are.";
    const HINTS: Hints = Hints::SET;
    type Args = Targets;
    type Output = Changes;

    async fn run(&self, args: Targets, stage: &mut Stage) -> Result<Changes, ToolError> {
        let named = args.find(stage)?;
        let mut changing = Changing::new(stage);
        let done = || named.iter().filter(|todo| todo.status == Status::Done);
        for todo in done() {
            changing.replace(todo, Todo { status: Status::Open, completed: None, ..(**todo).clone() });
        }
        let summary = match (done().count(), named.as_slice()) {
            (0, [todo]) => format!("{} is open already.", quoted(&todo.title)),
            (0, _) => "They are all open already.".to_owned(),
            _ => format!("Reopened {}.", some_todos(done().map(|todo| todo.title.as_str()))),
        };
        Ok(changing.done(summary))
    }
}
