//! A trip's days: every segment with when it is on the wall of its place, what it costs, how settled it is, and what does not work of it.
//!
//! Only the rows near what is looked at are in the page. Rows are moved by a key or dragged to another day; what would move along is shown
//! first ([`crate::moving`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::ev::{DragEvent, KeyboardEvent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::dates::{day_in_full, time_written};
use ui_kit::window::{Scroll, Slot, Windowed, windowed};
use ui_kit::{Each, Icon, Say, clock, memo};
use wasm_bindgen::JsCast;
use web::page;
use web_sys::{Element, HtmlElement};

use crate::days::{Row, nights, rows, zone_city};
use crate::model::{Finding, Kind, Segment, Status, When};
use crate::said::when_said;
use crate::state::Section;
use crate::view::{Ask, Editing, View, focus_title, row};
use crate::words;

/// The kind of data that is dragged: a segment of ours, and neither a file nor text.
const KIND: &str = "application/x-satchel-segment";

/// How high a row is taken to be that nobody has seen yet, in CSS pixels.
const ROW_PX: f64 = 76.0;

/// How far beyond what can be seen rows are kept, in CSS pixels.
const MARGIN_PX: f64 = 600.0;

/// How often, and how many times, a row is looked for that is to have the focus: two seconds.
const LOOK_MS: u64 = 40;
const LOOKS: u32 = 50;

/// After so many looks a row that has the focus stays where it is.
const SETTLED: u32 = 20;

/// The rows with what they are known by.
#[derive(Clone, PartialEq)]
struct Laid {
    rows: Arc<Vec<Row>>,
    /// The day that each stands on; empty for what has none.
    days: Arc<Vec<String>>,
    /// Where each stands, by what it is known by.
    places: Arc<BTreeMap<String, usize>>,
}

/// The days.
#[component]
pub fn Days(view: View) -> impl IntoView {
    let open = view.open;
    let laid = memo(move |_| {
        let rows = open.segments.with(|segments| {
            open.itinerary.with(|trip| rows(segments, trip.start.as_deref(), trip.end.as_deref()))
        });
        let mut day = String::new();
        let days = rows
            .iter()
            .map(|row| {
                match row {
                    Row::Day { day: begins, .. } | Row::Free { from: begins, .. } => day.clone_from(begins),
                    Row::Undated => day.clear(),
                    Row::Segment { .. } | Row::End { .. } | Row::Night { .. } => {}
                }
                day.clone()
            })
            .collect();
        let places = rows.iter().enumerate().map(|(at, row)| (row.key(), at)).collect();
        Laid { rows: Arc::new(rows), days: Arc::new(days), places: Arc::new(places) }
    });
    let count = memo(move |_| laid.with(|laid| laid.rows.len()));
    let scroll = Scroll::of(view.scroller);
    follow_focus(view, laid);
    let list = windowed(Windowed {
        scroll,
        count: count.into(),
        at_end: Signal::derive(|| false),
        margin_px: MARGIN_PX,
        estimate_px: ROW_PX,
        slots: Box::new(move |range| {
            laid.with(|laid| {
                let end = range.end.min(laid.rows.len());
                (range.start.min(end)..end)
                    .filter_map(|at| Some(Slot { key: laid.rows.get(at)?.key(), at }))
                    .collect()
            })
        }),
        draw: Box::new(move |slot| draw(view, laid, slot.key)),
        list_class: "trip-rows",
        is_list: true,
    });
    let dragged = StoredValue::new(None::<String>);
    view! {
        <AddBar view />
        <Show when=move || open.segments.with(Vec::is_empty)>
            <div class="empty" data-testid="trip-nothing">
                <p class="empty-title">{words::nothing_on_it()}</p>
                <p>{words::nothing_on_it_hint()}</p>
            </div>
        </Show>
        <div
            node_ref=view.scroller
            class="trip-days"
            data-testid="trip-days"
            tabindex="-1"
            on:scroll=move |_| scroll.moved()
            on:keydown=move |event: KeyboardEvent| keys(view, &event)
            on:dragstart=move |event: DragEvent| {
                let id = event.target().and_then(element).and_then(|target| segment_of(&target));
                if let (Some(id), Some(data)) = (&id, event.data_transfer()) {
                    let _ = data.set_data(KIND, id);
                }
                dragged.set_value(id);
            }
            on:dragend=move |_| dragged.set_value(None)
            on:dragover=move |event: DragEvent| {
                if dragged.with_value(Option::is_some) && event.target().and_then(element).and_then(|over| day_of(&over)).is_some() {
                    event.prevent_default();
                }
            }
            on:drop=move |event: DragEvent| {
                let day = event.target().and_then(element).and_then(|over| day_of(&over));
                if let (Some(id), Some(day)) = (dragged.try_update_value(Option::take).flatten(), day) {
                    event.prevent_default();
                    let stays = open.segment(&id).and_then(|segment| segment.start).is_some_and(|start| start.day() == day);
                    if !stays {
                        view.asked.set(Some(Ask::to_day(id, day)));
                    }
                }
            }
        >
            {list}
        </div>
    }
}

