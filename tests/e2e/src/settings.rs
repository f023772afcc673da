//! The settings: their sections, and what stands in those of the model and the app.

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
    }
}

impl<'p, P: Page> Settings<'p, P> {
    /// Opens the settings and waits until they are drawn: they are a part of the page that comes when it is wanted.
    pub async fn open(&self) {
        self.button().click().await;
        self.model().shown().await;
    }

    /// Opens the settings at a section: `model`, `data`, `programs` or `app`.
    pub async fn open_at(&self, section: &str) {
        self.button().click().await;
        self.go_to(section).await;
    }

    /// Goes to another section of the open settings.
    pub async fn go_to(&self, section: &str) {
        Element::of(self.0, &format!("settings-{section}")).click().await;
        let drawn = match section {
            "data" => "storage",
            "programs" => "server-url",
            "app" => "hiding",
            _ => "model-select",
        };
        Element::of(self.0, drawn).until("all.length > 0").await;
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
