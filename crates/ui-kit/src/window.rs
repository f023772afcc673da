//! Long lists: only the rows near the viewport are in the page.
//!
//! A list of any length is three things: an empty block as high as the rows before, the rows, an empty block
//! as high as the rows after. Heights are measured where rows were seen and estimated where not; rows
//! are counted in chunks, so that a hundred thousand of them are a short vector of numbers. The two blocks are
//! neighbours of the rows and not around them: the browser's scroll anchoring then keeps what is looked at in
//! its place when an estimate turns out wrong.
//!
//! What can be seen is drawn at once; what lies beyond it comes in small steps, one a frame, so that no frame
//! of a scroll has to draw more than it has time for.

mod extent;
mod stride;

use std::mem;
use std::ops::Range;
use std::rc::Rc;

use crate::Each;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, ResizeObserver};

use extent::{CHUNK, Extent};

/// What scrolls, and a number that grows whenever it did. A handle.
#[derive(Clone, Copy)]
pub struct Scroll {
    /// The element that scrolls.
    pub scroller: NodeRef<html::Div>,
    frame: RwSignal<u32>,
}

impl Scroll {
    /// Watches a scroller; its scroll events go to [`Scroll::moved`].
    #[must_use]
    pub fn of(scroller: NodeRef<html::Div>) -> Self {
        let scroll = Self { scroller, frame: RwSignal::new(0) };
        crate::effect(move |_| {
            let Some(element) = scroller.get() else { return };
            let resized = Closure::<dyn FnMut()>::new(move || scroll.moved());
            let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) else { return };
            observer.observe(&element);
            let held = StoredValue::new_local((observer, resized));
            on_cleanup(move || held.with_value(|(observer, _)| observer.disconnect()));
        });
        scroll
    }

    /// It scrolled, or what is in it moved.
    pub fn moved(self) {
        let _ = self.frame.try_update(|frame| *frame = frame.wrapping_add(1));
    }
}

/// A row that is in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The same for the same thing, wherever it stands.
    pub key: String,
    /// Its place in the list.
    pub at: usize,
}

/// A list of which only a part is in the page.
pub struct Windowed {
    /// Where it scrolls.
    pub scroll: Scroll,
    /// How many rows there are.
    pub count: Signal<usize>,
    /// True while the end is looked at, wherever the scroller is just now.
    pub at_end: Signal<bool>,
    /// How far beyond the viewport rows are kept in the page, in CSS pixels.
    pub margin_px: f64,
    /// How high a row nobody has seen yet is taken to be, in CSS pixels.
    pub estimate_px: f64,
    /// The rows of a range, and whatever row outside it must stay. What it reads is tracked.
    pub slots: Box<dyn Fn(Range<usize>) -> Vec<Slot>>,
    /// Draws a row: exactly one element.
    pub draw: Box<dyn Fn(Slot) -> AnyView>,
    /// The class of the element around the rows; a list element when there is one.
    pub list_class: &'static str,
    /// True when the rows are the items of a list.
    pub is_list: bool,
}

/// What one windowed list knows of itself.
struct Parts {
    extent: Extent,
    range: Range<usize>,
    /// A new frame has begun: there is time for a few more rows.
    stride: bool,
}

