//! The part of the list that the page holds: counts, and the rows near what is looked at. Pure.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;

use crate::model::{Group, Todo};

/// Rows are read in pages of this many, so that a step of the wheel is seldom a question to the tools.
pub const PAGE: usize = 50;

/// How many rows one question may ask for, of one group; the tools allow no more.
const MOST: usize = 500;

/// How many to-dos stand in each group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Open, and their time has passed.
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

impl Counts {
    /// How many of one group.
    #[must_use]
    pub fn of(&self, group: Group) -> usize {
        match group {
            Group::Overdue => self.overdue,
            Group::Today => self.today,
            Group::Upcoming => self.upcoming,
            Group::NoDate => self.no_date,
            Group::Done => self.done,
        }
    }

    /// How many are open.
    #[must_use]
    pub fn open(&self) -> usize {
        self.overdue + self.today + self.upcoming + self.no_date
    }

    /// How many there are.
    #[must_use]
    pub fn all(&self) -> usize {
        self.open() + self.done
    }
}

/// What the tools answer: counts, and rows of groups from a place on.
#[derive(Debug, Deserialize)]
pub struct Answer {
    /// How many of what is shown there are.
    pub counts: Counts,
    /// How many there are of all, where not all are shown.
    #[serde(default)]
    pub all: Option<Counts>,
    /// The rows.
    pub windows: Vec<Window>,
}

/// Rows of one group.
#[derive(Debug, Deserialize)]
pub struct Window {
    /// The group's word.
    pub group: String,
    /// The place of the first.
    pub from: usize,
    /// The to-dos.
    pub items: Vec<Todo>,
}

#[derive(Debug, Default)]
struct Rows {
    wanted: Range<usize>,
    rows: BTreeMap<usize, Arc<Todo>>,
}

/// The part of the list that the page holds.
#[derive(Debug, Default)]
pub struct Held {
    /// How many of what is shown there are.
    pub counts: Counts,
    /// How many there are of all.
    pub all: Counts,
    groups: [Rows; Group::ALL.len()],
}

impl Held {
    /// Nothing yet; the first rows of each group are wanted, because any of them may be in sight.
    #[must_use]
    pub fn new() -> Self {
        let mut held = Self::default();
        held.groups.iter_mut().for_each(|rows| rows.wanted = 0..PAGE);
        held
    }

    /// These rows are in sight: the pages they stand on are wanted, with some before and after.
    pub fn want(&mut self, group: Group, range: Range<usize>) {
        let count = self.counts.of(group);
        let wanted = if range.is_empty() {
            0..0
        } else {
            let from = range.start.saturating_sub(PAGE / 2) / PAGE * PAGE;
            let to = (range.end + PAGE / 2).div_ceil(PAGE) * PAGE;
            from..to.min(from + MOST).min(count.max(range.end))
        };
        self.groups[group as usize].wanted = wanted;
    }

    /// All rows that are wanted.
    #[must_use]
    pub fn wanted(&self) -> Vec<(Group, Range<usize>)> {
        let each = Group::ALL.into_iter().zip(&self.groups);
        each.map(|(group, rows)| (group, rows.wanted.clone()))
            .filter(|(_, range)| !range.is_empty())
            .collect()
    }

    /// What of it is not here, from the first place missing to the last.
    #[must_use]
    pub fn missing(&self) -> Vec<(Group, Range<usize>)> {
        let counts = self.counts;
        let gap = |(group, range): (Group, Range<usize>)| {
            let rows = &self.groups[group as usize].rows;
            let mut absent =
                (range.start..range.end.min(counts.of(group))).filter(|at| !rows.contains_key(at));
            let first = absent.next()?;
            Some((group, first..absent.next_back().unwrap_or(first) + 1))
        };
        self.wanted().into_iter().filter_map(gap).collect()
    }

    /// Takes an answer. `anew`: the list has changed, so nothing else that is here counts any longer. True when
    /// the answer shows that it has changed although nobody said so, and has to be read anew.
    pub fn take(&mut self, answer: Answer, anew: bool) -> bool {
        let changed = !anew && answer.counts != self.counts;
        self.counts = answer.counts;
        self.all = answer.all.unwrap_or(answer.counts);
        if anew {
            self.groups.iter_mut().for_each(|rows| rows.rows.clear());
        }
        for window in answer.windows {
            let Some(group) = Group::ALL.into_iter().find(|group| group.word() == window.group) else {
                continue;
            };
            let rows = &mut self.groups[group as usize].rows;
            rows.extend((window.from..).zip(window.items.into_iter().map(Arc::new)));
        }
        for group in &mut self.groups {
            // Pages just left are kept: whoever scrolls on often scrolls back.
            let (from, to) = (group.wanted.start.saturating_sub(2 * PAGE), group.wanted.end + 2 * PAGE);
            group.rows.retain(|at, _| (from..to).contains(at));
        }
        changed
    }

    /// The to-do in a place, if it is here.
    #[must_use]
    pub fn row(&self, group: Group, at: usize) -> Option<&Arc<Todo>> {
        self.groups[group as usize].rows.get(&at)
    }

    /// Where a to-do stands in a group, if it is here.
    #[must_use]
    pub fn place(&self, group: Group, id: &str) -> Option<usize> {
        self.groups[group as usize].rows.iter().find(|(_, todo)| todo.id == id).map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Answer, Group, Held, PAGE};

    fn answer(count: usize, from: usize, to: usize) -> Answer {
        let items: Vec<_> = (from..to.min(count))
            .map(|at| json!({"id": format!("t{at}"), "title": "T", "status": "open"}))
            .collect();
        let windows = json!([{"group": "no_date", "from": from, "items": items}]);
        serde_json::from_value(json!({"counts": {"no_date": count}, "windows": windows})).unwrap()
    }

    #[test]
    fn only_what_is_not_here_is_asked_for() {
        let mut held = Held::new();
        assert_eq!(held.wanted().len(), 5);
        assert!(!held.take(answer(10_000, 0, PAGE), true));
        held.want(Group::NoDate, 0..20);
        assert_eq!(held.missing(), [], "the page is here");
        held.want(Group::NoDate, 40..60);
        assert_eq!(held.missing(), [(Group::NoDate, 50..100)]);
        held.take(answer(10_000, 50, 100), false);
        assert_eq!(held.missing(), []);
        // A jump: only what is looked at now, and what was left is forgotten.
        held.want(Group::NoDate, 5_000..5_020);
        assert_eq!(held.missing(), [(Group::NoDate, 4_950..5_050)]);
        held.take(answer(10_000, 4_950, 5_050), false);
        assert!(held.row(Group::NoDate, 5_000).is_some() && held.row(Group::NoDate, 0).is_none());
        assert_eq!(held.place(Group::NoDate, "t5001"), Some(5_001));
        // Nothing of a group that is out of sight.
        held.want(Group::NoDate, 0..0);
        assert_eq!(held.missing(), []);
    }

    #[test]
    fn a_list_that_changed_in_silence_is_noticed() {
        let mut held = Held::new();
        held.take(answer(100, 0, 50), true);
        held.want(Group::NoDate, 60..80);
        assert!(held.take(answer(99, 50, 99), false));
        assert!(!held.take(answer(99, 0, 99), true));
        assert_eq!(held.missing(), []);
    }

    #[test]
    fn the_end_of_a_list_is_not_asked_for_beyond_it() {
        let mut held = Held::new();
        held.take(answer(60, 0, 50), true);
        held.want(Group::NoDate, 30..60);
        assert_eq!(held.missing(), [(Group::NoDate, 50..60)]);
    }
}
