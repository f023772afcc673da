//! The photos by day, in a grid of which only what is near is in the page.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use ui_kit::panel::Page;
use ui_kit::window::{Scroll, Slot, Windowed, windowed};
use ui_kit::{dates, memo};

use crate::library::{Cell, Line, Shown, lines};
use crate::view::View;
use crate::words;

/// How far beyond what is seen lines are kept in the page, and how high one is taken to be, in CSS pixels.
const MARGIN_PX: f64 = 600.0;
const LINE_PX: f64 = 96.0;

/// The photos by day.
#[component]
pub fn Grid(view: View, which: Memo<Shown>) -> impl IntoView {
    let scroller = NodeRef::<html::Div>::new();
    let scroll = Scroll::of(scroller);
    let lines = memo(move |_| view.found.with(|found| lines(found, which.get())));
    let slots = move |range: std::ops::Range<usize>| {
        lines.with(|lines| {
            view.found.with(|found| {
                let slot = |at: usize| {
                    let key = match lines.get(at)? {
                        Line::Day(day, count) => format!("{day} {count} {at}"),
                        // A line is another one when any photo in it is, or looks otherwise.
                        Line::Photos(range) => {
                            let photos = found.get(range.clone()).unwrap_or_default();
                            photos
                                .iter()
                                .map(|cell| format!("{}{}{}", cell.id, cell.thumb, cell.looked_at))
                                .collect()
                        }
                    };
                    Some(Slot { key, at })
                };
                range.filter_map(slot).collect()
            })
        })
    };
    let draw = move |slot: Slot| {
        let line = lines.with_untracked(|lines| lines.get(slot.at).cloned());
        match line {
            Some(Line::Day(day, count)) => view! { <Day day count page=view.page /> }.into_any(),
            Some(Line::Photos(range)) => {
                let cells =
                    view.found.with_untracked(|found| found.get(range.clone()).unwrap_or_default().to_vec());
                let cells = cells.into_iter().map(|cell| view! { <Thumb view cell /> });
                view! { <div class="photo-line">{cells.collect_view()}</div> }.into_any()
            }
            None => view! { <div></div> }.into_any(),
        }
    };
    let grid = windowed(Windowed {
        scroll,
        count: Signal::derive(move || lines.with(Vec::len)),
        at_end: Signal::stored(false),
        margin_px: MARGIN_PX,
        estimate_px: LINE_PX,
        slots: Box::new(slots),
        draw: Box::new(draw),
        list_class: "photo-lines",
        is_list: false,
    });
    view! {
        <div node_ref=scroller class="row-list" data-testid="photo-grid" tabindex="-1" on:scroll=move |_| scroll.moved()>
            <Show when=move || lines.with(Vec::is_empty)>
                <p class="empty">{move || if which.get() == Shown::Bin { words::BIN_EMPTY } else { words::NOTHING_FITS }}</p>
            </Show>
            {grid}
        </div>
    }
}

/// The heading of a day.
#[component]
fn Day(day: String, count: usize, page: Page) -> impl IntoView {
    let name = match day.as_str() {
        "" => words::NO_DATE.to_owned(),
        "=" => words::count(count),
        day => dates::due_label(day, &page.wall.now.get_untracked()),
    };
    view! { <h3 class="photo-day">{name}</h3> }
}

/// A photo of the grid: a press opens it, one with a key held chooses it.
#[component]
fn Thumb(view: View, cell: Cell) -> impl IntoView {
    let View { chosen, anchor, large, found, .. } = view;
    let id = StoredValue::new(cell.id.clone());
    let is_chosen = memo(move |_| chosen.with(|chosen| chosen.contains(&id.get_value())));
    let choose = move |is_range: bool| {
        let from = anchor.get_untracked().filter(|_| is_range);
        anchor.set(Some(id.get_value()));
        // Looked up now: what came in since this was drawn has moved it.
        let range = from.and_then(|from| {
            found.with_untracked(|found| {
                let place = |id: &str| found.iter().position(|cell| cell.id == id);
                let (one, other) = (place(&from)?, place(&id.get_value())?);
                let all = found.get(one.min(other)..=one.max(other))?;
                Some(all.iter().map(|cell| cell.id.clone()).collect::<Vec<_>>())
            })
        });
        chosen.update(|chosen| match range {
            Some(range) => chosen.extend(range),
            None => {
                let id = id.get_value();
                if !chosen.remove(&id) {
                    chosen.insert(id);
                }
            }
        });
    };
    let day = words::day(&cell, &view.page.wall.now.get_untracked());
    let spoken = words::spoken(&day, &cell.place, cell.faces, &cell.tags);
    let spoken_for_choice = format!("{}: {spoken}", words::CHOOSE);
    let picture = if cell.thumb.is_empty() {
        view! { <span class="photo-none" dir="auto">{cell.name.clone()}</span> }.into_any()
    } else {
        view! { <img src=Cell::address(&cell.thumb) alt="" loading="lazy" decoding="async" /> }.into_any()
    };
    view! {
        <div class="photo-cell" class:photo-is-chosen=is_chosen data-testid="photo-cell">
            <button
                type="button"
                class="photo-open"
                aria-label=spoken
                on:click=move |event| {
                    if event.shift_key() || event.ctrl_key() || event.meta_key() {
                        choose(event.shift_key());
                    } else {
                        large.set(Some(id.get_value()));
                    }
                }
                on:keydown=move |event: KeyboardEvent| {
                    if event.key() == " " {
                        event.prevent_default();
                        choose(event.shift_key());
                    }
                }
            >
                {picture}
            </button>
            <input
                type="checkbox"
                class="photo-check"
                data-testid="photo-check"
                aria-label=spoken_for_choice
                prop:checked=is_chosen
                on:click=move |event| choose(event.shift_key())
            />
        </div>
    }
}
