//! A section of an open trip: where the trip goes, on a map and in words, and the photos that were taken there.

mod arcs;
mod photos;
mod route;

mod words {
    include!(concat!(env!("OUT_DIR"), "/map.rs"));
}

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::{Each, memo};
use ui_map::{Asked, Holder, LatLon, Map, OnMap, Tiles, World, bounds};
use wasm_bindgen::JsCast;
use web::listener::Listener;
use web_sys::{HtmlElement, MouseEvent};

use crate::open::Open;
use crate::wall;
use route::{Line, Route, Spot};

pub use route::days;

/// How large a marker is: what a finger can hit, in CSS pixels.
const MARKER_PX: u32 = 44;

/// How near the map goes by itself: a city, over outlines.
const NEAREST: u32 = 9;

/// The same where there are tiles: some streets.
const NEAREST_WITH_TILES: u32 = 14;

/// What stands on the map, as long as it does.
#[derive(Default)]
struct Standing {
    layers: Vec<OnMap>,
    pressed: Vec<Listener>,
    /// The points that the map was made to fit.
    fitted: Vec<LatLon>,
}

/// Draws it.
pub fn map(trip: Open) -> AnyView {
    let day = RwSignal::new(String::new());
    let days = memo(move |_| trip.segments.with(|all| route::days(all)));
    let (found, trouble) = (RwSignal::new(None::<Route>), RwSignal::new(String::new()));
    ui_kit::effect(move |_| {
        // The day that was looked at may be none of the trip any more.
        let is_there = days.with(|days| day.with_untracked(|day| day.is_empty() || days.contains(day)));
        if !is_there {
            day.set(String::new());
        }
    });
    read(trip, day, found, trouble);
    let stops = memo(move |_| found.with(|route| route.as_ref().map(|route| route.stops.len())));
    let has_stops = memo(move |_| stops.get().is_some_and(|count| count > 0));
    let lines = memo(move |_| {
        let route = found.get().unwrap_or_default();
        trip.segments.with(|segments| route.list(segments))
    });
    let summary = move || {
        found.with(|route| {
            route.as_ref().map(|route| words::map_summary(route.stops.len(), &route::km(route.km)))
        })
    };
    let unplaced = memo(move |_| found.with(|route| route.as_ref().map(|route| route.unplaced.join(" · "))));
    let has_unplaced =
        memo(move |_| unplaced.with(|names| names.as_ref().is_some_and(|names| !names.is_empty())));
    let (tiles, no_tiles) = (Tiles::kept(), RwSignal::new(false));
    let host = StoredValue::new(tiles.as_ref().map(|tiles| tiles.host().to_owned()));
    let tiles = StoredValue::new(tiles);
    view! {
        <div class="trip-part trip-map" data-testid="trip-map-section">
            <Show when=move || days.with(|days| days.len() > 1)>
                <label class="stack trip-narrow">
                    <span>{words::map_day()}</span>
                    <select
                        class="field"
                        data-testid="trip-map-day"
                        prop:value=day
                        on:change=move |event| day.set(event_target_value(&event))
                    >
                        <option value="">{words::map_all_days()}</option>
                        <Each each=move || days.get() key=Clone::clone let:of>
                            <option value=of.clone()>{wall::day(&of)}</option>
                        </Each>
                    </select>
                </label>
            </Show>
            <Show when=move || trouble.with(|why| !why.is_empty())>
                <div class="notice notice-bad" role="alert">
                    <p>{trouble}</p>
                    <button type="button" class="button" on:click=move |_| trip.page.tools.changed()>
                        {ui_kit::words::try_again()}
                    </button>
                </div>
            </Show>
            <Show when=move || has_stops.get()>
                {move || tiles.with_value(|tiles| view! { <OnWorld found tiles=tiles.clone() no_tiles /> })}
                <Show when=move || no_tiles.get()>
                    <p class="notice notice-bad" role="alert">
                        {host.with_value(|host| host.as_deref().map(words::map_no_tiles))}
                    </p>
                </Show>
                <p class="hint" role="status" data-testid="trip-map-summary">{summary}</p>
                <ol class="trip-stops" aria-label=words::map_stops() data-testid="trip-stops">
                    <Each each=move || lines.get() key=|line: &Line| format!("{line:?}") let:line>
                        {stop(line)}
                    </Each>
                </ol>
            </Show>
            <Show when=move || stops.get() == Some(0)>
                <div class="empty" data-testid="trip-map-empty">
                    <p class="empty-title">{words::map_nothing()}</p>
                    <p>{words::map_nothing_hint()}</p>
                </div>
            </Show>
            <Show when=move || has_unplaced.get()>
                <p class="hint" data-testid="trip-unplaced">{move || unplaced.get().map(|names| words::map_unplaced(&names))}</p>
            </Show>
            {photos::photos(trip)}
            <p class="hint">
                {words::map_credit()} " " {host.with_value(|host| host.as_deref().map(words::map_tiles_from))}
            </p>
        </div>
    }
    .into_any()
}

