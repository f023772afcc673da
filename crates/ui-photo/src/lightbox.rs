//! One photo, large: with keys, buttons and a swipe to the next, larger and smaller, what is known of it, stars and the bin.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use serde_json::json;
use ui_kit::sheet::{SheetHead, close_beside, follow, once_closed};
use ui_kit::{Phase, Say, memo};
use wasm_bindgen::JsCast;

use crate::choice::of_photo;
use crate::choosing::Filter;
use crate::folders::Full;
use crate::info::{Info, STARS, rate};
use crate::library::Shown;
use crate::lost::nobody_has_focus;
use crate::people::Frame;
use crate::press::Waits;
use crate::stage::{Lying, Stage};
use crate::view::View;
use crate::words;

/// So far a key moves a picture that is larger than its frame, in CSS pixels.
const MOVE_PX: f64 = 60.0;

/// The dialog with the photo that `view.large` names.
#[component]
pub fn Lightbox(view: View, filter: Filter) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let View { found, large, page, .. } = view;
    let at = memo(move |_| {
        let id = large.get()?;
        found.with(|found| found.iter().position(|cell| cell.id == id))
    });
    // What is not shown any more is not shown large.
    ui_kit::effect(move |_| {
        let is_read = matches!(view.phase.get(), Phase::Ready | Phase::Empty);
        if large.with(Option::is_some) && at.get().is_none() && is_read {
            large.set(None);
        }
    });
    follow(dialog, move || large.with(Option::is_some), || ());
    let lying = Lying::new();
    // The face that is being named, of the photo that is seen.
    let named = RwSignal::new(None::<Frame>);
    ui_kit::effect(move |before: Option<Option<String>>| {
        let now = large.get();
        named.set(None);
        lying.lie_flat();
        if let (Some(Some(last)), None) = (before, &now) {
            back_to_grid(view, &last);
        }
        now
    });
    let place = move |place: usize| {
        let id = found.with_untracked(|found| found.get(place).map(|cell| cell.id.clone()));
        if id.is_some() {
            large.set(id);
        }
    };
    let go = move |by: isize| {
        if let Some(next) = at.get_untracked().and_then(|at| at.checked_add_signed(by)) {
            place(next);
        }
    };
    let cell = memo(move |_| at.get().and_then(|at| found.with(|found| found.get(at).cloned())));
    let full = Full::of(view.folders, cell);
    // What was shown goes into the bin: the next one is shown, or the one before, or none.
    let waits = Waits::new();
    let bin = move || {
        // One by one: what is shown next was not looked at before the last one has gone.
        if !waits.begin() {
            return;
        }
        let (Some(cell), place) = (cell.get_untracked(), at.get_untracked().unwrap_or_default()) else {
            waits.end();
            return;
        };
        let next = found.with_untracked(|found| {
            found.get(place + 1).or_else(|| found.get(place.checked_sub(1)?)).map(|cell| cell.id.clone())
        });
        let tool = if cell.in_bin { "photo_restore" } else { "photo_delete" };
        page.tools.run(tool, json!({ "images": [cell.id] }), Say::SummaryWithUndo, move |_| waits.end());
        large.set(next);
    };
    // The map in place of the grid, with this photo's marker in the focus.
    let see_on_map = move || {
        let Some(cell) = cell.get_untracked() else { return };
        filter.focus.on_map.set(cell.spot().map(|at| (cell.id.clone(), at)));
        large.set(None);
        filter.focus.show_all();
        filter.which.set(Shown::Places);
    };
    let key = move |event: KeyboardEvent| {
        // Who writes a name or a tag moves in it.
        let is_writing =
            event.target().is_some_and(|target| target.dyn_ref::<web_sys::HtmlInputElement>().is_some());
        if is_writing || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let is_rtl =
            dialog.get_untracked().is_some_and(|dialog| dialog.matches(":dir(rtl)").unwrap_or(false));
        let forward = if is_rtl { -1 } else { 1 };
        let by = |x: f64, y: f64| event.shift_key() && lying.moved([x * MOVE_PX, y * MOVE_PX]);
        match event.key().as_str() {
            "ArrowLeft" if by(1.0, 0.0) => {}
            "ArrowRight" if by(-1.0, 0.0) => {}
            "ArrowUp" if by(0.0, 1.0) => {}
            "ArrowDown" if by(0.0, -1.0) => {}
            "ArrowLeft" => go(-forward),
            "ArrowRight" => go(forward),
            "Home" => place(0),
            "End" => place(found.with_untracked(Vec::len).saturating_sub(1)),
            "+" | "=" => lying.step(true),
            "-" => lying.step(false),
            "i" | "I" => view.info.update(|info| *info = !*info),
            // In the bin nothing is deleted by one key, and nothing brought back by the one that says “delete”.
            // A key that is held down is meant for the one that was seen.
            "Delete" if event.repeat() => {}
            "Delete" if cell.with_untracked(|cell| cell.as_ref().is_some_and(|cell| !cell.in_bin)) => bin(),
            digit => {
                let stars = digit.parse::<u32>().ok().filter(|stars| *stars <= STARS);
                let (Some(stars), Some(cell)) = (stars, cell.get_untracked()) else { return };
                if stars != cell.stars {
                    rate(view, &cell, stars);
                }
            }
        }
        event.prevent_default();
    };
    // What had the focus goes with what was known, a field or a frame: the dialog keeps it.
    ui_kit::effect(move |_| {
        cell.track();
        view.people.track();
        named.track();
        view.info.track();
        request_animation_frame(move || {
            let is_open = dialog.try_get_untracked().flatten().is_some_and(|dialog| dialog.open());
            if is_open && web::page::nothing_has_focus() {
                web::page::focus(".photo-sheet .photo-info-button");
            }
        });
    });
    let told = move || {
        let at = at.get()?;
        Some(words::place_in(at, found.with(Vec::len)))
    };
    let spoken = move || {
        cell.with(|cell| {
            cell.as_ref().map(|cell| words::spoken(cell, &words::day(cell, &page.wall.now.get_untracked())))
        })
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet photo-sheet"
            data-testid="photo-sheet"
            aria-labelledby="photo-sheet-title"
            on:keydown=key
            on:click=close_beside(dialog)
            on:close=once_closed(dialog, move || large.set(None))
        >
            <SheetHead
                id="photo-sheet-title"
                title=words::one_photo()
                on_close=Callback::new(move |()| large.set(None))
            />
            <div class="photo-walk">
                <button type="button" class="icon-button" aria-label=words::before() on:click=move |_| go(-1)>"‹"</button>
                <span role="status" data-testid="photo-which">
                    {told} <span class="visually-hidden">". " {spoken}</span>
                </span>
                <button type="button" class="icon-button" aria-label=words::next() on:click=move |_| go(1)>"›"</button>
                <button type="button" class="icon-button" data-testid="photo-smaller" aria-label=words::smaller() on:click=move |_| lying.step(false)>
                    "−"
                </button>
                <button type="button" class="icon-button" data-testid="photo-larger" aria-label=words::larger() on:click=move |_| lying.step(true)>
                    "+"
                </button>
                <button
                    type="button"
                    class="icon-button photo-info-button"
                    data-testid="photo-info-button"
                    aria-label=words::info()
                    aria-pressed=move || view.info.get().to_string()
                    on:click=move |_| view.info.update(|info| *info = !*info)
                >
                    "i"
                </button>
            </div>
            <Show when=move || cell.with(Option::is_some)>
                <figure class="photo-large">
                    <Stage view cell full lying named go=Callback::new(go) />
                    <Info view cell full named on_bin=Callback::new(move |()| bin()) on_map=Callback::new(move |()| see_on_map()) />
                </figure>
            </Show>
        </dialog>
    }
}

/// Whoever opened a photo in the grid goes on there at the one that was seen last.
fn back_to_grid(view: View, last: &str) {
    let (id, spot) = (last.to_owned(), of_photo(last));
    let is_shown = view.found.with_untracked(|found| found.iter().any(|cell| cell.id == last));
    if !is_shown {
        return;
    }
    view.is_led.set_value(true);
    request_animation_frame(move || {
        let in_grid = web::page::focused()
            .is_some_and(|focused| focused.closest(".photo-lines").is_ok_and(|grid| grid.is_some()));
        if in_grid || nobody_has_focus() {
            view.active.set(Some(spot));
            view.sought.set(Some(id));
        } else {
            view.is_led.set_value(false);
        }
    });
}