/// One button for each kind of segment.
#[component]
fn AddBar(view: View) -> impl IntoView {
    let open = view.open;
    let is_archived = move || open.itinerary.with(|trip| trip.archived_ms.is_some());
    view! {
        <Show when=move || !is_archived() && !open.gone.get()>
            <div class="trip-add" role="group" aria-label=words::add_to_trip()>
                {Kind::ALL
                    .map(|kind| {
                        view! {
                            <button
                                type="button"
                                class="chip"
                                data-kind=kind.word()
                                data-testid=format!("trip-add-{}", kind.word())
                                aria-label=words::add_kind(kind.name())
                                on:click=move |_| view.editing.set(Some(Editing::Add { kind, day: String::new() }))
                            >
                                {kind.icon().draw()}
                                <span>{kind.name()}</span>
                            </button>
                        }
                    })}
            </div>
        </Show>
    }
}

/// Brings the focus to the row that is sought, wherever it is scrolled.
fn follow_focus(view: View, laid: Memo<Laid>) {
    ui_kit::effect(move |_| {
        let Some(id) = view.sought.get() else { return };
        view.sought.set(None);
        spawn_local(async move {
            let mut had = 0;
            for look in 0..LOOKS {
                match row(&id) {
                    // A row that goes to another place loses the focus on its way, and nobody took it elsewhere.
                    Some(row) if had == 0 || page::nothing_has_focus() => {
                        let _ = row.focus();
                        let is_there =
                            page::focused().is_some_and(|now| now == *AsRef::<Element>::as_ref(&row));
                        had = had.max(u32::from(is_there));
                    }
                    Some(_) => had += 1,
                    None => {}
                }
                if had > SETTLED {
                    return;
                }
                // It may stand where nothing is drawn just now.
                let place =
                    laid.try_with_untracked(|laid| laid.places.get(&format!("segment/{id}")).copied());
                let (Some(place), Some(scroller)) = (place, view.scroller.try_get_untracked().flatten())
                else {
                    return;
                };
                if let Some(at) = place
                    && had == 0
                    && look % 5 == 1
                {
                    let (all, of) =
                        (f64::from(scroller.scroll_height()), laid.with_untracked(|laid| laid.rows.len()));
                    scroller.set_scroll_top((all * at as f64 / of.max(1) as f64) as i32);
                }
                clock::sleep(LOOK_MS).await;
            }
            if had > 0 {
                return;
            }
            focus_title();
        });
    });
}

fn element(target: impl JsCast) -> Option<Element> {
    target.dyn_into().ok()
}

fn segment_of(of: &Element) -> Option<String> {
    of.closest("[data-segment]").ok().flatten()?.get_attribute("data-segment")
}

fn day_of(of: &Element) -> Option<String> {
    let day = of.closest("[data-day]").ok().flatten()?.get_attribute("data-day")?;
    (!day.is_empty()).then_some(day)
}

