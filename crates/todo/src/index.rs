//! To-dos in the orders in which they are asked for, kept sorted: a page of a hundred thousand costs what a
//! page of a thousand does.
//!
//! Each part is built when it is first needed. A sorted vector and not a tree: a place in it is a number,
//! so pages and counts need no walk, and one insertion moves less memory than building an answer does.

use std::rc::Rc;

use dates::due::Due;
use litemap::LiteMap;
use store::Index;

use crate::model::{Status, Todo};

/// All rows, for a part that is to be built.
pub(crate) type Rows<'a> = &'a dyn Fn() -> Vec<Rc<Todo>>;

/// What is kept beside the table of to-dos.
#[derive(Default)]
pub struct TodoIndex {
    last_order: Option<f64>,
    list_names: Option<LiteMap<String, usize>>,
    by_due: Option<Sorted>,
    by_list: Option<Groups>,
    by_tag: Option<Groups>,
    screen: Option<Sorted>,
}

/// A place in an order; equal ones are in the order of their ids.
pub(crate) type Key = (u64, u64);

/// To-dos in one order.
pub(crate) struct Sorted {
    key: fn(&Todo) -> Key,
    rows: Vec<(Key, Rc<Todo>)>,
    /// Not before somebody asks: of a hundred lists one is looked at.
    is_sorted: bool,
}

impl Sorted {
    fn empty(key: fn(&Todo) -> Key) -> Self {
        Self { key, rows: Vec::new(), is_sorted: false }
    }

    fn new(key: fn(&Todo) -> Key, rows: Vec<Rc<Todo>>) -> Self {
        let rows = rows.into_iter().map(|todo| (key(&todo), todo)).collect();
        Self { key, rows, is_sorted: false }
    }

    fn in_order(&mut self) -> &Self {
        if !self.is_sorted {
            order::sort_by(&mut self.rows, |one, other| (one.0, &one.1.id).cmp(&(other.0, &other.1.id)));
            // With the same tag twice it is in the group twice.
            self.rows.dedup_by(|one, other| one.1.id == other.1.id);
            self.is_sorted = true;
        }
        self
    }

    /// All of them, in order.
    pub fn rows(&self) -> &[(Key, Rc<Todo>)] {
        &self.rows
    }

    /// Those whose first key is in a range.
    pub fn range(&self, from: u64, until: u64) -> &[(Key, Rc<Todo>)] {
        let start = self.place(from);
        let end = self.place(until).max(start);
        &self.rows[start..end]
    }

    /// How many have a first key before this one.
    pub fn place(&self, key: u64) -> usize {
        self.rows.partition_point(|(found, _)| found.0 < key)
    }

    fn find(&self, todo: &Todo) -> Result<usize, usize> {
        let key = (self.key)(todo);
        self.rows.binary_search_by(|(found, other)| (*found, &other.id).cmp(&(key, &todo.id)))
    }

    fn add(&mut self, todo: &Rc<Todo>) {
        let row = ((self.key)(todo), todo.clone());
        if !self.is_sorted {
            self.rows.push(row);
        } else if let Err(place) = self.find(todo) {
            self.rows.insert(place, row);
        }
    }

    fn remove(&mut self, todo: &Todo) {
        if !self.is_sorted {
            self.rows.retain(|(_, other)| other.id != todo.id);
        } else if let Ok(place) = self.find(todo) {
            self.rows.remove(place);
        }
    }
}

impl TodoIndex {
    /// The highest `order`, at least 0.
    pub(crate) fn last_order(&mut self, rows: Rows<'_>) -> f64 {
        *self.last_order.get_or_insert_with(|| rows().iter().map(|todo| todo.order).fold(0.0, f64::max))
    }

    /// The names of all lists.
    pub(crate) fn list_names(&mut self, rows: Rows<'_>) -> impl Iterator<Item = &str> {
        let names = self.list_names.get_or_insert_with(|| {
            let mut names = LiteMap::new();
            for todo in rows() {
                *names.entry(todo.list.clone()).or_insert(0) += 1;
            }
            names
        });
        names.keys().map(String::as_str)
    }

    /// All by due date: the open ones, then the done ones.
    pub(crate) fn by_due(&mut self, rows: Rows<'_>) -> &Sorted {
        self.by_due.get_or_insert_with(|| Sorted::new(due_key, rows())).in_order()
    }

    /// Those of a list by its name in lower case, by due date.
    pub(crate) fn in_list(&mut self, list: &str, rows: Rows<'_>) -> Option<&Sorted> {
        let lists = self.by_list.get_or_insert_with(|| {
            let mut groups = Groups::default();
            rows().iter().for_each(|todo| groups.add(&todo.list, todo));
            groups
        });
        lists.get(list)
    }

    /// Those with a tag in lower case, by due date.
    pub(crate) fn with_tag(&mut self, tag: &str, rows: Rows<'_>) -> Option<&Sorted> {
        let tags = self.by_tag.get_or_insert_with(|| {
            let mut groups = Groups::default();
            rows().iter().for_each(|todo| todo.tags.iter().for_each(|tag| groups.add(tag, todo)));
            groups
        });
        tags.get(tag)
    }

    /// All as the app's list shows them: by due date, without one, done.
    pub(crate) fn screen(&mut self, rows: Rows<'_>) -> &Sorted {
        self.screen.get_or_insert_with(|| Sorted::new(screen_key, rows())).in_order()
    }
}

