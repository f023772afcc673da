//! The pane: all trips, or the one that is open with its sections.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::dates::day_in_full;
use ui_kit::panel::Told;
use ui_kit::{Icon, Phase, Say, focus, memo};
use web::page;

use crate::checks::Checks;
use crate::form::FormDialog;
use crate::moving::MoveDialog;
use crate::open::Open;
use crate::shelf::Shelf;
use crate::state::{CHAT, Section, Trips, Wish};
use crate::timeline::Days;
use crate::trip_form::{About, TripForm};
use crate::view::{Ask, Editing, View, focus_title};
use crate::{ID, budget, map, profile, share, travellers, words};

/// The name of what a model is told of the trip that is open.
const TOLD: &str = "open_itinerary";

/// The pane.
#[component]
pub fn Pane() -> impl IntoView {
    let trips = expect_context::<Trips>();
    let open = memo(move |_| trips.open.get());
    move || match open.get() {
        None => view! { <Shelf trips /> }.into_any(),
        Some(id) => view! { <Trip open=Open::start(trips, id) /> }.into_any(),
    }
}

/// The trip that is open.
#[component]
fn Trip(open: Open) -> impl IntoView {
    let (trips, section) = (open.trips, open.trips.section);
    let view = View::of(open);
    let about = RwSignal::new(None::<About>);
    share::Printing::provide();
    travellers::Typing::provide();
    profile::Typing::provide();
    budget::Typing::provide();
    keep_map(open);
    tell_what_is_open(open);
    ui_kit::effect(move |_| match trips.wish.get() {
        Some(Wish::Add(kind)) => {
            trips.wish.set(None);
            section.set(Section::Days);
            view.editing.set(Some(Editing::Add { kind, day: String::new() }));
        }
        Some(Wish::New) => trips.open.set(None),
        None => {}
    });
    let back = move |_| {
        let id = open.id.get_value();
        trips.open.set(None);
        focus::when_there(move || {
            page::first(&format!("[data-trip='{id}'] .trip-main"))
                .or_else(|| page::first(".trips:not(.trip-open) #trips-title"))
        });
    };
    let warnings = memo(move |_| open.findings.with(Vec::len));
    view! {
        <section class="workspace trips trip-open" aria-labelledby="trips-title" data-testid="trip">
            <header class="workspace-head">
                <button type="button" class="icon-button trip-back" data-testid="trip-back" aria-label=words::all_trips() on:click=back>
                    {Icon::Back.draw()}
                </button>
                <h2 id="trips-title" tabindex="-1" dir="auto">
                    {move || open.itinerary.with(|trip| if trip.title.is_empty() { words::trip().to_owned() } else { trip.title.clone() })}
                </h2>
                <span class="workspace-count">{move || words::segments(open.segments.with(Vec::len))}</span>
            </header>
            <Show when=move || open.gone.get()>
                <div class="notice" role="alert" data-testid="trip-gone">
                    <p>{words::trip_gone()}</p>
                    <button type="button" class="button" on:click=back>{words::all_trips()}</button>
                </div>
            </Show>
            {move || match open.phase.get() {
                Phase::Loading => {
                    view! {
                        <div class="skeleton" aria-hidden="true"><span></span><span></span><span></span></div>
                        <p class="visually-hidden" role="status">{words::loading()}</p>
                    }
                        .into_any()
                }
                Phase::Failed(why) => {
                    view! {
                        <div class="notice notice-bad" role="alert">
                            <p>{why}</p>
                            <button type="button" class="button" on:click=move |_| open.page.tools.changed()>
                                {ui_kit::words::try_again()}
                            </button>
                        </div>
                    }
                        .into_any()
                }
                Phase::Empty | Phase::Ready => {
                    view! {
                        <Whole open about view />
                        <div class="trip-sections" role="group" aria-label=words::sections()>
                            {Section::ALL
                                .map(|(of, word, name)| {
                                    view! {
                                        <button
                                            type="button"
                                            class="chip"
                                            data-testid=format!("trip-section-{word}")
                                            aria-pressed=move || (section.get() == of).to_string()
                                            on:click=move |_| section.set(of)
                                        >
                                            <span>{name()}</span>
                                            {(of == Section::Checks)
                                                .then(|| {
                                                    view! {
                                                        <span class="tab-count" class:is-none=move || warnings.get() == 0>
                                                            {move || warnings.get()}
                                                        </span>
                                                    }
                                                })}
                                        </button>
                                    }
                                })}
                        </div>
                        {move || match section.get() {
                            Section::Days => view! { <Days view /> }.into_any(),
                            Section::Checks => view! { <Checks view /> }.into_any(),
                            Section::Map => scrolled(map::map(open)),
                            Section::Budget => scrolled(budget::budget(open)),
                            Section::People => {
                                scrolled(view! { {travellers::travellers(open)} {profile::profile(open)} }.into_any())
                            }
                            Section::Share => scrolled(share::share(open)),
                        }}
                    }
                        .into_any()
                }
            }}
            <FormDialog view />
            <MoveDialog view />
            <TripForm trips about />
            {share::printed(open)}
        </section>
    }
}

