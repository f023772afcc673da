//! The list of the rooms, and the search above it: what it finds stands in the list's place, and leads to the room and the field.

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use ui_kit::{Panels, focus, is_composing};
use wasm_bindgen::JsCast;
use web::page;
use web_sys::{Element, HtmlElement};

use super::index::{self, Entry, Hit};
use super::{address, room};
use crate::i18n;
use crate::settings::Section;

/// The id of the search.
const SEARCH_ID: &str = "settings-search";

/// The list and the search.
#[component]
pub fn Nav(
    /// The open room.
    at: RwSignal<Option<Section>>,
    /// Whether the search led to what has the focus: that is shown, however it was chosen.
    led: RwSignal<bool>,
) -> impl IntoView {
    let rooms = StoredValue::new(index::rooms(Panels::get()));
    let typed = RwSignal::new(String::new());
    let is_searching = ui_kit::memo(move |_| typed.with(|typed| !typed.trim().is_empty()));
    let hits = ui_kit::memo(move |_| typed.with(|typed| rooms.with_value(|rooms| index::find(typed, rooms))));
    ui_kit::effect(move |_| {
        if at.get().is_none() {
            typed.set(String::new());
        }
    });
    let enter = move |section: Section, setting: Option<&'static str>| {
        at.set(Some(section));
        led.set(setting.is_some());
        request_animation_frame(move || {
            room::focus_name();
            if let Some(id) = setting {
                focus::when_there(move || {
                    field(id).filter(|_| at.try_get_untracked() == Some(Some(section)))
                });
            }
        });
    };
    let keys = move |event: KeyboardEvent| {
        if is_composing(&event) {
            return;
        }
        match event.key().as_str() {
            // The next one closes the settings.
            "Escape" if typed.with_untracked(|typed| !typed.is_empty()) => typed.set(String::new()),
            "Enter" => {
                if let Some(hit) = hits.with_untracked(|hits| hits.first().copied()) {
                    enter(hit.section, hit.setting.map(|setting| setting.id));
                }
            }
            "ArrowDown" => drop(page::focus(".settings-nav li > a")),
            _ => return,
        }
        event.prevent_default();
    };
    view! {
        <nav class="settings-nav" aria-label=i18n::rooms()>
            <div role="search">
                <input
                    class="field"
                    id=SEARCH_ID
                    type="search"
                    dir="auto"
                    autocomplete="off"
                    spellcheck="false"
                    data-testid="settings-search"
                    aria-label=i18n::search_settings()
                    placeholder=i18n::search_settings()
                    prop:value=typed
                    on:input=move |event| typed.set(event_target_value(&event))
                    on:keydown=keys
                />
                <p class="visually-hidden" role="status" data-testid="settings-found">
                    {move || is_searching.get().then(|| i18n::settings_found(hits.with(Vec::len)))}
                </p>
            </div>
            <Show when=move || is_searching.get() && hits.with(Vec::is_empty)>
                <p class="hint" data-testid="settings-nothing">{i18n::no_settings()}</p>
            </Show>
            <ul on:keydown=step>
                {move || match is_searching.get() {
                    true => hits.get().into_iter().map(|hit| hit_row(hit, enter)).collect_view().into_any(),
                    false => {
                        let row = |entry: &Entry| room_row(entry, at, enter);
                        rooms.with_value(|rooms| rooms.iter().map(row).collect_view()).into_any()
                    }
                }}
            </ul>
        </nav>
    }
}

/// A room in the list.
fn room_row(
    entry: &Entry,
    at: RwSignal<Option<Section>>,
    enter: impl Fn(Section, Option<&'static str>) + 'static,
) -> AnyView {
    let (section, name) = (entry.section, entry.name);
    let is_open = move || match at.get() {
        Some(Section::List) => section == Section::Model && !address::is_narrow(),
        open => open == Some(section),
    };
    view! {
        <li>
            <a
                class="settings-link"
                id=link_id(section)
                data-testid=link_id(section)
                href=address::of(section)
                aria-current=move || is_open().then_some("page")
                on:click=plain(move || enter(section, None))
            >
                {name}
            </a>
        </li>
    }
    .into_any()
}

/// Something found. Where it is a field its room stands behind it.
fn hit_row(hit: Hit, enter: impl Fn(Section, Option<&'static str>) + 'static) -> AnyView {
    let Hit { section, room, setting } = hit;
    view! {
        <li>
            <a
                class="settings-link"
                data-testid="settings-hit"
                data-room=section.word()
                href=address::of(section)
                on:click=plain(move || enter(section, setting.map(|setting| setting.id)))
            >
                <span>{hit.name()}</span>
                {setting.map(|_| view! { <span class="settings-link-room">{room}</span> })}
            </a>
        </li>
    }
    .into_any()
}

/// The id of a room's link.
pub fn link_id(section: Section) -> String {
    format!("settings-{}", section.word())
}

/// Does something at a click that means this tab; the browser does with another what it does with a link.
fn plain(then: impl Fn() + 'static) -> impl Fn(MouseEvent) + 'static {
    move |event| {
        if !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key()) {
            event.prevent_default();
            then();
        }
    }
}

/// The arrows go along the list, and from its top into the search.
fn step(event: KeyboardEvent) {
    let is_up = match event.key().as_str() {
        "ArrowUp" => true,
        "ArrowDown" => false,
        _ => return,
    };
    let Some(row) = page::focused().and_then(|link| link.closest("li").ok().flatten()) else { return };
    event.prevent_default();
    let next = if is_up { row.previous_element_sibling() } else { row.next_element_sibling() };
    let link = next.and_then(|row: Element| row.first_element_child()?.dyn_into::<HtmlElement>().ok());
    match link {
        Some(link) => drop(link.focus()),
        None if is_up => drop(page::focus(&format!("#{SEARCH_ID}"))),
        None => {}
    }
}

/// What takes the focus of a setting: the choice made among several, its field, or the first one in it.
fn field(id: &str) -> Option<HtmlElement> {
    const FIELDS: &str = ":is(input, select, button, summary, [tabindex]):not(:disabled)";
    page::first(&format!("#{id} input[type=radio]:checked"))
        .or_else(|| page::first(&format!("#{id}{FIELDS}, #{id} {FIELDS}")))
}
