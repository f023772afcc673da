//! The pane: everything by day, in a grid of which only what is near is in the page; what comes in; what is chosen.

use std::collections::HashSet;

use leptos::ev::{DragEvent, Event, KeyboardEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::panel::{Page, Told};
use ui_kit::window::{Scroll, Slot, Windowed, windowed};
use ui_kit::{Icon, Phase, Rows, Say, dates, live_rows, memo};
use wasm_bindgen::JsCast;
use web::lock::Lock;
use web::names;
use web_sys::{File, FileList, HtmlInputElement};

use crate::found::Focus;
use crate::intake::Intake;
use crate::library::{Cell, Line, Shown, albums, lines, of_answer, shown};
use crate::lightbox::Lightbox;
use crate::people::{self, Erase, NotThem, People, PeopleView, Who};
use crate::words;

/// The lock of the tab that looks at what is there.
const LOOKING: &str = "satchel-photos-looking";

/// How far beyond what is seen lines are kept in the page, and how high one is taken to be, in CSS pixels.
const MARGIN_PX: f64 = 600.0;
const LINE_PX: f64 = 96.0;

/// What the pane shows. A handle.
#[derive(Clone, Copy)]
pub struct View {
    /// The photos that are shown.
    pub found: Memo<Vec<Cell>>,
    /// The place among them of the one that is seen large.
    pub large: RwSignal<Option<String>>,
    /// The ids of those that are chosen.
    chosen: RwSignal<HashSet<String>>,
    /// The id of the one that was chosen last: a range begins there.
    anchor: RwSignal<Option<String>>,
    /// Whether they have been read.
    pub phase: RwSignal<Phase>,
    /// Who is on the photos.
    pub people: RwSignal<People>,
    /// The page's tools and the clock.
    pub page: Page,
}

/// The pane.
#[component]
pub fn Pane() -> impl IntoView {
    let (page, intake) = (expect_context::<Page>(), expect_context::<Intake>());
    let rows = live_rows::<Cell>(page.tools, "photo_grid", json!({}));
    let focus = expect_context::<Focus>();
    let filter = Filter::of(focus);
    let found = memo(move |_| rows.items.with(|cells| filter.of_these(cells)));
    let which = memo(move |_| filter.mode());
    let view = View {
        found,
        large: focus.large,
        phase: rows.phase,
        chosen: RwSignal::new(HashSet::new()),
        anchor: RwSignal::new(None),
        people: people::live(page.tools),
        page,
    };
    let who = Who { page, people: view.people, rows, intake, focus, which: filter.which };
    // One tab looks at what is there; in all of them photos come in.
    let (leads, held) = (RwSignal::new(false), StoredValue::new_local(None));
    spawn_local(async move {
        let lock = Lock::in_turn(&names::of(LOOKING)).await;
        // As long as the pane lives.
        if held.try_set_value(Some(lock)).is_none() {
            leads.set(true);
        }
    });
    ui_kit::effect(move |_| {
        intake.tried.track();
        if !view.people.with(|people| people.on) {
            intake.nobody_is_looked_for();
        } else if leads.get() {
            let waiting = view.people.with(|people| rows.items.with(|cells| people::waiting(people, cells)));
            intake.look_for_people(waiting.into_iter());
        }
    });
    ui_kit::effect(move |_| {
        if leads.get() && rows.phase.get() == Phase::Ready {
            intake.group_what_is_due();
        }
    });
    ui_kit::effect(move |_| {
        rows.items.with(|cells| {
            intake.knows(cells.iter().filter(|cell| !cell.in_bin).map(|cell| cell.original.as_str()));
            if !leads.get() {
                return;
            }
            let again = |cell: &&Cell| !cell.looked_at && !cell.in_bin && !cell.original.is_empty();
            intake
                .look_again(cells.iter().filter(again).map(|cell| (cell.id.clone(), cell.original.clone())));
        });
    });
    // What is not shown is not chosen: whoever deletes what is chosen has seen it.
    ui_kit::effect(move |_| {
        found.with(|found| {
            let is_shown = |id: &String| found.iter().any(|cell| cell.id == *id);
            if view.chosen.with_untracked(|chosen| !chosen.iter().all(is_shown)) {
                view.chosen.update(|chosen| chosen.retain(is_shown));
            }
        });
    });
    tell_what_is_chosen(view);
    // What has been in the bin for 30 days goes; where that is refused, the next time.
    page.tools.run("photo_purge", json!({}), Say::Nothing, |_| {});
    let is_over = RwSignal::new(false);
    let library = memo(move |_| rows.items.with(|cells| cells.iter().filter(|cell| !cell.in_bin).count()));
    view! {
        <section
            class="workspace photos"
            class:photos-over=is_over
            aria-labelledby="photos-title"
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                is_over.set(true);
            }
            on:dragleave=move |_| is_over.set(false)
            on:drop=move |event: DragEvent| {
                event.prevent_default();
                is_over.set(false);
                intake.take(files(event.data_transfer().and_then(|given| given.files())));
            }
        >
            <header class="workspace-head">
                <h2 id="photos-title" tabindex="-1">{words::PHOTOS}</h2>
                <span class="workspace-count" data-testid="photo-count">{move || words::count(library.get())}</span>
            </header>
            <div class="photo-bar">
                <Chooser label=words::ADD_PHOTOS testid="photo-add" is_folder=false intake />
                <Chooser label=words::ADD_FOLDER testid="photo-add-folder" is_folder=true intake />
            </div>
            <IntakeView intake />
            <Show when=move || { rows.items.with(|cells| !cells.is_empty()) }>
                <Filters filter rows />
            </Show>
            <Show when=move || which.get() == Shown::Bin && rows.items.with(|cells| cells.iter().any(|cell| cell.in_bin))>
                <EmptyBin page rows />
            </Show>
            <ChosenBar view filter rows who />
            {move || match rows.phase.get() {
                Phase::Loading => view! { <p class="empty" role="status">{words::LOADING_PHOTOS}</p> }.into_any(),
                Phase::Failed(why) => {
                    view! {
                        <div class="notice notice-bad" role="alert">
                            <p>{why}</p>
                            <button type="button" class="button" on:click=move |_| page.tools.changed()>
                                {ui_kit::words::TRY_AGAIN}
                            </button>
                        </div>
                    }
                        .into_any()
                }
                Phase::Empty => {
                    view! {
                        <div class="empty" data-testid="photos-empty">
                            <p class="empty-title">{words::NO_PHOTOS}</p>
                            <p>{words::NO_PHOTOS_HINT}</p>
                        </div>
                        <Show when=move || view.people.with(|people| people.kept)>
                            <Erase who />
                        </Show>
                    }
                        .into_any()
                }
                Phase::Ready if which.get() == Shown::People => view! { <PeopleView who /> }.into_any(),
                Phase::Ready => view! { <Grid view which /> }.into_any(),
            }}
            <Lightbox view />
        </section>
    }
}

