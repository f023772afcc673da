//! Addresses within the page: each conversation has one, so that the browser's Back and Forward go between them and a link opens one; what
//! else has one is for the panel that knows it.
//!
//! Anybody can make a link, so an address shows what is there already and does nothing else.

use leptos::prelude::*;
use ui_kit::{Launch, Panels, Toasts};
use wasm_bindgen::JsValue;
use web::listener::Listener;
use web_sys::PopStateEvent;

use crate::controller::Controller;
use crate::i18n;

/// What a conversation's address begins with.
const CHAT: &str = "#chat/";

/// Opens what the page's address names, and keeps the address that of the conversation on the screen.
pub fn follow(controller: Controller, panels: Panels, toasts: Toasts) {
    // The state stays through a reload: the address of an empty conversation is ours, and names none of the list.
    let state = web_sys::window().and_then(|window| window.history().ok()?.state().ok());
    go(controller, panels, toasts, state == Some(JsValue::TRUE));
    ui_kit::effect(move |before: Option<String>| {
        let id = controller.current.get();
        // One that is opened by its address has it already; the first one is where the page begins.
        write(&id, before.is_some_and(|before| before != id));
        id
    });
    if let Some(window) = web_sys::window() {
        Listener::on(&window, "popstate", move |event: PopStateEvent| {
            go(controller, panels, toasts, event.state() == JsValue::TRUE);
            // What names nothing here, or only opened something, is not where the person is.
            controller.current.with_untracked(|id| write(id, false));
        })
        .for_good();
    }
}

/// The part of the address behind its sign, with it.
fn hash() -> String {
    web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// Writes the conversation's address; `anew` makes it one that Back leads away from.
fn write(id: &str, anew: bool) {
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
fn go(controller: Controller, panels: Panels, toasts: Toasts, ours: bool) {
    let hash = hash();
    if let Some(id) = hash.strip_prefix(CHAT) {
        let is_known = controller.is_there(id);
        if is_known {
            controller.open(id.to_owned());
        } else if !ours && controller.current.with_untracked(|current| current != id) {
            toasts.say(i18n::NOT_ON_THIS_DEVICE.to_owned());
        }
    } else if let Some(word) = hash.strip_prefix('#').filter(|word| word.contains('/')) {
        let launch = Launch { word: word.to_owned(), ..Launch::default() };
        let _is_known = panels.all().iter().any(|panel| panel.launch(&launch));
    }
}