/// To-dos by a name that they have in common, whatever its case, and by due date.
#[derive(Default)]
struct Groups {
    groups: Vec<Sorted>,
    /// The group of each name, as it was written and in lower case: a name is not turned into lower case per row.
    names: LiteMap<String, usize>,
}

impl Groups {
    fn of(&mut self, name: &str) -> &mut Sorted {
        let place = match self.names.get(name) {
            Some(place) => *place,
            None => {
                let lower = name.to_lowercase();
                let place = self.names.get(&lower).copied().unwrap_or(self.groups.len());
                if place == self.groups.len() {
                    self.groups.push(Sorted::empty(due_key));
                    self.names.insert(lower, place);
                }
                self.names.insert(name.to_owned(), place);
                place
            }
        };
        &mut self.groups[place]
    }

    fn add(&mut self, name: &str, todo: &Rc<Todo>) {
        self.of(name).add(todo);
    }

    fn remove(&mut self, name: &str, todo: &Todo) {
        self.of(name).remove(todo);
    }

    fn get(&mut self, lower: &str) -> Option<&Sorted> {
        let place = *self.names.get(lower)?;
        Some(self.groups[place].in_order())
    }
}

impl Index<Todo> for TodoIndex {
    fn add(&mut self, todo: &Rc<Todo>) {
        if let Some(last) = &mut self.last_order {
            *last = last.max(todo.order);
        }
        if let Some(names) = &mut self.list_names {
            *names.entry(todo.list.clone()).or_insert(0) += 1;
        }
        self.by_due.iter_mut().chain(&mut self.screen).for_each(|sorted| sorted.add(todo));
        if let Some(lists) = &mut self.by_list {
            lists.add(&todo.list, todo);
        }
        if let Some(tags) = &mut self.by_tag {
            todo.tags.iter().for_each(|tag| tags.add(tag, todo));
        }
    }

    fn remove(&mut self, todo: &Rc<Todo>) {
        if self.last_order.is_some_and(|last| todo.order >= last) {
            self.last_order = None;
        }
        if let Some(names) = &mut self.list_names
            && let Some(count) = names.get_mut(&todo.list)
        {
            *count -= 1;
            if *count == 0 {
                names.remove(&todo.list);
            }
        }
        self.by_due.iter_mut().chain(&mut self.screen).for_each(|sorted| sorted.remove(todo));
        if let Some(lists) = &mut self.by_list {
            lists.remove(&todo.list, todo);
        }
        if let Some(tags) = &mut self.by_tag {
            todo.tags.iter().for_each(|tag| tags.remove(tag, todo));
        }
    }
}

/// Where the done ones begin, and where they end, in the order of [`due_key`].
pub(crate) const DONE: u64 = 1 << 62;
/// After every date: what has none comes last.
const NO_DATE: u64 = 1 << 40;

/// The first key of a day in the order of [`due_key`].
pub(crate) fn day_key(due: Due) -> u64 {
    day_number(due) << 11
}

fn day_number(due: Due) -> u64 {
    let date = due.date();
    let number = |part: i8| u64::from(part.unsigned_abs());
    (u64::from(date.year().unsigned_abs()) * 16 + number(date.month())) * 32 + number(date.day())
}

fn minute(due: Due) -> Option<u64> {
    match due {
        Due::Day(_) => None,
        Due::At(time) => {
            Some(u64::from(time.hour().unsigned_abs()) * 60 + u64::from(time.minute().unsigned_abs()))
        }
    }
}

/// The order of `todo_list` by due date, with the done ones behind the open ones.
fn due_key(todo: &Todo) -> Key {
    let done = if todo.status == Status::Done { DONE } else { 0 };
    let due = todo.due.map_or(NO_DATE, |due| day_key(due) + minute(due).map_or(0, |minute| minute + 1));
    (done | due, order_key(todo.order))
}

/// The bits of a number, ordered as `f64::total_cmp` orders.
fn order_key(order: f64) -> u64 {
    let bits = order.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Where what has no date begins in the order of [`screen_key`].
pub(crate) const SCREEN_NO_DATE: u64 = 1 << 60;
/// Where what is done begins.
pub(crate) const SCREEN_DONE: u64 = 2 << 60;

/// The first key of a time or a day in the order of the screen: a day stands after the times of that day.
pub(crate) fn screen_due(due: Due) -> u64 {
    (day_number(due) << 16) | (minute(due).unwrap_or(24 * 60) << 4)
}

/// The first key of the day after.
pub(crate) fn screen_day_after(due: Due) -> u64 {
    (day_number(due) + 1) << 16
}

/// The order of the app's list: by due date, priority and place; without a date by priority and place; done
/// ones newest first.
fn screen_key(todo: &Todo) -> Key {
    let pressing = 4 - (todo.priority as u64).min(4);
    match (todo.status, todo.due) {
        (Status::Open, Some(due)) => (screen_due(due) | pressing, order_key(todo.order)),
        (Status::Open, None) => (SCREEN_NO_DATE | pressing, order_key(todo.order)),
        (Status::Done, _) => {
            let completed = todo.completed.as_deref().map_or(0, stamp);
            (SCREEN_DONE | (NEWEST - completed), NEWEST - stamp(&todo.updated))
        }
    }
}

/// More than the digits of any timestamp.
const NEWEST: u64 = 100_000_000_000_000;

fn stamp(text: &str) -> u64 {
    let digits = text.bytes().filter(u8::is_ascii_digit).take(14);
    digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}
