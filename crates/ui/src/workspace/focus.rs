//! Keeps the focus in the list when the row that had it goes away.
//!
//! Who checks a to-do by keyboard goes on with the next one; the row itself has moved to another group, and the
//! browser would drop the focus to the page's very beginning.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusEvent, HtmlElement};

use super::live::Live;

/// The parts of a row that take the focus.
const CONTROLS: [&str; 3] = ["check", "todo-main", "todo-delete"];

/// Where the focus was last seen in the list.
#[derive(Clone, Debug)]
struct Seen {
    group: String,
    id: String,
    at: usize,
    control: &'static str,
    element: Element,
}

/// The keeper of one list's focus. A handle.
#[derive(Clone, Copy)]
pub struct FocusKeeper {
    list: NodeRef<html::Div>,
    seen: StoredValue<Option<Seen>, LocalStorage>,
}

impl FocusKeeper {
    /// Watches over a list: after each change of it a lost focus is brought back.
    #[must_use]
    pub fn of(list: NodeRef<html::Div>, live: Live) -> Self {
        let keeper = Self { list, seen: StoredValue::new_local(None) };
        Effect::new(move |_| {
            live.news.track();
            live.counts.track();
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

    /// The focus went. Where the person sent it is fine; that what had it was taken away is not.
    pub fn went(self, event: &FocusEvent) {
        let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else {
            return;
        };
        request_animation_frame(move || {
            let same =
                self.seen.try_with_value(|seen| seen.as_ref().is_some_and(|seen| seen.element == target));
            if target.is_connected() && same == Some(true) && document_focus().as_ref() != Some(&target) {
                let _ = self.seen.try_set_value(None);
            }
        });
    }

    fn restore(self) {
        let Some(Some(seen)) = self.seen.try_get_value() else { return };
        if seen.element.is_connected() || document_focus().is_some() {
            return;
        }
        let Some(list) = self.list.try_get_untracked().flatten() else { return };
        let find = |selector: &str| list.query_selector(selector).ok().flatten();
        let in_its_place = (1..=seen.at + 1)
            .rev()
            .find_map(|place| find(&format!("[data-group={:?}] [aria-posinset=\"{place}\"]", seen.group)));
        let row = find(&format!("[data-group={:?}] [data-todo={:?}]", seen.group, seen.id))
            .or(in_its_place)
            .or_else(|| find("[data-todo]"));
        let control = row.and_then(|row| row.query_selector(&format!(".{}", seen.control)).ok().flatten());
        let quick_add = || {
            let document = web_sys::window()?.document()?;
            document.query_selector("[data-testid=\"todo-add\"]").ok().flatten()
        };
        if let Some(element) =
            control.or_else(quick_add).and_then(|element| element.dyn_into::<HtmlElement>().ok())
        {
            let _ = element.focus();
        }
    }
}

/// Whether the row of this to-do has to stay in the page: the focus is in it, or it is being edited.
#[must_use]
pub fn is_held(id: &str) -> bool {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return false };
    let is_row = |row: &Element| row.get_attribute("data-todo").as_deref() == Some(id);
    let focused = document
        .active_element()
        .and_then(|element| element.closest("[data-todo]").ok().flatten())
        .is_some_and(|row| is_row(&row));
    let edited = || document.query_selector(&format!("[data-todo={id:?}].editing")).ok().flatten();
    focused || edited().is_some()
}

fn seen(element: Element) -> Option<Seen> {
    let row = element.closest("[data-todo]").ok().flatten()?;
    let group = row.closest("[data-group]").ok().flatten()?.get_attribute("data-group")?;
    let place = row.get_attribute("aria-posinset")?.parse::<usize>().ok()?;
    let control =
        CONTROLS.into_iter().find(|class| element.class_list().contains(class)).unwrap_or("todo-main");
    Some(Seen { group, id: row.get_attribute("data-todo")?, at: place.saturating_sub(1), control, element })
}

/// What has the focus, if anything but the page itself does.
fn document_focus() -> Option<Element> {
    let element = web_sys::window()?.document()?.active_element()?;
    (element.tag_name() != "BODY").then_some(element)
}
