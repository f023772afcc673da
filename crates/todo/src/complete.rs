//! `todo_complete`: marks to-dos as done; a repeating one comes back.

use async_trait::async_trait;
use domain::utc_text;
use mcp::{Hints, Tool, ToolError};
use store::Stage;

use crate::change::{Changes, Changing, quoted, some_todos};
use crate::model::{Status, Todo};
use crate::target::Targets;
use crate::when::civil_now;

pub(crate) struct TodoComplete;

#[async_trait(?Send)]
impl Tool<Stage> for TodoComplete {
    const NAME: &'static str = "todo_complete";
    const TITLE: &'static str = "Complete to-dos";
    const DESCRIPTION: &'static str = "Marks to-dos as done. A repeating one is added again with its next due date. Done ones stay as they are.";
    const HINTS: Hints = Hints::SET;
    type Args = Targets;
    type Output = Changes;

    async fn run(&self, args: Targets, stage: &mut Stage) -> Result<Changes, ToolError> {
        let named = args.find(stage)?;
        let mut changing = Changing::new(stage);
        let mut completed: Vec<String> = Vec::new();
        let mut next_dues = Vec::new();
        for todo in named.iter().filter(|todo| todo.status == Status::Open) {
            completed.push(todo.title.clone());
            let next = next(todo, changing.stage);
            let done = Todo {
                status: Status::Done,
                completed: Some(utc_text(changing.stage.moment().at_ms)),
                // The rule moves on to the next one, so that this one, reopened and completed again,
                // does not start a second series.
                repeat: if next.is_some() { None } else { todo.repeat.clone() },
                ..(**todo).clone()
            };
            changing.replace(todo, done);
            if let Some(next) = next {
                next_dues.extend(next.due);
                changing.add(next);
            }
        }
        let titles = || completed.iter().map(String::as_str);
        let summary = match (completed.len(), next_dues.as_slice()) {
            (0, _) => match named.as_slice() {
                [todo] => format!("{} was done already.", quoted(&todo.title)),
                _ => "They were all done already.".to_owned(),
            },
            (_, []) => format!("Completed {}.", some_todos(titles())),
            (1, [due, ..]) => format!("Completed {}; the next one is due {due}.", some_todos(titles())),
            (_, dues) => format!("Completed {}; {} will come back.", some_todos(titles()), dues.len()),
        };
        Ok(changing.done(summary))
    }
}

/// A repeating to-do's next turn: the same, with the first due date of its rule that is neither in the
/// series' past nor before today.
fn next(todo: &Todo, stage: &Stage) -> Option<Todo> {
    let (repeat, due) = (todo.repeat.as_ref()?, todo.due?);
    let (next, repeat) = repeat.next(due, civil_now(stage.moment()).date())?;
    let now = utc_text(stage.moment().at_ms);
    Some(Todo {
        id: stage.new_id("todo"),
        due: Some(next),
        repeat: Some(repeat),
        remind: todo.remind.map(|remind| remind.moved(due, next)),
        created: now.clone(),
        updated: now,
        ..todo.clone()
    })
}
