//! What is remembered over all conversations.

use serde_json::json;

use crate::Page;
use crate::screen::screen;

screen! {
    /// The dialog of what is remembered.
    Memory {
        dialog "memory"  field "memory-text"  add "memory-add"  item "memory-item"  sentence "memory-sentence"
        search "memory-search"  said "memory-said"  none "memory-empty"  off "memory-off"
        edit "memory-edit"  edit_field "memory-edit-text"  save "memory-save"  pin "memory-pin"  forget "memory-forget"
        undo "memory-undo"  forget_all "memory-forget-all"  question "memory-forget-question"
        forget_confirm "memory-forget-confirm"
    }
}

impl<P: Page> Memory<'_, P> {
    /// Waits until these sentences are shown, in this order.
    pub async fn are(&self, sentences: &[&str]) {
        let sentences = json!(json!(sentences).to_string());
        self.sentence().until(&format!("JSON.stringify(all.map(e => e.textContent)) === {sentences}")).await;
    }
}
