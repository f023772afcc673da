//! What a screen shows of the list: how many to-dos stand in each group, and some rows of each.
//!
//! A screen holds what it shows, not what there is: of 100,000 to-dos it asks for the fifty near its
//! viewport, by their place. It is a resource and no tool, because no model needs it.

use std::ops::Range;

use dates::due::Due;
use serde::Serialize;
use store::View;

use crate::index::{SCREEN_DONE, SCREEN_NO_DATE, Sorted, screen_day_after, screen_due};
use crate::list::Filter;
use crate::model::Todo;

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
    /// How many of what is shown there are.
    pub counts: GroupCounts,
    /// How many there are of all, where not all are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<GroupCounts>,
    /// Rows of a group, from a place in it.
    pub windows: Vec<Rows>,
}

/// Rows of one group, in the order a person wants them: by due date, then by priority, then by place; the done ones newest
/// first.
#[derive(Debug, Serialize)]
pub struct Rows {
    /// The group, by its word.
    pub group: &'static str,
    /// The place of the first.
    pub from: usize,
    /// The to-dos.
    pub items: Vec<Todo>,
}

/// The groups' words, in the order in which they stand.
const GROUPS: [&str; 5] = ["overdue", "today", "upcoming", "no_date", "done"];

/// A stretch of a group that is asked for: the group by its place among [`GROUPS`], and the places in it.
type Stretch = (usize, Range<usize>);

/// A reader's question: `now=2026-11-22T10:30&today=0-50&done=100-150`, of all or of what fits `text`, `list` and `tag`.
struct Question {
    now: Due,
    ranges: Vec<Stretch>,
    only: Option<Filter>,
}

fn question(query: &str) -> Option<Question> {
    let (mut now, mut ranges) = (None, Vec::new());
    let (mut text, mut list, mut tag) = <(String, String, String)>::default();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "now" => now = Some(value.parse::<Due>().ok().filter(|due| matches!(due, Due::At(_)))?),
            "text" => text = value.into_owned(),
            "list" => list = value.into_owned(),
            "tag" => tag = value.into_owned(),
            name => {
                let group = GROUPS.iter().position(|word| *word == name)?;
                let (from, to) = value.split_once('-')?;
                let (from, to) = (from.parse::<usize>().ok()?, to.parse::<usize>().ok()?);
                (from <= to && to - from <= MAX_ROWS).then(|| ranges.push((group, from..to)))?;
            }
        }
    }
    let is_all = [&text, &list, &tag].iter().all(|part| part.trim().is_empty());
    let only = (!is_all).then(|| Filter::of_screen(&text, list.trim(), tag.trim()));
    Some(Question { now: now?, ranges, only })
}

/// The answer to a query such as `now=2026-11-22T10:30&today=0-50`. None when the query is of another form.
#[must_use]
pub fn screen(view: &View, query: &str) -> Option<Screen> {
    let question = question(query)?;
    view.index::<Todo, _>(|index, rows| answer(index.screen(rows), question))
}

