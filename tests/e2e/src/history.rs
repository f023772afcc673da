//! The history: every change, and the ways back.

use serde_json::json;

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// The dialog of the changes.
    History {
        button "open-history"  dialog "history"  entry "history-entry"  none "history-empty"  more "history-more"
        undos "history-undo"  backs "history-back"  preview "history-preview"  confirm "history-confirm"  error "history-error"
    }
}

impl<'p, P: Page> History<'p, P> {
    /// Opens the history and waits until its first changes are there.
    pub async fn open(&self) {
        self.button().click().await;
        self.entry().shown().await;
    }

    /// What undoes the change at a place from the top.
    pub fn undo_of(&self, place: usize) -> Element<'p, P> {
        self.entry().nth(place).within("[data-testid=history-undo]")
    }

    /// What goes back to the change at a place from the top.
    pub fn back_to(&self, place: usize) -> Element<'p, P> {
        self.entry().nth(place).within("[data-testid=history-back]")
    }

    /// Waits until the changes are these, as words and state, the newest first.
    pub async fn is(&self, expected: &[(&str, &str)]) {
        self.rows_are(
            "[e.querySelector('.past-words').firstChild.textContent.trim(), e.dataset.state]",
            &json!(expected),
        )
        .await;
    }

    /// Waits until the changes stand like this, the newest first.
    pub async fn states_are(&self, expected: &[&str]) {
        self.rows_are("e.dataset.state", &json!(expected)).await;
    }

    async fn rows_are(&self, row: &str, expected: &serde_json::Value) {
        let is_so = format!("JSON.stringify(all.map(e => {row})) === {}", json!(expected.to_string()));
        self.entry().until(&is_so).await;
    }
}
