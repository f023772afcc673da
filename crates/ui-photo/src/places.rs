//! Places in the pane: where photos were taken, on a map and as a list, which says the same to whoever uses no map.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use ui_kit::{Each, Rows, memo};
use ui_map::Tiles;

use crate::choosing::Filter;
use crate::library::{Cell, Shown};
use crate::map::World;
use crate::spots::{Place, places};
use crate::words;

/// A row of the list.
struct Line {
    name: String,
    count: usize,
    thumb: String,
}

impl Line {
    fn of(place: &Place) -> Self {
        Self { name: place.name.clone(), count: place.photos.len(), thumb: place.thumb.clone() }
    }
}

/// Places, in place of the grid.
#[component]
pub fn PlacesView(filter: Filter, rows: Rows<Cell>) -> impl IntoView {
    let Filter { which, focus } = filter;
    let cells = memo(move |_| rows.items.with(|cells| filter.on_map(cells)));
    let found = memo(move |_| cells.with(|cells| places(cells)));
    let without = memo(move |_| found.with(|(_, without)| *without));
    let tiles = RwSignal::new(Tiles::kept());
    let no_tiles = RwSignal::new(false);
    let open = Callback::new(move |(photos, name): (Vec<String>, String)| {
        which.set(Shown::All);
        focus.show_titled(name, photos);
        ui_kit::focus::when_there(|| web::page::first("#photos-title"));
    });
    // Of a library none of whose photos has a place that is said; where words leave none, that they do.
    let has_any =
        memo(move |_| rows.items.with(|cells| cells.iter().any(|cell| !cell.in_bin && cell.gps.is_some())));
    let is_none = memo(move |_| found.with(|(places, _)| places.is_empty()));
    let named = memo(move |_| tiles.with(|tiles| tiles.as_ref().map(|tiles| tiles.host().to_owned())));
    // Looked up when it is pressed: a row is drawn anew when it reads otherwise.
    let see = move |name: &String| {
        let photos = found.with_untracked(|(places, _)| {
            places.iter().find(|place| place.name == *name).map(|place| place.photos.clone())
        });
        if let Some(photos) = photos {
            open.run((photos, name.clone()));
        }
    };
    let row = move |Line { name, count, thumb }: Line| {
        let shown = name.clone();
        view! {
            <li>
                <button
                    type="button"
                    class="photo-place"
                    data-testid="photo-place"
                    on:click=move |_| see(&name)
                >
                    {(!thumb.is_empty())
                        .then(|| view! { <img src=Cell::address(&thumb) alt="" loading="lazy" decoding="async" /> })}
                    <span class="photo-place-name" dir="auto">{shown}</span>
                    <span class="hint">{words::count(count)}</span>
                </button>
            </li>
        }
    };
    view! {
        <div class="row-list photo-places" data-testid="photo-places">
            <Show
                when=move || has_any.get()
                fallback=move || {
                    view! {
                        <div class="empty" data-testid="photo-no-places">
                            <p class="empty-title">{words::no_places()}</p>
                            <p>{words::no_places_hint()}</p>
                        </div>
                    }
                }
            >
                {move || {
                    let tiles = tiles.get();
                    view! { <World cells focus tiles no_tiles open /> }
                }}
                <Show when=move || no_tiles.get()>
                    <p class="notice notice-bad" role="alert">{move || named.get().map(|host| words::no_tiles(&host))}</p>
                </Show>
                <Show when=move || is_none.get()>
                    <p class="empty">{words::nothing_fits()}</p>
                </Show>
                <ul class="photo-place-list" aria-label=words::places()>
                    <Each
                        each=move || found.with(|(places, _)| places.iter().map(Line::of).collect::<Vec<_>>())
                        key=|line: &Line| format!("{} {} {}", line.count, line.thumb, line.name)
                        let:line
                    >
                        {row(line)}
                    </Each>
                </ul>
            </Show>
            <Show when=move || { without.get() > 0 }>
                <p class="hint" role="status" data-testid="photo-without-place">
                    {move || words::without_place(without.get())}
                </p>
            </Show>
            <Show when=move || has_any.get()>
                <TilesChoice tiles />
                <p class="hint">{words::map_credit()} " " {move || named.get().map(|host| words::tiles_from(&host))}</p>
            </Show>
        </div>
    }
}

/// Whose tiles the map shows: nobody's until the person names a server.
#[component]
fn TilesChoice(tiles: RwSignal<Option<Tiles>>) -> impl IntoView {
    let kept = tiles.with_untracked(|tiles| tiles.as_ref().map(|tiles| tiles.template().to_owned()));
    let (address, is_wrong) = (RwSignal::new(kept.unwrap_or_default()), RwSignal::new(false));
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = address.get_untracked().trim().to_owned();
        let new = Tiles::of(&typed);
        is_wrong.set(new.is_none() && !typed.is_empty());
        if is_wrong.get_untracked() {
            return;
        }
        Tiles::keep(new.as_ref());
        if tiles.with_untracked(|tiles| *tiles != new) {
            tiles.set(new);
        }
    };
    view! {
        <details class="photo-tiles" data-testid="photo-tiles">
            <summary>{words::tiles()}</summary>
            {words::tiles_explained().map(|line| view! { <p class="hint">{line}</p> })}
            <form class="photo-into" on:submit=save novalidate>
                <input
                    class="field"
                    type="url"
                    dir="ltr"
                    spellcheck="false"
                    autocomplete="off"
                    data-testid="photo-tiles-address"
                    aria-label=words::tiles_address()
                    aria-invalid=move || is_wrong.get().to_string()
                    placeholder=words::tiles_like()
                    prop:value=address
                    on:input=move |event| address.set(event_target_value(&event))
                />
                <button type="submit" class="button" data-testid="photo-tiles-save">{words::save()}</button>
            </form>
            <Show when=move || is_wrong.get()>
                <p class="notice notice-bad" role="alert">{words::tiles_wrong()}</p>
            </Show>
        </details>
    }
}
