//! Whoever closes the page, or goes elsewhere with it, is asked first while something would be lost.

use leptos::prelude::*;
use ui_kit::memo;
use web::listener::Listener;
use web::storage;
use web_sys::Event;

/// What `ui`'s `wipe` leaves where this page is to go, because everything is deleted: nobody is asked then.
const WIPE: &str = "satchel.wipe";

/// Has the browser ask while `is_busy`, as long as the view lives that this is called in. What it says is the browser's own.
pub fn ask_while(
    is_busy: impl Fn() -> bool + Send + Sync + 'static,
    would_lose: impl Fn() -> bool + Copy + 'static,
) {
    let is_busy = memo(move |_| is_busy());
    let listener = StoredValue::new_local(None);
    ui_kit::effect(move |_| {
        // Not all the time: a page that listens is not kept for the way back by some browsers.
        let window = web_sys::window().filter(|_| is_busy.get());
        listener.set_value(window.map(|window| {
            Listener::on(&window, "beforeunload", move |event: Event| {
                if would_lose() && storage::session().get(WIPE).is_none() {
                    event.prevent_default();
                }
            })
        }));
    });
}
