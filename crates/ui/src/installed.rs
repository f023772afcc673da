//! The app on the device's own surface: its badge, its installation, its hold on the storage.
//!
//! None of these is in every browser, so each is called by its name where it is there.

use std::cell::RefCell;

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::workspace::{Live, Phase};

/// How far the app is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Installation {
    /// It runs in a window of its own.
    Done,
    /// The browser offers to install it.
    Offered,
    /// The browser offers nothing; it may have a way of its own.
    Unknown,
}

thread_local! {
    /// The browser's offer, which can be taken up once.
    static OFFER: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// Follows the browser's offer to install the app.
#[must_use]
pub fn installation() -> RwSignal<Installation> {
    let window = web_sys::window();
    let in_own_window = window
        .as_ref()
        .and_then(|window| window.match_media("(display-mode: standalone)").ok().flatten())
        .is_some_and(|media| media.matches());
    let state = RwSignal::new(if in_own_window { Installation::Done } else { Installation::Unknown });
    let Some(window) = window else { return state };
    let on_offer = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
        // Asked in the settings, not over the page.
        event.prevent_default();
        OFFER.set(Some(event.into()));
        state.set(Installation::Offered);
    });
    let on_done = Closure::<dyn FnMut()>::new(move || {
        OFFER.set(None);
        state.set(Installation::Done);
    });
    let _ = window.add_event_listener_with_callback("beforeinstallprompt", on_offer.as_ref().unchecked_ref());
    let _ = window.add_event_listener_with_callback("appinstalled", on_done.as_ref().unchecked_ref());
    // The page's own listeners: they go when the page goes.
    on_offer.forget();
    on_done.forget();
    state
}

/// Takes the browser's offer up: it asks the person.
pub fn install(state: RwSignal<Installation>) {
    if let Some(offer) = OFFER.take() {
        let _ = call(&offer, "prompt", &JsValue::UNDEFINED);
        state.set(Installation::Unknown);
    }
}

/// Shows on the app's icon how many to-dos are due, for as long as the page lives.
pub fn badge(live: Live) {
    let due = Memo::new(move |_| due(live));
    Effect::new(move |_| {
        let Some(navigator) = web_sys::window().map(|window| JsValue::from(window.navigator())) else {
            return;
        };
        let Some(due) = due.get() else { return };
        let set = if due == 0 {
            call(&navigator, "clearAppBadge", &JsValue::UNDEFINED)
        } else {
            call(&navigator, "setAppBadge", &JsValue::from_f64(due as f64))
        };
        // Refused where the app is not installed: that is no fault.
        if let Some(set) = set {
            spawn_local(async move { drop(JsFuture::from(set).await) });
        }
    });
}

/// The open to-dos of today and before; none while they are not known.
fn due(live: Live) -> Option<usize> {
    let counts = live.counts.get();
    match live.phase.get() {
        Phase::Empty | Phase::Ready => Some(counts.overdue + counts.today),
        Phase::Loading | Phase::Failed(_) => None,
    }
}

/// Calls a method that gives a promise; none where there is no such method.
pub fn call(object: &JsValue, method: &str, argument: &JsValue) -> Option<Promise> {
    let method: Function = Reflect::get(object, &method.into()).ok()?.dyn_into().ok()?;
    let called = if argument.is_undefined() { method.call0(object) } else { method.call1(object, argument) };
    called.ok()?.dyn_into().ok()
}
