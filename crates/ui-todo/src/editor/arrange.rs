//! A row among the others: moved by a key or dragged. It is one small change: the tool puts it right behind another.
//!
//! Groups are in the order of dates and priorities first; a person arranges what has the same of both. Whatever is dragged to another date
//! gets that date.

use std::cell::{Cell, RefCell};

use leptos::ev::{DragEvent, KeyboardEvent};
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

/// The kind of data that is dragged: a row of ours, and neither a file nor text.
const KIND: &str = "application/x-satchel-todo";

thread_local! {
    static LISTENS: Cell<bool> = const { Cell::new(false) };
    /// The row that is being dragged: its group and the to-do's id. Its place may be another when it is dropped.
    static DRAGGED: RefCell<Option<(Group, String)>> = const { RefCell::new(None) };
}

/// Has rows moved by keys and dragged from now on; whoever asks again gets nothing anew. The page listens as a whole: a listener for each row
/// would be in the first paint.
pub fn arrange(live: Live) {
    if LISTENS.replace(true) {
        return;
    }
    on_document("dragstart", |event: DragEvent| {
        let row = event.target().and_then(element).filter(|target| target.has_attribute("data-todo"));
        let Some((group, id)) = row.and_then(|row| Some((group_of(&row)?, row.get_attribute("data-todo")?)))
        else {
            return;
        };
        if let Some(data) = event.data_transfer() {
            let _ = data.set_data(KIND, &id);
        }
        DRAGGED.set(Some((group, id)));
    });
    on_document("dragend", |_: DragEvent| drop(DRAGGED.take()));
    on_document("dragover", |event: DragEvent| {
        if is_ours(&event) && target(&event).is_some() {
            event.prevent_default();
        }
    });
    on_document("drop", move |event: DragEvent| {
        let dragged = DRAGGED.take().filter(|_| is_ours(&event));
        if let (Some((group, id)), Some(to)) = (dragged, target(&event)) {
            event.prevent_default();
            // It may have gone to another group meanwhile.
            if let Some(at) = live.place(group, &id) {
                put(live, group, at, to);
            }
        }
    });
    on_document("keydown", move |event: KeyboardEvent| {
        let to = match event.key().as_str() {
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

/// Whether it is a row that is dragged.
fn is_ours(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|data| data.types().includes(&KIND.into(), 0))
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
        return live.say(words::done_stays());
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
        return live.say(words::not_there());
    }
    let by_key = matches!(to, To::Up | To::Down);
    let moves = other.due != todo.due;
    if by_key && moves || !moves && other.priority != todo.priority {
        return live.say(words::sorted_first());
    }
    if moves && other.due.is_none() && todo.repeat.is_some() {
        return live.say(words::repeats_on_days());
    }
    let next = |at: usize| if behind { at.checked_add(1) } else { at.checked_sub(1) };
    let beyond = next(place).and_then(|at| live.row(target, at)).filter(|beyond| is_alike(beyond, &other));
    if beyond.as_ref().is_some_and(|beyond| beyond.id == todo.id) && !moves {
        return;
    }
    // Behind the one above it, for what is put before one: the tool finds room among all there are, also those that are not shown.
    let above = if behind { Some(other.clone()) } else { beyond };
    let mut fields = Map::new();
    match above {
        // Its priority says where it stands.
        _ if other.priority != todo.priority => {}
        Some(above) => drop(fields.insert("after".into(), json!(above.id))),
        None => drop(fields.insert("order".into(), json!(other.order.0 - 1.0))),
    }
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
        Group::Overdue | Group::Upcoming | Group::Done => return live.say(words::not_there()),
    };
    if due.is_null() && todo.repeat.is_some() {
        return live.say(words::repeats_on_days());
    }
    if Group::of(todo, &now) != target {
        let mut fields = Map::new();
        fields.insert("due".into(), due);
        send(live, todo, fields, true);
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