/// Keys on a row: a day earlier or later with Alt and an arrow, to another row with an arrow alone, and out of the trip.
fn keys(view: View, event: &KeyboardEvent) {
    let target = event.target().and_then(element);
    let Some(id) = target.as_ref().and_then(segment_of) else { return };
    match (event.key().as_str(), event.alt_key()) {
        ("ArrowUp", true) => view.asked.set(Some(Ask::by_days(id, -1))),
        ("ArrowDown", true) => view.asked.set(Some(Ask::by_days(id, 1))),
        (way @ ("ArrowUp" | "ArrowDown"), false) => go(target.as_ref(), way == "ArrowDown"),
        ("Delete", false) => delete(view, &id),
        _ => return,
    }
    event.prevent_default();
}

/// Brings the focus to the next segment, or to the one before.
fn go(from: Option<&Element>, forward: bool) {
    let mut row = from.and_then(|from| from.closest("li").ok().flatten());
    while let Some(here) = row {
        row = if forward { here.next_element_sibling() } else { here.previous_element_sibling() };
        let main = row.as_ref().and_then(|row| row.query_selector(".trip-main").ok().flatten());
        if let Some(main) = main.and_then(|main| main.dyn_into::<HtmlElement>().ok()) {
            let _ = main.focus();
            return;
        }
    }
}

/// Deletes a segment; a note takes it back. The focus goes to the row after it, or before, or to the trip's name.
pub fn delete(view: View, id: &str) {
    let open = view.open;
    let beside = open.segments.with_untracked(|all| {
        let at = all.iter().position(|segment| segment.id == id)?;
        let other = all.get(at + 1).or_else(|| all.get(at.checked_sub(1)?))?;
        Some(other.id.clone())
    });
    let id = id.to_owned();
    spawn_local(async move {
        match open.call("delete_segment", json!({ "segment": id }), Say::SummaryWithUndo).await {
            Ok(_) => match beside {
                Some(other) => view.seek(&other),
                None => focus_title(),
            },
            Err(why) => open.page.toasts.say(why),
        }
    });
}

/// Draws a row by what it is known by.
fn draw(view: View, laid: Memo<Laid>, key: String) -> AnyView {
    let found = {
        let key = key.clone();
        memo(move |_| {
            laid.with(|laid| {
                let at = *laid.places.get(&key)?;
                Some((laid.rows.get(at)?.clone(), laid.days.get(at)?.clone()))
            })
        })
    };
    let day = move || found.with(|found| found.as_ref().map(|(_, day)| day.clone()).unwrap_or_default());
    if let Some(id) = key.strip_prefix("segment/") {
        let tells_zone = memo(move |_| {
            found.with(|found| matches!(found, Some((Row::Segment { tells_zone: true, .. }, _))))
        });
        return segment_row(view, id.to_owned(), tells_zone, Signal::derive(day));
    }
    let kind = key.split('/').next().unwrap_or_default().to_owned();
    let class = format!("trip-row trip-{kind}");
    view! {
        <li class=class data-day=day data-testid=format!("trip-{kind}")>
            {move || found.get().map(|(row, _)| other_row(view, row))}
        </li>
    }
    .into_any()
}

