//! The assistant of this app: what it is told to be, and what it says first. How a run is done is the agent's; what it is
//! about is the app's to say.

use std::cell::Cell;

use agent::AgentConfig;
use builtin::Skill;
use futures::future::LocalBoxFuture;

use crate::parts::NotLoaded;

/// Gets what makes the skills of the built-in model, which lie in the page's part `builtin`.
pub type Skills = fn() -> LocalBoxFuture<'static, Result<fn() -> Vec<&'static dyn Skill>, NotLoaded>>;

/// What stands where nothing was said yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Welcome {
    /// A question.
    pub title: &'static str,
    /// What the assistant does.
    pub hint: &'static str,
    /// What may be said first: every one is understood by every model, the built-in one too.
    pub first_words: &'static [ui_kit::language::Word],
}

thread_local! {
    static ASSISTANT: Cell<(&'static str, Welcome, Skills)> = const {
        let nothing = Welcome { title: "", hint: "", first_words: &[] };
        Cell::new(("", nothing, || Box::pin(async { Err(NotLoaded) })))
    };
}

/// The assistant is told these instructions, says this first, and has these skills where the built-in model is it, from now on.
pub fn is_to_be(instructions: &'static str, welcome: Welcome, skills: Skills) {
    ASSISTANT.set((instructions.trim_ascii_end(), welcome, skills));
}

/// Gets what makes the skills of the built-in model.
///
/// # Errors
/// When their part cannot be had.
pub async fn skills() -> Result<fn() -> Vec<&'static dyn Skill>, NotLoaded> {
    (ASSISTANT.get().2)().await
}

/// How the runs of a conversation are done, before a model is chosen and the person's approvals are known.
#[must_use]
pub fn config() -> AgentConfig {
    AgentConfig::new(ASSISTANT.get().0)
}

/// What stands where nothing was said yet.
#[must_use]
pub fn welcome() -> Welcome {
    ASSISTANT.get().1
}
