//! What every write answers: a sentence, and each to-do before and after.

use mcp::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Json, Op, Record, Stage};

use crate::model::Todo;

/// The answer of a tool that writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    /// One sentence for a person.
    pub summary: String,
    /// Every to-do that changed.
    pub changes: Vec<TodoChange>,
}

/// One to-do before and after a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TodoChange {
    /// As it was; null when it is new.
    pub before: Option<Todo>,
    /// As it is now; null when it was deleted.
    pub after: Option<Todo>,
}

/// The changes of a call so far. Puts and deletes go through it, so that what is answered is what is done.
pub(crate) struct Changing<'a> {
    pub stage: &'a mut Stage,
    changes: Vec<TodoChange>,
}

impl<'a> Changing<'a> {
    pub fn new(stage: &'a mut Stage) -> Self {
        Self { stage, changes: Vec::new() }
    }

    pub fn add(&mut self, todo: Todo) {
        self.stage.put(todo.clone());
        self.changes.push(TodoChange { before: None, after: Some(todo) });
    }

    /// Puts the new state of a to-do, stamped as changed now; says whether there was anything to change.
    pub fn replace(&mut self, before: &Todo, after: Todo) -> bool {
        if *before == after {
            return false;
        }
        let after = Todo { updated: crate::when::utc_text(self.stage.moment().at_ms), ..after };
        self.stage.put(after.clone());
        self.changes.push(TodoChange { before: Some(before.clone()), after: Some(after) });
        true
    }

    /// Deletes to-dos; their remaining children become top-level.
    pub fn delete(&mut self, todos: &[std::rc::Rc<Todo>]) {
        for todo in todos {
            self.stage.delete::<Todo>(&todo.id);
            self.changes.push(TodoChange { before: Some((**todo).clone()), after: None });
        }
        let is_deleted = |id: &String| todos.iter().any(|todo| todo.id == *id);
        let orphans = self.stage.filter::<Todo>(|todo| todo.parent.as_ref().is_some_and(is_deleted));
        for orphan in orphans {
            self.replace(&orphan, Todo { parent: None, ..(*orphan).clone() });
        }
    }

    /// What has changed so far.
    pub fn changes(&self) -> &[TodoChange] {
        &self.changes
    }

    pub fn done(self, summary: String) -> Changes {
        Changes { summary, changes: self.changes }
    }
}

/// The to-dos among staged ops, as they were and as they are, in a person's order.
///
/// # Errors
/// [`ToolError::Failed`] for a row that is no to-do.
pub fn changes_of(ops: &[Op]) -> Result<Vec<TodoChange>, ToolError> {
    let mut changes = Vec::new();
    for op in ops.iter().filter(|op| op.table == Todo::TABLE) {
        changes.push(TodoChange { before: row(op.before.as_ref())?, after: row(op.after.as_ref())? });
    }
    let order =
        |change: &TodoChange| change.after.as_ref().or(change.before.as_ref()).map_or(0.0, |todo| todo.order);
    changes.sort_by(|left, right| order(left).total_cmp(&order(right)));
    Ok(changes)
}

/// Read as text, the way the store does, so that this code is linked once.
fn row(json: Option<&Json>) -> Result<Option<Todo>, ToolError> {
    let row = json.map(|json| Todo::read_json(json.as_str())).transpose();
    row.map(|row| row.map(|(todo, _)| todo))
        .map_err(|error| ToolError::Failed(format!("A stored to-do cannot be read: {error}")))
}

/// A title in quotation marks, cut where a sentence could not bear it.
#[must_use]
pub fn quoted(title: &str) -> String {
    const MOST: usize = 80;
    if title.chars().count() <= MOST {
        return format!("“{title}”");
    }
    let start: String = title.chars().take(MOST).collect();
    format!("“{}…”", start.trim_end())
}

/// `“Buy milk”`, or `2 to-dos`: what a sentence calls them.
#[must_use]
pub fn some_todos<'a>(titles: impl IntoIterator<Item = &'a str>) -> String {
    let titles: Vec<&str> = titles.into_iter().collect();
    match titles.as_slice() {
        [title] => quoted(title),
        titles => format!("{} to-dos", titles.len()),
    }
}

/// `1 to-do`, or `2 to-dos`.
#[must_use]
pub fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}
