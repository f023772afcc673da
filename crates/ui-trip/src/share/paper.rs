//! The trip on paper: it is there while something prints it, beside the page and not in it, so that the style sheet can leave all else
//! out.

use leptos::portal::Portal;
use leptos::prelude::*;
use ui_kit::memo;
use web::listener::Listener;
use web_sys::Event;

use super::sheet::{Day, Row, sheet};
use super::words;
use crate::open::Open;

/// How the open trip is printed. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Printing {
    /// It is being printed.
    is_on: RwSignal<bool>,
    /// With confirmation codes.
    pub with_private: RwSignal<bool>,
}

impl Printing {
    /// For everything below the component that provides it.
    pub fn provide() {
        provide_context(Self { is_on: RwSignal::new(false), with_private: RwSignal::new(false) });
    }

    /// That of the open trip.
    ///
    /// # Panics
    /// Outside the open trip, which provides it.
    pub fn get() -> Self {
        expect_context()
    }

    /// Prints it, as soon as it is drawn.
    pub fn print(self) {
        self.is_on.set(true);
        request_animation_frame(|| {
            if let Some(window) = web_sys::window() {
                let _ = window.print();
            }
        });
    }
}

/// Draws the trip on paper whenever the browser prints while it is seen, whoever asked for it: a button, or Ctrl+P.
pub fn printed(trip: Open) -> AnyView {
    let printing = Printing::get();
    let listeners = web_sys::window().map(|window| {
        let turn = |name: &'static str, on: bool| {
            Listener::on(&window, name, move |_: Event| {
                // Where another pane is shown it is not the trip that is printed.
                let is_seen = web::page::first(".trip-open").is_some_and(|trip| trip.offset_width() > 0);
                let _gone = printing.is_on.try_set(on && is_seen);
            })
        };
        [turn("beforeprint", true), turn("afterprint", false)]
    });
    // As long as the trip is open.
    let _listeners = StoredValue::new_local(listeners);
    let paper = memo(move |_| {
        let with_private = printing.with_private.get();
        let draw = || {
            trip.itinerary
                .with(|itinerary| trip.segments.with(|segments| sheet(itinerary, segments, with_private)))
        };
        printing.is_on.get().then(draw)
    });
    view! {
        <Portal>
            {move || {
                paper
                    .get()
                    .map(|paper| {
                        let demo = (paper.demo > 0).then(|| words::demo_among(paper.demo));
                        view! {
                            <article class="trip-paper" data-testid="trip-paper">
                                <h1 dir="auto">{paper.title}</h1>
                                <p dir="auto">{paper.about}</p>
                                {demo.map(|demo| view! { <p>{demo}</p> })}
                                {paper.days.into_iter().map(day).collect_view()}
                            </article>
                        }
                    })
            }}
        </Portal>
    }
    .into_any()
}

fn day(day: Day) -> impl IntoView {
    view! {
        <section>
            <h2>{day.name}</h2>
            <ul>{day.rows.into_iter().map(row).collect_view()}</ul>
        </section>
    }
}

fn row(row: Row) -> impl IntoView {
    let note = (!row.note.is_empty()).then_some(row.note);
    view! {
        <li>
            <span class="trip-paper-time">{row.time}</span>
            <strong dir="auto">{row.title}</strong>
            <span dir="auto">{row.more}</span>
            {note.map(|note| view! { <p dir="auto">{note}</p> })}
        </li>
    }
}
