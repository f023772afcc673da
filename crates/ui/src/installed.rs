//! The app on the device's own surface: its badge, its installation, its hold on the storage.
//!
//! None of these is in every browser, so each is called by its name where it is there.

pub mod words;

use std::cell::RefCell;

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;
use web::listener::on_window;
use web::page;
use web::value::{self, called};
use web_sys::Event;

use ui_kit::Panels;

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

impl Installation {
    /// How far this app is installed.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn signal() -> RwSignal<Self> {
        expect_context()
    }
}

thread_local! {
    /// The browser's offer, which can be taken up once.
    static OFFER: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// Follows the browser's offer to install the app.
#[must_use]
pub fn installation() -> RwSignal<Installation> {
    let in_own_window = page::matches("(display-mode: standalone)");
    let state = RwSignal::new(if in_own_window { Installation::Done } else { Installation::Unknown });
    on_window("beforeinstallprompt", move |event: Event| {
        // Asked in the settings, not over the page.
        event.prevent_default();
        OFFER.set(Some(event.into()));
        state.set(Installation::Offered);
    });
    on_window("appinstalled", move |_: Event| {
        OFFER.set(None);
        state.set(Installation::Done);
    });
    state
}

/// Takes the browser's offer up: it asks the person.
pub fn install(state: RwSignal<Installation>) {
    if let Some(offer) = OFFER.take() {
        let _ = value::call(&offer, "prompt", &[]);
        state.set(Installation::Unknown);
    }
}

/// Shows on the app's icon how many things wait for the person, for as long as the page lives.
pub fn badge(panels: Panels) {
    // None while one of them is not known.
    let due = ui_kit::memo(move |_| panels.all().iter().map(|panel| panel.waiting()).sum::<Option<usize>>());
    ui_kit::effect(move |_| {
        let Some(navigator) = web_sys::window().map(|window| JsValue::from(window.navigator())) else {
            return;
        };
        let Some(due) = due.get() else { return };
        spawn_local(async move {
            // Refused where the app is not installed: that is no fault.
            let _ = match due {
                0 => called(&navigator, "clearAppBadge", &[]).await,
                due => called(&navigator, "setAppBadge", &[(due as f64).into()]).await,
            };
        });
    });
}
