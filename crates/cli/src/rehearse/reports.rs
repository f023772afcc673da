//! What is made of the results: a summary, a file for CI, a page.
//!
//! A batch may have more conversations than there is memory for: results are read twice, and only those that the page shows whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use anyhow::Context as _;
use rehearsal::Outcome;

use super::folder::{Folder, RESULTS};

/// What came of a batch, for whoever started it.
pub struct Summary {
    pub text: String,
}

/// Writes the reports of a folder.
///
/// # Errors
/// When results cannot be read, or a report cannot be written.
pub fn write(folder: &Folder, _against: Option<&Path>) -> anyhow::Result<Summary> {
    let mut verdicts: BTreeMap<String, u32> = BTreeMap::new();
    each(&folder.path().join(RESULTS), |outcome| {
        *verdicts.entry(format!("{:?}", outcome.verdict)).or_default() += 1;
    })?;
    Ok(Summary { text: format!("{verdicts:?}") })
}

fn each(path: &Path, mut work: impl FnMut(Outcome)) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    for (number, line) in BufReader::new(file).split(b'\n').enumerate() {
        let line = line.context(RESULTS)?;
        let outcome = serde_json::from_slice(&line)
            .with_context(|| format!("{}:{}: this is no result", path.display(), number + 1))?;
        work(outcome);
    }
    Ok(())
}
