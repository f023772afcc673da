//! The pane: all trips, or the one that is open with its sections.

use leptos::prelude::*;
use ui_kit::Phase;

use crate::open::Open;
use crate::state::{Section, Trips};
use crate::{budget, map, profile, share, travellers, words};

/// The pane.
#[component]
pub fn Pane() -> impl IntoView {
    let trips = expect_context::<Trips>();
    move || match trips.open.get() {
        None => ().into_any(),
        Some(id) => view! { <Trip open=Open::start(trips, id) /> }.into_any(),
    }
}

/// The trip that is open.
#[component]
fn Trip(open: Open) -> impl IntoView {
    let section = open.trips.section;
    view! {
        <section class="workspace trips" aria-labelledby="trips-title">
            <header class="workspace-head">
                <h2 id="trips-title" tabindex="-1" dir="auto">{move || open.itinerary.with(|trip| trip.title.clone())}</h2>
            </header>
            {move || match (open.phase.get(), section.get()) {
                (Phase::Loading, _) => view! { <p class="empty" role="status">{words::loading()}</p> }.into_any(),
                (_, Section::Map) => map::map(open),
                (_, Section::Budget) => budget::budget(open),
                (_, Section::People) => {
                    view! {
                        {travellers::travellers(open)}
                        {profile::profile(open)}
                    }
                        .into_any()
                }
                (_, Section::Share) => share::share(open),
                _ => ().into_any(),
            }}
        </section>
    }
}
