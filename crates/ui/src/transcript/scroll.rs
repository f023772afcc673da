//! Keeps the latest in sight, until the person looks elsewhere.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::ResizeObserver;

/// As close to the end as counts as being there, in CSS pixels.
const NEAR_PX: i32 = 64;

/// True while the end is followed. The content's size is watched, so that whatever makes it grow (a
/// stream, an image of a font, a folded part) is followed in the same way.
pub fn follow(scroller: NodeRef<html::Div>, content: NodeRef<html::Div>) -> RwSignal<bool> {
    let follow = RwSignal::new(true);
    Effect::new(move |_| {
        let Some(content) = content.get() else { return };
        let grown = Closure::<dyn FnMut()>::new(move || {
            if follow.get_untracked() {
                to_end(scroller);
            }
        });
        let Ok(observer) = ResizeObserver::new(grown.as_ref().unchecked_ref()) else { return };
        observer.observe(&content);
        if let Some(scroller) = scroller.get_untracked() {
            observer.observe(&scroller);
        }
        let held = StoredValue::new_local((observer, grown));
        on_cleanup(move || held.with_value(|(observer, _)| observer.disconnect()));
    });
    Effect::new(move |_| {
        if follow.get() {
            to_end(scroller);
        }
    });
    follow
}

/// The person scrolled: the end is followed if they are at it.
pub fn scrolled(scroller: NodeRef<html::Div>, follow: RwSignal<bool>) {
    let Some(element) = scroller.get_untracked() else { return };
    let left = element.scroll_height() - element.scroll_top() - element.client_height();
    let at_end = left <= NEAR_PX;
    if follow.get_untracked() != at_end {
        follow.set(at_end);
    }
}

/// Goes to the end at once; a moving page under a growing text would never arrive.
pub fn to_end(scroller: NodeRef<html::Div>) {
    if let Some(element) = scroller.get_untracked() {
        element.set_scroll_top(element.scroll_height());
    }
}