/// Which photos the pane shows. A handle.
#[derive(Clone, Copy)]
struct Filter {
    which: RwSignal<Shown>,
    focus: Focus,
}

impl Filter {
    fn of(focus: Focus) -> Self {
        Self { which: RwSignal::new(Shown::All), focus }
    }

    /// What the grid's order is by.
    fn mode(self) -> Shown {
        if self.focus.found.with(Option::is_some) { Shown::Found } else { self.which.get() }
    }

    /// Those of these photos that are shown, in their order.
    fn of_these(self, cells: &[Cell]) -> Vec<Cell> {
        let Focus { text, album, .. } = self.focus;
        let found = self
            .focus
            .found
            .with(|found| found.as_ref().map(|ids| text.with(|text| of_answer(cells, ids, text))));
        // What is not seen is not chosen, and nothing is done to it.
        if found.is_none() && self.which.get() == Shown::People {
            return Vec::new();
        }
        let mut found = found.unwrap_or_else(|| text.with(|text| shown(cells, self.which.get(), text)));
        album.with(|album| {
            if !album.is_empty() {
                found.retain(|cell| cell.albums.contains(album));
            }
        });
        found
    }
}

/// "These" are the photos that are chosen: the next message says which. Whoever takes them away there chooses none here.
fn tell_what_is_chosen(view: View) {
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
                "{}, too many to be named here: ask the person to put them into an album, and use that.",
                words::count(count)
            ),
            _ => all.join(", "),
        };
        let says = Told {
            name: "chosen_photos",
            title: "Chosen photos",
            lead: "The photos that the person has chosen on the screen: “these” and “the chosen ones” mean them. Their ids, as \
                   tools take them for `images`:",
            text,
            label: words::goes_along(all.len()),
        };
        if told.with_untracked(|told| told.as_ref() != Some(&says)) {
            told.set(Some(says));
        }
    });
    ui_kit::effect(move |before: Option<bool>| {
        let is_told = told.with(Option::is_some);
        if before == Some(true) && !is_told && chosen.with_untracked(|chosen| !chosen.is_empty()) {
            chosen.set(HashSet::new());
        }
        is_told
    });
}

