//! The pane: what comes in, which photos are shown, the photos, and one of them large.

use std::collections::HashSet;

use leptos::ev::{DragEvent, FocusEvent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::panel::Page;
use ui_kit::{Phase, Say, live_rows, memo};
use web::lock::Lock;
use web::names;

use crate::choosing::{ChosenBar, EmptyBin, Filter, Filters, tell_what_is_chosen};
use crate::duplicates::Duplicates;
use crate::events;
use crate::export::Exporting;
use crate::folders::{Allow, Folders};
use crate::found::Focus;
use crate::grid::Grid;
use crate::incoming::{Chooser, IntakeView};
use crate::intake::Intake;
use crate::library::{self, Cell, Shown};
use crate::lightbox::Lightbox;
use crate::lost::Last;
use crate::people::{self, Erase, People, PeopleView, Who};
use crate::places::PlacesView;
use crate::saving::{Saving, clear_old};
use crate::staying::FolderChooser;
use crate::view::View;
use crate::ways::{self, Shared};
use crate::words;

/// The lock of the tab that looks at what is there.
const LOOKING: &str = "satchel-photos-looking";

/// The pane.
#[component]
pub fn Pane() -> impl IntoView {
    let (page, intake) = (expect_context::<Page>(), expect_context::<Intake>());
    let folders = expect_context::<Folders>();
    let rows = live_rows::<Cell>(page.tools, "photo_grid", json!({}));
    let focus = expect_context::<Focus>();
    let filter = Filter::of(focus);
    let which = memo(move |_| filter.mode());
    let events = events::live(page.tools, memo(move |_| which.get() == Shown::Events));
    let people = people::live(page.tools);
    let names = memo(move |_| people.with(People::names));
    let named = move |cells| names.with(|names| library::named(cells, names));
    let twins = memo(move |_| {
        let is_shown = which.get() == Shown::Duplicates;
        let (text, album) = (focus.text, focus.album);
        let of = |cells: &Vec<Cell>| text.with(|text| album.with(|album| library::twins(cells, text, album)));
        let groups = if is_shown { rows.items.with(of) } else { Vec::new() };
        groups.into_iter().map(named).collect::<Vec<_>>()
    });
    let found = memo(move |_| match which.get() {
        Shown::Duplicates => twins.with(|groups| groups.concat()),
        Shown::Events if events.with(|events| !events.is_read) => Vec::new(),
        Shown::Events => {
            let cells = rows.items.with(|cells| filter.of_these(cells));
            named(events.with(|events| events.in_order(cells)))
        }
        _ => named(rows.items.with(|cells| filter.of_these(cells))),
    });
    let view = View {
        found,
        large: focus.large,
        phase: rows.phase,
        chosen: RwSignal::new(HashSet::new()),
        anchor: RwSignal::new(None),
        active: RwSignal::new(None),
        column: StoredValue::new(None),
        sweep: StoredValue::new(None),
        swept: StoredValue::new(false),
        sought: RwSignal::new(None),
        is_led: StoredValue::new(false),
        events,
        twins,
        info: RwSignal::new(true),
        focus,
        folders,
        people,
        page,
    };
    let who = Who { page, people: view.people, rows, intake, focus, which: filter.which };
    let saving = Saving::new(page, folders);
    // What earlier exports left.
    spawn_local(clear_old());
    spawn_local(folders.read());
    let is_tidy = StoredValue::new(false);
    ui_kit::effect(move |_| {
        let is_read = matches!(rows.phase.get(), Phase::Ready | Phase::Empty);
        if is_read && !is_tidy.get_value() {
            is_tidy.set_value(true);
            spawn_local(folders.tidy(rows.items.get_untracked()));
        }
    });
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
        // Before it was read nothing is known, and nothing is forgotten.
        if !view.people.with(|people| people.is_read) {
            return;
        }
        if !view.people.with(|people| people.on) {
            intake.nobody_is_looked_for();
        } else if leads.get() {
            let may_read = |cell: &Cell| folders.may_read(cell);
            let waiting =
                view.people.with(|people| rows.items.with(|cells| people::waiting(people, cells, may_read)));
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
            intake.knows(cells.iter().filter(|cell| !cell.in_bin));
            if !leads.get() {
                return;
            }
            // What is in a folder waits until the browser lets us read there.
            let again = |cell: &&Cell| !cell.looked_at && !cell.in_bin && folders.may_read(cell);
            let again = cells.iter().filter(again);
            intake.look_again(again.filter_map(|cell| Some((cell.id.clone(), cell.original()?))));
        });
    });
    ui_kit::effect(move |_| view.choose_shown_alone());
    tell_what_is_chosen(view);
    // Many a button goes with what it was pressed for. Who has the focus then, and where nobody knows better, is the pane's title.
    let last = Last::new();
    ui_kit::effect(move |_| {
        which.track();
        found.track();
        focus.found.track();
        saving.state.track();
        view.chosen.track();
        view.large.track();
        last.find_soon("#photos-title", view.is_led);
    });
    // There is a map without a network as well: what it needs is kept once there is a photo for it.
    let for_map = memo(move |_| rows.items.with(|cells| cells.iter().any(|cell| cell.gps.is_some())));
    ui_kit::effect(move |_| {
        if leads.get() && for_map.get() {
            spawn_local(ui_map::keep());
        }
    });
    // What has been in the bin for 30 days goes; where that is refused, the next time.
    page.tools.run("photo_expire", json!({}), Say::Nothing, |_| {});
    let (is_over, section) = (RwSignal::new(false), NodeRef::new());
    ways::take_opened(intake);
    // As long as the pane lives.
    let _pasted = StoredValue::new_local(ways::take_pasted(intake, section));
    let are_events_read = memo(move |_| events.with(|events| events.is_read));
    let all = memo(move |_| rows.items.with(|cells| cells.iter().filter(|cell| !cell.in_bin).count()));
    view! {
        <section
            node_ref=section
            class="workspace photos"
            class:photos-over=is_over
            aria-labelledby="photos-title"
            on:focusin=move |event: FocusEvent| last.noted(&event)
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                is_over.set(true);
            }
            on:dragleave=move |_| is_over.set(false)
            on:drop=move |event: DragEvent| {
                event.prevent_default();
                is_over.set(false);
                ways::dropped(intake, event.data_transfer());
            }
        >
            <header class="workspace-head">
                <h2 id="photos-title" tabindex="-1">{words::photos()}</h2>
                <span class="workspace-count" data-testid="photo-count">{move || words::count(all.get())}</span>
            </header>
            <div class="photo-bar">
                <Chooser label=words::add_photos() testid="photo-add" is_folder=false intake />
                <FolderChooser intake folders />
            </div>
            <Allow folders rows />
            <Shared page intake />
            <IntakeView intake />
            <Show when=move || { rows.items.with(|cells| !cells.is_empty()) }>
                <Filters view filter rows />
            </Show>
            <Show when=move || which.get() == Shown::Bin && rows.items.with(|cells| cells.iter().any(|cell| cell.in_bin))>
                <EmptyBin page rows />
            </Show>
            {move || match rows.phase.get() {
                Phase::Loading => view! { <p class="empty" role="status">{words::loading_photos()}</p> }.into_any(),
                Phase::Failed(why) => {
                    view! {
                        <div class="notice notice-bad" role="alert">
                            <p>{why}</p>
                            <button type="button" class="button" on:click=move |_| page.tools.changed()>
                                {ui_kit::words::try_again()}
                            </button>
                        </div>
                    }
                        .into_any()
                }
                Phase::Empty => {
                    view! {
                        <div class="empty" data-testid="photos-empty">
                            <p class="empty-title">{words::no_photos()}</p>
                            <p>{words::no_photos_hint()}</p>
                        </div>
                        <Show when=move || view.people.with(|people| people.kept)>
                            <Erase who />
                        </Show>
                    }
                        .into_any()
                }
                Phase::Ready if which.get() == Shown::People => view! { <PeopleView who /> }.into_any(),
                Phase::Ready if which.get() == Shown::Places => view! { <PlacesView filter rows /> }.into_any(),
                Phase::Ready if which.get() == Shown::Duplicates => view! { <Duplicates view /> }.into_any(),
                Phase::Ready if which.get() == Shown::Events && !are_events_read.get() => {
                    view! { <NoEvents view /> }.into_any()
                }
                Phase::Ready => view! { <Grid view which /> }.into_any(),
            }}
            // Below what is chosen from: nothing moves under a pointer that is being drawn over photos.
            <ChosenBar view filter rows who saving />
            <Exporting saving />
            <Lightbox view filter />
        </section>
    }
}

/// What stands in place of the events before they were read.
#[component]
fn NoEvents(view: View) -> impl IntoView {
    move || match view.events.with(|events| events.trouble.clone()) {
        why if why.is_empty() => {
            view! { <p class="empty" role="status">{words::loading_photos()}</p> }.into_any()
        }
        why => view! {
            <div class="notice notice-bad" role="alert">
                <p>{why}</p>
                <button type="button" class="button" on:click=move |_| view.page.tools.changed()>
                    {ui_kit::words::try_again()}
                </button>
            </div>
        }
        .into_any(),
    }
}
