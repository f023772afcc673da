//! What was measured, as a table and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::goals::{self, Verdict};

/// One contender in one row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Who, and through which transport.
    pub contender: String,
    /// How many samples there are.
    pub n: usize,
    /// The median.
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Measured {
    /// The summary of samples; a percentile is the sample that so many per cent do not exceed. `None` of
    /// nothing.
    #[must_use]
    pub fn of(contender: impl Into<String>, mut samples: Vec<f64>) -> Option<Self> {
        samples.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (share * samples.len() as f64).ceil() as usize;
            samples.get(place.max(1) - 1).copied()
        };
        Some(Self {
            contender: contender.into(),
            n: samples.len(),
            p50: at(0.5)?,
            p95: at(0.95)?,
            min: *samples.first()?,
            max: *samples.last()?,
        })
    }
}

/// One thing that was measured, for every contender in the same run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its name, as goals know it.
    pub name: String,
    /// `ms`, `kB` or `B`.
    pub unit: String,
    /// What a reader must know about how it was measured.
    pub note: String,
    /// In the order of the table.
    pub contenders: Vec<Measured>,
}

impl Row {
    /// A row of named samples; a contender without samples is left out.
    #[must_use]
    pub fn new(name: &str, unit: &str, note: impl Into<String>, samples: BTreeMap<String, Vec<f64>>) -> Self {
        let mut contenders: Vec<Measured> =
            samples.into_iter().filter_map(|(name, samples)| Measured::of(name, samples)).collect();
        // Ours first, then by name.
        contenders.sort_by_key(|measured| !measured.contender.starts_with("satchel"));
        Self { name: name.to_owned(), unit: unit.to_owned(), note: note.into(), contenders }
    }

    /// A contender's summary.
    #[must_use]
    pub fn get(&self, contender: &str) -> Option<&Measured> {
        self.contenders.iter().find(|measured| measured.contender == contender)
    }
}

/// A whole run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The browser's name and version.
    pub browser: String,
    /// What the random order was made from: the same seed calls in the same order.
    pub seed: u32,
    /// A quick run says whether everything works, and nothing about speed.
    pub quick: bool,
    /// What was measured.
    pub rows: Vec<Row>,
    /// The goals whose rows were measured.
    pub goals: Vec<Verdict>,
}

impl Report {
    /// Judges the rows by the goals.
    #[must_use]
    pub fn new(browser: String, seed: u32, quick: bool, rows: Vec<Row>) -> Self {
        let goals = goals::judge(&rows);
        Self { browser, seed, quick, rows, goals }
    }

    /// The table for a terminal: a line for each contender, then a line for each goal.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<16} {:<22} {:>5} {:>10} {:>10} {:>10}  {:>8} {:>8}\n",
            "row", "contender", "n", "p50", "p95", "min", "× floor", "× peer"
        );
        for row in &self.rows {
            for (place, measured) in row.contenders.iter().enumerate() {
                let Measured { contender, n, p50, p95, min, .. } = measured;
                let ratio = |other: &str| {
                    let other = row.get(&counterpart(contender, other)).filter(|other| other.p50 > 0.0);
                    other.map_or_else(String::new, |other| format!("{:.2}", p50 / other.p50))
                };
                let name = if place == 0 { row.name.as_str() } else { "" };
                let unit = &row.unit;
                let _ = writeln!(
                    text,
                    "{name:<16} {contender:<22} {n:>5} {:>10} {:>10} {:>10}  {:>8} {:>8}",
                    value(*p50, unit),
                    value(*p95, unit),
                    value(*min, unit),
                    ratio("floor"),
                    ratio("peer"),
                );
            }
            if !row.note.is_empty() {
                let _ = writeln!(text, "{:<16} {}", "", row.note);
            }
        }
        if !self.goals.is_empty() {
            let _ = writeln!(text, "\ngoals");
        }
        for Verdict { words, measured, limit, met } in &self.goals {
            let word = if *met { "ok" } else { "MISSED" };
            let _ = writeln!(text, "{word:<7} {words}: {measured:.2} (goal: at most {limit:.2})");
        }
        let missed = self.goals.iter().filter(|goal| !goal.met).count();
        let _ = writeln!(text, "\n{} goals, {missed} missed; seed {}", self.goals.len(), self.seed);
        if self.quick {
            let _ = writeln!(text, "A quick run: it shows that everything works, and nothing about speed.");
        }
        text
    }
}

/// The contender to compare with: the floor is compared transport by transport, the peer has one transport.
fn counterpart(contender: &str, other: &str) -> String {
    match (contender.split_once(' '), other) {
        (None, _) => other.to_owned(),
        (Some((_, door)), "peer") => format!("peer {}", door.replace("port", "fetch")),
        (Some((_, door)), _) => format!("{other} {door}"),
    }
}

fn value(value: f64, unit: &str) -> String {
    match unit {
        "ms" if value < 1.0 => format!("{value:.3} ms"),
        "ms" if value < 100.0 => format!("{value:.2} ms"),
        _ => format!("{value:.0} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, contenders: &[(&str, &[f64])]) -> Row {
        let samples =
            contenders.iter().map(|(name, samples)| ((*name).to_owned(), samples.to_vec())).collect();
        Row::new(name, "ms", "", samples)
    }

    #[test]
    fn percentiles_are_samples() {
        let samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let Measured { n, p50, p95, min, max, .. } = Measured::of("a", samples).unwrap();
        assert_eq!((n, p50, p95, min, max), (100, 50.0, 95.0, 1.0, 100.0));
        let Measured { p50, p95, .. } = Measured::of("a", vec![7.0]).unwrap();
        assert_eq!((p50, p95), (7.0, 7.0));
        assert_eq!(Measured::of("a", vec![]), None);
    }

    #[test]
    fn the_table_compares_door_by_door_and_says_what_is_missed() {
        let contenders: &[(&str, &[f64])] = &[
            ("floor fetch", &[2.0]),
            ("floor port", &[1.0]),
            ("peer fetch", &[4.0]),
            ("satchel fetch", &[3.0]),
            ("satchel port", &[1.0]),
        ];
        let report = Report::new("Chromium".into(), 7, true, vec![row("create", contenders)]);
        let table = report.table();
        let line = |start: &str| {
            let line = table.lines().find(|line| line.contains(start)).unwrap();
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line("satchel fetch "), "create satchel fetch 1 3.00 ms 3.00 ms 3.00 ms 1.50 0.75");
        assert_eq!(line("satchel port "), "satchel port 1 1.00 ms 1.00 ms 1.00 ms 1.00 0.25");
        assert!(
            table.contains("MISSED  create, satchel fetch against floor fetch: 1.50 (goal: at most 1.10)")
        );
        assert!(
            table.contains("ok      create, satchel fetch against peer fetch: 0.75 (goal: at most 0.75)")
        );
        assert!(table.contains("4 goals, 1 missed; seed 7"));
    }
}