/// A button that opens the browser's chooser of files.
#[component]
fn Chooser(label: &'static str, testid: &'static str, is_folder: bool, intake: Intake) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    // No standard has it, and every browser.
    field.on_load(move |field| {
        if is_folder {
            drop(field.set_attribute("webkitdirectory", ""));
        }
    });
    let chosen = move |event: Event| {
        let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else {
            return;
        };
        intake.take(files(input.files()));
        // The same files again are a choice, too.
        input.set_value("");
    };
    view! {
        <button
            type="button"
            class="button"
            on:click=move |_| {
                if let Some(field) = field.get_untracked() {
                    field.click();
                }
            }
        >
            {if is_folder { Icon::List.draw() } else { Icon::Plus.draw() }}
            <span>{label}</span>
        </button>
        <input
            node_ref=field
            type="file"
            class="visually-hidden"
            data-testid=testid
            aria-label=label
            tabindex="-1"
            multiple
            accept=(!is_folder).then_some("image/*")
            on:change=chosen
        />
    }
}

/// The files of a list.
fn files(list: Option<FileList>) -> Vec<File> {
    list.map(|list| (0..list.length()).filter_map(|at| list.item(at)).collect()).unwrap_or_default()
}

/// What comes in, and what could not be taken.
#[component]
fn IntakeView(intake: Intake) -> impl IntoView {
    let progress = intake.progress;
    let is_paused = memo(move |_| progress.with(|progress| progress.is_paused));
    view! {
        <Show when=move || progress.with(|progress| progress.left() > 0)>
            <div class="photo-intake" data-testid="photo-intake">
                <progress
                    max=move || progress.with(|progress| progress.total.to_string())
                    value=move || progress.with(|progress| progress.done.to_string())
                    aria-labelledby="photo-intake-words"
                ></progress>
                <p id="photo-intake-words">
                    {move || progress.with(|progress| words::looking_at(progress.done, progress.total))} " "
                    <span class="hint">
                        {move || progress.with(|progress| words::pace(progress.done, progress.left(), progress.seconds))}
                    </span>
                </p>
                <button type="button" class="button" data-testid="photo-pause" on:click=move |_| intake.pause(!is_paused.get_untracked())>
                    {move || if is_paused.get() { words::GO_ON } else { words::PAUSE }}
                </button>
                <button type="button" class="button" data-testid="photo-cancel" on:click=move |_| intake.cancel()>
                    {words::CANCEL}
                </button>
            </div>
        </Show>
        <Show when=move || progress.with(|progress| progress.failures > 0)>
            <div class="notice notice-bad" role="status" data-testid="photo-failed">
                <p>{words::NOT_TAKEN}</p>
                <ul>
                    {move || {
                        let failed = progress.with(|progress| progress.failed.clone());
                        failed.into_iter().map(|(name, why)| view! { <li dir="auto">{name} ": " {why}</li> }).collect_view()
                    }}
                </ul>
                <button type="button" class="button" on:click=move |_| intake.dismiss()>{words::DISMISS}</button>
            </div>
        </Show>
    }
}

