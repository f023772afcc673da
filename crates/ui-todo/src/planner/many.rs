//! Something is done to all to-dos of a list or with a tag: as one change where one call takes them, else in steps.

use serde_json::{Value, json};
use ui_kit::{CallError, Say};

use super::words;
use crate::live::Live;
use crate::model::list_page;

/// What one call takes.
const MOST: usize = 100;

/// What one question gives.
const PAGE: usize = 200;

/// A list or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// All that is in a list.
    List(String),
    /// All that has a tag.
    Tag(String),
}

impl Of {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        let (Self::List(name) | Self::Tag(name)) = self;
        name
    }

    /// All to-dos of it, open and done: their ids and titles.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn todos(&self, live: Live) -> Result<Vec<(String, String)>, String> {
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut arguments = json!({ "status": "all", "limit": PAGE });
            if let Some(arguments) = arguments.as_object_mut() {
                let (field, name) = match self {
                    Self::List(name) => ("list", name),
                    Self::Tag(name) => ("tag", name),
                };
                arguments.insert(field.into(), name.as_str().into());
                if let Some(cursor) = cursor.take() {
                    arguments.insert("cursor".into(), cursor.into());
                }
            }
            let page = live.tools.read("todo_list", arguments).await?;
            let (todos, _, next) = list_page(&page).ok_or(words::list_unreadable())?;
            found.extend(todos.into_iter().map(|todo| (todo.id, todo.title)));
            match next {
                Some(next) => cursor = Some(next),
                None => return Ok(found),
            }
        }
    }
}

/// Calls a tool for these to-dos of a list or a tag. True when all of it was done; what went wrong was said, and how far it came.
pub async fn for_all(live: Live, of: &Of, tool: &str, ids: &[String], more: &Value) -> bool {
    let arguments = |ids: &[String]| {
        let mut arguments = more.as_object().cloned().unwrap_or_default();
        arguments.insert("ids".into(), json!(ids));
        Value::Object(arguments)
    };
    if ids.len() <= MOST {
        return live.tools.call(tool, arguments(ids), Say::SummaryWithUndo).await;
    }
    let call = async |ids: &[String]| live.tools.caller().manually(tool, arguments(ids)).await.1;
    for (at, some) in ids.chunks(MOST).enumerate() {
        let mut called = call(some).await;
        if matches!(called, Err(CallError::Refused(_))) {
            // One that went meanwhile has all of them refused: once more with those that are there.
            // What cannot be asked for stays refused.
            if let Ok(there) = of.todos(live).await {
                let left: Vec<String> =
                    some.iter().filter(|id| there.iter().any(|(there, _)| there == *id)).cloned().collect();
                if left.is_empty() {
                    continue;
                }
                called = call(&left).await;
            }
        }
        live.tools.changed();
        if let Err(trouble) = called {
            live.say(&format!("{} {}", ui_kit::told(trouble), words::changed_so_far(at * MOST, ids.len())));
            return false;
        }
    }
    live.say(&words::changed_in_steps(ids.len()));
    true
}
