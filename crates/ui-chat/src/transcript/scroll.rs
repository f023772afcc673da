//! Keeps the latest in sight, until the person looks elsewhere.

use std::time::Duration;

use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{MutationObserver, MutationObserverInit, Node, ResizeObserver};

use crate::clock::now_ms;

/// As close to the end as counts as being there, in CSS pixels.
const NEAR_PX: i32 = 64;

/// How long after a key, a wheel or a finger a scroll is taken to come from it, and how long after the content changed
/// it is taken to come from that.
const SOON_MS: i64 = 700;
const SOON: Duration = Duration::from_millis(700);

/// Whether the end is followed, and where the page itself last scrolled to. A handle.
#[derive(Clone, Copy)]
pub struct Follow {
    /// True while the end is followed.
    pub on: RwSignal<bool>,
    scroller: NodeRef<html::Div>,
    last_top: StoredValue<i32>,
    /// The content changed not long ago. By the page's own timers and frames and not by the clock: a
    /// page that was busy for a second has not seen yet what came of the change.
    is_new: StoredValue<bool>,
    /// How often it did.
    changes: StoredValue<u64>,
    hand: Hand,
}

/// What the person's hands did last that can scroll.
#[derive(Clone, Copy)]
struct Hand {
    moved_ms: StoredValue<i64>,
    /// A pointer is down, or the browser's own search is open, which says nothing of what it scrolls.
    holds: StoredValue<bool>,
}

impl Hand {
    fn watch(scroller: NodeRef<html::Div>) -> Self {
        let hand = Self { moved_ms: StoredValue::new(0), holds: StoredValue::new(false) };
        let moved = move || {
            let _ = hand.moved_ms.try_set_value(now_ms());
        };
        let holds = move || {
            let _ = hand.holds.try_set_value(true);
        };
        let listeners = [
            window_event_listener(ev::wheel, move |_| moved()),
            window_event_listener(ev::touchmove, move |_| moved()),
            window_event_listener(ev::pointerdown, move |event| {
                // Its bar is pulled, or a selection. What is pressed elsewhere does not scroll it.
                let target = event.target().and_then(|target| target.dyn_into::<Node>().ok());
                let scroller = scroller.try_get_untracked().flatten();
                if scroller.is_some_and(|scroller| scroller.contains(target.as_ref())) {
                    holds();
                }
            }),
            window_event_listener(ev::pointerup, move |_| hand.lets_go()),
            window_event_listener(ev::pointercancel, move |_| hand.lets_go()),
            window_event_listener(ev::focus, move |_| hand.lets_go()),
            window_event_listener(ev::keydown, move |event| {
                let with_control = event.ctrl_key() || event.meta_key();
                let searches =
                    with_control && matches!(event.key().as_str(), "f" | "g") || event.key() == "F3";
                if searches {
                    holds();
                } else if with_control || event.alt_key() || moves(&event.key()) {
                    moved();
                }
            }),
        ];
        on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
        hand
    }

    /// What goes on from a pull is still its own for a moment.
    fn lets_go(self) {
        if self.holds.try_get_value() == Some(true) {
            self.holds.set_value(false);
            self.moved_ms.set_value(now_ms());
        }
    }

    /// True if a scroll that comes now may be the person's.
    fn is_on_it(self) -> bool {
        self.holds.get_value() || now_ms() - self.moved_ms.get_value() < SOON_MS
    }
}

/// True for keys that scroll or move the focus, wherever they are pressed; a letter or Enter does neither.
fn moves(key: &str) -> bool {
    matches!(key, "ArrowUp" | "ArrowDown" | "PageUp" | "PageDown" | "Home" | "End" | "Tab")
}

impl Follow {
    /// Follows the end of `content` in `scroller`. The content's size is watched, so that whatever makes
    /// it grow (a stream, a folded part, a narrower page) is followed in the same way.
    pub fn start(scroller: NodeRef<html::Div>, content: NodeRef<html::Div>) -> Self {
        let follow = Self {
            on: RwSignal::new(true),
            scroller,
            last_top: StoredValue::new(0),
            is_new: StoredValue::new(false),
            changes: StoredValue::new(0),
            hand: Hand::watch(scroller),
        };
        ui_kit::effect(move |_| {
            let Some(content) = content.get() else { return };
            let resized = Closure::<dyn FnMut()>::new(move || {
                follow.changed();
                if follow.on.get_untracked() {
                    follow.to_end();
                }
            });
            let Ok(sizes) = ResizeObserver::new(resized.as_ref().unchecked_ref()) else { return };
            sizes.observe(&content);
            if let Some(scroller) = scroller.get_untracked() {
                sizes.observe(&scroller);
            }
            // A frame tells of scrolls before it tells of sizes. What changed is known here before either.
            let altered = Closure::<dyn FnMut()>::new(move || follow.changed());
            let Ok(rows) = MutationObserver::new(altered.as_ref().unchecked_ref()) else { return };
            let whole = MutationObserverInit::new();
            whole.set_child_list(true);
            whole.set_subtree(true);
            let _ = rows.observe_with_options(&content, &whole);
            let held = StoredValue::new_local((sizes, resized, rows, altered));
            on_cleanup(move || {
                held.with_value(|(sizes, _, rows, _)| {
                    sizes.disconnect();
                    rows.disconnect();
                });
            });
        });
        ui_kit::effect(move |_| {
            if follow.on.get() {
                follow.to_end();
            }
        });
        follow
    }

    /// The content is another.
    fn changed(self) {
        let count = self.changes.try_update_value(|changes| {
            *changes += 1;
            *changes
        });
        if let (Some(count), Some(false)) = (count, self.is_new.try_get_value()) {
            self.is_new.set_value(true);
            self.settle_after(count);
        }
    }

    /// The content is no longer new once nothing more has changed for a while. The scrolls of a frame are told before it calls
    /// back, so one that is still to be told is told first.
    fn settle_after(self, count: u64) {
        let look = move || match self.changes.try_get_value() {
            Some(now) if now == count => drop(self.is_new.try_set_value(false)),
            Some(now) => self.settle_after(now),
            None => {}
        };
        set_timeout(move || request_animation_frame(look), SOON);
    }

    /// Something scrolled. A place above where the page itself last scrolled to was chosen by the person, unless the
    /// content has only just changed and no hand moved: then the browser itself put it there, because what was shown
    /// became shorter for a moment. A place at the end is where the following begins again. An end that has only
    /// moved on since is neither.
    pub fn scrolled(self) {
        let Some(element) = self.scroller.get_untracked() else { return };
        let top = element.scroll_top();
        let at_end = element.scroll_height() - top - element.client_height() <= NEAR_PX;
        let on = self.on.get_untracked();
        if on && !at_end && top + 2 < self.last_top.get_value() {
            if self.hand.is_on_it() || !self.is_new.get_value() {
                self.on.set(false);
            } else {
                self.to_end();
            }
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
