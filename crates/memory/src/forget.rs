//! `user_memory_forget`: removes what is remembered.

use std::rc::Rc;

use async_trait::async_trait;
use domain::quoted;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Changes, MemoryChange};
use crate::model::{MAX_MEMORIES, Memory, in_order};

pub(crate) struct UserMemoryForget;

/// Which ones.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Its id, as user_memory_search shows it.
    id: Option<String>,
    /// Several ids instead.
    ids: Option<Vec<String>>,
    /// true for everything that is remembered, and no ids.
    #[serde(default)]
    all: bool,
}

#[async_trait(?Send)]
impl Tool<Stage> for UserMemoryForget {
    const NAME: &'static str = "user_memory_forget";
    const TITLE: &'static str = "Forget";
    const DESCRIPTION: &'static str =
        "Forgets what the person no longer wants to be remembered (undo brings it back).";
    const HINTS: Hints = Hints::DELETE;
    type Args = Args;
    type Output = Changes;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Changes, ToolError> {
        let named: Vec<String> = args.id.into_iter().chain(args.ids.into_iter().flatten()).collect();
        let forgotten = match (args.all, named.is_empty()) {
            (true, true) => in_order(stage.all::<Memory>()),
            (false, false) if named.len() <= MAX_MEMORIES => {
                let mut found: Vec<Rc<Memory>> = Vec::new();
                for id in &named {
                    let memory = existing(stage, id)?;
                    if !found.iter().any(|known| known.id == memory.id) {
                        found.push(memory);
                    }
                }
                found
            }
            (false, false) => {
                let why =
                    format!("These are {} ids; there are at most {MAX_MEMORIES} memories.", named.len());
                return Err(ToolError::Rejected(why));
            }
            (true, false) | (false, true) => {
                let why = "Say which: give `id` or `ids`, as user_memory_search shows them, or `all` alone.";
                return Err(ToolError::Rejected(why.into()));
            }
        };
        for memory in &forgotten {
            stage.delete::<Memory>(&memory.id);
        }
        let summary = match forgotten.as_slice() {
            [] => "There was nothing to forget.".to_owned(),
            [memory] => format!("Forgot {}.", quoted(&memory.text)),
            all => format!("Forgot {} memories.", all.len()),
        };
        let gone = |memory: Rc<Memory>| MemoryChange { before: Some((*memory).clone()), after: None };
        Ok(Changes { summary, changes: forgotten.into_iter().map(gone).collect() })
    }
}

/// The memory with an id.
pub(crate) fn existing(stage: &Stage, id: &str) -> Result<Rc<Memory>, ToolError> {
    stage.get::<Memory>(id).ok_or_else(|| {
        let start: String = id.chars().take(80).collect();
        ToolError::Rejected(format!(
            "No memory has the id {start:?}; call user_memory_search to see the ids."
        ))
    })
}