/// Reads the route now, and whenever the trip or the day is another. Reads are numbered: one that comes late overwrites none that came after
/// it.
fn read(trip: Open, day: RwSignal<String>, found: RwSignal<Option<Route>>, trouble: RwSignal<String>) {
    let reads = StoredValue::new(0_u32);
    ui_kit::effect(move |_| {
        trip.segments.track();
        let day = day.get();
        let read = reads.get_value() + 1;
        reads.set_value(read);
        let arguments = if day.is_empty() { json!({}) } else { json!({ "day": day }) };
        spawn_local(async move {
            let answer = trip.read("show_route", arguments).await;
            if reads.try_get_value() != Some(read) {
                return;
            }
            match answer.map(|answer| Route::of(&answer)) {
                Ok(Some(route)) => {
                    trouble.set(String::new());
                    found.set(Some(route));
                }
                Ok(None) => trouble.set(crate::words::unreadable().to_owned()),
                Err(why) => trouble.set(why),
            }
        });
    });
}

/// A stop of the list.
fn stop(line: Line) -> impl IntoView {
    let Line { number, name, when, way, is_idea, is_demo } = line;
    view! {
        <li class="trip-stop" id=stop_id(number) tabindex="-1" data-testid="trip-stop">
            <span class="trip-stop-number" aria-hidden="true">{ui_kit::locale::number(number)}</span>
            <span class="trip-stop-name" dir="auto">{name}</span>
            {is_demo.then(|| view! { <span class="trip-mark">{words::map_demo()}</span> })}
            {is_idea.then(|| view! { <span class="trip-mark">{crate::words::idea()}</span> })}
            <span class="hint trip-stop-more">{[when, way].into_iter().filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" · ")}</span>
        </li>
    }
}

fn stop_id(number: usize) -> String {
    format!("trip-stop-{number}")
}

/// The map.
#[component]
fn OnWorld(found: RwSignal<Option<Route>>, tiles: Option<Tiles>, no_tiles: RwSignal<bool>) -> impl IntoView {
    let holder = Holder::new();
    let standing = StoredValue::new_local(Standing::default());
    let nearest = if tiles.is_some() { NEAREST_WITH_TILES } else { NEAREST };
    ui_kit::effect(move |_| {
        let map = holder.map();
        found.with(|route| {
            standing.update_value(|standing| match (map, route) {
                (Some(map), Some(route)) => standing.show(&map, route, nearest),
                (None, _) | (_, None) => *standing = Standing::default(),
            });
        });
    });
    let asked = Asked {
        label: words::map_of_trip(),
        testid: "trip-map",
        tiles,
        no_tiles,
        holder,
        // The list is there, and says the same.
        missing: Callback::new(|()| {}),
    };
    view! { <World asked /> }
}

impl Standing {
    /// Has a route stand on the map, and no other. It is looked at anew where its points are others.
    fn show(&mut self, map: &Rc<dyn Map>, route: &Route, nearest: u32) {
        let had_focus = web::page::focused()
            .filter(|on| map.element().contains(Some(on)))
            .and_then(|on| on.get_attribute("data-stop"));
        self.layers.clear();
        self.pressed.clear();
        let lines = route.lines();
        self.layers.push(map.draw(&lines.ways, "world-way"));
        self.layers.push(map.draw(&lines.flights, "world-flight"));
        for spot in route.spots() {
            let Some(button) = marker(&spot) else { continue };
            self.layers.push(map.put(&button, spot.at, MARKER_PX));
            let (of, first) = (Rc::clone(map), spot.first);
            self.pressed.push(Listener::on(&button, "click", move |event: MouseEvent| {
                // Where the map was drawn along by a marker, that was no press of it; a key has no such past.
                if event.detail() == 0 || !of.was_dragged() {
                    web::page::focus(&format!("#{}", stop_id(first)));
                }
            }));
            if had_focus.as_deref() == Some(&*first.to_string()) {
                let _ = button.focus();
            }
        }
        let points = route.points();
        if points != self.fitted {
            if let Some(corners) = bounds(points.iter().copied()) {
                map.look_at_all(corners, nearest);
            }
            self.fitted = points;
        }
    }
}

/// A marker: a button with the numbers of its stops.
fn marker(spot: &Spot) -> Option<HtmlElement> {
    let button: HtmlElement = web::page::document()?.create_element("button").ok()?.dyn_into().ok()?;
    button.set_class_name("trip-spot");
    for (name, value) in [
        ("type", "button"),
        ("data-testid", "trip-spot"),
        ("data-stop", &spot.first.to_string()),
        ("aria-label", &spot.name),
        ("title", &spot.name),
    ] {
        button.set_attribute(name, value).ok()?;
    }
    button.set_text_content(Some(&spot.label));
    Some(button)
}
