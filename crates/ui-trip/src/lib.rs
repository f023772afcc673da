//! The trips in the page: the same itineraries the chat talks about, by hand.
//!
//! It is a [`Panel`]: start at [`open`]. The pane is a part of its own that comes when it is first looked at (ADR 0044). What it does not
//! know: the conversation, and the way to the tools.

mod budget;
mod map;
mod model;
mod open;
mod pane;
mod profile;
mod share;
mod state;
mod travellers;
mod words;

use std::rc::Rc;

use leptos::prelude::*;
use ui_kit::panel::Page;
use ui_kit::parts::{part, place};
use ui_kit::{Icon, Launch, Panel};

use state::Trips;

/// The id of the pane.
const ID: &str = "trips";

/// Opens the panel. Nothing is read until the pane is looked at. Called in the page's root component, below which its handle is found.
#[must_use]
pub fn open(page: Page) -> Rc<dyn Panel> {
    let trips = Trips::start(page);
    provide_context(trips);
    Rc::new(TripPanel { page, trips })
}

part! {
    trips,
    /// The pane.
    fn trips_pane() -> fn() -> AnyView {
        || view! { <pane::Pane /> }.into_any()
    }
}

/// The trips.
struct TripPanel {
    page: Page,
    trips: Trips,
}

impl Panel for TripPanel {
    fn id(&self) -> &'static str {
        ID
    }

    fn domain(&self) -> &'static str {
        "trip"
    }

    fn label(&self) -> (Icon, &'static str) {
        (Icon::Suitcase, words::trips())
    }

    fn view(&self) -> Option<AnyView> {
        let (pane, seen) = (self.page.pane, RwSignal::new(false));
        ui_kit::effect(move |_| {
            // Once: what was typed in the pane stays while another one is shown.
            if pane.get() == ID && !seen.get_untracked() {
                seen.set(true);
            }
        });
        let view = move || seen.get().then(|| place(trips_pane));
        Some(view.into_any())
    }

    fn has_data(&self) -> bool {
        self.trips.listed.with(|listed| !listed.is_empty())
    }

    fn launch(&self, launch: &Launch) -> bool {
        let is_ours = launch.word == ID;
        if is_ours {
            self.page.show(ID);
        }
        is_ours
    }
}