/// A group is a stretch of the list that is kept in order, so counting and finding its rows needs no walk; what fits a filter is walked
/// for.
fn answer(list: &Sorted, question: Question) -> Screen {
    let Question { now, ranges, only } = question;
    let ends =
        [screen_due(now), screen_day_after(now), SCREEN_NO_DATE, SCREEN_DONE].map(|key| list.place(key));
    let starts = [0, ends[0], ends[1], ends[2], ends[3], list.rows().len()];
    let all_of = |group: usize| &list.rows()[starts[group]..starts[group + 1]];
    let counts = |count: &dyn Fn(usize) -> usize| {
        let [overdue, today, upcoming, no_date, done] = [0, 1, 2, 3, 4].map(count);
        GroupCounts { overdue, today, upcoming, no_date, done }
    };
    let fitting = only.map(|only| {
        [0, 1, 2, 3, 4].map(|group| {
            let rows = all_of(group).iter().map(|(_, todo)| &**todo);
            rows.filter(|todo| only.lets_through(todo)).collect::<Vec<&Todo>>()
        })
    });
    let windows = ranges.into_iter().map(|(group, range)| {
        let within = |count: usize| range.start.min(count)..range.end.min(count);
        let items = match &fitting {
            Some(fitting) => fitting[group][within(fitting[group].len())].iter().copied().cloned().collect(),
            None => {
                let rows = all_of(group);
                rows[within(rows.len())].iter().map(|(_, todo)| Todo::clone(todo)).collect()
            }
        };
        Rows { group: GROUPS[group], from: range.start, items }
    });
    let windows = windows.collect();
    let all = counts(&|group| all_of(group).len());
    match fitting {
        Some(fitting) => Screen { counts: counts(&|group| fitting[group].len()), all: Some(all), windows },
        None => Screen { counts: all, all: None, windows },
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::json;

    use super::*;
    use crate::index::TodoIndex;
    use crate::testing::todo;

    const NOW: &str = "now=2026-11-21T22:30";

    fn screen(todos: &[Rc<Todo>], query: &str) -> Option<Screen> {
        let question = question(query)?;
        Some(answer(TodoIndex::default().screen(&|| todos.to_vec()), question))
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
            for word in GROUPS {
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
            todo("plain", json!({"due": "2026-11-24", "order": 5.0})),
            todo("before it", json!({"due": "2026-11-24", "order": 4.0})),
            todo("early", json!({"due": "2026-11-23T09:00"})),
            todo("second", json!({"order": 2.0})),
            todo("first", json!({"order": 1.0})),
            todo("urgent", json!({"order": 3.0, "priority": "urgent"})),
            todo("old", json!({"status": "done", "completed": "2026-11-20T10:00:00Z"})),
            todo("new", json!({"status": "done", "completed": "2026-11-21T10:00:00Z"})),
        ];
        let rows = [
            ("upcoming", "0-10", "early late day pressing before it plain"),
            ("upcoming", "1-3", "late day"),
            ("upcoming", "4-9", "before it plain"),
            ("upcoming", "6-9", ""),
            ("upcoming", "2-2", ""),
            ("no_date", "0-10", "urgent first second"),
            ("done", "0-10", "new old"),
            ("overdue", "0-10", ""),
        ];
        for (group, range, expected) in rows {
            assert_eq!(ids(&todos, group, range), expected, "{group} {range}");
        }
        let counts = screen(&todos, NOW).unwrap().counts;
        assert_eq!(counts, GroupCounts { upcoming: 6, no_date: 3, done: 2, ..GroupCounts::default() });
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
            "", "now", "now=x", "today=0-1", "now=2026-11-21", "now=2026-11-21T22:30&today=5-1",
            "now=2026-11-21T22:30&never=0-1", "now=2026-11-21T22:30&today=0-501",
            "now=2026-11-21T22:30&today=a-b",
        ] {
            assert!(screen(&[], query).is_none(), "{query}");
        }
    }

    #[test]
    fn what_fits_is_counted_beside_all() {
        let todos = [
            todo("Milk", json!({"list": "Shop", "tags": ["food"]})),
            todo("Bread", json!({"list": "Shop", "due": "2026-11-21", "notes": "with seeds"})),
            todo("Call mum", json!({"due": "2026-11-20"})),
            todo("Old milk", json!({"status": "done", "tags": ["food"]})),
        ];
        let ids = |query: &str| {
            let found =
                screen(&todos, &format!("{NOW}&{query}&overdue=0-9&today=0-9&no_date=0-9&done=0-9")).unwrap();
            let rows: Vec<String> =
                found.windows.iter().flat_map(|rows| rows.items.iter().map(|todo| todo.id.clone())).collect();
            assert_eq!(
                found.all.map(|all| all.overdue + all.today + all.no_date + all.done),
                Some(4),
                "{query}"
            );
            let counts = found.counts;
            assert_eq!(counts.overdue + counts.today + counts.no_date + counts.done, rows.len(), "{query}");
            rows.join(" ")
        };
        assert_eq!(ids("text=MILK"), "Milk Old milk");
        assert_eq!(ids("text=seeds"), "Bread");
        assert_eq!(ids("list=shop"), "Bread Milk");
        assert_eq!(ids("tag=food&text=old"), "Old milk");
        assert_eq!(ids("text=nothing%20such"), "");
        let all = screen(&todos, &format!("{NOW}&text=%20&no_date=0-9")).unwrap();
        assert!(all.all.is_none() && all.counts.no_date == 1);
    }
}
