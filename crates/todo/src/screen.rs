//! What a screen shows of the list: how many to-dos stand in each group, and some rows of each.
//!
//! A screen holds what it shows, not what there is: of 100,000 to-dos it asks for the fifty near its
//! viewport, by their place. It is a resource and no tool, because no model needs it.

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use jiff::civil::{Date, DateTime};
use serde::Serialize;

use crate::model::{Status, Todo};
use crate::when::Due;

/// The rows that may be asked for at once, of one group.
const MAX_ROWS: usize = 500;

/// How many to-dos stand in each group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GroupCounts {
    /// Open, and the day or time is over.
    pub overdue: usize,
    /// Open, due today.
    pub today: usize,
    /// Open, due later.
    pub upcoming: usize,
    /// Open, without a date.
    pub no_date: usize,
    /// Done.
    pub done: usize,
}

/// The groups' counts, and the rows that were asked for.
#[derive(Debug, Serialize)]
pub struct Screen {
    /// How many there are.
    pub counts: GroupCounts,
    /// Rows of a group, from a place in it.
    pub windows: Vec<Rows>,
}

/// Rows of one group, in the order a person wants them: what presses first, then what is due first; the
/// done ones newest first.
#[derive(Debug, Serialize)]
pub struct Rows {
    /// The group, by its word.
    pub group: &'static str,
    /// The place of the first.
    pub from: usize,
    /// The to-dos.
    pub items: Vec<Todo>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Overdue,
    Today,
    Upcoming,
    NoDate,
    Done,
}

impl Group {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Overdue, "overdue"),
        (Self::Today, "today"),
        (Self::Upcoming, "upcoming"),
        (Self::NoDate, "no_date"),
        (Self::Done, "done"),
    ];

    fn of(todo: &Todo, now: DateTime) -> Self {
        match (todo.status, todo.due) {
            (Status::Done, _) => Self::Done,
            (Status::Open, None) => Self::NoDate,
            (Status::Open, Some(due)) if due.is_past(now) => Self::Overdue,
            (Status::Open, Some(due)) if due.date() == now.date() => Self::Today,
            (Status::Open, Some(_)) => Self::Upcoming,
        }
    }

    fn compare(self, a: &Todo, b: &Todo) -> Ordering {
        let order = match self {
            Self::Done => b.completed.cmp(&a.completed).then_with(|| b.updated.cmp(&a.updated)),
            Self::NoDate => b.priority.cmp(&a.priority).then_with(|| a.order.total_cmp(&b.order)),
            Self::Overdue | Self::Today | Self::Upcoming => {
                due_key(a).cmp(&due_key(b)).then_with(|| b.priority.cmp(&a.priority))
            }
        };
        order.then_with(|| a.id.cmp(&b.id))
    }
}

/// A day without a time stands after the times of that day.
fn due_key(todo: &Todo) -> Option<(Date, bool, Option<DateTime>)> {
    todo.due.map(|due| match due {
        Due::Day(date) => (date, true, None),
        Due::At(time) => (time.date(), false, Some(time)),
    })
}

/// A stretch of a group that is asked for: the group, its word, and the places.
type Stretch = (Group, &'static str, Range<usize>);

/// A reader's question: `now=2026-11-22T10:30&today=0-50&done=100-150`.
fn question(query: &str) -> Option<(DateTime, Vec<Stretch>)> {
    let (mut now, mut ranges) = (None, Vec::new());
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=')?;
        if name == "now" {
            let Ok(Due::At(time)) = value.parse::<Due>() else { return None };
            now = Some(time);
        } else {
            let (group, word) = Group::ALL.into_iter().find(|(_, word)| *word == name)?;
            let (from, to) = value.split_once('-')?;
            let (from, to) = (from.parse::<usize>().ok()?, to.parse::<usize>().ok()?);
            (from <= to && to - from <= MAX_ROWS).then(|| ranges.push((group, word, from..to)))?;
        }
    }
    Some((now?, ranges))
}

/// The answer to a query such as `now=2026-11-22T10:30&today=0-50`, out of all to-dos. None when the query
/// is of another form.
#[must_use]
pub fn screen(todos: &[Rc<Todo>], query: &str) -> Option<Screen> {
    let (now, ranges) = question(query)?;
    let mut counts = GroupCounts::default();
    let mut found: Vec<Vec<&Rc<Todo>>> = vec![Vec::new(); ranges.len()];
    for todo in todos {
        let group = Group::of(todo, now);
        *match group {
            Group::Overdue => &mut counts.overdue,
            Group::Today => &mut counts.today,
            Group::Upcoming => &mut counts.upcoming,
            Group::NoDate => &mut counts.no_date,
            Group::Done => &mut counts.done,
        } += 1;
        for ((wanted, ..), rows) in ranges.iter().zip(&mut found) {
            if *wanted == group {
                rows.push(todo);
            }
        }
    }
    let windows = ranges.into_iter().zip(found).map(|((group, word, range), rows)| Rows {
        group: word,
        from: range.start,
        items: slice(rows, range, |a, b| group.compare(a, b)),
    });
    Some(Screen { counts, windows: windows.collect() })
}

