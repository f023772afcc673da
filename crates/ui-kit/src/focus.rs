//! Brings the focus to what is not in the page yet.

use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::HtmlElement;

use crate::clock;

/// How often it is looked whether something is there that is still being read.
const LOOKS: u32 = 150;

/// The pause between two looks, in milliseconds.
const LOOK_MS: u64 = 20;

/// Focuses what `find` finds, as soon as it finds something: a list is drawn when it was read.
pub fn when_there(find: impl Fn() -> Option<HtmlElement> + 'static) {
    spawn_local(async move {
        for _ in 0..LOOKS {
            if let Some(element) = find() {
                let _ = element.focus();
                return;
            }
            clock::sleep(LOOK_MS).await;
        }
    });
}

/// Focuses what `find` finds, once the pane it is in is shown.
pub fn soon(find: impl Fn() -> Option<HtmlElement> + 'static) {
    request_animation_frame(move || {
        if let Some(element) = find() {
            let _ = element.focus();
        }
    });
}