/// What is in a row that is no segment.
fn other_row(view: View, row: Row) -> AnyView {
    match row {
        Row::Day { day, number, is_empty } => {
            let said = day_in_full(&day).unwrap_or_else(|| day.clone());
            let label = words::add_on(&said);
            view! {
                <h3 class="trip-day-name" class:is-empty=is_empty>
                    {said}
                    {number.map(|number| view! { <span class="hint">{words::day_number(&number.to_string())}</span> })}
                    {is_empty.then(|| view! { <span class="hint">{words::nothing_planned()}</span> })}
                </h3>
                <button
                    type="button"
                    class="icon-button"
                    data-testid="trip-day-add"
                    aria-label=label
                    on:click=move |_| view.editing.set(Some(Editing::Add { kind: Kind::Activity, day: day.clone() }))
                >
                    {Icon::Plus.draw()}
                </button>
            }
            .into_any()
        }
        Row::Free { from, to, bed } => {
            let said = |day: &str| day_in_full(day).unwrap_or_else(|| day.to_owned());
            let what =
                if bed.is_empty() { words::nothing_planned().to_owned() } else { words::night_at(&bed) };
            view! {
                <h3 class="trip-day-name is-empty">
                    {words::from_to(&said(&from), &said(&to))}
                    <span class="hint">{what}</span>
                </h3>
            }
            .into_any()
        }
        Row::End { id } => {
            let ends = move || {
                view.open.segments.with(|all| {
                    let segment = all.iter().find(|segment| segment.id == id)?;
                    let end = segment.end.as_ref()?;
                    let time = end.time().map(time_written).unwrap_or_default();
                    let what = match segment.kind {
                        Kind::Hotel => words::leave_hotel(&segment.title),
                        Kind::Flight | Kind::Transfer => words::arrives(&segment.title),
                        _ => words::ends(&segment.title),
                    };
                    Some(format!("{time} {what}"))
                })
            };
            view! { <p class="trip-small" dir="auto">{ends}</p> }.into_any()
        }
        Row::Night { bed, .. } => {
            view! { <p class="trip-small" dir="auto">{words::night_at(&bed)}</p> }.into_any()
        }
        Row::Undated => view! { <h3 class="trip-day-name">{words::without_day()}</h3> }.into_any(),
        // It is drawn by itself, with what hangs on it.
        Row::Segment { .. } => ().into_any(),
    }
}

/// When a segment is, without its first day, which is said above it: `09:00 – 10:50`; an end on another day with its day.
#[must_use]
fn times(segment: &Segment) -> String {
    let time = |when: &When| when.time().map(time_written);
    let (start, end) = (segment.start.as_ref(), segment.end.as_ref());
    let start_day = start.map(When::day).unwrap_or_default();
    if segment.kind == Kind::Hotel
        && let Some(count) = end.and_then(|end| nights(start_day, end.day())).filter(|count| *count > 0)
    {
        let from = start.and_then(time).unwrap_or_default();
        return format!("{from} {}", words::so_many_nights(usize::try_from(count).unwrap_or_default()))
            .trim()
            .to_owned();
    }
    let until = end.and_then(|end| {
        let is_same = end.day() == start_day;
        if is_same { time(end) } else { Some(when_said(end)) }
    });
    match (start.and_then(time), until) {
        (Some(start), Some(until)) => words::from_to(&start, &until),
        (Some(start), None) => start,
        (None, Some(until)) => words::until(&until),
        (None, None) => String::new(),
    }
}

/// The clocks that a segment's times are on, where they are to be told: `Berlin time → Paris time`.
fn clocks(segment: &Segment, tells: bool) -> String {
    let zone = |when: &Option<When>| when.as_ref().map(|when| zone_city(&when.zone)).unwrap_or_default();
    let (start, end) = (zone(&segment.start), zone(&segment.end));
    let has_time = |when: &Option<When>| when.as_ref().and_then(When::time).is_some();
    match (start.is_empty(), !end.is_empty() && end != start && has_time(&segment.end)) {
        (false, true) => words::clocks_change(&start, &end),
        (true, true) => words::clock_of(&end),
        (false, false) if tells => words::clock_of(&start),
        _ => String::new(),
    }
}

/// Where it is: `CDG → Hotel Fabric`, `Louvre, Paris`.
fn where_it_is(segment: &Segment) -> String {
    match (&segment.from, &segment.to, &segment.place) {
        (Some(from), Some(to), _) => words::way(&from.said(), &to.said()),
        (Some(one), None, _) | (None, Some(one), _) => one.said(),
        (None, None, Some(place)) if !place.city.is_empty() && !place.name.contains(&place.city) => {
            words::place_in(&place.said(), &place.city)
        }
        (None, None, Some(place)) => place.said(),
        (None, None, None) => String::new(),
    }
}