/// The rows in these places of the order. Only they are sorted: what stands before and after them is told
/// apart in linear time.
fn slice(
    mut rows: Vec<&Rc<Todo>>,
    range: Range<usize>,
    mut compare: impl FnMut(&Todo, &Todo) -> Ordering,
) -> Vec<Todo> {
    let (from, to) = (range.start.min(rows.len()), range.end.min(rows.len()));
    let mut rows = rows.as_mut_slice();
    if from > 0 && from < rows.len() {
        rows.select_nth_unstable_by(from, |a, b| compare(a, b));
    }
    rows = rows.get_mut(from..).unwrap_or_default();
    let wanted = to - from;
    if wanted > 0 && wanted < rows.len() {
        rows.select_nth_unstable_by(wanted, |a, b| compare(a, b));
    }
    let rows = rows.get_mut(..wanted).unwrap_or_default();
    rows.sort_unstable_by(|a, b| compare(a, b));
    rows.iter().map(|todo| Todo::clone(todo)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const NOW: &str = "now=2026-11-21T22:30";

    fn todo(id: &str, more: Value) -> Rc<Todo> {
        let mut todo = json!({"id": id, "title": id, "status": "open", "created": "c", "updated": "u"});
        todo.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Rc::new(serde_json::from_value(todo).unwrap())
    }

    fn ids(todos: &[Rc<Todo>], group: &str, range: &str) -> String {
        let screen = screen(todos, &format!("{NOW}&{group}={range}")).unwrap();
        screen.windows[0].items.iter().map(|todo| todo.id.clone()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_todo_is_in_the_group_its_date_says() {
        let rows = [
            (json!({}), "no_date"),
            (json!({"due": "2026-11-20"}), "overdue"),
            (json!({"due": "2026-11-20T23:59"}), "overdue"),
            (json!({"due": "2026-11-21"}), "today"),
            (json!({"due": "2026-11-21T22:29"}), "overdue"),
            (json!({"due": "2026-11-21T22:30"}), "today"),
            (json!({"due": "2026-11-21T23:00"}), "today"),
            (json!({"due": "2026-11-22T00:00"}), "upcoming"),
            (json!({"due": "2027-01-01"}), "upcoming"),
            (json!({"due": "2026-11-20", "status": "done"}), "done"),
        ];
        for (more, expected) in rows {
            for (_, word) in Group::ALL {
                let found = ids(&[todo("a", more.clone())], word, "0-10");
                assert_eq!(found == "a", word == expected, "{more} in {word}");
            }
        }
    }

    #[test]
    fn a_group_stands_in_the_order_a_person_wants() {
        let todos = [
            todo("day", json!({"due": "2026-11-23"})),
            todo("late", json!({"due": "2026-11-23T18:00"})),
            todo("pressing", json!({"due": "2026-11-24", "priority": "high"})),
            todo("plain", json!({"due": "2026-11-24"})),
            todo("early", json!({"due": "2026-11-23T09:00"})),
            todo("second", json!({"order": 2.0})),
            todo("first", json!({"order": 1.0})),
            todo("urgent", json!({"order": 3.0, "priority": "urgent"})),
            todo("old", json!({"status": "done", "completed": "2026-11-20T10:00:00Z"})),
            todo("new", json!({"status": "done", "completed": "2026-11-21T10:00:00Z"})),
        ];
        let rows = [
            ("upcoming", "0-10", "early late day pressing plain"),
            ("upcoming", "1-3", "late day"),
            ("upcoming", "4-9", "plain"),
            ("upcoming", "5-9", ""),
            ("upcoming", "2-2", ""),
            ("no_date", "0-10", "urgent first second"),
            ("done", "0-10", "new old"),
            ("overdue", "0-10", ""),
        ];
        for (group, range, expected) in rows {
            assert_eq!(ids(&todos, group, range), expected, "{group} {range}");
        }
        let counts = screen(&todos, NOW).unwrap().counts;
        assert_eq!(counts, GroupCounts { upcoming: 5, no_date: 3, done: 2, ..GroupCounts::default() });
    }

    #[test]
    fn windows_of_a_large_group_follow_each_other_without_a_gap() {
        let todos: Vec<_> = (0..2_000_u32)
            .map(|n| todo(&format!("t{:04}", n.wrapping_mul(7_919) % 2_000), json!({})))
            .collect();
        let all: Vec<String> = (0..2_000).map(|n| format!("t{n:04}")).collect();
        let read: Vec<String> = (0..8)
            .flat_map(|page| {
                let (from, to) = (page * 250, (page + 1) * 250);
                ids(&todos, "no_date", &format!("{from}-{to}"))
                    .split(' ')
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(read, all);
    }

    #[test]
    fn another_question_has_no_answer() {
        for query in [
            "",
            "now",
            "now=x",
            "today=0-1",
            "now=2026-11-21",
            "now=2026-11-21T22:30&today=5-1",
            "now=2026-11-21T22:30&never=0-1",
            "now=2026-11-21T22:30&today=0-501",
            "now=2026-11-21T22:30&today=a-b",
        ] {
            assert!(screen(&[], query).is_none(), "{query}");
        }
    }
}
