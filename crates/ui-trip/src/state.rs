//! What the panel holds while another pane is shown: which trip is open and what is shown of it. Both survive a reload.

use std::rc::Rc;

use leptos::prelude::*;
use ui_kit::language::Word;
use ui_kit::panel::Page;
use web::storage;

use crate::model::{Item, Kind};
use crate::words;

/// Where the browser keeps which trip is open: its id and the section, with a bar between.
const KEPT: &str = "satchel.trip";

/// The id of the pane with the conversation.
pub const CHAT: &str = "chat";

/// A section of an open trip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Section {
    /// Its days.
    #[default]
    Days,
    /// What does not work of it, and what the checker reckons with.
    Checks,
    /// Where it goes.
    Map,
    /// What it costs.
    Budget,
    /// Who travels, and what is known of them.
    People,
    /// What leaves and comes in.
    Share,
}

impl Section {
    /// In the order of the buttons, with the ends of their test ids and their names.
    pub const ALL: [(Self, &'static str, Word); 6] = [
        (Self::Days, "days", words::days),
        (Self::Checks, "checks", words::checks),
        (Self::Map, "map", words::map),
        (Self::Budget, "budget", words::budget),
        (Self::People, "people", words::people),
        (Self::Share, "share", words::share),
    ];

    /// Its word where it is kept.
    fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(section, ..)| *section == self).map_or("days", |(_, word, _)| word)
    }

    fn of(word: &str) -> Self {
        Self::ALL.into_iter().find(|(_, known, _)| *known == word).map_or(Self::Days, |(section, ..)| section)
    }
}

/// What someone wants to do with a trip's segments, until the pane does it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A new trip.
    New,
    /// A new segment of a kind.
    Add(Kind),
}

/// The panel's state. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Trips {
    /// The page's tools, clock and notes.
    pub page: Page,
    /// The id of the trip that is open; none while all are listed.
    pub open: RwSignal<Option<String>>,
    /// What is shown of it.
    pub section: RwSignal<Section>,
    /// What a command asked for, until the pane takes it up.
    pub wish: RwSignal<Option<Wish>>,
    /// The itineraries as they were listed last.
    pub listed: RwSignal<Rc<[Item]>, LocalStorage>,
}

impl Trips {
    /// As they were left.
    #[must_use]
    pub fn start(page: Page) -> Self {
        let kept = storage::local().get(KEPT);
        let (open, section) = kept.as_deref().map_or((None, Section::Days), of_kept);
        let trips = Self {
            page,
            open: RwSignal::new(open),
            section: RwSignal::new(section),
            wish: RwSignal::new(None),
            listed: RwSignal::new_local(Rc::from([])),
        };
        ui_kit::effect(move |before: Option<()>| {
            let (open, section) = (trips.open.get(), trips.section.get());
            if before.is_some() {
                match open {
                    Some(id) => drop(storage::local().set(KEPT, &format!("{id}|{}", section.word()))),
                    None => storage::local().remove(KEPT),
                }
            }
        });
        trips
    }

    /// Opens a trip at its days.
    pub fn show(self, id: &str) {
        self.section.set(Section::Days);
        self.open.set(Some(id.to_owned()));
    }
}

/// Reads what was kept.
fn of_kept(kept: &str) -> (Option<String>, Section) {
    let (id, section) = kept.split_once('|').unwrap_or((kept, ""));
    ((!id.is_empty()).then(|| id.to_owned()), Section::of(section))
}

#[cfg(test)]
mod tests {
    use super::{Section, of_kept};

    #[test]
    fn what_was_open_is_read_again() {
        assert_eq!(of_kept("itin_1|budget"), (Some("itin_1".to_owned()), Section::Budget));
        assert_eq!(of_kept("itin_1"), (Some("itin_1".to_owned()), Section::Days));
        assert_eq!(of_kept("|nothing"), (None, Section::Days));
        for (section, ..) in Section::ALL {
            assert_eq!(Section::of(section.word()), section);
        }
    }
}
