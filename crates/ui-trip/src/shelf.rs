//! All trips: opened, copied, put away and brought back, and deleted.

use std::rc::Rc;

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::dates::day_in_full;
use ui_kit::panel::Offered;
use ui_kit::sheet::{self, once_closed};
use ui_kit::{Each, Icon, Phase, Say, focus};
use web::page;

use crate::model::{Item, MOST};
use crate::open::list;
use crate::state::{CHAT, Trips, Wish};
use crate::trip_form::{About, TripForm};
use crate::words;

/// The list.
#[component]
pub fn Shelf(trips: Trips) -> impl IntoView {
    let page_of = trips.page;
    let (phase, about) = (RwSignal::new(Phase::Loading), RwSignal::new(None::<About>));
    let deleting = RwSignal::new(None::<Item>);
    // Counts the reads, so that a slow one does not overwrite a later one.
    let reads = StoredValue::new(0_u32);
    ui_kit::effect(move |_| {
        page_of.tools.news.track();
        let read = reads.get_value() + 1;
        reads.set_value(read);
        spawn_local(async move {
            let answer = list(page_of).await;
            if reads.try_get_value() != Some(read) {
                return;
            }
            let now = match answer {
                Ok(items) => {
                    let now = if items.is_empty() { Phase::Empty } else { Phase::Ready };
                    if trips.listed.with_untracked(|before| **before != *items) {
                        trips.listed.set(Rc::from(items));
                    }
                    now
                }
                Err(_) if phase.get_untracked() == Phase::Ready => return,
                Err(why) => Phase::Failed(why),
            };
            if phase.with_untracked(|before| *before != now) {
                phase.set(now);
            }
        });
    });
    ui_kit::effect(move |_| {
        if trips.wish.with(|wish| *wish == Some(Wish::New)) {
            trips.wish.set(None);
            about.set(Some(About::New));
        }
    });
    let of = move |archived: bool| {
        trips
            .listed
            .with(|all| all.iter().filter(|item| item.archived == archived).cloned().collect::<Vec<_>>())
    };
    let count = move || trips.listed.with(|all| all.len());
    let offered = use_context::<Offered>();
    let suggestions = move || {
        [words::suggest_week(), words::suggest_weekend(), words::suggest_flight()].map(|said| {
            view! {
                <button
                    type="button"
                    class="chip"
                    data-testid="trips-suggestion"
                    on:click=move |_| {
                        if let Some(Offered(offered)) = offered {
                            page_of.show(CHAT);
                            offered.set(Some(said.to_owned()));
                        }
                    }
                >
                    {said}
                </button>
            }
        })
    };
    view! {
        <section class="workspace trips" aria-labelledby="trips-title">
            <header class="workspace-head">
                <h2 id="trips-title" tabindex="-1">{words::trips()}</h2>
                <span class="workspace-count" data-testid="trips-count">{move || words::count(count())}</span>
            </header>
            <div class="trip-bar">
                <button
                    type="button"
                    class="button primary"
                    data-testid="trips-new"
                    disabled=move || { count() >= MOST }
                    on:click=move |_| about.set(Some(About::New))
                >
                    {Icon::Plus.draw()}
                    <span>{words::new_trip()}</span>
                </button>
                <Show when=move || { count() >= MOST }>
                    <p class="hint">{words::no_more_trips()}</p>
                </Show>
            </div>
            <div class="trip-shelf" data-testid="trips-list">
                {move || match phase.get() {
                    Phase::Loading => {
                        view! {
                            <div class="skeleton" aria-hidden="true"><span></span><span></span></div>
                            <p class="visually-hidden" role="status">{words::loading()}</p>
                        }
                            .into_any()
                    }
                    Phase::Failed(why) => {
                        view! {
                            <div class="notice notice-bad" role="alert">
                                <p>{why}</p>
                                <button type="button" class="button" on:click=move |_| page_of.tools.changed()>
                                    {ui_kit::words::try_again()}
                                </button>
                            </div>
                        }
                            .into_any()
                    }
                    Phase::Empty => {
                        view! {
                            <div class="empty" data-testid="trips-empty">
                                <p class="empty-title">{words::no_trips()}</p>
                                <p>{words::no_trips_hint()}</p>
                                <div class="trip-suggestions">{suggestions()}</div>
                            </div>
                        }
                            .into_any()
                    }
                    Phase::Ready => {
                        view! {
                            <Rows trips items=Signal::derive(move || of(false)) about deleting />
                            <Show when=move || !of(true).is_empty()>
                                <details class="trip-archived" data-testid="trips-archived">
                                    <summary>{move || words::archived_count(of(true).len())}</summary>
                                    <Rows trips items=Signal::derive(move || of(true)) about deleting />
                                </details>
                            </Show>
                        }
                            .into_any()
                    }
                }}
            </div>
            <TripForm trips about />
            <Deleting trips deleting />
        </section>
    }
}

