//! `user_memory_search`: finds what is remembered.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::model::{Kind, Memory, in_order};

pub(crate) struct UserMemorySearch;

/// Filters (all must hold).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only with all of these words.
    text: Option<String>,
    /// Only of this kind.
    kind: Option<Kind>,
    /// How many at most, 1 to 200; 50 when left out.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Found {
    /// What is pinned first, then what changed last.
    items: Vec<Memory>,
    /// How many there are, those over the limit included.
    total: usize,
}

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

#[async_trait(?Send)]
impl Tool<Stage> for UserMemorySearch {
    const NAME: &'static str = "user_memory_search";
    const TITLE: &'static str = "Look at what is remembered";
    const DESCRIPTION: &'static str = "Finds what the person asked to be remembered; all of it without filters. Also the way \
         to find the ids that user_memory_update and user_memory_forget take.";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = Found;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Found, ToolError> {
        let limit = args.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(ToolError::Rejected(format!("limit is {limit}; it may be 1 to {MAX_LIMIT}.")));
        }
        let text = args.text.unwrap_or_default().to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut found = stage.all::<Memory>();
        found.retain(|memory| {
            let text = memory.text.to_lowercase();
            args.kind.is_none_or(|kind| kind == memory.kind) && words.iter().all(|word| text.contains(word))
        });
        let total = found.len();
        let items = in_order(found).iter().take(limit as usize).map(|memory| (**memory).clone()).collect();
        Ok(Found { items, total })
    }
}
