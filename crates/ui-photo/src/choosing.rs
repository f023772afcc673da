//! Which photos the pane shows, and what can be done to those that are chosen.

use std::collections::HashSet;

use leptos::prelude::*;
use serde_json::{Value, json};
use ui_kit::panel::{Page, Told};
use ui_kit::{Rows, Say, memo};

use crate::export::ExportForm;
use crate::found::Focus;
use crate::library::{Cell, Shown, albums, of_answer, shown};
use crate::name_line::NameLine;
use crate::people::{NotThem, Who};
use crate::press::{Asked, Waits};
use crate::saving::Saving;
use crate::view::View;
use crate::words;

/// Which photos the pane shows. A handle.
#[derive(Clone, Copy)]
pub struct Filter {
    /// Which of the library.
    pub which: RwSignal<Shown>,
    /// What the whole panel knows.
    pub focus: Focus,
}

impl Filter {
    /// The whole library at first.
    pub fn of(focus: Focus) -> Self {
        Self { which: RwSignal::new(Shown::All), focus }
    }

    /// What the grid's order is by.
    pub fn mode(self) -> Shown {
        if self.focus.found.with(Option::is_some) { Shown::Found } else { self.which.get() }
    }

    /// Those of these photos that are shown, in their order.
    pub fn of_these(self, cells: &[Cell]) -> Vec<Cell> {
        let Focus { text, album, .. } = self.focus;
        let found = self
            .focus
            .found
            .with(|found| found.as_ref().map(|ids| text.with(|text| of_answer(cells, ids, text))));
        // What is not seen is not chosen, and nothing is done to it.
        if found.is_none() && matches!(self.which.get(), Shown::People | Shown::Places) {
            return Vec::new();
        }
        let mut found = found.unwrap_or_else(|| text.with(|text| shown(cells, self.which.get(), text)));
        album.with(|album| only_of(album, &mut found));
        found
    }

    /// Those of these photos that may be on the map: all of the library with the words and of the album that are asked for.
    pub fn on_map(self, cells: &[Cell]) -> Vec<Cell> {
        let mut found = self.focus.text.with(|text| shown(cells, Shown::Places, text));
        self.focus.album.with(|album| only_of(album, &mut found));
        found
    }
}

/// Leaves those of an album; an empty name is no album.
fn only_of(album: &String, found: &mut Vec<Cell>) {
    if !album.is_empty() {
        found.retain(|cell| cell.albums.contains(album));
    }
}

/// "These" are the photos that are chosen: the next message says which. Whoever takes them away there chooses none here.
pub fn tell_what_is_chosen(view: View) {
    /// So many are named; a message is no place for more.
    const MOST: usize = 200;
    let (chosen, told) = (view.chosen, view.page.chosen.0);
    ui_kit::effect(move |_| {
        // In the order in which they are seen.
        let all = view.found.with(|found| {
            chosen.with(|chosen| {
                let ids = found.iter().map(|cell| &cell.id).filter(|id| chosen.contains(*id));
                ids.cloned().collect::<Vec<_>>()
            })
        });
        let text = match all.len() {
            0 => {
                if told.with_untracked(Option::is_some) {
                    told.set(None);
                }
                return;
            }
            count if count > MOST => format!(
                "{} photos, too many to be named here: ask the person to put them into an album, and use that.",
                count
            ),
            _ => all.join(", "),
        };
        let says = Told {
            name: "chosen_photos",
            title: words::chosen_photos(),
            lead: "The photos that the person has chosen on the screen: “these” and “the chosen ones” mean them. Their ids, as \
                   tools take them for `images`:",
            text,
            label: words::goes_along(all.len()),
            // Ids are the app's own.
            outside: false,
        };
        if told.with_untracked(|told| told.as_ref() != Some(&says)) {
            told.set(Some(says));
        }
    });
    ui_kit::effect(move |before: Option<bool>| {
        let is_told = told.with(Option::is_some);
        if before == Some(true) && !is_told && chosen.with_untracked(|chosen| !chosen.is_empty()) {
            view.choose_none();
        }
        is_told
    });
}

/// Which photos are shown.
#[component]
pub fn Filters(view: View, filter: Filter, rows: Rows<Cell>) -> impl IntoView {
    let Filter { which, focus } = filter;
    let Focus { album, text, .. } = focus;
    let names = memo(move |_| rows.items.with(|cells| albums(cells)));
    // An album that is gone shows nothing, and nobody could choose another one.
    ui_kit::effect(move |_| {
        let is_gone = names.with(|names| album.with(|album| !album.is_empty() && !names.contains(album)));
        if is_gone {
            album.set(String::new());
        }
    });
    // Somebody's photos are called after them, also after they were named otherwise.
    let title = move || match focus.person.get() {
        Some(id) => view.people.with(|people| people.called(&id)),
        None => focus.title.get(),
    };
    let alone = move || words::shown_alone(&title(), view.found.with(Vec::len));
    view! {
        <Show when=move || focus.found.with(Option::is_some)>
            <div class="photo-filters">
                <span role="status" data-testid="photo-from-chat">
                    {alone}
                </span>
                <button
                    type="button"
                    class="text-button"
                    data-testid="photo-show-library"
                    on:click=move |_| focus.show_all()
                >
                    {words::show_all()}
                </button>
            </div>
        </Show>
        <div class="photo-filters" role="group" aria-label=words::show()>
            {Shown::ALL
                .map(|(this, word, name)| {
                    view! {
                        <button
                            type="button"
                            class="chip"
                            data-testid=format!("photo-show-{word}")
                            aria-pressed=move || (filter.mode() == this).to_string()
                            on:click=move |_| {
                                focus.show_all();
                                which.set(this);
                            }
                        >
                            {name()}
                        </button>
                    }
                })
                .collect_view()}
            <Show when=move || names.with(|names| !names.is_empty())>
                <select
                    class="field photo-album"
                    data-testid="photo-album"
                    aria-label=words::album()
                    on:change=move |event| album.set(event_target_value(&event))
                >
                    <option value="" selected=move || album.with(String::is_empty)>{words::any_album()}</option>
                    {move || {
                        let option = |name: String| {
                            let (this, words) = (name.clone(), name.clone());
                            view! { <option value=name selected=move || album.get() == this>{words}</option> }
                        };
                        names.get().into_iter().map(option).collect_view()
                    }}
                </select>
            </Show>
        </div>
        <input
            type="search"
            class="field photo-search"
            data-testid="photo-search"
            aria-label=words::search()
            placeholder=words::search()
            prop:value=text
            on:input=move |event| text.set(event_target_value(&event))
        />
    }
}