/// A section that scrolls as a whole.
fn scrolled(section: AnyView) -> AnyView {
    view! { <div class="trip-section">{section}</div> }.into_any()
}

/// There is a map without a network as well: what it needs is kept once something of the trip has a place.
fn keep_map(open: Open) {
    let is_somewhere = memo(move |_| open.segments.with(|all| !map::days(all).is_empty()));
    ui_kit::effect(move |_| {
        if is_somewhere.get() {
            spawn_local(ui_map::keep());
        }
    });
}

/// When the trip is and where it goes, and what can be done with the whole of it.
#[component]
fn Whole(open: Open, about: RwSignal<Option<About>>, view: View) -> impl IntoView {
    let said = move || {
        open.itinerary.with(|trip| {
            let day = |day: &Option<String>| day.as_deref().and_then(day_in_full);
            let when = match (day(&trip.start), day(&trip.end)) {
                (Some(start), Some(end)) => words::from_to(&start, &end),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => words::no_days_yet().to_owned(),
            };
            if trip.destinations.is_empty() {
                when
            } else {
                format!("{when} · {}", trip.destinations.join(", "))
            }
        })
    };
    let is_archived = memo(move |_| open.itinerary.with(|trip| trip.archived_ms.is_some()));
    let archive = move |archived: bool| {
        open.run("itinerary_archive", json!({ "archived": archived }), Say::SummaryWithUndo);
        focus_title();
    };
    view! {
        <div class="trip-about">
            <p class="trip-when" dir="auto" data-testid="trip-when">{said}</p>
            <Show when=move || open.itinerary.with(|trip| !trip.note.is_empty())>
                <p class="hint" dir="auto">{move || open.itinerary.with(|trip| trip.note.clone())}</p>
            </Show>
            <Show
                when=move || is_archived.get()
                fallback=move || {
                    view! {
                        <div class="trip-acts">
                            <button
                                type="button"
                                class="text-button"
                                data-testid="trip-edit"
                                on:click=move |_| about.set(Some(About::Change(Box::new(open.itinerary.get_untracked()))))
                            >
                                {words::change_trip()}
                            </button>
                            // What is seldom wanted takes no room from the days.
                            <details class="trip-more" data-testid="trip-more">
                                <summary>{words::more_acts()}</summary>
                                <div class="trip-acts">
                                    <button type="button" class="text-button" data-testid="trip-move-all" on:click=move |_| view.asked.set(Some(Ask::whole()))>
                                        {words::move_trip()}
                                    </button>
                                    <button
                                        type="button"
                                        class="text-button"
                                        data-testid="trip-duplicate"
                                        on:click=move |_| {
                                            let copy = open.itinerary.with_untracked(|trip| About::Copy(trip.id.clone(), trip.title.clone()));
                                            about.set(Some(copy));
                                        }
                                    >
                                        {words::duplicate()}
                                    </button>
                                    <button type="button" class="text-button" data-testid="trip-archive" on:click=move |_| archive(true)>
                                        {words::archive()}
                                    </button>
                                </div>
                            </details>
                        </div>
                    }
                }
            >
                <p class="notice" data-testid="trip-is-archived">
                    <span>{words::is_archived()}</span>
                    <button type="button" class="button" data-testid="trip-bring-back" on:click=move |_| archive(false)>
                        {words::bring_back()}
                    </button>
                </p>
            </Show>
        </div>
    }
}

/// "The trip" is the one that is open on the screen: the next message says which. It is told once for each trip, so that whoever takes it
/// away there is not told again.
fn tell_what_is_open(open: Open) {
    let told = open.page.chosen.0;
    let is_ours = move || told.with_untracked(|told| told.as_ref().is_some_and(|told| told.name == TOLD));
    // Beside the conversation of a narrow page the trip that was left is still the one that is meant.
    let is_shown = memo(move |before: Option<&bool>| match open.page.pane.get() {
        pane if pane == ID => true,
        CHAT => before.copied().unwrap_or_default(),
        _ => false,
    });
    let title = memo(move |_| open.itinerary.with(|trip| trip.title.clone()));
    let is_imported = memo(move |_| open.itinerary.with(|trip| !trip.untrusted.is_empty()));
    ui_kit::effect(move |_| {
        let (title, is_shown) = (title.get(), is_shown.get() && !open.gone.get());
        if is_shown && !title.is_empty() {
            told.set(Some(Told {
                name: TOLD,
                title: words::open_trip(),
                lead: "The itinerary that the person has open on the screen: “the trip” and “it” mean this one. Its title, and its id, as \
                       tools take it for `itinerary`:",
                text: format!("{title} ({})", open.id.get_value()),
                label: words::goes_along(&title),
                outside: is_imported.get(),
            }));
        } else if is_ours() {
            told.set(None);
        }
    });
    on_cleanup(move || {
        if is_ours() {
            told.set(None);
        }
    });
}
