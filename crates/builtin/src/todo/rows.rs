//! To-dos and their changes as the tools tell them.

use crate::history;
use serde_json::Value;

/// The domain's id, by which rows are tagged.
pub const DOMAIN: &str = "todo";

/// A to-do as the tools tell it; only what answers need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Todo {
    /// For the tools, never for the person (S1-16).
    pub id: String,
    /// The title.
    pub title: String,
    /// The notes.
    pub notes: String,
    /// Whether it is done.
    pub done: bool,
    /// When it is due.
    pub due: Option<String>,
    /// The priority's word; `none` is none.
    pub priority: String,
    /// The tags.
    pub tags: Vec<String>,
    /// The list it is in.
    pub list: String,
    /// The repetition's rule.
    pub repeat: Option<String>,
    /// When to remind of it: a time, or so long before it is due.
    pub remind: Option<String>,
    /// When it was completed, in UTC.
    pub completed: Option<String>,
    /// The id of the to-do that it is a part of.
    pub parent: Option<String>,
}

impl Todo {
    /// Reads a to-do; `None` when there is no id or title.
    pub fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            id: text("id")?,
            title: text("title")?,
            notes: text("notes").unwrap_or_default(),
            done: text("status").as_deref() == Some("done"),
            due: text("due"),
            priority: text("priority").unwrap_or_else(|| "none".into()),
            tags: value
                .get("tags")
                .and_then(Value::as_array)
                .map(|tags| tags.iter().filter_map(Value::as_str).map(str::to_owned).collect())
                .unwrap_or_default(),
            list: text("list").unwrap_or_default(),
            repeat: text("repeat"),
            remind: text("remind"),
            completed: text("completed"),
            parent: text("parent"),
        })
    }

    /// Whether its priority says that it matters.
    pub fn is_important(&self) -> bool {
        matches!(self.priority.as_str(), "high" | "urgent")
    }
}

/// One change of a write: before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// How it was; nothing when it is new.
    pub before: Option<Todo>,
    /// How it is; nothing when it is gone.
    pub after: Option<Todo>,
}

/// The changes a write's result tells.
pub fn changes(result: &Value) -> Vec<Change> {
    let side = |change: &Value, key: &str| change.get(key).and_then(Todo::read);
    // An undo tells of other domains' rows too; before rows were tagged there were to-dos alone.
    let own = |change: &&Value| change.get("domain").is_none_or(|domain| domain == DOMAIN);
    history::changes(result)
        .iter()
        .filter(own)
        .map(|change| Change { before: side(change, "before"), after: side(change, "after") })
        .filter(|change| change.before.is_some() || change.after.is_some())
        .collect()
}
