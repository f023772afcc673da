//! One photo, large: with keys and buttons to the next, what is known of it, stars and the bin.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use serde_json::json;
use ui_kit::sheet::{SheetHead, close_beside, follow, once_closed};
use ui_kit::{Icon, Phase, Say, dates, memo};
use wasm_bindgen::JsCast;

use crate::library::Cell;
use crate::pane::View;
use crate::people::{Frame, Frames, NameFace};
use crate::words;

/// The most stars.
const STARS: u32 = 5;

/// The dialog with the photo that `view.large` names.
#[component]
pub fn Lightbox(view: View) -> impl IntoView {
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
    let go = move |by: isize| {
        let next = at.get_untracked().and_then(|at| at.checked_add_signed(by));
        let id = next.and_then(|at| found.with_untracked(|found| found.get(at).map(|cell| cell.id.clone())));
        if id.is_some() {
            large.set(id);
        }
    };
    let run = move |tool: &'static str, arguments, say| page.tools.run(tool, arguments, say, |_| {});
    // What was shown goes into the bin: the next one is shown, or the one before, or none.
    let bin = move |cell: &Cell| {
        let place = at.get_untracked().unwrap_or_default();
        let next = found.with_untracked(|found| {
            found.get(place + 1).or_else(|| found.get(place.checked_sub(1)?)).map(|cell| cell.id.clone())
        });
        let tool = if cell.in_bin { "photo_restore" } else { "photo_delete" };
        run(tool, json!({ "images": [cell.id] }), Say::SummaryWithUndo);
        large.set(next);
    };
    // The face that is being named, of the photo that is seen.
    let named = RwSignal::new(None::<Frame>);
    ui_kit::effect(move |_| {
        large.track();
        named.set(None);
    });
    let cell = memo(move |_| at.get().and_then(|at| found.with(|found| found.get(at).cloned())));
    let shown = move || {
        cell.get().map(|cell| {
            let now = page.wall.now.get_untracked();
            let day = match cell.day().as_str() {
                "" => words::NO_DATE.to_owned(),
                _ => dates::due_label(cell.at.get(..16).unwrap_or(&cell.at), &now),
            };
            let source = if cell.large.is_empty() { &cell.thumb } else { &cell.large };
            let source = Cell::address(if cell.trouble.is_empty() { source } else { &cell.thumb });
            let spoken = words::spoken(&cell, &day);
            let place = if cell.place.is_empty() { words::NO_PLACE.to_owned() } else { cell.place.clone() };
            let quality = match cell.quality {
                Some(score) => words::quality(score, &cell.why),
                None if cell.trouble.is_empty() => words::NOT_LOOKED_AT.to_owned(),
                None => cell.trouble.clone(),
            };
            let (id, stars) = (cell.id.clone(), cell.stars);
            let star = move |count: u32| {
                let (id, is_on) = (id.clone(), count <= stars);
                // The last one again takes them away.
                let to = if count == stars { 0 } else { count };
                view! {
                    <button
                        type="button"
                        class="photo-star"
                        class:photo-star-on=is_on
                        aria-pressed=(count == stars).to_string()
                        aria-label=words::stars(count)
                        on:click=move |_| run("photo_rate", json!({ "images": [id], "stars": to }), Say::Nothing)
                    >
                        {if is_on { "★" } else { "☆" }}
                    </button>
                }
            };
            let name = if cell.in_bin { words::RESTORE } else { words::DELETE };
            let binned = cell.clone();
            view! {
                <figure class="photo-large">
                    <div class="photo-framed">
                        <img src=source alt=spoken width=cell.width height=cell.height />
                        <Frames people=view.people photo=cell.id.clone() named />
                    </div>
                    <figcaption>
                        <p class="photo-when">{day}</p>
                        <p>{place}</p>
                        <p>{quality}</p>
                        <p>{cell.faces.map(words::faces)}</p>
                        <NameFace page people=view.people named />
                        <ul class="photo-tags">{cell.tags.iter().map(|tag| view! { <li class="tag">{tag.clone()}</li> }).collect_view()}</ul>
                        <p class="hint" dir="auto">
                            {cell.name.clone()} " · " {format!("{} × {}", cell.width, cell.height)} " · " {cell.camera.clone()}
                        </p>
                        <div class="photo-acts">
                            <div role="group" aria-label=words::STARS>{(1..=STARS).map(star).collect_view()}</div>
                            <button type="button" class="button" data-testid="photo-bin" on:click=move |_| bin(&binned)>
                                {Icon::Trash.draw()} <span>{name}</span>
                            </button>
                        </div>
                    </figcaption>
                </figure>
            }
        })
    };
    let place = move || at.get().map(|at| words::place_in(at, found.with(Vec::len)));
    let key = move |event: KeyboardEvent| {
        // Who writes a name moves in it.
        let is_writing =
            event.target().is_some_and(|target| target.dyn_ref::<web_sys::HtmlInputElement>().is_some());
        match event.key().as_str() {
            "ArrowLeft" if !is_writing => go(-1),
            "ArrowRight" if !is_writing => go(1),
            _ => {}
        }
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
                title=words::ONE_PHOTO
                on_close=Callback::new(move |()| large.set(None))
            />
            <div class="photo-walk">
                <button type="button" class="icon-button" aria-label=words::BEFORE on:click=move |_| go(-1)>"‹"</button>
                <span role="status">{place}</span>
                <button type="button" class="icon-button" aria-label=words::NEXT on:click=move |_| go(1)>"›"</button>
            </div>
            {shown}
        </dialog>
    }
}
