//! The rooms of the settings.

use leptos::prelude::{RwSignal, expect_context};
use ui_kit::Panels;

/// A room of the settings: each is about one thing, is hardly longer than a screen, and has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The list of the rooms, which is all that a narrow page shows; on a wide one it stands beside the first room.
    List,
    /// Who answers.
    Model,
    /// Who answers what is simple.
    Roles,
    /// How it is answered.
    Answers,
    /// What is asked about before it is done.
    Approvals,
    /// What a panel brings, by its id.
    Panel(&'static str),
    /// Voice and pictures.
    Senses,
    /// What leaves the device.
    Privacy,
    /// What may be spent.
    Spending,
    /// How everything is kept, and how it goes for good.
    Data,
    /// How it leaves and comes back.
    Files,
    /// Copies to go back to.
    Copies,
    /// Servers elsewhere.
    Servers,
    /// Other programs.
    Programs,
    /// The theme and the installation.
    App,
}

impl Section {
    /// The room of this page's settings that is open; none while they are closed.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn opened() -> RwSignal<Option<Self>> {
        expect_context()
    }

    /// Those that every app has, in the order of the list.
    pub const ALL: [Self; 13] = [
        Self::Model,
        Self::Roles,
        Self::Answers,
        Self::Approvals,
        Self::Senses,
        Self::Privacy,
        Self::Spending,
        Self::Data,
        Self::Files,
        Self::Copies,
        Self::Servers,
        Self::Programs,
        Self::App,
    ];

    /// What its test id, its command's id and, without the first part, its address are made of. A panel's room goes by the panel's id.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::List => "settings-",
            Self::Model => "settings-model",
            Self::Roles => "settings-roles",
            Self::Answers => "settings-answers",
            Self::Approvals => "settings-approvals",
            Self::Panel(id) => id,
            Self::Senses => "settings-voice",
            Self::Privacy => "settings-privacy",
            Self::Spending => "settings-spending",
            Self::Data => "settings-data",
            Self::Files => "settings-files",
            Self::Copies => "settings-copies",
            Self::Servers => "settings-servers",
            Self::Programs => "settings-programs",
            Self::App => "settings-app",
        }
    }

    /// Its word in an address.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.id().trim_start_matches("settings-")
    }

    /// The room with this word. One that there is not is the first one.
    #[must_use]
    pub fn named(word: &str, panels: Panels) -> Self {
        let of_panel = || {
            let panel =
                panels.first(|panel| (panel.id() == word && panel.settings().is_some()).then(|| panel.id()));
            panel.map_or(Self::Model, Self::Panel)
        };
        let all = [Self::List].into_iter().chain(Self::ALL);
        all.into_iter().find(|section| section.word() == word).unwrap_or_else(of_panel)
    }
}

#[cfg(test)]
mod tests {
    use super::Section;

    #[test]
    fn each_room_has_a_word_of_its_own() {
        for (place, section) in Section::ALL.iter().enumerate() {
            assert!(!section.word().is_empty() && section.id().starts_with("settings-"), "{section:?}");
            assert!(!Section::ALL[..place].iter().any(|other| other.word() == section.word()), "{section:?}");
        }
        assert_eq!((Section::List.word(), Section::Panel("memory").word()), ("", "memory"));
    }
}
