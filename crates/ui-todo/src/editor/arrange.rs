//! A row among the others: moved by a key or dragged. It is one small change of one to-do, whose place is a number between those of its
//! new neighbours.
//!
//! Groups are in the order of dates and priorities first; a person arranges what has the same of both. Whatever is dragged to another date
//! gets that date.

use std::cell::Cell;

use leptos::ev::{DragEvent, KeyboardEvent};
use leptos::prelude::*;
use serde_json::{Map, Value, json};
use ui_kit::Say;
use wasm_bindgen::JsCast;
use web::listener::on_document;
use web_sys::Element;

use crate::live::Live;
use crate::model::{Group, Todo};
use crate::words;

/// Where a row goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    /// Before the one above it.
    Up,
    /// Behind the one below it.
    Down,
    /// Before, or behind, the row in a place of a group.
    At(Group, usize, bool),
    /// To the day of a group.
    Day(Group),
}

thread_local! {
    /// The row that is being dragged: its group and its place.
    static DRAGGED: Cell<Option<(Group, usize)>> = const { Cell::new(None) };
}

/// Has rows moved by keys and dragged from now on. The page listens as a whole: a listener for each row would be in the first paint.
pub fn arrange(live: Live) {
    on_document("dragstart", |event: DragEvent| {
        let Some(place) = event.target().and_then(element).and_then(|target| place(&target)) else { return };
        DRAGGED.set(Some(place));
        if let Some(data) = event.data_transfer() {
            // Some browsers drag nothing that carries nothing.
            let _ = data.set_data("text/plain", " ");
        }
    });
    on_document("dragend", |_: DragEvent| DRAGGED.set(None));
    on_document("dragover", |event: DragEvent| {
        if DRAGGED.get().is_some() && target(&event).is_some() {
            event.prevent_default();
        }
    });
    on_document("drop", move |event: DragEvent| {
        if let (Some((group, at)), Some(to)) = (DRAGGED.take(), target(&event)) {
            event.prevent_default();
            put(live, group, at, to);
        }
    });
    on_document("keydown", move |event: KeyboardEvent| {
        let to = match event.key().as_str() {
            "Escape" if live.picked.with_untracked(|picked| picked.on) => {
                let here =
                    event.target().and_then(element).and_then(|at| at.closest(".todo-list").ok().flatten());
                return if here.is_some() {
                    live.picking(false)
                };
            }
            "ArrowUp" => To::Up,
            "ArrowDown" => To::Down,
            _ => return,
        };
        let row = event.target().and_then(element).filter(|_| event.alt_key());
        if let Some((group, at)) = row.and_then(|target| place(&target)) {
            event.prevent_default();
            put(live, group, at, to);
        }
    });
}

fn element(target: impl JsCast) -> Option<Element> {
    target.dyn_into().ok()
}

fn group_of(element: &Element) -> Option<Group> {
    let word = element.closest("[data-group]").ok().flatten()?.get_attribute("data-group")?;
    Group::ALL.into_iter().find(|group| words::group_word(*group) == word)
}

/// The group and the place of the row that something stands in, unless it is open as a form.
fn place(of: &Element) -> Option<(Group, usize)> {
    let row = of.closest("[data-todo]:not(.editing)").ok().flatten()?;
    let place = row.get_attribute("aria-posinset")?.parse::<usize>().ok()?;
    Some((group_of(&row)?, place.checked_sub(1)?))
}

/// Where something would be put that is dropped here.
fn target(event: &DragEvent) -> Option<To> {
    let over = event.target().and_then(element)?;
    if over.closest(".group-head").ok().flatten().is_some() {
        return group_of(&over).map(To::Day);
    }
    let (group, at) = place(&over)?;
    let stands = over.closest("[data-todo]").ok().flatten()?.get_bounding_client_rect();
    let behind = f64::from(event.client_y()) > stands.top() + stands.height() / 2.0;
    Some(To::At(group, at, behind))
}

/// Moves a row.
fn put(live: Live, group: Group, at: usize, to: To) {
    let Some(todo) = live.row(group, at) else { return };
    if group == Group::Done {
        return live.say(words::DONE_STAYS);
    }
    let (target, place, behind) = match to {
        To::Up => (group, at.checked_sub(1), false),
        To::Down => (group, at.checked_add(1), true),
        To::At(target, place, behind) => (target, Some(place), behind),
        To::Day(target) => return day(live, &todo, target),
    };
    let Some((place, other)) = place.and_then(|place| Some((place, live.row(target, place)?))) else {
        return;
    };
    if other.id == todo.id {
        return;
    }
    if matches!(target, Group::Done | Group::Overdue) && target != group {
        return live.say(words::NOT_THERE);
    }
    let by_key = matches!(to, To::Up | To::Down);
    if by_key && (other.due != todo.due || other.priority != todo.priority) {
        return live.say(words::SORTED_FIRST);
    }
    let beyond = if behind { place.checked_add(1) } else { place.checked_sub(1) };
    let beyond = beyond.and_then(|place| live.row(target, place)).filter(|beyond| is_alike(beyond, &other));
    if beyond.as_ref().is_some_and(|beyond| beyond.id == todo.id) && other.due == todo.due {
        return;
    }
    let order = between(other.order.0, beyond.map(|beyond| beyond.order.0), behind);
    let mut fields = Map::new();
    fields.insert("order".into(), json!(order));
    let moves = other.due != todo.due;
    if moves {
        fields.insert("due".into(), json!(other.due));
    }
    send(live, &todo, fields, moves);
}

/// What is put on a group's head: it gets the group's day.
fn day(live: Live, todo: &Todo, target: Group) {
    let now = live.wall.look();
    let due = match target {
        Group::Today => json!(now.split('T').next()),
        Group::NoDate => Value::Null,
        Group::Overdue | Group::Upcoming | Group::Done => return live.say(words::NOT_THERE),
    };
    if Group::of(todo, &now) != target {
        send(live, todo, [("due".to_owned(), due)].into_iter().collect(), true);
    }
}

fn send(live: Live, todo: &Todo, mut fields: Map<String, Value>, is_told: bool) {
    fields.insert("id".into(), json!(todo.id));
    let say = if is_told { Say::SummaryWithUndo } else { Say::Nothing };
    live.tools.run("todo_update", Value::Object(fields), say, |_| {});
}

/// Whether a person arranges these two.
fn is_alike(one: &Todo, other: &Todo) -> bool {
    one.due == other.due && one.priority == other.priority
}

/// A number beside one, on the way to what is beyond it.
fn between(beside: f64, beyond: Option<f64>, behind: bool) -> f64 {
    match beyond {
        Some(beyond) => beside + (beyond - beside) / 2.0,
        None if behind => beside + 1.0,
        None => beside - 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn a_place_lies_between_its_neighbours() {
        assert_eq!(between(1.0, Some(2.0), true), 1.5);
        assert_eq!(between(2.0, Some(1.0), false), 1.5);
        assert_eq!(between(2.0, None, true), 3.0);
        assert_eq!(between(2.0, None, false), 1.0);
        // Forty times into the same gap there is still room.
        let mut beyond = 2.0;
        for _ in 0..40 {
            let now = between(1.0, Some(beyond), true);
            assert!(now > 1.0 && now < beyond);
            beyond = now;
        }
    }
}
