//! What is shown in the pane, as its parts are given it.

use std::collections::HashSet;

use leptos::prelude::*;
use ui_kit::Phase;
use ui_kit::panel::Page;

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
    /// Who is on the photos.
    pub people: RwSignal<People>,
    /// The page's tools and the clock.
    pub page: Page,
}