/// Which photos are shown.
#[component]
fn Filters(filter: Filter, rows: Rows<Cell>) -> impl IntoView {
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
    let of_chat = move || focus.found.with(|found| found.as_ref().map(Vec::len));
    view! {
        <Show when=move || of_chat().is_some()>
            <div class="photo-filters">
                <span role="status" data-testid="photo-from-chat">
                    {move || of_chat().map(words::from_the_chat)}
                </span>
                <button
                    type="button"
                    class="text-button"
                    data-testid="photo-show-library"
                    on:click=move |_| focus.show_all()
                >
                    {words::SHOW_ALL}
                </button>
            </div>
        </Show>
        <div class="photo-filters" role="group" aria-label=words::SHOW>
            {Shown::ALL
                .map(|(this, name)| {
                    view! {
                        <button
                            type="button"
                            class="chip"
                            data-testid=format!("photo-show-{}", name.to_lowercase())
                            aria-pressed=move || (filter.mode() == this).to_string()
                            on:click=move |_| {
                                focus.show_all();
                                which.set(this);
                            }
                        >
                            {name}
                        </button>
                    }
                })
                .collect_view()}
            <Show when=move || names.with(|names| !names.is_empty())>
                <select
                    class="field photo-album"
                    data-testid="photo-album"
                    aria-label=words::ALBUM
                    on:change=move |event| album.set(event_target_value(&event))
                >
                    <option value="" selected=move || album.with(String::is_empty)>{words::ANY_ALBUM}</option>
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
            aria-label=words::SEARCH
            placeholder=words::SEARCH
            prop:value=text
            on:input=move |event| text.set(event_target_value(&event))
        />
    }
}

/// Empties the bin, once it was asked whether that is meant.
#[component]
fn EmptyBin(page: Page, rows: Rows<Cell>) -> impl IntoView {
    let is_sure = RwSignal::new(false);
    let press = move |_| {
        if !is_sure.get_untracked() {
            is_sure.set(true);
            return;
        }
        is_sure.set(false);
        let bin = rows.items.with_untracked(|cells| {
            let bin = cells.iter().filter(|cell| cell.in_bin);
            bin.map(|cell| cell.id.clone()).collect::<Vec<_>>()
        });
        page.tools.run("photo_purge", json!({ "images": bin }), Say::SummaryWithUndo, |_| {});
    };
    view! {
        <div class="photo-bar">
            <button type="button" class="button" data-testid="photo-empty-bin" on:click=press>
                {Icon::Trash.draw()}
                <span aria-live="polite">
                    {move || if is_sure.get() { words::EMPTY_BIN_SURE } else { words::EMPTY_BIN }}
                </span>
            </button>
        </div>
    }
}

/// What can be done to those that are chosen.
#[component]
fn ChosenBar(view: View, filter: Filter, rows: Rows<Cell>, who: Who) -> impl IntoView {
    let View { chosen, page, .. } = view;
    let names = memo(move |_| rows.items.with(|cells| albums(cells)));
    let into = RwSignal::new(String::new());
    let run = move |tool: &'static str, mut arguments: serde_json::Value| {
        let ids: Vec<String> = chosen.get_untracked().into_iter().collect();
        arguments["images"] = json!(ids);
        page.tools.run(tool, arguments, Say::SummaryWithUndo, move |is_done| {
            if is_done {
                chosen.set(HashSet::new());
                into.set(String::new());
            }
        });
    };
    let put_in = move |event: SubmitEvent| {
        event.prevent_default();
        let name = into.get_untracked().trim().to_owned();
        if name.is_empty() {
            return;
        }
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
                        Shown::Bin => ("photo_restore", words::RESTORE),
                        _ => ("photo_delete", words::DELETE),
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
                        {words::TAKE_OUT}
                    </button>
                </Show>
                <button type="button" class="button" on:click=move |_| chosen.set(HashSet::new())>
                    {words::CHOOSE_NONE}
                </button>
                <Show when=move || filter.mode() != Shown::Bin>
                    <form class="photo-into" on:submit=put_in>
                        <input
                            class="field"
                            type="text"
                            maxlength="80"
                            list="photo-album-names"
                            data-testid="photo-into-album"
                            aria-label=words::INTO_ALBUM
                            placeholder=words::INTO_ALBUM
                            prop:value=into
                            on:input=move |event| into.set(event_target_value(&event))
                        />
                        <datalist id="photo-album-names">
                            {move || names.get().into_iter().map(|name| view! { <option value=name></option> }).collect_view()}
                        </datalist>
                        <button type="submit" class="button">
                            {words::PUT_IN}
                        </button>
                    </form>
                </Show>
            </div>
        </Show>
    }
}

/// The photos by day.
#[component]
fn Grid(view: View, which: Memo<Shown>) -> impl IntoView {
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
