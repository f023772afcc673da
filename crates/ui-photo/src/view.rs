//! What the pane shows and what of it is chosen: one, a range, a day, all of them, or what a pointer is drawn over.

use std::collections::HashSet;

use leptos::prelude::*;
use ui_kit::Phase;
use ui_kit::panel::Page;

use crate::choice::{Spot, Sweep, between};
use crate::events::Events;
use crate::folders::Folders;
use crate::found::Focus;
use crate::library::Cell;
use crate::people::People;

/// What the pane shows. A handle.
#[derive(Clone, Copy)]
pub struct View {
    /// The photos that are shown.
    pub found: Memo<Vec<Cell>>,
    /// The place among them of the one that is seen large.
    pub large: RwSignal<Option<String>>,
    /// The ids of those that are chosen.
    pub chosen: RwSignal<HashSet<String>>,
    /// The id of the one that was chosen last: a range begins there.
    pub anchor: RwSignal<Option<String>>,
    /// Whether they have been read.
    pub phase: RwSignal<Phase>,
    /// Where in the grid keys go on from.
    pub active: RwSignal<Option<Spot>>,
    /// The column in which someone goes up and down.
    pub column: StoredValue<Option<usize>>,
    /// The range that is being drawn. Whatever else chooses or unchooses ends it: what was chosen before it would come back.
    pub sweep: StoredValue<Option<Sweep>>,
    /// A pointer was drawn over photos: the press that it ends with opens none.
    pub swept: StoredValue<bool>,
    /// The photo that is to have the focus in the grid, wherever that is scrolled.
    pub sought: RwSignal<Option<String>>,
    /// Somebody is on the way there: until then nobody else takes the focus for lost.
    pub is_led: StoredValue<bool>,
    /// The photos by event.
    pub events: RwSignal<Events>,
    /// The near-duplicates, while they are shown.
    pub twins: Memo<Vec<Vec<Cell>>>,
    /// What is known of the large one stands beside it.
    pub info: RwSignal<bool>,
    /// What the whole panel knows.
    pub focus: Focus,
    /// The folders whose photos stay where they are.
    pub folders: Folders,
    /// Who is on the photos.
    pub people: RwSignal<People>,
    /// The page's tools and the clock.
    pub page: Page,
}

impl View {
    /// Chooses a photo, or no longer; with `is_range` all from the one that was chosen last.
    pub fn choose(self, id: &str, is_range: bool) {
        self.sweep.set_value(None);
        let from = self.anchor.get_untracked().filter(|_| is_range);
        self.anchor.set(Some(id.to_owned()));
        // Looked up now: what came in since this was drawn has moved it.
        let range: Vec<String> = from.map_or_else(Vec::new, |from| {
            self.found.with_untracked(|found| {
                between(found, &from, id).iter().map(|cell| cell.id.clone()).collect()
            })
        });
        self.chosen.update(|chosen| {
            if !range.is_empty() {
                chosen.extend(range);
            } else if !chosen.remove(id) {
                chosen.insert(id.to_owned());
            }
        });
    }

    /// Chooses all of these, or none of them where all of them were.
    pub fn choose_these(self, ids: Vec<String>) {
        self.sweep.set_value(None);
        self.chosen.update(|chosen| {
            if ids.iter().all(|id| chosen.contains(id)) {
                for id in &ids {
                    chosen.remove(id);
                }
            } else {
                chosen.extend(ids);
            }
        });
    }

    /// Chooses all that is shown.
    pub fn choose_all(self) {
        self.sweep.set_value(None);
        let all = self.found.with_untracked(|found| found.iter().map(|cell| cell.id.clone()).collect());
        self.chosen.set(all);
    }

    /// Chooses none.
    pub fn choose_none(self) {
        self.sweep.set_value(None);
        self.chosen.set(HashSet::new());
    }

    /// What is not shown is not chosen, also not by a range that goes on from what was chosen before: whoever deletes what is chosen has seen
    /// it.
    pub fn choose_shown_alone(self) {
        self.found.with(|found| {
            let shown: HashSet<&str> = found.iter().map(|cell| cell.id.as_str()).collect();
            let is_shown = |id: &String| shown.contains(id.as_str());
            let goes_on = |sweep: &Option<Sweep>| sweep.as_ref().is_none_or(|sweep| sweep.goes_on(&shown));
            if !self.sweep.with_value(goes_on) {
                self.sweep.set_value(None);
            }
            if self.chosen.with_untracked(|chosen| !chosen.iter().all(is_shown)) {
                self.chosen.update(|chosen| chosen.retain(is_shown));
            }
        });
    }

    /// Begins a range at a photo; one that begins at a chosen photo takes away where `may_take`.
    pub fn begin_sweep(self, from: &str, may_take: bool) {
        let before = self.chosen.get_untracked();
        let adds = !(may_take && before.contains(from));
        self.anchor.set(Some(from.to_owned()));
        self.sweep.set_value(Some(Sweep { from: from.to_owned(), before, adds }));
    }

    /// Draws the range that was begun as far as a photo.
    pub fn sweep_to(self, to: &str) {
        let sweep = self.sweep.get_value();
        let now = sweep.map(|sweep| self.found.with_untracked(|found| sweep.chosen(found, to)));
        if let Some(now) = now
            && self.chosen.with_untracked(|chosen| *chosen != now)
        {
            self.chosen.set(now);
        }
    }
}