/// A segment.
fn segment_row(view: View, id: String, tells_zone: Memo<bool>, day: Signal<String>) -> AnyView {
    let open = view.open;
    let segment = {
        let id = id.clone();
        memo(move |_| {
            open.segments.with(|all| all.iter().find(|one| one.id == id).cloned()).unwrap_or_default()
        })
    };
    let findings = {
        let id = id.clone();
        memo(move |_| {
            let of = |finding: &&Finding| finding.rows.contains(&id);
            open.findings.with(|all| all.iter().filter(of).cloned().collect::<Vec<_>>())
        })
    };
    let moves_along = {
        let id = id.clone();
        memo(move |_| {
            open.segments.with(|all| {
                let hangs = |one: &&Segment| one.depends_on.iter().any(|on| on.on == id);
                all.iter().filter(hangs).map(|one| one.title.clone()).collect::<Vec<_>>().join(", ")
            })
        })
    };
    let ids = StoredValue::new(id.clone());
    let with = move |f: fn(&Segment) -> String| segment.with(f);
    let title = move || with(|segment| segment.title.clone());
    view! {
        <li
            class="trip-row trip-segment"
            class:is-idea=move || segment.with(|segment| segment.status == Status::Idea)
            data-segment=id
            data-kind=move || segment.with(|segment| segment.kind.word())
            data-day=move || day.get()
            data-testid="trip-segment"
            draggable="true"
        >
            <button
                type="button"
                class="trip-main"
                data-testid="trip-open-segment"
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
                on:click=move |_| view.editing.set(Some(Editing::Change { id: ids.get_value() }))
            >
                <span class="trip-icon">{move || segment.with(|segment| segment.kind).icon().draw().into_any()}</span>
                <span class="trip-what">
                    <span class="trip-title" dir="auto">
                        <span class="visually-hidden">{move || segment.with(|segment| segment.kind).name()} ": "</span>
                        {title}
                    </span>
                    <span class="trip-when">{move || segment.with(times)}</span>
                    <span class="trip-zone">{move || { let tells = tells_zone.get(); segment.with(|segment| clocks(segment, tells)) }}</span>
                    <span class="trip-place" dir="auto">{move || segment.with(where_it_is)}</span>
                    <span class="trip-marks">
                        <span class="trip-status" data-status=move || segment.with(|segment| segment.status.word())>
                            {move || segment.with(|segment| segment.status.name())}
                        </span>
                        {move || segment.with(|segment| segment.cost.as_ref().map(|cost| view! { <span>{cost.said()}</span> }))}
                        {move || segment.with(|segment| {
                            (!segment.code.is_empty()).then(|| view! { <span dir="auto">{words::code_is(&segment.code)}</span> })
                        })}
                        {move || segment.with(|segment| segment.is_demo().then(|| view! { <span class="trip-demo">{words::demo()}</span> }))}
                    </span>
                    {move || {
                        let along = moves_along.get();
                        (!along.is_empty()).then(|| view! { <span class="trip-along" dir="auto">{words::moves_along(&along)}</span> })
                    }}
                </span>
            </button>
            <span class="trip-acts">
                <button
                    type="button"
                    class="text-button"
                    data-testid="trip-move"
                    aria-label=move || words::move_named(&title())
                    on:click=move |_| view.asked.set(Some(Ask::form(ids.get_value())))
                >
                    {words::move_short()}
                </button>
                <button
                    type="button"
                    class="icon-button"
                    data-testid="trip-delete-segment"
                    aria-label=move || words::delete_named(&title())
                    on:click=move |_| delete(view, &ids.get_value())
                >
                    {Icon::Trash.draw()}
                </button>
            </span>
            <Show when=move || findings.with(|findings| !findings.is_empty())>
                <ul class="trip-findings">
                    <Each
                        each=move || findings.get()
                        key=|finding| format!("{}/{}", finding.rule, finding.text)
                        children=move |finding| {
                            view! {
                                <li data-severity=finding.severity.clone() data-testid="trip-row-finding">
                                    {Icon::Warning.draw()}
                                    <span lang="en">{finding.text}</span>
                                    <button type="button" class="text-button" on:click=move |_| open.trips.section.set(Section::Checks)>
                                        {words::ways_out()}
                                    </button>
                                </li>
                            }
                        }
                    />
                </ul>
            </Show>
        </li>
    }
    .into_any()
}
