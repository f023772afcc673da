//! What was found out about models that take no tools, kept among the settings, so that the next start knows.

use leptos::prelude::*;
use llm::{AnswerFormat, KnownFormats};

use crate::settings::{Habit, Settings};

/// The same, as the client asks for it.
pub struct KeptFormats(pub RwSignal<Settings>);

impl KnownFormats for KeptFormats {
    fn get(&self, base_url: &str, model: &str) -> Option<AnswerFormat> {
        self.0.with_untracked(|settings| settings.habits.get(&Habit::key(base_url, model))?.format)
    }

    fn put(&self, base_url: &str, model: &str, format: AnswerFormat) {
        self.0.update(|settings| {
            settings.habits.entry(Habit::key(base_url, model)).or_default().format = Some(format);
        });
    }
}
