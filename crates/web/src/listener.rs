//! An event that is listened to for as long as its owner lives.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Event, EventTarget};

/// The listener. Dropping it takes it off.
pub struct Listener {
    target: EventTarget,
    name: &'static str,
    capture: bool,
    on_event: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Calls `on_event` at each event of this name. `E` is what the browser gives with that name.
    pub fn on<E: JsCast>(
        target: &EventTarget,
        name: &'static str,
        on_event: impl FnMut(E) + 'static,
    ) -> Self {
        Self::new(target, name, false, on_event)
    }

    /// The same for an event on its way down to its target: some do not rise.
    pub fn on_way_down<E: JsCast>(
        target: &EventTarget,
        name: &'static str,
        on_event: impl FnMut(E) + 'static,
    ) -> Self {
        Self::new(target, name, true, on_event)
    }

    fn new<E: JsCast>(
        target: &EventTarget,
        name: &'static str,
        capture: bool,
        mut on_event: impl FnMut(E) + 'static,
    ) -> Self {
        let on_event = Closure::<dyn FnMut(Event)>::new(move |event: Event| on_event(event.unchecked_into()));
        let function = on_event.as_ref().unchecked_ref();
        let _ = target.add_event_listener_with_callback_and_bool(name, function, capture);
        Self { target: target.clone(), name, capture, on_event }
    }

    /// Listens for as long as the page lives.
    pub fn for_good(self) {
        std::mem::forget(self);
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.on_event.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback_and_bool(self.name, function, self.capture);
    }
}

/// Listens at the window for as long as the page lives.
pub fn on_window<E: JsCast>(name: &'static str, on_event: impl FnMut(E) + 'static) {
    if let Some(window) = web_sys::window() {
        Listener::on(&window, name, on_event).for_good();
    }
}

/// Listens at the document for as long as the page lives.
pub fn on_document<E: JsCast>(name: &'static str, on_event: impl FnMut(E) + 'static) {
    if let Some(document) = crate::page::document() {
        Listener::on(&document, name, on_event).for_good();
    }
}