/// When a trip is and where it goes.
fn aside(item: &Item) -> String {
    let day =
        |day: &Option<String>| day.as_deref().map(|day| day_in_full(day).unwrap_or_else(|| day.to_owned()));
    let when = match (day(&item.start), day(&item.end)) {
        (Some(start), Some(end)) => words::from_to(&start, &end),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => words::no_days_yet().to_owned(),
    };
    let mut parts = vec![when];
    if !item.destinations.is_empty() {
        parts.push(item.destinations.join(", "));
    }
    parts.push(words::segments(item.segments));
    parts.join(" · ")
}

#[component]
fn Rows(
    trips: Trips,
    items: Signal<Vec<Item>>,
    about: RwSignal<Option<About>>,
    deleting: RwSignal<Option<Item>>,
) -> impl IntoView {
    let archive = move |item: &Item, archived: bool| {
        let arguments = json!({ "itinerary": item.id, "archived": archived });
        trips.page.tools.run("itinerary_archive", arguments, Say::SummaryWithUndo, |_| {
            // Its button went with it.
            focus::soon(|| page::first("#trips-title"));
        });
    };
    view! {
        <ul class="trip-list">
            <Each
                each=move || items.get()
                key=|item| format!("{}/{item:?}", item.id)
                children=move |item| {
                    let (open, copied, archived, gone) = (item.clone(), item.clone(), item.clone(), item.clone());
                    view! {
                        <li class="trip-item" data-testid="trips-row" data-trip=item.id.clone()>
                            <button
                                type="button"
                                class="trip-main"
                                data-testid="trips-open"
                                on:click=move |_| {
                                    trips.show(&open.id);
                                    focus::when_there(|| page::first(".trip-open #trips-title"));
                                }
                            >
                                <span class="trip-icon">{Icon::Suitcase.draw()}</span>
                                <span class="trip-what">
                                    <span class="trip-title" dir="auto">{item.title.clone()}</span>
                                    <span class="trip-when" dir="auto">{aside(&item)}</span>
                                </span>
                            </button>
                            <span class="trip-acts">
                                <button
                                    type="button"
                                    class="text-button"
                                    data-testid="trips-duplicate"
                                    aria-label=words::duplicate_named(&item.title)
                                    on:click=move |_| about.set(Some(About::Copy(copied.id.clone(), copied.title.clone())))
                                >
                                    {words::duplicate()}
                                </button>
                                <button
                                    type="button"
                                    class="text-button"
                                    data-testid="trips-archive"
                                    aria-label=if item.archived {
                                        words::bring_back_named(&item.title)
                                    } else {
                                        words::archive_named(&item.title)
                                    }
                                    on:click=move |_| archive(&archived, !archived.archived)
                                >
                                    {if item.archived { words::bring_back() } else { words::archive() }}
                                </button>
                                <button
                                    type="button"
                                    class="icon-button"
                                    data-testid="trips-delete"
                                    aria-label=words::delete_named(&item.title)
                                    on:click=move |_| deleting.set(Some(gone.clone()))
                                >
                                    {Icon::Trash.draw()}
                                </button>
                            </span>
                        </li>
                    }
                }
            />
        </ul>
    }
}

/// Asks whether a trip goes with all that is on it.
#[component]
fn Deleting(trips: Trips, deleting: RwSignal<Option<Item>>) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || deleting.with(Option::is_some), || ());
    let go = move |_| {
        let Some(item) = deleting.try_update(Option::take).flatten() else { return };
        trips.page.tools.run(
            "itinerary_delete",
            json!({ "itinerary": item.id }),
            Say::SummaryWithUndo,
            |_| {
                focus::soon(|| page::first("#trips-title"));
            },
        );
    };
    let asks = move || {
        deleting.with(|item| item.as_ref().map(|item| words::delete_asks(&item.title, item.segments)))
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            data-testid="trips-delete-dialog"
            aria-labelledby="trips-delete-title"
            on:close=once_closed(dialog, move || deleting.set(None))
        >
            <div class="sheet-body">
                <h2 id="trips-delete-title">{words::delete_trip()}</h2>
                <p dir="auto">{asks}</p>
                <div class="sheet-buttons">
                    <button type="button" class="button" autofocus on:click=move |_| deleting.set(None)>{ui_kit::words::cancel()}</button>
                    <button type="button" class="button danger" data-testid="trips-delete-yes" on:click=go>{ui_kit::words::delete()}</button>
                </div>
            </div>
        </dialog>
    }
}
