//! A row among the others: moved by a key or dragged. It is one small change of one to-do, whose place is a number between those of its
//! new neighbours.
//!
//! Groups are in the order of dates and priorities first; a person arranges what has the same of both. Whatever is dragged to another date
//! gets that date.

use serde_json::{Map, Value, json};
use ui_kit::Say;

use crate::live::{Live, To};
use crate::model::{Group, Todo};
use crate::words;

/// Moves a row.
pub fn arrange(live: Live, group: Group, at: usize, to: To) {
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
    let Some((place, other)) = place.and_then(|place| Some((place, live.row(target, place)?))) else { return };
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
