//! Which to-dos a call means.

use std::rc::Rc;

use mcp::ToolError;
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::model::Todo;
use crate::text;

/// The most to-dos one call may name or add.
pub(crate) const MAX_PER_CALL: usize = 100;

/// The arguments of a tool that takes nothing but to-dos.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Targets {
    /// The to-do's id.
    id: Option<String>,
    /// Several ids instead, at most 100.
    ids: Option<Vec<String>>,
}

impl Targets {
    /// See [`targets`].
    pub fn find(self, stage: &Stage) -> Result<Vec<Rc<Todo>>, ToolError> {
        targets(stage, self.id, self.ids)
    }
}

/// The to-dos of a call that takes `id` or `ids`, each once, in the order they were named.
///
/// # Errors
/// Rejected when none or too many are named, or one does not exist: then nothing is done at all.
pub(crate) fn targets(
    stage: &Stage,
    id: Option<String>,
    ids: Option<Vec<String>>,
) -> Result<Vec<Rc<Todo>>, ToolError> {
    let named: Vec<String> = id.into_iter().chain(ids.into_iter().flatten()).collect();
    if named.is_empty() {
        return Err(ToolError::Rejected(
            "Say which to-do: give `id` or `ids`, as todo_list shows them.".into(),
        ));
    }
    if named.len() > MAX_PER_CALL {
        return Err(ToolError::Rejected(format!(
            "These are {} to-dos; one call takes at most {MAX_PER_CALL}. Make several calls.",
            named.len()
        )));
    }
    let mut found: Vec<Rc<Todo>> = Vec::new();
    for id in named {
        let todo = existing(stage, &id)?;
        if !found.iter().any(|known| known.id == todo.id) {
            found.push(todo);
        }
    }
    Ok(found)
}

/// The to-do with an id.
pub(crate) fn existing(stage: &Stage, id: &str) -> Result<Rc<Todo>, ToolError> {
    stage.get::<Todo>(id).ok_or_else(|| {
        ToolError::Rejected(format!(
            "No to-do has the id {}; call todo_list to see the ids.",
            text::shown(id)
        ))
    })
}
