//! The history: every change, and the ways back.

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
}
