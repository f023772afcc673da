//! Keeps the latest in sight, until the person looks elsewhere.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::ResizeObserver;

/// As close to the end as counts as being there, in CSS pixels.
const NEAR_PX: i32 = 64;

/// Whether the end is followed, and where the page itself last scrolled to. A handle.
#[derive(Clone, Copy)]
pub struct Follow {
    /// True while the end is followed.
    pub on: RwSignal<bool>,
    scroller: NodeRef<html::Div>,
    last_top: StoredValue<i32>,
}

impl Follow {
    /// Follows the end of `content` in `scroller`. The content's size is watched, so that whatever makes
    /// it grow (a stream, a folded part, a narrower page) is followed in the same way.
    pub fn start(scroller: NodeRef<html::Div>, content: NodeRef<html::Div>) -> Self {
        let follow = Self { on: RwSignal::new(true), scroller, last_top: StoredValue::new(0) };
        Effect::new(move |_| {
            let Some(content) = content.get() else { return };
            let resized = Closure::<dyn FnMut()>::new(move || {
                if follow.on.get_untracked() {
                    follow.to_end();
                }
            });
            let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) else { return };
            observer.observe(&content);
            if let Some(scroller) = scroller.get_untracked() {
                observer.observe(&scroller);
            }
            let held = StoredValue::new_local((observer, resized));
            on_cleanup(move || held.with_value(|(observer, _)| observer.disconnect()));
        });
        Effect::new(move |_| {
            if follow.on.get() {
                follow.to_end();
            }
        });
        follow
    }

    /// Something scrolled. A place above where the page itself last scrolled to was chosen by the person;
    /// one at the end is where the following begins again. An end that has only moved on since is neither.
    pub fn scrolled(self) {
        let Some(element) = self.scroller.get_untracked() else { return };
        let top = element.scroll_top();
        let at_end = element.scroll_height() - top - element.client_height() <= NEAR_PX;
        let on = self.on.get_untracked();
        if on && !at_end && top + 2 < self.last_top.get_value() {
            self.on.set(false);
        } else if !on && at_end {
            self.on.set(true);
        }
    }

    /// Goes to the end at once; a moving page under a growing text would never arrive.
    fn to_end(self) {
        if let Some(element) = self.scroller.get_untracked() {
            element.set_scroll_top(element.scroll_height());
            self.last_top.set_value(element.scroll_top());
        }
    }
}