/// Empties the bin, once it was asked whether that is meant.
#[component]
pub fn EmptyBin(page: Page, rows: Rows<Cell>) -> impl IntoView {
    let empty = move |()| {
        let bin = rows.items.with_untracked(|cells| {
            let bin = cells.iter().filter(|cell| cell.in_bin);
            bin.map(|cell| cell.id.clone()).collect::<Vec<_>>()
        });
        page.tools.run("photo_purge", json!({ "images": bin }), Say::SummaryWithUndo, |_| {});
    };
    let question = Signal::derive(move || {
        let is_left =
            rows.items.with(|cells| cells.iter().any(|cell| cell.in_bin && !cell.left_at.is_empty()));
        if is_left { words::empty_bin_sure_left() } else { words::empty_bin_sure() }
    });
    view! {
        <div class="photo-bar">
            <Asked
                label=words::empty_bin()
                question
                yes=words::empty_bin_yes()
                testid="photo-empty-bin"
                on_yes=empty
            />
        </div>
    }
}

/// What can be done to those that are chosen.
#[component]
pub fn ChosenBar(view: View, filter: Filter, rows: Rows<Cell>, who: Who, saving: Saving) -> impl IntoView {
    let View { chosen, page, found, .. } = view;
    let is_exporting = RwSignal::new(false);
    // In the order in which they are seen.
    let ids = move |()| {
        let is_chosen = |id: &&String| chosen.with_untracked(|chosen| chosen.contains(*id));
        found.with_untracked(|found| {
            found.iter().map(|cell| &cell.id).filter(is_chosen).cloned().collect::<Vec<_>>()
        })
    };
    let names = memo(move |_| rows.items.with(|cells| albums(cells)));
    let into = RwSignal::new(String::new());
    let waits = Waits::new();
    let run = move |tool: &'static str, mut arguments: Value| {
        // Those that are seen, and no others.
        let ids = ids(());
        if ids.is_empty() || !waits.begin() {
            return;
        }
        arguments["images"] = json!(ids);
        page.tools.run(tool, arguments, Say::SummaryWithUndo, move |is_done| {
            waits.end();
            if is_done {
                view.choose_none();
                into.set(String::new());
            }
        });
    };
    let put_in = move |name: String| {
        let lower = name.to_lowercase();
        let is_there = names.with_untracked(|names| names.iter().any(|name| name.to_lowercase() == lower));
        match is_there {
            true => run("album_add", json!({ "album": name })),
            false => run("album_create", json!({ "name": name })),
        }
    };
    view! {
        <Show when=move || chosen.with(|chosen| !chosen.is_empty())>
            <div class="photo-chosen" role="group" aria-label=move || words::chosen(chosen.with(HashSet::len))>
                <span role="status">{move || words::chosen(chosen.with(HashSet::len))}</span>
                {move || {
                    let (tool, name) = match filter.mode() {
                        Shown::Bin => ("photo_restore", words::restore()),
                        _ => ("photo_delete", words::delete()),
                    };
                    view! {
                        <button type="button" class="button" data-testid="photo-chosen-act" on:click=move |_| run(tool, json!({}))>
                            {name}
                        </button>
                    }
                }}
                <NotThem who chosen=Signal::derive(move || chosen.with(|chosen| chosen.iter().cloned().collect())) />
                <Show when=move || filter.focus.album.with(|album| !album.is_empty())>
                    <button
                        type="button"
                        class="button"
                        data-testid="photo-take-out"
                        on:click=move |_| run("album_remove", json!({ "album": filter.focus.album.get_untracked() }))
                    >
                        {words::take_out()}
                    </button>
                </Show>
                <Show when=move || filter.mode() != Shown::Bin>
                    <button
                        type="button"
                        class="button"
                        data-testid="photo-export"
                        aria-expanded=move || is_exporting.get().to_string()
                        on:click=move |_| is_exporting.update(|is_exporting| *is_exporting = !*is_exporting)
                    >
                        {words::export()}
                    </button>
                </Show>
                <button type="button" class="button" on:click=move |_| view.choose_none()>
                    {words::choose_none()}
                </button>
                <Show when=move || is_exporting.get() && filter.mode() != Shown::Bin>
                    <ExportForm saving images=ids />
                </Show>
                <Show when=move || filter.mode() != Shown::Bin>
                    <NameLine
                        name=into
                        label=words::into_album().to_owned()
                        hint=words::into_album()
                        testid="photo-into-album"
                        save=words::put_in()
                        known=names
                        on_name=put_in
                    />
                </Show>
            </div>
        </Show>
    }
}
