//! What is remembered, as the page has it: no pane, but a dialog, a room of the settings, and words for what its tools did.

use std::rc::Rc;

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::panel::{Page, Room, Setting};
use ui_kit::{Command, DomainChange, Icon, LastCall, Line, Panel};

use super::section::{OPEN_ID, SWITCH_ID, memory_section};
use super::{lines, memory_dialog, model};
use crate::{i18n, parts};

/// Whether what is remembered is shown.
#[derive(Clone, Copy)]
pub struct MemoryView(pub RwSignal<bool>);

impl MemoryView {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which opens the panels.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }
}

/// Opens the panel.
#[must_use]
pub fn open(_: Page) -> Rc<dyn Panel> {
    let view = MemoryView(RwSignal::new(false));
    provide_context(view);
    Rc::new(Remembered { view })
}

/// What can be found in its room of the settings.
const SETTINGS: [Setting; 2] = [
    Setting { id: SWITCH_ID, name: i18n::memory_switch, hint: i18n::memory_switch_hint },
    Setting { id: OPEN_ID, name: i18n::open_memory, hint: i18n::memory_hint },
];

struct Remembered {
    view: MemoryView,
}

impl Panel for Remembered {
    fn id(&self) -> &'static str {
        "memory"
    }

    fn domain(&self) -> &'static str {
        "memory"
    }

    fn label(&self) -> (Icon, &'static str) {
        (Icon::Pin, i18n::memory())
    }

    fn dialogs(&self) -> Option<AnyView> {
        let MemoryView(open) = self.view;
        Some(parts::dialog(move || open.get(), memory_dialog))
    }

    fn settings(&self) -> Option<Room> {
        Some(Room { id: "settings-memory", draw: || parts::place(memory_section), settings: &SETTINGS })
    }

    fn commands(&self) -> Vec<Command> {
        let MemoryView(open) = self.view;
        vec![Command::new("memory", i18n::open_memory(), "", move || open.set(true))]
    }

    fn change_line(&self, change: &DomainChange, _: &[DomainChange], _: &str) -> Option<Line> {
        lines::line(change)
    }

    fn doing(&self, tool: &str) -> Option<&'static str> {
        i18n::memory_doing(tool)
    }

    fn looked_at(&self, tool: &str, answer: &Value) -> Option<String> {
        let (_, total) = agent::is_user_memory_tool(tool).then(|| model::found(answer))??;
        Some(i18n::memories_recalled(i18n::whole(total)))
    }

    fn suggestions(&self, last: Option<LastCall>) -> Vec<&'static str> {
        i18n::memory_follow_ups(last.map(|last| last.tool))
    }
}
