//! `data_context`: what a model is told of all domains at the start of a run. For the app itself only.

use async_trait::async_trait;
use domain::{ContextBlock, Subject};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Journal;

use crate::journal_context::JournalContext;

pub(crate) struct DataContext;

/// What it is told for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContextArgs {
    /// What the conversation is about: the id or the title of an itinerary, say.
    about: Option<String>,
    /// Only which tools are idle and what `about` may mean is asked for: there are no blocks, and nothing is waited for.
    #[serde(default)]
    only_idle: bool,
}

/// What there is to tell.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Told {
    /// What changes seldom first.
    blocks: Vec<ContextBlock>,
    /// The tools that a model is not offered now, because there is nothing that they could work on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    idle: Vec<&'static str>,
    /// What `about` may mean; what is told is about it where it is one thing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subjects: Vec<Subject>,
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataContext {
    const NAME: &'static str = "data_context";
    const TITLE: &'static str = "Look at what there is";
    const DESCRIPTION: &'static str = "Gives what a model is told at the start of a run, in short.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = ContextArgs;
    type Output = Told;

    async fn run(&self, args: ContextArgs, cx: &mut JournalContext<J>) -> Result<Told, ToolError> {
        let view = cx.db.view();
        let is_off = |id: &str| cx.without.iter().any(|without| without == id);
        let domains =
            || cx.domains.all.iter().filter(|domain| domain.when_off().is_none() || !is_off(domain.id()));
        let named = args.about.as_deref().map(mcp::one_line).filter(|named| !named.is_empty());
        let (mut subjects, mut whose) = (Vec::new(), "");
        for domain in domains() {
            let found = named.as_deref().map(|named| domain.subjects(&view, named)).unwrap_or_default();
            if !found.is_empty() {
                whose = domain.id();
            }
            subjects.extend(found);
        }
        let mut told = Vec::new();
        for domain in domains().filter(|_| !args.only_idle) {
            let subject = match subjects.as_slice() {
                [Subject { id, .. }] if domain.id() == whose => Some(&**id),
                _ => None,
            };
            told.extend(match subject {
                Some(subject) => domain.context_about(&view, subject),
                None => domain.context(&view),
            });
            // What cannot be had now is not told: its tools say so to whoever calls them.
            if let Some(later) = domain.context_later(&view, subject) {
                told.extend(later.await.unwrap_or_default());
            }
        }
        let (mut blocks, others): (Vec<ContextBlock>, Vec<_>) =
            told.into_iter().partition(|block| block.stable);
        blocks.extend(others);
        let mut idle = Vec::new();
        for domain in cx.domains.all.iter().filter(|domain| domain.is_idle(&view)) {
            idle.extend(cx.domains.tools_of(domain.id()).skip(1));
        }
        Ok(Told { blocks, idle, subjects })
    }
}
