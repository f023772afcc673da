//! `user_memory_update`: sets right what is remembered.

use async_trait::async_trait;
use domain::quoted;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Changes, is_by_hand, replace};
use crate::forget::existing;
use crate::model::{Kind, Memory, same, sentence};

pub(crate) struct UserMemoryUpdate;

/// Which one, and only what changes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Its id, as user_memory_search shows it.
    id: String,
    /// The sentence in place of the one it has.
    text: Option<String>,
    /// Another kind.
    kind: Option<Kind>,
    /// Whether it comes before the others.
    pinned: Option<bool>,
}

#[async_trait(?Send)]
impl Tool<Stage> for UserMemoryUpdate {
    const NAME: &'static str = "user_memory_update";
    const TITLE: &'static str = "Change what is remembered";
    const DESCRIPTION: &'static str =
        "Changes one memory when the person corrects it: give the id and only what changes.";
    const HINTS: Hints = Hints::SET;
    const LASTING: bool = true;
    type Args = Args;
    type Output = Changes;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Changes, ToolError> {
        let before = existing(stage, &args.id)?;
        let text = args.text.as_deref().map(sentence).transpose().map_err(ToolError::Rejected)?;
        // Its words, written or confirmed by the person's own hand, are theirs from then on.
        let imported = before.imported && !(text.is_some() && is_by_hand(stage));
        let text = text.unwrap_or_else(|| before.text.clone());
        let known = stage.all::<Memory>();
        if let Some(twin) = known.iter().find(|other| other.id != before.id && same(&other.text, &text)) {
            let why = format!("{} is remembered already. Forget one of the two instead.", quoted(&twin.text));
            return Err(ToolError::Rejected(why));
        }
        let after = Memory {
            text,
            kind: args.kind.unwrap_or(before.kind),
            pinned: args.pinned.unwrap_or(before.pinned),
            imported,
            ..(*before).clone()
        };
        let (was, is) = (quoted(&before.text), quoted(&after.text));
        let summary = match (before.text != after.text, before.pinned, after.pinned) {
            (true, ..) => format!("Remembered {is} in place of {was}."),
            (false, false, true) => format!("Pinned {is}."),
            (false, true, false) => format!("Unpinned {is}."),
            (false, ..) if before.imported != after.imported => format!("{is} is the person's own."),
            (false, ..) if before.kind == after.kind => format!("{is} was remembered like that already."),
            (false, ..) => match after.kind {
                Kind::Fact => format!("{is} is remembered as a fact."),
                Kind::Preference => format!("{is} is remembered as a preference."),
            },
        };
        Ok(Changes { summary, changes: replace(stage, &before, after).into_iter().collect() })
    }
}
