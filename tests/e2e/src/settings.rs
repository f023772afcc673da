//! The settings: their rooms and the search, and what stands in those that have no screen of their own.

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// The settings.
    Settings {
        button "settings"  model "model-select"  planning "planning"  evidence "evidence"  ask_again "ask-again"
        tools_use "tools-use"  tools_found "tools-found"  tools_again "tools-again"
        browser_model "browser-model"  fetch_browser_model "browser-model-fetch"  browser_model_progress "browser-model-progress"
        role_small "role-small"  role_small_own "role-small-own"  role_cheap "role-cheap"  role_cheap_own "role-cheap-own"
        limit "spend-conversation"  spent "spend-so-far"  reset_spent "spend-reset"
        dictation "dictation-on"  reading "reading"  pictures "pictures-on"
        memory_switch "memory-switch"  open_memory "open-memory"
        search "settings-search"  hit "settings-hit"  found "settings-found"  nothing "settings-nothing"
        room "settings-room"  back "settings-back"
    }
}

/// The rooms in the order of their list: the word of each in its address, and the test id of something that is in it.
pub const ROOMS: [(&str, &str); 14] = [
    ("model", "model-select"),
    ("roles", "role-small"),
    ("answers", "planning"),
    ("approvals", "approval-writes"),
    ("memory", "memory-switch"),
    ("voice", "pictures-on"),
    ("privacy", "hiding"),
    ("spending", "spend-conversation"),
    ("data", "storage"),
    ("files", "import-file"),
    ("copies", "copy-take"),
    ("servers", "server-url"),
    ("programs", "relay"),
    ("app", "installation"),
];

impl<'p, P: Page> Settings<'p, P> {
    /// Opens the settings at the model and waits until it is drawn: they are a part of the page that comes when it is wanted.
    pub async fn open(&self) {
        self.open_at("model").await;
    }

    /// Opens the settings in a room, by its word in [`ROOMS`].
    pub async fn open_at(&self, room: &str) {
        self.button().click().await;
        self.go_to(room).await;
    }

    /// Goes to another room of the open settings.
    pub async fn go_to(&self, room: &str) {
        self.link(room).click().await;
        self.link(room).that("[aria-current=page]").until("all.length > 0").await;
        self.shows(room).await;
    }

    /// Waits until a room stands there.
    pub async fn shows(&self, room: &str) {
        let (_, drawn) = ROOMS.into_iter().find(|(word, _)| *word == room).expect("a room of this name");
        self.room().its(&Element::of(self.0, drawn)).until("all.length > 0").await;
    }

    /// The way to a room in the list.
    pub fn link(&self, room: &str) -> Element<'p, P> {
        Element::of(self.0, &format!("settings-{room}"))
    }

    /// The field of the setting with this test id, where a test goes through many.
    pub fn field(&self, testid: &str) -> Element<'p, P> {
        Element::of(self.0, testid)
    }

    /// The rule for a kind of calls, `writes` or `destructive`, or for those of one tool.
    pub fn rule_of(&self, of: &str) -> Element<'p, P> {
        Element::of(self.0, &format!("approval-{of}"))
    }

    /// Opens the rules of single tools, which are folded away.
    pub async fn unfold_rules(&self) {
        let rules = Element::css(self.0, ".tool-rules");
        rules.until("all.length > 0").await;
        rules.now("void all.forEach(e => e.open = true)").await;
    }

    /// What is done with what points to a person: `off`, `ask` or `always`.
    pub fn hiding(&self, word: &str) -> Element<'p, P> {
        Element::of(self.0, &format!("hiding-{word}"))
    }

    /// Says what is done with what points to a person, by the words of the choice.
    pub async fn hide_details(&self, word: &str) {
        Element::css(self.0, &format!("label:has([data-testid=\"hiding-{word}\"])")).click().await;
    }
}
