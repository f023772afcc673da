//! The commands of the page itself: views, to-dos, the run, the theme.

use leptos::prelude::*;
use serde_json::json;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::{Command, Commands};
use crate::composer::take_focus;
use crate::desk::Desk;
use crate::host::Role;
use crate::i18n;
use crate::settings::{Section, Theme};
use crate::trace::TraceView;
use crate::workspace::Say;
use web::page::document;

/// The parts of a page that commands open.
#[derive(Clone, Copy)]
pub struct Places {
    /// Shows the chat where only one pane is seen.
    pub chat: Callback<()>,
    /// Shows the to-dos there.
    pub todos: Callback<()>,
    /// The palette.
    pub palette: RwSignal<bool>,
    /// The sheet of shortcuts.
    pub help: RwSignal<bool>,
    /// Opens the settings.
    pub settings: Callback<()>,
    /// The list of conversations.
    pub conversations: RwSignal<bool>,
    /// The question before a conversation is cleared.
    pub clear: RwSignal<bool>,
    /// What was changed, and the way back.
    pub history: RwSignal<bool>,
    /// What happened in a run.
    pub trace: TraceView,
    /// What all conversations come to.
    pub metrics: RwSignal<bool>,
}

impl Places {
    /// Those of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides them.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }
}

/// How far the list is scrolled for a row that is not in the page yet, in CSS pixels.
const STEP_PX: i32 = 60;

/// How often that is tried.
const STEPS: u32 = 8;

/// Adds them.
pub fn add_ours(commands: Commands, places: Places, desk: Desk) {
    let Desk { host, live, settings, settings_at, memory_open, .. } = desk;
    let add = |command| commands.add(command);
    add(Command::new("palette", i18n::PALETTE, "Mod+K", move || {
        places.palette.update(|open| *open = !*open)
    }));
    add(Command::new("search", i18n::FIND_ANYTHING, "/", move || places.palette.set(true)));
    add(Command::new("new-todo", i18n::NEW_TODO, "n", move || {
        places.todos.run(());
        focus_soon(&["[data-testid=todo-add]"]);
    }));
    add(Command::new("new-chat", i18n::NEW_CHAT, "", move || {
        host.new_conversation();
        places.chat.run(());
        request_animation_frame(take_focus);
    }));
    add(Command::new("go-todos", i18n::GO_TODOS, "g t", move || {
        places.todos.run(());
        focus_soon(&[".todo-list [data-todo]:not(.parked) .todo-main", "[data-testid=todo-add]"]);
    }));
    add(Command::new("go-chat", i18n::GO_CHAT, "g c", move || {
        places.chat.run(());
        request_animation_frame(take_focus);
    }));
    add(Command::new("next", i18n::NEXT_TODO, "j", move || go(true, STEPS)).repeating().only_when(any_row));
    add(Command::new("previous", i18n::PREVIOUS_TODO, "k", move || go(false, STEPS))
        .repeating()
        .only_when(any_row));
    add(Command::new("toggle", i18n::TOGGLE_TODO, "x", || press(".check")).only_when(on_a_row));
    add(Command::new("edit", i18n::EDIT_TODO, "e", || press(".todo-main")).only_when(on_a_row));
    add(Command::new("delete", i18n::DELETE_TODO, "Delete", || press(".todo-delete")).only_when(on_a_row));
    add(Command::new("undo", i18n::UNDO_LAST, "u", move || {
        live.run("undo", json!({ "last": 1 }), Say::Summary, |_| {});
    }));
    add(Command::new("redo", i18n::REDO_LAST, "r", move || {
        live.run("redo", json!({ "last": 1 }), Say::Summary, |_| {});
    }));
    add(Command::new("stop", i18n::STOP_RUN, "", move || host.stop())
        .only_when(move || host.busy.get_untracked() && host.role.get_untracked() == Role::Leading));
    add(Command::new("retry", i18n::RETRY_RUN, "", move || host.retry()).only_when(|| {
        document().is_some_and(|page| page.query_selector("[data-testid=retry]").ok().flatten().is_some())
    }));
    add(Command::new("conversations", i18n::CONVERSATIONS, "", move || places.conversations.set(true)));
    add(Command::new("clear", i18n::CLEAR_CHAT, "", move || places.clear.set(true))
        .only_when(move || !host.rows.with_untracked(Vec::is_empty)));
    add(Command::new("history", i18n::OPEN_HISTORY, "", move || places.history.set(true)));
    add(Command::new("memory", i18n::OPEN_MEMORY, "", move || memory_open.set(true)));
    add(Command::new("trace", i18n::OPEN_TRACE, "", move || {
        places.trace.open((host.current.get_untracked(), None))
    })
    .only_when(move || !host.rows.with_untracked(Vec::is_empty)));
    add(Command::new("metrics", i18n::OPEN_METRICS, "", move || places.metrics.set(true)));
    add(Command::new("data", i18n::OPEN_DATA, "", move || settings_at.set(Some(Section::Data))));
    add(Command::new("settings", i18n::OPEN_SETTINGS, "", move || places.settings.run(())));
    for (id, name, theme) in [
        ("theme-system", i18n::THEME_SYSTEM, Theme::System),
        ("theme-light", i18n::THEME_LIGHT, Theme::Light),
        ("theme-dark", i18n::THEME_DARK, Theme::Dark),
    ] {
        add(Command::new(id, name, "", move || settings.update(|settings| settings.theme = theme))
            .only_when(move || settings.with_untracked(|settings| settings.theme != theme)));
    }
    add(Command::new("help", i18n::SHOW_SHORTCUTS, "?", move || places.help.set(true)));
}

