//! Taking what was erased out of the journal's file: another file in its place, all at once.

use std::fs::{File, OpenOptions};
use std::io;

use serde::{Deserialize, Serialize};

use super::folder::failed;
use super::index::{LineIndex, Written};
use super::{FileJournal, JOURNAL, Kept, bytes, line};
use crate::{CallKey, Rev, StoreError};

/// What is left of an entry that cannot be read.
#[derive(Serialize)]
struct Blank {
    change: Name,
}

#[derive(Serialize, Deserialize)]
struct Name {
    rev: Rev,
    key: CallKey,
}

/// As much of a damaged line as tells whose it was.
#[derive(Deserialize)]
struct Damaged {
    change: Name,
}

impl FileJournal {
    /// Rewrites the file where an entry before a revision has something of the tables, or cannot be read. Only under the
    /// lock.
    pub(super) fn erase_in_lines(&self, tables: &[String], before: Rev) -> Result<(), StoreError> {
        let Some(mut file) = self.caught_up(OpenOptions::new().read(true))? else { return Ok(()) };
        let path = self.folder.at(JOURNAL);
        let mut index = self.index.borrow_mut();
        let all = bytes(&mut file, 0, index.end).map_err(failed("read", &path))?;
        let mut places: Vec<_> = index.entries.iter().collect();
        // As they stand: from its place it is told which entry a damaged line was.
        places.sort_unstable_by_key(|(_, place)| place.at);
        let mut lines = String::new();
        let mut is_other = false;
        for (&rev, place) in places {
            let text =
                all.get(place.at as usize..).and_then(|rest| rest.get(..place.len)).unwrap_or_default();
            let read =
                line::read::<Kept>(text).ok().filter(|kept| place.damage.is_none() && kept.change.rev == rev);
            match read {
                Some(Kept { change }) => {
                    let left = if rev < before { change.without(tables) } else { None };
                    is_other |= left.is_some();
                    let change = left.as_ref().unwrap_or(&change);
                    // All of its append is here: nobody has to wait for more.
                    line::write(&mut lines, &Written { more: 0, change })?;
                }
                None if rev < before => {
                    is_other = true;
                    let name = serde_json::from_slice::<Damaged>(text).map(|line| line.change);
                    let key = name.map_or_else(|_| CallKey(format!("unreadable/{rev}")), |name| name.key);
                    line::write_blank(&mut lines, &Blank { change: Name { rev, key } })?;
                }
                None => {
                    lines.push_str(&String::from_utf8_lossy(text));
                    lines.push('\n');
                }
            }
        }
        // What stands between the entries (pieces of damaged lines, what a crash has left of an append) goes as well.
        let is_whole = index.entries.values().map(|place| place.len as u64 + 1).sum::<u64>() == index.end;
        let len = file.metadata().map_err(failed("read", &path))?.len();
        if !is_other && is_whole && len == index.end {
            return Ok(());
        }
        self.folder.replace(JOURNAL, lines.as_bytes())?;
        self.folder.sync("")?;
        *index = LineIndex::default();
        index.extend(lines.as_bytes());
        Ok(())
    }
}

/// Whether a file that is not the one it was is what an erasure of another process has left of it: then the index is of that.
pub(super) fn is_taken_in(index: &mut LineIndex, file: &mut File) -> io::Result<bool> {
    let all = bytes(file, 0, u64::MAX)?;
    let mut other = LineIndex::default();
    other.extend(&all);
    let is_left = index.is_left_in(&other);
    if is_left {
        *index = other;
    }
    Ok(is_left)
}
