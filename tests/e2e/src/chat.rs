//! The conversation: what is said, what is written, and how it stands.

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// The conversation on the screen, its message field and its header.
    Chat {
        field "composer"  send "send"  stop "stop"  note "composer-note"  too_long "too-long"
        transcript "transcript"  message "message"  call "tool-call"  undo "undo"  status "status"
        error "error"  retry "retry"  retry_built_in "retry-built-in"  leave_it "leave-it"  to_settings "ending-settings"
        new_one "new-chat"  clear "clear-chat"  clear_confirm "clear-confirm"  take_over "take-over"  template "template"
        refine "refine"  citation "citation"  doubts "doubts"  answered_by "answered-by"  good "rate-good"  bad "rate-bad"
        copy_answer "copy-answer"  edit "edit-message"  again "answer-again"  version "version"
        version_before "version-before"  version_after "version-after"  again_dialog "again"  again_text "again-text"
        again_changes "again-changes"  again_send "again-send"  again_take_back "again-take-back"
        fold "fold"  context "context-mark"  context_sheet "context-sheet"  context_folded "context-folded"
        context_fold "context-fold"  context_never "context-never"  context_cost "context-cost"  spending "spend-notice"
        attach "attach"  attach_file "attach-file"  tray "tray"  picture "picture"  dictate "dictate"  read_aloud "read-aloud"
        waiting "waiting"  waiting_cancel "waiting-cancel"  waiting_elsewhere "waiting-elsewhere"
        outbox_choice "outbox-choice"  outbox_wait "outbox-wait"  show_tab "tab-chat"
    }
}

impl<'p, P: Page> Chat<'p, P> {
    /// What the person said.
    pub fn said(&self) -> Element<'p, P> {
        self.message().whose("role", "user")
    }

    /// What was answered.
    pub fn answers(&self) -> Element<'p, P> {
        self.message().whose("role", "assistant")
    }

    /// The calls of this tool.
    pub fn calls_of(&self, tool: &str) -> Element<'p, P> {
        self.call().whose("tool", tool)
    }

    /// Waits until there is a message with these words.
    pub async fn says(&self, words: &str) {
        self.message().says(words).await;
    }

    /// Waits until the last answer has these words in it.
    pub async fn answers_with(&self, words: &str) {
        self.answers().last().says(words).await;
    }

    /// Waits until the run has failed, and gives what is said about it.
    pub async fn fails(&self) -> String {
        self.error().shown().await;
        self.is_idle().await;
        self.error().text().await
    }

    /// Waits until no run is going on.
    pub async fn is_idle(&self) {
        self.transcript().is("busy", "false").await;
    }

    /// Waits until a run is going on.
    pub async fn is_busy(&self) {
        self.transcript().is("busy", "true").await;
    }

    /// Waits until the message field takes a message.
    pub async fn takes_a_message(&self) {
        self.field().until("all[0]?.disabled === false").await;
    }

    /// Lets messages wait for the network.
    pub async fn lets_messages_wait(&self) {
        Element::css(self.0, r#"label:has([data-testid="outbox-wait"])"#).click().await;
    }
}
