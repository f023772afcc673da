//! A row among the others: moved by a key or dragged. It is one small change of one to-do, whose place is a number between those of its
//! new neighbours.
//!
//! Groups are in the order of dates and priorities first; a person arranges what has the same of both. Whatever is dragged to another date
//! gets that date.

use std::cell::RefCell;
use std::iter::from_fn;

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

/// How many rows beyond a place are looked at for room.
const FAR: usize = 200;

/// What is room between two that stand one behind the other.
const GAP: f64 = 1e-6;

/// The least that two may lie apart, as a share of what they are.
const FINE: f64 = 1e-12;

/// The kind of data that is dragged: a row of ours, and neither a file nor text.
const KIND: &str = "application/x-satchel-todo";

thread_local! {
    /// The row that is being dragged: its group and the to-do's id. Its place may be another when it is dropped.
    static DRAGGED: RefCell<Option<(Group, String)>> = const { RefCell::new(None) };
}

/// Has rows moved by keys and dragged from now on. The page listens as a whole: a listener for each row would be in the first paint.
pub fn arrange(live: Live) {
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
    // Those that stand beyond it, alike.
    let mut next = place;
    let mut alike = from_fn(|| {
        next = if behind { next.checked_add(1) } else { next.checked_sub(1) }?;
        live.row(target, next).filter(|beyond| is_alike(beyond, &other))
    });
    let first = alike.next();
    if first.as_ref().is_some_and(|first| first.id == todo.id) && other.due == todo.due {
        return;
    }
    let beyond: Vec<_> = first.into_iter().chain(alike).filter(|row| row.id != todo.id).take(FAR).collect();
    let orders: Vec<f64> = beyond.iter().map(|row| row.order.0).collect();
    let (order, pushed) = with_room(other.order.0, &orders, behind);
    // The farthest first: at no moment do two change places.
    for (row, order) in beyond.iter().zip(pushed).rev() {
        send(live, row, Map::from_iter([("order".to_owned(), json!(order))]), false);
    }
    let mut fields = Map::new();
    fields.insert("order".into(), json!(order));
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

/// A number beside one, and new ones for those beyond it that have to make room: a number has room for some thirty halvings, so it is
/// seldom that any has to.
fn with_room(beside: f64, beyond: &[f64], behind: bool) -> (f64, Vec<f64>) {
    let order = between(beside, beyond.first().copied(), behind);
    // A number that went through JSON may come back as its neighbour.
    if (order - beside).abs() > FINE * beside.abs().max(1.0) {
        return (order, Vec::new());
    }
    // The nearest of them and the one that comes share what lies before the next, as many as it takes for each to have room again. Beyond
    // the last there is no end.
    for count in 1..=beyond.len() {
        let share = match beyond.get(count) {
            Some(next) => (next - beside) / (count as f64 + 2.0),
            None if behind => 1.0,
            None => -1.0,
        };
        if share.abs() > GAP {
            let place = |at: usize| beside + share * at as f64;
            return (place(1), (2..count + 2).map(place).collect());
        }
    }
    (order, Vec::new())
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
    }

    /// Into the same gap again and again, from both sides, there is always room, and those beyond keep their order.
    #[test]
    fn there_is_always_room() {
        for behind in [true, false] {
            let way = if behind { 1.0 } else { -1.0 };
            let mut rows: Vec<f64> = (2..12).map(|at| way * f64::from(at)).collect();
            let mut moves = 0;
            for _ in 0..500 {
                let (order, pushed) = super::with_room(way, &rows, behind);
                moves += pushed.len();
                for (row, order) in rows.iter_mut().zip(pushed) {
                    *row = order;
                }
                rows.insert(0, order);
                let is_sorted = rows.windows(2).all(|two| way * two[0] < way * two[1]);
                assert!(is_sorted && way * rows[0] > 1.0, "{rows:?}");
            }
            assert!(moves < 5_000, "{moves} more rows changed in 500 moves");
        }
    }

    /// Two change places for ever: about one more row is changed in thirty moves.
    #[test]
    fn two_that_change_places_need_little() {
        let mut other = 2.0;
        let mut rest = vec![3.0, 4.0, 5.0];
        let mut moves = 0;
        for _ in 0..500 {
            let (order, pushed) = super::with_room(other, &rest, true);

            moves += pushed.len();
            for (row, order) in rest.iter_mut().zip(pushed) {
                *row = order;
            }
            assert!(other < order && order < rest[0] && rest.windows(2).all(|two| two[0] < two[1]));
            other = order;
        }
        assert!(moves <= 40, "{moves}");
    }
}
