//! What every write answers: a sentence, and each to-do before and after.

pub(crate) use domain::{counted, quoted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

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
#[serde(tag = "domain", rename = "todo")]
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
        let after = Todo { updated: domain::utc_text(self.stage.moment().at_ms), ..after };
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

/// `“Buy milk”`, or `2 to-dos`: what a sentence calls them.
pub(crate) fn some_todos<'a>(titles: impl IntoIterator<Item = &'a str>) -> String {
    let titles: Vec<&str> = titles.into_iter().collect();
    match titles.as_slice() {
        [title] => quoted(title),
        titles => format!("{} to-dos", titles.len()),
    }
}
