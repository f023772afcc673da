//! What was found out about models that take no tools, kept among the settings, so that the next start knows.

use leptos::prelude::*;
use llm::{AnswerFormat, KnownFormats};

use crate::settings::{Habit, Settings};
use crate::toast::Toasts;
use crate::{clock, i18n};

/// The same, as the client asks for it, and where a person is told of a tool that is left out.
pub struct KeptFormats(pub RwSignal<Settings>, pub Toasts);

impl KnownFormats for KeptFormats {
    fn get(&self, base_url: &str, model: &str) -> Option<AnswerFormat> {
        self.0.with_untracked(|settings| {
            settings.habits.get(&Habit::key(base_url, model))?.format_at(clock::now_ms())
        })
    }

    fn put(&self, base_url: &str, model: &str, format: AnswerFormat) {
        self.0.update(|settings| {
            let habit = settings.habits.entry(Habit::key(base_url, model)).or_default();
            (habit.format, habit.found_ms) = (Some(format), Some(clock::now_ms()));
        });
    }

    fn left_out(&self, _base_url: &str, model: &str, title: &str) {
        self.1.say(i18n::tool_left_out(title, model));
    }
}
