//! The focus, where what had it is gone: a button that goes with its press, a line that is drawn anew, a dialog that is closed.

use leptos::ev::FocusEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// So long whoever knows better has time to put the focus somewhere, in milliseconds.
const AFTER_MS: u64 = 120;

/// So often they get that time, where they say that they are on it: a busy device draws few frames.
const ROUNDS: u32 = 20;

/// Whether nobody has the focus. A closed dialog may keep it until the page is laid out anew.
pub fn nobody_has_focus() -> bool {
    web::page::nothing_has_focus() || web::page::focused().is_some_and(|focused| is_gone(&focused))
}

fn is_gone(element: &Element) -> bool {
    !element.is_connected() || element.closest("dialog:not([open])").is_ok_and(|dialog| dialog.is_some())
}

/// What had the focus last in a part of the page. Copies are the same.
#[derive(Clone, Copy)]
pub struct Last(StoredValue<Option<Element>, LocalStorage>);

impl Last {
    /// Nothing yet.
    pub fn new() -> Self {
        Self(StoredValue::new_local(None))
    }

    /// The focus came to something of it.
    pub fn noted(self, event: &FocusEvent) {
        self.0.set_value(event.target().and_then(|target| target.dyn_into().ok()));
    }

    /// Whether the focus was lost here. Whoever pressed beside everything has let go of it: what they had is there still.
    fn is_lost(self) -> bool {
        let was_here = self.0.try_with_value(|last| last.as_ref().is_some_and(is_gone)).unwrap_or_default();
        was_here && nobody_has_focus()
    }

    /// A moment later, where it was lost here and nobody put it anywhere nor is about to, what this selects has it.
    pub fn find_soon(self, selector: &'static str, is_led: StoredValue<bool>) {
        request_animation_frame(move || {
            spawn_local(async move {
                for _ in 0..ROUNDS {
                    ui_kit::clock::sleep(AFTER_MS).await;
                    if is_led.try_get_value() != Some(true) {
                        break;
                    }
                }
                // It may have led nowhere.
                let _ = is_led.try_set_value(false);
                if self.is_lost() {
                    web::page::focus(selector);
                }
            });
        });
    }
}
