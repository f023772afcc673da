//! The list of conversations, beside the chat or in a phone's drawer.

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// The conversations, what can be done with one, and files of them.
    Conversations {
        open_drawer "conversations"  row "conversation"  none "no-conversations"  search "conversation-search"
        more "conversation-more"  menu "conversation-menu"  title "conversation-title"  rename "conversation-rename"
        pin "conversation-pin"  save "conversation-save"  delete "conversation-delete"
        open_file "open-run"  file_error "open-run-error"  reading "reading"  replay "replay"  replayed "replayed"
    }
}

impl<'p, P: Page> Conversations<'p, P> {
    /// Goes to the conversation of this title.
    pub async fn open(&self, title: &str) {
        self.row().with(title).click().await;
    }

    /// Opens what can be done with the conversation of this title.
    pub async fn open_menu(&self, title: &str) {
        let of_title = format!("[aria-label*={title:?}]");
        self.more().that(&of_title).click().await;
        self.menu().that("[open]").shown().await;
    }

    /// The headings and titles of the list that can be seen, in order.
    pub fn list(&self) -> Element<'p, P> {
        Element::css(self.0, ".conversation-list").seen().nth(0).within("h3, .conversation-title")
    }

    /// Waits until the list that can be seen says this, headings and titles in order.
    pub async fn are(&self, expected: &[&str]) {
        let expected = serde_json::json!(serde_json::json!(expected).to_string());
        self.list()
            .until(&format!("JSON.stringify(all.map(e => e.textContent.trim())) === {expected}"))
            .await;
    }

    /// Opens a conversation that was saved as a file with this text, as the browser's own dialog does.
    pub async fn open_saved(&self, text: &str) {
        let input = self.open_file().seen();
        input.until("all.length > 0").await;
        let file =
            format!("new File([{}], 'run.json', {{type: 'application/json'}})", serde_json::json!(text));
        let give = format!(
            "(data => (data.items.add({file}), all[0].files = data.files, \
             all[0].dispatchEvent(new Event('change', {{bubbles: true}}))))(new DataTransfer())"
        );
        input.now(&give).await;
    }
}
