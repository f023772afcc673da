//! What is known of the photo that is seen large, and what a person may say of it: stars, tags, who is on it.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use serde_json::json;
use ui_kit::{Each, Icon, Say, dates, memo};

use crate::folders::{Full, LargeLack};
use crate::library::Cell;
use crate::name_line::NameLine;
use crate::people::{Frame, NameFace};
use crate::press::{hold_once, is_single};
use crate::view::View;
use crate::words;

/// The most stars.
pub const STARS: u32 = 5;

/// Gives a photo stars; the same again takes them away.
pub fn rate(view: View, cell: &Cell, stars: u32) {
    let to = if stars == cell.stars { 0 } else { stars };
    view.page.tools.run("photo_rate", json!({ "images": [cell.id], "stars": to }), Say::Nothing, |_| {});
}

/// A line of what is known; nothing while it is empty.
fn fact(name: &'static str, value: impl Fn() -> String + Send + Sync + 'static) -> AnyView {
    let value = memo(move |_| value());
    view! {
        <Show when=move || value.with(|value| !value.is_empty())>
            <div>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
            </div>
        </Show>
    }
    .into_any()
}

/// What stands beside the picture. It is drawn once and follows the photo, so that whoever gives one stars after another keeps the focus.
#[component]
pub fn Info(
    view: View,
    cell: Memo<Option<Cell>>,
    full: Full,
    named: RwSignal<Option<Frame>>,
    /// Puts it into the bin, or brings it back.
    #[prop(into)]
    on_bin: Callback<()>,
    /// Shows on the map where it was taken.
    #[prop(into)]
    on_map: Callback<()>,
) -> impl IntoView {
    let page = view.page;
    let of =
        move |say: fn(&Cell) -> String| move || cell.with(|cell| cell.as_ref().map(say).unwrap_or_default());
    let day = move || {
        cell.with(|cell| {
            let Some(cell) = cell else { return String::new() };
            let now = page.wall.now.get_untracked();
            match cell.day().as_str() {
                "" => words::no_date().to_owned(),
                _ => dates::due_label(cell.at.get(..16).unwrap_or(&cell.at), &now),
            }
        })
    };
    let place =
        of(|cell| if cell.gps.is_some() { words::place(&cell.place) } else { words::no_place().to_owned() });
    let is_on_map =
        memo(move |_| cell.with(|cell| cell.as_ref().is_some_and(|cell| cell.gps.is_some() && !cell.in_bin)));
    let quality = of(|cell| match cell.quality {
        Some(score) => words::quality(score, &cell.why),
        None if cell.no_file => String::new(),
        None if cell.trouble.is_empty() => words::not_looked_at().to_owned(),
        None => cell.trouble.clone(),
    });
    let in_bin = memo(move |_| cell.with(|cell| cell.as_ref().is_some_and(|cell| cell.in_bin)));
    let star = move |count: u32| {
        let stars = move || cell.with(|cell| cell.as_ref().map_or(0, |cell| cell.stars));
        view! {
            <button
                type="button"
                class="photo-star"
                class:photo-star-on=move || count <= stars()
                data-testid="photo-star"
                aria-pressed=move || (count == stars()).to_string()
                aria-label=words::stars_given(count as usize)
                on:click=move |_| {
                    if let Some(cell) = cell.get_untracked() {
                        rate(view, &cell, count);
                    }
                }
            >
                {move || if count <= stars() { "★" } else { "☆" }}
            </button>
        }
    };
    // The second press of a double click is not for the photo that is shown next.
    let bin = move |event: MouseEvent| {
        if is_single(&event) {
            on_bin.run(());
        }
    };
    view! {
        <figcaption>
            <LargeLack folders=view.folders cell full />
            <Show when=move || view.info.get()>
                <div data-testid="photo-info">
                    <p class="photo-when">{day}</p>
                    <dl class="photo-facts">
                        {fact(words::place_word(), place)}
                        {fact(words::quality_word(), quality)}
                        {fact(words::with_faces(), of(|cell| cell.faces.map(|count| words::faces_seen(count as usize)).unwrap_or_default()))}
                        {fact(words::people(), of(|cell| cell.people.join(", ")))}
                        {fact(words::albums(), of(|cell| cell.albums.join(", ")))}
                        {fact(words::size(), of(|cell| words::pixels(cell.width, cell.height)))}
                        {fact(words::camera(), of(|cell| cell.camera.clone()))}
                        {fact(words::lens(), of(|cell| cell.lens.clone()))}
                        {fact(words::file(), of(|cell| cell.name.clone()))}
                        {fact(words::original(), move || cell.with(|cell| cell.as_ref().map(|cell| view.folders.told(cell)).unwrap_or_default()))}
                    </dl>
                    <Show when=move || is_on_map.get()>
                        <button type="button" class="text-button" data-testid="photo-on-map" on:click=move |_| on_map.run(())>
                            {words::on_map()}
                        </button>
                    </Show>
                    <NameFace page people=view.people named />
                    <Tags view cell />
                </div>
            </Show>
            <div class="photo-acts">
                <div role="group" aria-label=words::stars_word()>{(1..=STARS).map(star).collect_view()}</div>
                <button type="button" class="button" data-testid="photo-bin" on:click=bin on:keydown=move |event| hold_once(&event)>
                    {Icon::Trash.draw()}
                    <span>{move || if in_bin.get() { words::restore() } else { words::delete() }}</span>
                </button>
            </div>
        </figcaption>
    }
}

/// Its tags: each can be taken off, and others put on.
#[component]
fn Tags(view: View, cell: Memo<Option<Cell>>) -> impl IntoView {
    let name = RwSignal::new(String::new());
    let tags =
        memo(move |_| cell.with(|cell| cell.as_ref().map(|cell| cell.tags.clone()).unwrap_or_default()));
    let run = move |tool: &'static str, tag: &str, then: fn()| {
        let Some(id) = cell.with_untracked(|cell| cell.as_ref().map(|cell| cell.id.clone())) else { return };
        let arguments = json!({ "images": [id], "tags": [tag] });
        view.page.tools.run(tool, arguments, Say::SummaryWithUndo, move |is_done| {
            if is_done {
                then();
            }
        });
    };
    // The button goes with its tag.
    let to_field = || {
        web::page::focus(".photo-tags + form input");
    };
    let tag = move |tag: String| {
        let (label, this) = (words::take_off(&tag), tag.clone());
        view! {
            <li class="tag photo-tag" data-testid="photo-tag">
                <span>{tag}</span>
                <button
                    type="button"
                    class="photo-tag-off"
                    data-testid="photo-tag-off"
                    aria-label=label
                    on:click=move |_| run("photo_untag", &this, to_field)
                >
                    {Icon::Close.draw()}
                </button>
            </li>
        }
    };
    let add = move |tag: String| {
        run("photo_tag", &tag, || ());
        name.set(String::new());
    };
    view! {
        <ul class="photo-tags" aria-label=words::tags()>
            <Each each=move || tags.get() key=|tag: &String| tag.clone() children=tag />
        </ul>
        <NameLine name label=words::add_tag().to_owned() hint=words::add_tag() testid="photo-tag-name" save=words::tag() on_name=add />
    }
}
