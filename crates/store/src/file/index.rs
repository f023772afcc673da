//! What is where in the journal's file.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::line;
use crate::{CallKey, Change, Rev};

/// A line as it is written.
#[derive(Serialize)]
pub(super) struct Written<'a> {
    /// How many lines of the same append come after it. An append whose last line is missing was never
    /// acknowledged, and none of it counts.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
    /// The entry.
    pub change: &'a Change,
}

/// A line as the index reads it.
#[derive(Deserialize)]
struct Indexed {
    #[serde(default)]
    more: usize,
    change: Head,
}

#[derive(Deserialize)]
struct Head {
    rev: Rev,
    key: CallKey,
    #[serde(default)]
    erases: Vec<String>,
}

/// A line in the file, without its line break.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    /// Its first byte.
    pub at: u64,
    /// How many bytes it has.
    pub len: usize,
    /// What is wrong with it, if it cannot be read.
    pub damage: Option<String>,
}

/// Where each entry is, as far as the file was read.
#[derive(Default)]
pub(super) struct LineIndex {
    /// How many bytes of the file are in the index. Behind them is what others have appended since, or what a crash
    /// has left of an append.
    pub end: u64,
    /// The lines by revision.
    pub entries: BTreeMap<Rev, Place>,
    /// The revisions by idempotency key.
    pub keys: HashMap<CallKey, Rev>,
    /// How the last line begins, and where: its checksum tells whether this is still the same file.
    pub mark: Option<(u64, Vec<u8>)>,
    /// The revision of the last erasure; 0 when there is none.
    pub erased: Rev,
}

/// A line that was read and is not in the index yet.
struct Found<'a> {
    at: u64,
    text: &'a [u8],
    entry: Result<Indexed, String>,
}

impl LineIndex {
    /// Takes in what the file has from [`LineIndex::end`] on, up to the last append that is complete.
    pub fn extend(&mut self, bytes: &[u8]) {
        // The lines of an append whose last line was not seen yet.
        let mut open: Vec<Found<'_>> = Vec::new();
        let mut left = 0_usize;
        let mut strays = Vec::new();
        let mut at = self.end;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            // Without its line break it is torn, or still being written.
            let Some(text) = line.strip_suffix(b"\n") else { break };
            for found in find(at, text) {
                left = found.entry.as_ref().map_or(left.saturating_sub(1), |entry| entry.more);
                open.push(found);
            }
            at += line.len() as u64;
            if left == 0 {
                for found in open.drain(..) {
                    self.take(found, &mut strays);
                }
                self.end = at;
            }
        }
        // Nothing comes after them that would tell more: each has a revision of its own, which nobody uses again.
        for stray in strays {
            let head = self.entries.keys().next_back().copied().unwrap_or_default();
            self.set_aside(head.saturating_add(1), stray);
        }
    }

    /// Takes in one line. Those that cannot be read wait among the strays for the next one that can.
    fn take<'a>(&mut self, found: Found<'a>, strays: &mut Vec<Found<'a>>) {
        let Found { at, text, entry } = found;
        self.mark = Some((at, text.iter().take(line::BEGIN.len() + 16).copied().collect()));
        let stray = |why: String| Found { at, text, entry: Err(why) };
        let Head { rev, key, erases } = match entry {
            Ok(entry) => entry.change,
            Err(why) => return strays.push(stray(why)),
        };
        if self.is_readable(rev) {
            return strays.push(stray(format!("it says it is change {rev}, which is there already")));
        }
        // Entries stand in their order: the lines right before this one were the changes right before it.
        for (back, stray) in strays.drain(..).rev().enumerate() {
            let before = rev.saturating_sub(back as Rev + 1);
            if before == 0 || self.entries.contains_key(&before) {
                // More lines than changes are missing: pieces of the one that was set aside.
                break;
            }
            self.set_aside(before, stray);
        }
        self.entries.insert(rev, Place { at, len: text.len(), damage: None });
        if !erases.is_empty() {
            self.erased = self.erased.max(rev);
        }
        // What a damaged line says its key is may be another one's.
        if !self.keys.get(&key).is_some_and(|other| self.is_readable(*other)) {
            self.keys.insert(key, rev);
        }
    }

    /// Whether another one can be what an erasure has left of this one: it has one, and under every key that was known what
    /// was there.
    pub fn is_left_in(&self, other: &Self) -> bool {
        let kept = |(key, rev): (&CallKey, &Rev)| other.keys.get(key) == Some(rev);
        other.erased > 0 && self.keys.iter().all(kept)
    }

    fn is_readable(&self, rev: Rev) -> bool {
        self.entries.get(&rev).is_some_and(|place| place.damage.is_none())
    }

    /// Says what is wrong with the entry of a revision.
    fn set_aside(&mut self, rev: Rev, stray: Found<'_>) {
        let Found { at, text, entry } = stray;
        // Its key may be readable all the same: then the call is not carried out a second time.
        if let Ok(entry) = serde_json::from_slice::<Indexed>(text) {
            self.keys.entry(entry.change.key).or_insert(rev);
        }
        self.entries.insert(rev, Place { at, len: text.len(), damage: entry.err() });
    }
}

/// What is in a line: one entry, or one that cannot be read, and perhaps a second behind it when the
/// line break between them was lost. Nothing in a line that is blank.
fn find(at: u64, text: &[u8]) -> Vec<Found<'_>> {
    if text.trim_ascii().is_empty() {
        return Vec::new();
    }
    let found = |from: usize, text| Found { at: at + from as u64, text, entry: line::read(text) };
    let whole = found(0, text);
    if whole.entry.is_ok() {
        return vec![whole];
    }
    let begins = text.windows(line::BEGIN.len()).enumerate().skip(1);
    let mut inside = begins.filter(|(_, window)| *window == line::BEGIN.as_bytes()).map(|(from, _)| from);
    let hidden = inside.find_map(|from| {
        let (before, behind) = text.split_at_checked(from)?;
        let behind = found(from, behind);
        behind.entry.is_ok().then(|| vec![found(0, before), behind])
    });
    hidden.unwrap_or_else(|| vec![whole])
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