/// The row that has the focus.
fn row() -> Option<Element> {
    document()?.active_element()?.closest("[data-todo]").ok().flatten()
}

fn on_a_row() -> bool {
    row().is_some()
}

fn any_row() -> bool {
    first_row().is_some()
}

fn first_row() -> Option<Element> {
    document()?.query_selector(".todo-list [data-todo]:not(.parked)").ok().flatten()
}

/// Does what a button of the row does.
fn press(button: &str) {
    let button = row().and_then(|row| row.query_selector(button).ok().flatten());
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        button.click();
    }
}

fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Focuses what the first selector finds that finds anything, once the pane it is in is shown.
fn focus_soon(selectors: &'static [&'static str]) {
    request_animation_frame(move || {
        let Some(page) = document() else { return };
        let mut found = selectors.iter().filter_map(|selector| page.query_selector(selector).ok().flatten());
        if let Some(element) = found.next() {
            focus(&element);
        }
    });
}

/// Brings the focus to the next or the previous row, over the groups' ends. A row that is not in the page yet
/// comes into it when the list is scrolled towards it.
fn go(forward: bool, steps_left: u32) {
    let Some(from) = row() else {
        if let Some(control) = first_row().and_then(|row| row.query_selector(".todo-main").ok().flatten()) {
            focus(&control);
        }
        return;
    };
    let beside = |element: &Element| {
        if forward { element.next_element_sibling() } else { element.previous_element_sibling() }
    };
    let number =
        |name: &str| from.get_attribute(name).and_then(|text| text.parse::<usize>().ok()).unwrap_or_default();
    let at_end = if forward {
        number("aria-posinset") >= number("aria-setsize")
    } else {
        number("aria-posinset") <= 1
    };
    let target = if at_end {
        let mut group = from.closest(".group").ok().flatten().and_then(|group| beside(&group));
        let mut found = None;
        while let Some(next) = group {
            let rows = if forward { "[data-todo]:not(.parked)" } else { "[data-todo]:last-child" };
            found = next.query_selector(rows).ok().flatten();
            if found.is_some() {
                break;
            }
            group = beside(&next);
        }
        found
    } else {
        beside(&from).filter(|next| next.has_attribute("data-todo"))
    };
    match target.and_then(|row| row.query_selector(".todo-main").ok().flatten()) {
        Some(control) => focus(&control),
        None if steps_left > 0 && !at_end => {
            if let Some(list) = from.closest(".todo-list").ok().flatten() {
                list.set_scroll_top(list.scroll_top() + if forward { STEP_PX } else { -STEP_PX });
            }
            request_animation_frame(move || go(forward, steps_left - 1));
        }
        None => {}
    }
}
