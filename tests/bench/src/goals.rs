//! What is aimed at, as ratios of medians measured in the same run. A goal that is missed is said; it fails
//! nothing, because a machine's speed is no property of the code.

use serde::Serialize;

use crate::report::Row;

/// What a figure is held against.
enum Against {
    /// Another contender's median, in this row or in another.
    Contender(&'static str, &'static str),
    /// Nothing: the figure itself, in the row's unit.
    Itself,
}

use Against::{Contender, Itself};

struct Goal {
    row: &'static str,
    contender: &'static str,
    against: Against,
    at_most: f64,
}

const fn goal(row: &'static str, contender: &'static str, against: Against, at_most: f64) -> Goal {
    Goal { row, contender, against, at_most }
}

/// The goals. "So many times faster" is one divided by it.
const GOALS: [Goal; 52] = [
    goal("create", "satchel fetch", Contender("create", "floor fetch"), 1.1),
    goal("create", "satchel fetch", Contender("create", "peer fetch"), 0.75),
    goal("create", "satchel port", Contender("create", "floor port"), 1.15),
    goal("create", "satchel port", Contender("create", "peer fetch"), 1.0 / 4.0),
    goal("list", "satchel fetch", Contender("list", "floor fetch"), 1.1),
    goal("list", "satchel fetch", Contender("list", "peer fetch"), 0.75),
    goal("list", "satchel port", Itself, 0.5),
    goal("list", "satchel port", Contender("list", "peer fetch"), 1.0 / 10.0),
    goal("parallel", "satchel port ten", Contender("parallel", "satchel port one"), 2.0),
    goal("parallel", "satchel fetch ten", Contender("parallel", "satchel fetch one"), 2.0),
    goal("cold", "satchel", Contender("cold", "floor"), 1.3),
    goal("cold", "satchel", Contender("cold", "peer"), 1.0 / 3.5),
    goal("open", "satchel", Itself, 10.0),
    goal("open", "satchel", Contender("open", "dexie"), 1.0 / 5.0),
    goal("wake 100k", "satchel", Itself, 150.0),
    goal("filter 100k", "satchel port", Contender("filter 1k", "satchel port"), 2.0),
    goal("filter 100k", "satchel fetch", Contender("filter 1k", "satchel fetch"), 2.0),
    goal("import", "satchel", Contender("import", "floor"), 0.5),
    goal("stream 1 KB", "satchel", Contender("stream 1 KB", "javascript"), 0.5),
    goal("stream 4 KB", "satchel", Contender("stream 4 KB", "javascript"), 0.5),
    goal("stream 16 KB", "satchel", Contender("stream 16 KB", "javascript"), 0.5),
    goal("first load", "satchel", Contender("first load", "floor"), 2.0),
    goal("load again", "satchel", Contender("load again", "floor"), 2.0),
    goal("load later", "satchel", Contender("load later", "floor"), 2.0),
    goal("transfer", "satchel worker", Itself, 70_000.0),
    goal("transfer", "satchel page", Itself, 150_000.0),
    goal("memory 50", "satchel", Contender("memory 50", "floor"), 1.2),
    goal("memory 10k", "satchel", Contender("memory 10k", "floor"), 1.2),
    goal("growth", "satchel", Itself, 2_048.0),
    goal("first rows", "satchel", Contender("first rows", "floor"), 1.5),
    goal("jump", "satchel", Contender("jump", "floor"), 1.5),
    goal("missed frames", "satchel", Itself, 0.0),
    // A filtered list has no goal of its own: it is held to those of the whole list.
    goal("filter", "satchel fetch", Contender("filter", "floor fetch"), 1.1),
    goal("filter", "satchel fetch", Contender("filter", "peer fetch"), 0.75),
    goal("filter", "satchel port", Contender("filter", "floor port"), 1.15),
    goal("filter", "satchel port", Contender("filter", "peer fetch"), 1.0 / 4.0),
    goal("todo view", "satchel", Itself, 300.0),
    goal("todo search", "satchel", Itself, 50.0),
    goal("todo frames", "satchel", Itself, 0.0),
    goal("trip check", "satchel", Itself, 2.0),
    goal("trip open", "satchel", Itself, 300.0),
    goal("rehearsal turn", "satchel", Itself, 0.3),
    goal("photo faces", "satchel", Contender("photo faces", "human"), 0.5),
    goal("photo faces", "satchel", Contender("photo faces", "face-api"), 0.5),
    goal("photo 12 MP", "satchel", Itself, 300.0),
    goal("photo import", "satchel", Itself, 60.0),
    goal("photo blocked", "satchel", Itself, 50.0),
    goal("photo rows", "satchel", Itself, 1_500.0),
    goal("photo filter", "satchel", Itself, 50.0),
    goal("photo frames", "satchel", Itself, 0.0),
    goal("photo tools", "satchel photo_search", Itself, 50.0),
    goal("photo tools", "satchel assess_quality_batch", Itself, 50.0),
];

/// A goal and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// What was compared.
    pub words: String,
    /// The ratio, or the figure in the row's unit.
    pub measured: f64,
    /// What it may be at most.
    pub limit: f64,
    /// Whether it is.
    pub met: bool,
}

/// Holds the rows against their goals; a goal whose rows were not measured is left out.
#[must_use]
pub fn judge(rows: &[Row]) -> Vec<Verdict> {
    let median = |name: &str, contender: &str| {
        rows.iter().find(|row| row.name == name)?.get(contender).map(|measured| measured.p50)
    };
    let verdict = |Goal { row, contender, against, at_most }: &Goal| {
        let ours = median(row, contender)?;
        let (measured, words) = match against {
            Itself => (ours, format!("{row}, {contender}")),
            Contender(other_row, other) => {
                let theirs = median(other_row, other).filter(|theirs| *theirs > 0.0)?;
                let place = if other_row == row { String::new() } else { format!("{other_row}, ") };
                (ours / theirs, format!("{row}, {contender} against {place}{other}"))
            }
        };
        Some(Verdict { words, measured, limit: *at_most, met: measured <= *at_most })
    };
    GOALS.iter().filter_map(verdict).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_goal_is_held_against_its_row_or_against_itself() {
        let row = |name: &str, samples: &[(&str, f64)]| {
            let samples: BTreeMap<_, _> =
                samples.iter().map(|(name, sample)| ((*name).to_owned(), vec![*sample])).collect();
            Row::new(name, "ms", "", samples)
        };
        let rows = [
            row("filter 1k", &[("satchel port", 0.5)]),
            row("filter 100k", &[("satchel port", 1.5), ("satchel fetch", 9.0)]),
            row("wake 100k", &[("satchel", 150.0)]),
        ];
        let verdicts = judge(&rows);
        let said: Vec<_> =
            verdicts.iter().map(|goal| (goal.words.as_str(), goal.measured, goal.met)).collect();
        assert_eq!(
            said,
            [
                ("wake 100k, satchel", 150.0, true),
                ("filter 100k, satchel port against filter 1k, satchel port", 3.0, false),
            ]
        );
    }

    #[test]
    fn what_was_not_measured_is_not_judged() {
        assert_eq!(judge(&[]), []);
    }
}
