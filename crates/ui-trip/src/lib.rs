//! The trips in the page: the same itineraries the chat talks about, by hand.
//!
//! It is a [`Panel`]: start at [`open`]. The pane is a part of its own that comes when it is first looked at (ADR 0044). What it does not
//! know: the conversation, and the way to the tools.

mod budget;
mod checks;
mod days;
mod draft;
mod field;
mod findings;
mod form;
mod hangs;
mod map;
mod model;
mod moving;
mod open;
mod pane;
mod profile;
mod said;
mod share;
mod shelf;
mod state;
mod timeline;
mod travellers;
mod trip_form;
mod typed;
mod view;
mod wall;
mod words;

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use serde_json::{Value, json};
use ui_kit::panel::Page;
use ui_kit::parts::{part, place};
use ui_kit::{Command, DomainChange, Hit, Icon, LastCall, Launch, Line, Panel, fits, focus};
use web::page;

use model::Kind;
use state::{Trips, Wish};

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

    fn commands(&self) -> Vec<Command> {
        let (page, trips) = (self.page, self.trips);
        let go = Command::new("go-trips", words::go_trips(), "g i", move || {
            page.show(ID);
            focus::when_there(|| page::first(".trips .trip-main").or_else(|| page::first("#trips-title")));
        });
        let new = Command::new("new-trip", words::new_trip(), "", move || {
            page.show(ID);
            trips.wish.set(Some(Wish::New));
        });
        let add = move |id: &'static str, kind: Kind| {
            Command::new(id, words::new_segment(kind.name()), "", move || {
                page.show(ID);
                trips.wish.set(Some(Wish::Add(kind)));
            })
            .only_when(move || trips.open.with_untracked(Option::is_some))
        };
        let kinds = [
            ("trip-flight", Kind::Flight),
            ("trip-hotel", Kind::Hotel),
            ("trip-activity", Kind::Activity),
            ("trip-transfer", Kind::Transfer),
            ("trip-meeting", Kind::Meeting),
            ("trip-note", Kind::Note),
        ];
        [go, new].into_iter().chain(kinds.map(|(id, kind)| add(id, kind))).collect()
    }

    fn launch(&self, launch: &Launch) -> bool {
        let is_ours = launch.word == ID;
        if is_ours {
            self.page.show(ID);
        }
        is_ours
    }

    fn change_line(&self, change: &DomainChange, _: &[DomainChange], _: &str) -> Option<Line> {
        said::line(change)
    }

    fn doing(&self, tool: &str) -> Option<&'static str> {
        said::doing(tool)
    }

    fn looked_at(&self, tool: &str, answer: &Value) -> Option<String> {
        said::doing(tool)?;
        answer.get("summary")?.as_str().map(str::to_owned)
    }

    fn suggestions(&self, last: Option<LastCall>) -> Vec<&'static str> {
        last.map(|last| said::follow_ups(last.tool)).unwrap_or_default()
    }

    fn search(&self, words: String) -> LocalBoxFuture<'static, Vec<Hit>> {
        let (page, trips) = (self.page, self.trips);
        async move {
            let all =
                page.tools.read("itinerary_list", json!({ "archived": true })).await.unwrap_or_default();
            // Out of the JSON: what reads whole rows comes with the panel.
            let named = |item: &Value| {
                let text = |name: &str| item.get(name)?.as_str().map(str::to_owned);
                Some((text("id")?, text("title")?))
            };
            let all =
                all.get("itineraries").and_then(Value::as_array).into_iter().flatten().filter_map(named);
            all.filter(|(_, title)| fits(&words, title).is_some())
                .map(|(id, title)| Hit {
                    name: words::trip_named(&title),
                    icon: Icon::Suitcase,
                    rank: Rc::new(move |typed| fits(typed, &title).unwrap_or(i32::MIN)),
                    run: Rc::new(move || {
                        page.show(ID);
                        trips.show(&id);
                        focus::when_there(|| page::first(".trip-open #trips-title"));
                    }),
                })
                .collect()
        }
        .boxed_local()
    }
}
