//! What the app can be told to do with to-dos: begin one, go through the list, and do with the row that has the focus what its
//! buttons do.

use leptos::prelude::*;
use ui_kit::panel::Page;
use ui_kit::{Command, focus as bring_focus};
use wasm_bindgen::JsCast;
use web::page::{self, document};
use web_sys::{Element, HtmlElement};

use crate::live::{Live, Span};
use crate::model::Group;
use crate::words;

/// How far the list is scrolled for a row that is not in the page yet, in CSS pixels.
const STEP_PX: i32 = 60;

/// How often that is tried.
const STEPS: u32 = 8;

/// Where a row's own place takes the focus: its title, which opens it.
const FIRST_ROW: &str = ".todo-list [data-todo]:not(.parked) .todo-main";

/// All of them; `pane` is the id of the pane with the list.
#[must_use]
pub fn commands(page: Page, pane: &'static str, live: Live) -> Vec<Command> {
    vec![
        Command::new("new-todo", words::new_todo(), "n", move || {
            page.show(pane);
            bring_focus::soon(move || line(live));
        }),
        Command::new("go-todos", words::go_todos(), "g t", move || {
            page.show(pane);
            bring_focus::soon(move || page::first(FIRST_ROW).or_else(|| line(live)));
        }),
        Command::new("views", words::views(), "g v", move || {
            page.show(pane);
            live.choosing.set(true);
        }),
        Command::new("plan-week", words::plan_week(), "g w", move || live.calendar.set(Some(Span::Week))),
        Command::new("plan-month", words::plan_month(), "g m", move || live.calendar.set(Some(Span::Month))),
        Command::new("next", words::next_todo(), "j", || go(true, STEPS)).repeating().only_when(any_row),
        Command::new("previous", words::previous_todo(), "k", || go(false, STEPS))
            .repeating()
            .only_when(any_row),
        Command::new("toggle", words::toggle_todo(), "x", || press(".check")).only_when(on_a_row),
        Command::new("edit", words::edit_todo(), "e", move || {
            // While some are picked a press picks.
            live.picking(false);
            press(".todo-main");
        })
        .only_when(on_a_row),
        Command::new("pick", words::pick_todo(), "s", move || pick(live)).only_when(on_a_row),
        Command::new("delete", words::delete_todo(), "Delete", || press(".todo-delete")).only_when(on_a_row),
    ]
}

/// The line in which a to-do is added.
pub fn line(live: Live) -> Option<HtmlElement> {
    live.line.try_get_untracked().flatten().map(HtmlElement::from)
}

/// The row that has the focus.
fn row() -> Option<Element> {
    document()?.active_element()?.closest("[data-todo]").ok().flatten()
}

/// In an open form the keys are about what has the focus there.
fn on_a_row() -> bool {
    row().is_some_and(|row| !row.class_list().contains("editing"))
}

fn any_row() -> bool {
    first_row().is_some()
}

fn first_row() -> Option<Element> {
    document()?.query_selector(".todo-list [data-todo]:not(.parked)").ok().flatten()
}

/// Does what a button of the row does.
fn press(button: &str) {
    let button = row().and_then(|row| row.query_selector(button).ok().flatten());
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        button.click();
    }
}

/// Picks the row that has the focus, or takes it back.
fn pick(live: Live) {
    let found = row().and_then(|row| {
        let word = row.closest("[data-group]").ok().flatten()?.get_attribute("data-group")?;
        let group = Group::ALL.into_iter().find(|group| words::group_word(*group) == word)?;
        Some((group, row.get_attribute("data-todo")?))
    });
    if let Some((group, id)) = found {
        live.pick(group, id, false);
    }
}

fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Brings the focus to the next or the previous row, over the groups' ends. A row that is not in the page yet
/// comes into it when the list is scrolled towards it.
fn go(forward: bool, steps_left: u32) {
    let Some(from) = row() else {
        if let Some(control) = first_row().and_then(|row| row.query_selector(".todo-main").ok().flatten()) {
            focus(&control);
        }
        return;
    };
    let beside = |element: &Element| {
        if forward { element.next_element_sibling() } else { element.previous_element_sibling() }
    };
    let number =
        |name: &str| from.get_attribute(name).and_then(|text| text.parse::<usize>().ok()).unwrap_or_default();
    let at_end = if forward {
        number("aria-posinset") >= number("aria-setsize")
    } else {
        number("aria-posinset") <= 1
    };
    let target = if at_end {
        let mut group = from.closest(".group").ok().flatten().and_then(|group| beside(&group));
        let mut found = None;
        while let Some(next) = group {
            let rows = if forward { "[data-todo]:not(.parked)" } else { "[data-todo]:last-child" };
            found = next.query_selector(rows).ok().flatten();
            if found.is_some() {
                break;
            }
            group = beside(&next);
        }
        found
    } else {
        beside(&from).filter(|next| next.has_attribute("data-todo"))
    };
    match target.and_then(|row| row.query_selector(".todo-main").ok().flatten()) {
        Some(control) => focus(&control),
        None if steps_left > 0 && !at_end => {
            if let Some(list) = from.closest(".todo-list").ok().flatten() {
                list.set_scroll_top(list.scroll_top() + if forward { STEP_PX } else { -STEP_PX });
            }
            request_animation_frame(move || go(forward, steps_left - 1));
        }
        None => {}
    }
}