/// Draws the list.
pub fn windowed(list: Windowed) -> AnyView {
    let Windowed { scroll, count, at_end, margin_px, estimate_px, slots, draw, list_class, is_list } = list;
    let holder = NodeRef::<html::Div>::new();
    let parts =
        StoredValue::new_local(Parts { extent: Extent::new(estimate_px), range: 0..0, stride: false });
    let (before, after) = (RwSignal::new(0.0), RwSignal::new(0.0));
    let shown = RwSignal::new(Vec::<Slot>::new());
    let slots = StoredValue::new_local(Rc::new(slots));
    let draw = StoredValue::new_local(draw);
    let measuring = StoredValue::new(false);
    crate::effect(move |_| {
        scroll.frame.track();
        let (count, at_end) = (count.get(), at_end.get());
        let (Some(element), Some(scroller)) = (holder.get(), scroll.scroller.get()) else { return };
        let top = element.get_bounding_client_rect().top() - scroller.get_bounding_client_rect().top();
        let height = f64::from(scroller.client_height());
        let range = parts.try_update_value(|parts| {
            parts.extent.resize(count);
            let from = if at_end { parts.extent.total() - height } else { -top };
            let seen = parts.extent.rows_between(from, from + height);
            // In a pane that is not shown the height is none, and what will be seen first stands ready.
            let near = parts.extent.rows_between(from - margin_px, from + height + margin_px);
            let most = if mem::take(&mut parts.stride) { CHUNK } else { 0 };
            parts.range = stride::towards(&near, &seen, &parts.range, from > 0.0, most);
            (parts.range.clone(), parts.range != near)
        });
        let Some((range, more)) = range else { return };
        let wanted = slots.get_value()(range);
        if shown.with_untracked(|shown| *shown != wanted) {
            shown.set(wanted);
        }
        space(parts, before, after);
        if !measuring.get_value() {
            measuring.set_value(true);
            // After the rows stand, and before the next frame: reading their sizes then costs no extra layout.
            request_animation_frame(move || {
                if measuring.try_set_value(false).is_some() {
                    return;
                }
                let measured = measure(holder, parts);
                if measured {
                    space(parts, before, after);
                }
                if measured || more {
                    let _ = parts.try_update_value(|parts| parts.stride = true);
                    scroll.moved();
                }
            });
        }
    });
    let rows = move || {
        view! {
            <Each
                each=move || shown.get()
                key=|slot| slot.key.clone()
                children=move |slot| draw.with_value(|draw| draw(slot))
            />
        }
    };
    let pixels = |height: f64| format!("{height:.1}px");
    view! {
        <div node_ref=holder class="windowed">
            <div class="spacer" aria-hidden="true" style:height=move || pixels(before.get())></div>
            {if is_list {
                view! { <ul class=list_class>{rows()}</ul> }.into_any()
            } else {
                view! { <div class=list_class>{rows()}</div> }.into_any()
            }}
            <div class="spacer" aria-hidden="true" style:height=move || pixels(after.get())></div>
        </div>
    }
    .into_any()
}

/// Puts the heights of what is not in the page where it would be.
fn space(parts: StoredValue<Parts, LocalStorage>, before: RwSignal<f64>, after: RwSignal<f64>) {
    let Some((top, bottom)) = parts.try_with_value(|Parts { extent, range, .. }| {
        (extent.offset(range.start), extent.total() - extent.offset(range.end))
    }) else {
        return;
    };
    for (signal, value) in [(before, top), (after, bottom)] {
        if signal.try_get_untracked().is_some_and(|old: f64| (old - value).abs() > 0.5) {
            signal.set(value);
        }
    }
}

/// Reads how high the chunks in the page are. True when one is not as it was thought to be.
fn measure(holder: NodeRef<html::Div>, parts: StoredValue<Parts, LocalStorage>) -> bool {
    let Some(holder) = holder.try_get_untracked().flatten() else { return false };
    // In a pane that is not shown everything is nothing high.
    if holder.get_bounding_client_rect().width() == 0.0 {
        return false;
    }
    let (Some(list), Some(end)) = (holder.children().item(1), holder.children().item(2)) else {
        return false;
    };
    let top = |element: &Element| element.get_bounding_client_rect().top();
    let rows = list.children();
    parts
        .try_update_value(|parts| {
            // A row that is only kept for its focus takes no room, and shifts the others' places.
            let parked = (0..rows.length())
                .filter_map(|at| rows.item(at))
                .take_while(|row| row.class_list().contains("parked"))
                .count();
            let mut changed = false;
            for chunk in parts.range.start / CHUNK..parts.range.end.div_ceil(CHUNK) {
                let at = |row: usize| {
                    let place = row.checked_sub(parts.range.start)? + parked;
                    rows.item(u32::try_from(place).ok()?)
                };
                let last = ((chunk + 1) * CHUNK).min(parts.range.end);
                let Some(first) = at(chunk * CHUNK) else { break };
                let bottom = match at(last) {
                    Some(next) if last < parts.range.end && !next.class_list().contains("parked") => {
                        top(&next)
                    }
                    _ => top(&end),
                };
                changed |= parts.extent.measured(chunk, bottom - top(&first));
            }
            changed
        })
        .unwrap_or_default()
}
