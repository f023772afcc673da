//! Two branches of a conversation become one again (S3-33): what only one of them did is taken over, and what both did
//! differently is an error that names it.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::Vector;
use protocol::RunId;
use serde_json::Value;

use crate::{AgentConfig, AgentState, Entry, EntryBody};

/// What two branches did differently, so that no one conversation can have both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// They do not come from this ancestor.
    NoAncestor,
    /// A run is open in one of them.
    Open,
    /// A run went on in both.
    Run(RunId),
    /// A setting was changed in both: its name.
    Setting(String),
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoAncestor => f.write_str("These conversations have no common beginning."),
            Self::Open => f.write_str("A conversation in which something is going on cannot be merged."),
            Self::Run(run) => write!(f, "Both conversations went on with {run}, each in its own way."),
            Self::Setting(name) => write!(f, "Both conversations changed \"{name}\", each in its own way."),
        }
    }
}

impl std::error::Error for Conflict {}

impl AgentState {
    /// The conversation that has what both branches have: what was there before they parted, then the runs of each in the
    /// order in which they began. It has the ancestor's id, and `ours`' tools.
    ///
    /// # Errors
    /// [`Conflict`], the first that is found.
    pub fn merge(ancestor: &Self, ours: &Self, theirs: &Self) -> Result<Self, Conflict> {
        if ours.status.is_busy() || theirs.status.is_busy() {
            return Err(Conflict::Open);
        }
        let (mine, other) = (tail(ancestor, ours)?, tail(ancestor, theirs)?);
        let mut by_run: BTreeMap<(i64, RunId), Vec<Arc<Entry>>> = BTreeMap::new();
        for (entries, others) in [(&mine, &other), (&other, &mine)] {
            for (run, of_run) in runs(entries) {
                let differs =
                    runs(others).into_iter().any(|(known, others)| known == run && others != of_run);
                if differs {
                    return Err(Conflict::Run(run));
                }
                let began_ms = of_run.first().map_or(0, |entry| entry.at_ms);
                by_run.insert((began_ms, run), of_run);
            }
        }
        let mut entries = ancestor.entries.clone();
        for entry in by_run.into_values().flatten() {
            // What was folded away was folded away of a branch; the whole decides anew.
            if matches!(entry.body, EntryBody::Compacted(_)) {
                continue;
            }
            entries.push_back(Arc::new(Entry { seq: entries.len() as u64, ..Entry::clone(&entry) }));
        }
        let config = settings(&ancestor.config, &ours.config, &theirs.config)?;
        let merged = Self::from_entries(ancestor.id.clone(), config, entries);
        Ok(Self { tools: ours.tools.clone(), ..merged })
    }
}

/// What a branch added.
fn tail(ancestor: &AgentState, branch: &AgentState) -> Result<Vector<Arc<Entry>>, Conflict> {
    let common = ancestor.entries.len();
    if branch.entries.len() < common || branch.entries.take(common) != ancestor.entries {
        return Err(Conflict::NoAncestor);
    }
    Ok(branch.entries.skip(common))
}

/// The entries by run, in the order of the runs.
fn runs(entries: &Vector<Arc<Entry>>) -> Vec<(RunId, Vec<Arc<Entry>>)> {
    let mut runs: Vec<(RunId, Vec<Arc<Entry>>)> = Vec::new();
    for entry in entries {
        // Their places differ when the branches did other things before.
        let entry = Arc::new(Entry { seq: 0, ..Entry::clone(entry) });
        match runs.iter_mut().find(|(run, _)| *run == entry.run_id) {
            Some((_, known)) => known.push(entry),
            None => runs.push((entry.run_id.clone(), vec![entry])),
        }
    }
    runs
}

/// The settings with what either branch changed.
fn settings(
    ancestor: &AgentConfig,
    ours: &AgentConfig,
    theirs: &AgentConfig,
) -> Result<AgentConfig, Conflict> {
    let fields = |config: &AgentConfig| match serde_json::to_value(config) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (before, mut mine, other) = (fields(ancestor), fields(ours), fields(theirs));
    for (name, value) in other {
        let was = before.get(&name);
        if Some(&value) == was || mine.get(&name) == Some(&value) {
            continue;
        }
        if mine.get(&name) != was {
            return Err(Conflict::Setting(name));
        }
        mine.insert(name, value);
    }
    // What was a configuration is one again.
    serde_json::from_value(Value::Object(mine)).map_err(|_| Conflict::Setting("config".to_owned()))
}
