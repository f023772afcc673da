//! What a page opens: the conversation asks for it here, and the page's frame and other crates draw it.

use leptos::prelude::*;
use protocol::RunId;

use crate::sheet::About;

/// Which run of which conversation is looked at; its last one, where none is named.
pub type TraceView = About<(String, Option<RunId>)>;

/// The parts of a page that commands open.
#[derive(Clone, Copy)]
pub struct Places {
    /// Shows the chat where only one pane is seen.
    pub chat: Callback<()>,
    /// The palette.
    pub palette: RwSignal<bool>,
    /// The sheet of shortcuts.
    pub help: RwSignal<bool>,
    /// Opens the settings.
    pub settings: Callback<()>,
    /// The list of conversations.
    pub conversations: RwSignal<bool>,
    /// The question before a conversation is cleared.
    pub clear: RwSignal<bool>,
    /// What was changed, and the way back.
    pub history: RwSignal<bool>,
    /// What happened in a run.
    pub trace: TraceView,
    /// What all conversations come to.
    pub metrics: RwSignal<bool>,
    /// Conversations that are played before anyone has them.
    pub rehearse: RwSignal<bool>,
}

impl Places {
    /// Those of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides them.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }
}
