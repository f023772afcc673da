//! The address of the open room: written while the settings are open, and left as they close, so that Back closes them and a copied
//! link or a reload opens them again. The page reads addresses itself (`routes.rs`).

use std::cell::Cell;

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web::listener::on_window;
use web::page;
use web_sys::{History, PopStateEvent};

use crate::controller::Controller;
use crate::routes::{self, CHAT, SETTINGS};
use crate::settings::Section;

/// Where a page shows the list or a room, and not both (`www/styles/settings.css`).
const NARROW: &str = "(width < 44rem)";

thread_local! {
    /// The settings were closed and the browser is on its way back to the address below theirs: it tells of that a moment later.
    static LEAVING: Cell<bool> = const { Cell::new(false) };
}

/// What an address of the settings lies on, kept with it by the browser, also through a reload.
struct Below {
    /// How many addresses of theirs lie on it, this one among them.
    steps: i32,
    /// Its address.
    address: String,
}

impl Below {
    /// What the address of now lies on; none where the page was opened with it.
    fn now() -> Option<Self> {
        let state = history()?.state().ok()?.as_string()?;
        let (steps, address) = state.split_once(' ')?;
        Some(Self { steps: steps.parse().ok()?, address: address.to_owned() })
    }

    fn state(&self) -> JsValue {
        format!("{} {}", self.steps, self.address).into()
    }
}

/// Whether the page shows the list or a room, and not both.
#[must_use]
pub fn is_narrow() -> bool {
    page::matches(NARROW)
}

/// A room's address. The list has one of its own only where it stands alone.
#[must_use]
pub fn of(section: Section) -> String {
    match section {
        Section::List if is_narrow() => SETTINGS.to_owned(),
        Section::List => format!("{SETTINGS}/{}", Section::Model.word()),
        section => format!("{SETTINGS}/{}", section.word()),
    }
}

/// Keeps the page's address that of the open room.
pub fn follow(at: RwSignal<Option<Section>>, controller: Controller) {
    ui_kit::effect(move |before: Option<Option<Section>>| {
        let now = at.get();
        match (before.flatten(), now) {
            (from, Some(section)) => write(section, from),
            (Some(_), None) => leave(controller),
            (None, None) => {}
        }
        now
    });
    on_window("popstate", move |_: PopStateEvent| {
        if LEAVING.replace(false) {
            // Opened again meanwhile.
            if let Some(section) = at.get_untracked() {
                write(section, None);
            }
        } else if !is_ours() {
            at.set(None);
        }
    });
}

/// Goes from a room to the list, the way it came where it came from there.
pub fn back_to_list(at: RwSignal<Option<Section>>) {
    match (Below::now(), history()) {
        // The page hears of it, and opens the list.
        (Some(Below { steps: 2.., .. }), Some(history)) => drop(history.back()),
        _ => at.set(Some(Section::List)),
    }
}

fn write(section: Section, from: Option<Section>) {
    let (Some(history), address) = (history(), of(section)) else { return };
    if routes::hash() == address || LEAVING.get() {
        return;
    }
    let below = Below::now().filter(|_| is_ours());
    // Pages that may not be named are used without names.
    let _ = match below {
        // From the list into a room: Back leads to the list.
        Some(Below { steps, address: below }) if from == Some(Section::List) && is_narrow() => {
            let state = Below { steps: steps + 1, address: below }.state();
            history.push_state_with_url(&state, "", Some(&address))
        }
        Some(below) => history.replace_state_with_url(&below.state(), "", Some(&address)),
        None if is_ours() => history.replace_state_with_url(&JsValue::NULL, "", Some(&address)),
        None => {
            let state = Below { steps: 1, address: routes::hash() }.state();
            history.push_state_with_url(&state, "", Some(&address))
        }
    };
}

/// Goes back to the conversation's address, where that is what lies below; it may be another one by now.
fn leave(controller: Controller) {
    if !is_ours() {
        return;
    }
    let id = controller.current.get_untracked();
    match (Below::now(), history()) {
        (Some(below), Some(history)) if below.address == format!("{CHAT}{id}") => {
            LEAVING.set(history.go_with_delta(-below.steps).is_ok());
        }
        _ => routes::write(&id, false),
    }
}

/// Whether the page's address is one of the settings.
fn is_ours() -> bool {
    routes::hash().starts_with(SETTINGS)
}

fn history() -> Option<History> {
    web_sys::window()?.history().ok()
}
