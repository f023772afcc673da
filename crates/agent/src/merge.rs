//! Two branches of a conversation become one again (S3-33): what only one of them did is taken over, and what both did
//! differently is an error that names it.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::{OrdSet, Vector};
use protocol::{CallId, RunId};
use serde_json::Value;

use crate::calls::free_id;
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
    /// The conversation that has what both branches have: what was there before they parted, then the turns of each in the
    /// order in which they began, a run that tries another one again right behind it. A call of the later of two runs whose
    /// id the other one has too gets another. It has the ancestor's id, and `ours`' tools.
    ///
    /// # Errors
    /// [`Conflict`], the first that is found.
    pub fn merge(ancestor: &Self, ours: &Self, theirs: &Self) -> Result<Self, Conflict> {
        if ours.status.is_busy() || theirs.status.is_busy() {
            return Err(Conflict::Open);
        }
        let (mine, other) = (tail(ancestor, ours)?, tail(ancestor, theirs)?);
        // By the turn's beginning, then the run's.
        let mut by_turn: BTreeMap<Place, (Side, Vec<Arc<Entry>>)> = BTreeMap::new();
        for (side, entries, others) in [(Side::Ours, &mine, &other), (Side::Theirs, &other, &mine)] {
            let others = runs(others);
            // What goes on with the ancestor's last turn belongs there, before anything that is new.
            let mut turn = (i64::MIN, RunId(String::new()));
            for (run, of_run) in runs(entries) {
                let known = others.iter().find(|(known, _)| *known == run);
                if known.is_some_and(|(_, others)| *others != of_run) {
                    return Err(Conflict::Run(run));
                }
                let began_ms = of_run.first().map_or(0, |entry| entry.at_ms);
                if matches!(of_run.first().map(|entry| &entry.body), Some(EntryBody::User { .. })) {
                    turn = (began_ms, run.clone());
                }
                let side = if known.is_some() { Side::Both } else { side };
                by_turn.insert((turn.0, turn.1.clone(), began_ms, run), (side, of_run));
            }
        }
        let mut entries = ancestor.entries.clone();
        let mut taken = ancestor.call_ids.clone();
        let mut renamed: BTreeMap<Side, Renamed> = BTreeMap::new();
        for (side, of_run) in by_turn.into_values() {
            let renamed = renamed.entry(side).or_default();
            for entry in &of_run {
                renamed.note(entry, &mut taken);
            }
            let mut changes = Vec::new();
            for entry in of_run {
                // What was compacted was compacted of a branch; the whole decides anew.
                if matches!(entry.body, EntryBody::Compacted(_)) {
                    continue;
                }
                let entry = renamed.entry(Entry::clone(&entry), &mut changes);
                entries.push_back(Arc::new(Entry { seq: entries.len() as u64, ..entry }));
            }
        }
        let config = settings(&ancestor.config, &ours.config, &theirs.config)?;
        let merged = Self::from_entries(ancestor.id.clone(), config, entries);
        Ok(Self { tools: ours.tools.clone(), ..merged })
    }
}

/// Where a run belongs: when its turn began and with which run, and the same of the run itself.
type Place = (i64, RunId, i64, RunId);

/// Where a run comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Ours,
    Theirs,
    Both,
}

/// The ids of a branch's calls that the other branch has too, and what they are called instead. No provider takes a
/// conversation with two calls of one id.
#[derive(Default)]
struct Renamed(BTreeMap<CallId, CallId>);

impl Renamed {
    /// Takes the ids of an entry's calls, each once.
    fn note(&mut self, entry: &Entry, taken: &mut OrdSet<CallId>) {
        let EntryBody::Response { calls, .. } = &entry.body else { return };
        for requested in calls {
            let id = &requested.call.id;
            let new = free_id(id, taken);
            if new == *id {
                self.0.remove(id);
            } else {
                self.0.insert(id.clone(), new);
            }
        }
    }

    fn id(&self, id: &mut CallId) {
        if let Some(new) = self.0.get(id) {
            id.clone_from(new);
        }
    }

    /// The entry with the new ids, also where its text cites them. `changes` is where the last answer of its run has changed,
    /// so that its doubts keep their places.
    fn entry(&self, mut entry: Entry, changes: &mut Vec<(usize, isize)>) -> Entry {
        if self.0.is_empty() {
            return entry;
        }
        match &mut entry.body {
            EntryBody::Response { text, calls, .. } => {
                calls.iter_mut().for_each(|requested| self.id(&mut requested.call.id));
                if !text.is_empty() {
                    (*text, *changes) = self.text(text);
                }
            }
            EntryBody::Decision { call_id, .. } | EntryBody::ImpactEstimated { call_id, .. } => {
                self.id(call_id)
            }
            EntryBody::Result { result, .. } => self.id(&mut result.call_id),
            EntryBody::Doubted { message } => *message = self.text(message).0,
            EntryBody::Ended { repairs, partial, doubts, .. } => {
                for doubt in doubts {
                    let moved = |at: usize| {
                        let before = changes.iter().filter(|(place, _)| *place < at);
                        before.fold(at, |sum, (_, longer)| sum.saturating_add_signed(*longer))
                    };
                    (doubt.start, doubt.end) = (moved(doubt.start), moved(doubt.end));
                }
                repairs.iter_mut().for_each(|repair| self.id(&mut repair.call_id));
                if let Some(partial) = partial {
                    partial.text = self.text(&partial.text).0;
                }
            }
            EntryBody::User { .. }
            | EntryBody::Retried { .. }
            | EntryBody::Resumed {}
            | EntryBody::Compacted(_) => {}
        }
        entry
    }

    /// A text with the new ids in its citations, and where each began that was changed, with how much longer it is now.
    fn text(&self, text: &str) -> (String, Vec<(usize, isize)>) {
        let mut places: Vec<(usize, &CallId, &CallId)> = Vec::new();
        for (old, new) in &self.0 {
            for (at, _) in text.match_indices(old.0.as_str()) {
                let before = text.get(..at).and_then(|before| before.chars().next_back());
                let after = text.get(at + old.0.len()..).and_then(|after| after.chars().next());
                let opens = before.is_some_and(|c| matches!(c, '[' | '【' | ':' | ',' | ';' | ' ' | '^'));
                let closes = after.is_some_and(|c| matches!(c, ']' | '】' | ',' | ';'));
                if opens && closes {
                    places.push((at, old, new));
                }
            }
        }
        order::sort_by_key(&mut places, |(at, ..)| *at);
        let mut out = String::with_capacity(text.len());
        let mut changes = Vec::new();
        let mut from = 0;
        for (at, old, new) in places {
            let Some(between) = text.get(from..at) else { continue };
            out.push_str(between);
            out.push_str(&new.0);
            from = at + old.0.len();
            changes.push((at, new.0.len().cast_signed() - old.0.len().cast_signed()));
        }
        out.push_str(text.get(from..).unwrap_or_default());
        (out, changes)
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
