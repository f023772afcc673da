//! Keeps the focus in the list when the row that had it goes away.
//!
//! Who checks a to-do by keyboard goes on with the next one; the row itself has moved to another group, and the
//! browser would drop the focus to the page's very beginning.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, FocusEvent, HtmlElement};

use crate::live::Live;
use ui_kit::clock;
use web::listener::Listener;
use web::page::document;
use web_sys::Event;

/// The parts of a row that take the focus.
const CONTROLS: [&str; 3] = ["check", "todo-main", "todo-delete"];

/// Where the focus was last seen in the list.
#[derive(Clone, Debug)]
struct Seen {
    group: String,
    id: String,
    at: usize,
    control: &'static str,
    /// It was in the form of a to-do that is being edited.
    in_form: bool,
    element: Element,
}

/// How close to the list's being drawn the focus goes that is taken away by that, in milliseconds.
const DRAWN_MS: u64 = 300;

/// The guard of one list's focus. A handle.
#[derive(Clone, Copy)]
pub struct FocusKeeper {
    list: NodeRef<html::Div>,
    line: NodeRef<html::Input>,
    seen: StoredValue<Option<Seen>, LocalStorage>,
    /// When the list was drawn last, by the clock that no change of the time sets back.
    drawn_at: StoredValue<u64>,
    /// A pointer is being pressed: what loses the focus now was left by the person.
    pointed: StoredValue<bool>,
}

impl FocusKeeper {
    /// Watches over a list: after each change of it a lost focus is brought back.
    #[must_use]
    pub fn of(list: NodeRef<html::Div>, live: Live) -> Self {
        let keeper = Self {
            list,
            line: live.line,
            seen: StoredValue::new_local(None),
            drawn_at: StoredValue::new(0),
            pointed: StoredValue::new(false),
        };
        let pressed = move |_: Event| {
            keeper.pointed.set_value(true);
            request_animation_frame(move || keeper.pointed.set_value(false));
        };
        if let Some(page) = document() {
            // A finger's press comes as one of a mouse too, just before the focus moves.
            Listener::on_way_down(&page, "mousedown", pressed).for_good();
        }
        ui_kit::effect(move |_| {
            live.news.track();
            live.shown.track();
            keeper.drawn_at.set_value(clock::monotonic_ms());
            // After the rows stand.
            request_animation_frame(move || keeper.restore());
        });
        keeper
    }

    /// The focus came to something in the list.
    pub fn came(self, event: &FocusEvent) {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        self.seen.set_value(target.and_then(seen));
    }

    /// The focus went. Where the person sent it is fine; that what had it was taken away is not: a row that is sorted
    /// anew is taken out and put in again, and the browser drops its focus.
    pub fn went(self, event: &FocusEvent) {
        let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else {
            return;
        };
        let pointed = self.pointed.try_get_value() == Some(true);
        let went_at = clock::monotonic_ms();
        request_animation_frame(move || {
            let same =
                self.seen.try_with_value(|seen| seen.as_ref().is_some_and(|seen| seen.element == target));
            if !target.is_connected() || same != Some(true) {
                return;
            }
            let drawn_at = self.drawn_at.try_get_value().unwrap_or_default();
            let was_drawn = drawn_at.abs_diff(went_at) < DRAWN_MS;
            match document_focus() {
                Some(now) if now == target => {}
                None if was_drawn && !pointed => self.restore(),
                Some(_) | None => {
                    let _ = self.seen.try_set_value(None);
                }
            }
        });
    }

    fn restore(self) {
        let Some(Some(seen)) = self.seen.try_get_value() else { return };
        if document_focus().is_some() {
            return;
        }
        if seen.element.is_connected() {
            return focus(seen.element);
        }
        let Some(list) = self.list.try_get_untracked().flatten() else { return };
        let find = |selector: &str| list.query_selector(selector).ok().flatten();
        if seen.in_form {
            // What is still being typed must not become commands on another row: the list itself, where its own is gone.
            let own = |part: &str| find(&format!("[data-todo={:?}] {part}", seen.id));
            return focus(
                own(".edit input").or_else(|| own(".todo-main")).unwrap_or_else(|| (**list).clone()),
            );
        }
        let in_its_place = (1..=seen.at + 1)
            .rev()
            .find_map(|place| find(&format!("[data-group={:?}] [aria-posinset=\"{place}\"]", seen.group)));
        let row = find(&format!("[data-group={:?}] [data-todo={:?}]", seen.group, seen.id))
            .or(in_its_place)
            .or_else(|| find("[data-todo]"));
        let control = row.and_then(|row| row.query_selector(&format!(".{}", seen.control)).ok().flatten());
        let line = || Some(Element::from(self.line.try_get_untracked().flatten()?));
        if let Some(element) = control.or_else(line) {
            focus(element);
        }
    }
}

fn focus(element: Element) {
    if let Ok(element) = element.dyn_into::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Whether the row of this to-do has to stay in the page: the focus is in it, or it is being edited.
#[must_use]
pub fn is_held(id: &str) -> bool {
    let Some(document) = document() else { return false };
    let is_row = |row: &Element| row.get_attribute("data-todo").as_deref() == Some(id);
    let focused = document
        .active_element()
        .and_then(|element| element.closest("[data-todo]").ok().flatten())
        .is_some_and(|row| is_row(&row));
    focused || is_edited(id)
}

/// Whether the row of this to-do is open as a form.
#[must_use]
pub fn is_edited(id: &str) -> bool {
    let edited = |page: Document| page.query_selector(&format!("[data-todo={id:?}].editing")).ok().flatten();
    document().and_then(edited).is_some()
}

fn seen(element: Element) -> Option<Seen> {
    let row = element.closest("[data-todo]").ok().flatten()?;
    let group = row.closest("[data-group]").ok().flatten()?.get_attribute("data-group")?;
    let place = row.get_attribute("aria-posinset")?.parse::<usize>().ok()?;
    let control =
        CONTROLS.into_iter().find(|class| element.class_list().contains(class)).unwrap_or("todo-main");
    let in_form = element.closest(".edit").ok().flatten().is_some();
    let id = row.get_attribute("data-todo")?;
    Some(Seen { group, id, at: place.saturating_sub(1), control, in_form, element })
}

/// What has the focus, if anything but the page itself does.
fn document_focus() -> Option<Element> {
    let element = document()?.active_element()?;
    (element.tag_name() != "BODY").then_some(element)
}
