//! Addresses within the page: each conversation has one, so that the browser's Back and Forward go between them and a link opens one; so has
//! each room of the settings (`settings_view::address` writes those). What else has one is for the panel that knows it.
//!
//! Anybody can make a link, so an address shows what is there already and does nothing else.

use leptos::prelude::*;
use ui_kit::{Launch, Panels, Toasts};
use wasm_bindgen::JsValue;
use web::listener::Listener;
use web_sys::PopStateEvent;

use crate::controller::Controller;
use crate::i18n;
use crate::settings::Section;

/// What a conversation's address begins with.
pub const CHAT: &str = "#chat/";

/// The address of the settings; a room's goes on with a stroke and its word.
pub const SETTINGS: &str = "#settings";

/// Opens what the page's address names, and keeps the address that of the conversation on the screen.
pub fn follow(controller: Controller, panels: Panels, toasts: Toasts) {
    // The state stays through a reload: the address of an empty conversation is ours, and names none of the list.
    let state = web_sys::window().and_then(|window| window.history().ok()?.state().ok());
    // While the settings are open the address is theirs, and the conversation's comes back as they close.
    let settings_at = Section::opened();
    let is_covered = move || settings_at.with_untracked(Option::is_some) && hash().starts_with(SETTINGS);
    go(controller, panels, toasts, settings_at, state == Some(JsValue::TRUE));
    ui_kit::effect(move |before: Option<String>| {
        let id = controller.current.get();
        // One that is opened by its address has it already; the first one is where the page begins.
        if !is_covered() {
            write(&id, before.is_some_and(|before| before != id));
        }
        id
    });
    if let Some(window) = web_sys::window() {
        Listener::on(&window, "popstate", move |event: PopStateEvent| {
            go(controller, panels, toasts, settings_at, event.state() == JsValue::TRUE);
            // What names nothing here, or only opened something, is not where the person is.
            if !is_covered() {
                controller.current.with_untracked(|id| write(id, false));
            }
        })
        .for_good();
    }
}

/// The part of the address behind its sign, with it.
#[must_use]
pub fn hash() -> String {
    web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// Writes the conversation's address; `anew` makes it one that Back leads away from.
pub fn write(id: &str, anew: bool) {
    let address = format!("{CHAT}{id}");
    let Some(history) = web_sys::window().and_then(|window| window.history().ok()) else { return };
    if hash() == address {
        return;
    }
    // Pages that may not be named are used without names.
    let _ = match anew {
        true => history.push_state_with_url(&JsValue::TRUE, "", Some(&address)),
        false => history.replace_state_with_url(&JsValue::TRUE, "", Some(&address)),
    };
}

/// Opens what the address names. `ours` is an address that the page wrote itself: what it named may be gone, and that is nothing to tell.
fn go(
    controller: Controller,
    panels: Panels,
    toasts: Toasts,
    settings_at: RwSignal<Option<Section>>,
    ours: bool,
) {
    let hash = hash();
    if let Some(id) = hash.strip_prefix(CHAT) {
        let is_known = controller.is_there(id);
        if is_known {
            controller.open(id.to_owned());
        } else if !ours && controller.current.with_untracked(|current| current != id) {
            toasts.say(i18n::not_on_this_device().to_owned());
        }
    } else if let Some(room) = hash.strip_prefix(SETTINGS) {
        settings_at.set(Some(Section::named(room.trim_start_matches('/'), panels)));
    } else if let Some(word) = hash.strip_prefix('#').filter(|word| word.contains('/')) {
        let launch = Launch { word: word.to_owned(), ..Launch::default() };
        let _is_known = panels.all().iter().any(|panel| panel.launch(&launch));
    }
}
