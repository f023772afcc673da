//! One group of the list: its head, and the rows of it that are near the viewport.

use std::collections::HashMap;
use std::ops::Range;

use leptos::prelude::*;

use crate::focus;
use crate::item::{RowState, TodoRow};
use crate::live::Live;
use crate::model::Group;
use ui_kit::locale::number;
use ui_kit::window::{Scroll, Slot, Windowed, windowed};

use crate::words;

/// How high a row is that nobody has seen yet, in CSS pixels: a title on one line.
const ROW_PX: f64 = 48.0;

/// How far beyond the viewport rows are kept in the page, in CSS pixels: a flick of the wheel.
const MARGIN_PX: f64 = 700.0;

/// The rows of a group that are in the page, by the id of their to-do.
type Known = StoredValue<HashMap<String, ArcRwSignal<RowState>>>;

/// The group: nothing at all while it is empty.
#[component]
pub fn GroupView(
    /// Which one.
    group: Group,
    /// Where it scrolls.
    scroll: Scroll,
) -> impl IntoView {
    let live = Live::get();
    let folded = RwSignal::new(false);
    let count = ui_kit::memo(move |_| live.shown_of(group));
    let has_form = ui_kit::memo(move |_| live.forms.with(|forms| forms[group as usize] > 0));
    let name = words::group_name(group);
    let list = move || {
        let known: Known = StoredValue::new(HashMap::new());
        on_cleanup(move || live.want(group, 0..0));
        windowed(Windowed {
            scroll,
            count: count.into(),
            at_end: Signal::stored(false),
            margin_px: MARGIN_PX,
            estimate_px: ROW_PX,
            slots: Box::new(move |range| slots(live, group, known, range)),
            draw: Box::new(move |slot| draw(known, group, &slot)),
            list_class: "todos",
            is_list: true,
        })
    };
    view! {
        <Show when=move || { count.get() > 0 || has_form.get() }>
            <section class="group" data-group=words::group_word(group)>
                <h3>
                    <button
                        type="button"
                        class="group-head"
                        aria-expanded=move || (!folded.get()).to_string()
                        on:click=move |_| {
                            folded.update(|folded| *folded = !*folded);
                            // What is below has moved.
                            request_animation_frame(move || scroll.moved());
                        }
                    >
                        <span class="group-name">{name}</span>
                        <span class="group-count">{move || number(count.get())}</span>
                        <span class="group-turn" aria-hidden="true"></span>
                    </button>
                </h3>
                <Show when=move || !folded.get()>{list}</Show>
            </section>
        </Show>
    }
}

/// The rows of a range. A row that has the focus or is being edited stays, wherever the viewport goes; one that is being
/// edited stays as well when its to-do leaves the group, with what was typed in it.
fn slots(live: Live, group: Group, known: Known, range: Range<usize>) -> Vec<Slot> {
    live.news.track();
    live.want(group, range.clone());
    let of = live.shown.get_untracked().of(group);
    let mut slots = Vec::with_capacity(range.len());
    known.update_value(|known| {
        let mut before = std::mem::take(known);
        let mut put = |id: String, state: RowState, before: &mut HashMap<String, ArcRwSignal<RowState>>| {
            let signal = match before.remove(&id) {
                Some(signal) => {
                    if signal.with_untracked(|old| *old != state) {
                        signal.set(state);
                    }
                    signal
                }
                None => ArcRwSignal::new(state),
            };
            known.insert(id, signal);
        };
        for at in range.clone() {
            let key = match live.row(group, at) {
                Some(todo) => {
                    let id = todo.id.clone();
                    put(id.clone(), RowState { todo, at, of, parked: false }, &mut before);
                    id
                }
                None => format!("~{at}"),
            };
            slots.push(Slot { key, at });
        }
        for id in before.keys().filter(|id| focus::is_held(id)).cloned().collect::<Vec<_>>() {
            let Some(old) = before.get(&id).map(ArcRwSignal::get_untracked) else { continue };
            let state = match live.place(group, &id) {
                Some(at) => live.row(group, at).map(|todo| RowState { todo, at, of, parked: true }),
                // What stands in its place is another one: it has left the group.
                None if old.at >= of || live.row(group, old.at).is_some() => {
                    focus::is_edited(&id).then_some(old)
                }
                None => Some(RowState { parked: true, ..old }),
            };
            if let Some(state) = state {
                let slot = Slot { key: id.clone(), at: state.at };
                let place = match state.parked {
                    true if slot.at < range.start => 0,
                    true => slots.len(),
                    false => slot.at.saturating_sub(range.start).min(slots.len()),
                };
                put(id, state, &mut before);
                slots.insert(place, slot);
            }
        }
    });
    slots
}

fn draw(known: Known, group: Group, slot: &Slot) -> AnyView {
    match known.with_value(|known| known.get(&slot.key).cloned()) {
        Some(state) => view! { <TodoRow state group /> }.into_any(),
        // In its size, until it is here.
        None => view! { <li class="todo todo-blank" aria-hidden="true"></li> }.into_any(),
    }
}
