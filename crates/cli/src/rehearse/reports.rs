//! What is made of the results: a summary, a file for CI, a page.
//!
//! A batch may have more conversations than there is memory for: what was said is kept of those alone that a report shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rehearsal::{Outcome, Verdict};
use rehearsal_report::{FULL, Page, Report, Suites, Table, junit};

use super::folder::{Folder, RESULTS};

/// Writes the reports of a folder, and gives the summary for whoever started it.
///
/// # Errors
/// When results cannot be read, or a report cannot be written.
pub fn write(folder: &Folder, against: Option<&Path>) -> anyhow::Result<String> {
    let results = folder.path().join(RESULTS);
    let shown = shown(&results)?;
    let outcomes = read(&results, &shown)?;
    let report = match against {
        None => Report::of(&outcomes),
        Some(earlier) => Report::against(&outcomes, &read(&results_of(earlier), &BTreeSet::new())?),
    };
    let name = folder.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    folder.write("junit.xml", &junit("satchel rehearse", &outcomes, Suites::PerScenario)?)?;
    let page = Page { title: &format!("Rehearsal {name}"), report: &report, outcomes: &outcomes, most: FULL };
    folder.write("report.html", &page.html())?;
    Ok(Table::of(&report).to_string())
}

/// The results of an earlier batch: its folder, or the file itself.
fn results_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(RESULTS) } else { path.to_path_buf() }
}

/// Whether an earlier batch can be compared with, before anything is played.
///
/// # Errors
/// When it cannot be read.
pub fn is_readable(earlier: &Path) -> anyhow::Result<()> {
    let path = results_of(earlier);
    // Whole: what cannot be compared with in the end is said before hours of playing.
    read(&path, &BTreeSet::new())
        .map(drop)
        .with_context(|| format!("--against: cannot read {}", path.display()))
}

/// The jobs that the page shows, in the order in which it chooses them: what went wrong first, and of each scenario one before there is
/// a second.
fn shown(results: &Path) -> anyhow::Result<BTreeSet<String>> {
    let rank = |verdict| match verdict {
        Verdict::Failed => 0u8,
        Verdict::NotPlayed => 1,
        Verdict::ClientError => 2,
        Verdict::Passed => 3,
    };
    let mut nth: BTreeMap<(u8, String), usize> = BTreeMap::new();
    let mut ranked: Vec<(u8, usize, String)> = Vec::new();
    each(results, |outcome| {
        let rank = rank(outcome.verdict);
        let nth = nth.entry((rank, outcome.scenario)).or_default();
        *nth += 1;
        ranked.push((rank, *nth, outcome.job));
    })?;
    ranked.sort_by_key(|(rank, nth, _)| (*rank, *nth));
    Ok(ranked.into_iter().take(FULL).map(|(_, _, job)| job).collect())
}

/// The outcomes of a file; what was said only of those in `whole`.
fn read(path: &Path, whole: &BTreeSet<String>) -> anyhow::Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    each(path, |mut outcome| {
        if !whole.contains(&outcome.job) {
            outcome.record.conversation_history = Vec::new();
            outcome.notes = Vec::new();
        }
        outcomes.push(outcome);
    })?;
    Ok(outcomes)
}

fn each(path: &Path, mut work: impl FnMut(Outcome)) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    for (number, line) in BufReader::new(file).split(b'\n').enumerate() {
        let line = line.with_context(|| format!("cannot read {}", path.display()))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let outcome = serde_json::from_slice(&line)
            .with_context(|| format!("{}:{}: this is no result", path.display(), number + 1))?;
        work(outcome);
    }
    Ok(())
}
