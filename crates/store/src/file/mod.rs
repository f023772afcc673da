//! The journal in a folder on disk, for programs that run outside a browser.
//!
//! ```text
//! journal.jsonl    the entries, a line each, with a checksum in front
//! snapshot.json    the packed tables
//! blobs/           bytes by name, a file each
//! bytes/           bytes by their hash, a file each
//! copy/            the second copy: another snapshot and the changes since
//! lock             empty; whoever reads or writes holds its lock
//! ```

mod blobs;
mod bytes;
mod copy;
mod erase;
mod folder;
mod index;
mod line;

use std::{
    cell::RefCell,
    collections::BTreeSet,
    fs::{File, OpenOptions},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::Path,
    rc::Rc,
};

use async_trait::async_trait;
use serde::Deserialize;

use crate::{
    CallKey, Change, Damage, Durability, Journal, Loaded, Manifest, Rev, SecondCopy, Snapshot, StoreError,
    Tail,
};

pub use bytes::FolderBlobs;
use folder::{Folder, failed};
use index::{LineIndex, Written};

/// The entries.
const JOURNAL: &str = "journal.jsonl";
/// The packed tables.
const SNAPSHOT: &str = "snapshot.json";

/// A journal in a folder on disk. Several processes may use one folder at the same time.
///
/// Every call takes an advisory lock on the folder, alone to write and together to read, first takes
/// in what others appended, and gives the lock back before it returns: between two calls nobody is
/// kept out. File access blocks the thread, also inside the async functions; none of them ever
/// waits for anything else, so a call is never interrupted in the middle. A file system that knows no locks is
/// refused.
///
/// What a crash has left of an append is cut off with the next one, and none of it counts: the append was never
/// acknowledged. A line in the middle that is not as it was written is an entry that cannot be
/// read, with the revision that its place says ([`Damage`]).
///
/// The second copy is beside the journal, on the same disk. It does not help when the disk is lost; it
/// brings back what is lost with one file: lines that a bad block, an editor or a program that
/// synchronises folders has damaged, or the whole journal. Who wants to forget everything ends
/// the programs that use the folder and deletes it: one that runs takes a folder that is gone for lost, and writes back what
/// it has in memory.
pub struct FileJournal {
    folder: Folder,
    index: RefCell<LineIndex>,
}

/// A line as it is read.
#[derive(Deserialize)]
struct Kept {
    change: Change,
}

impl FileJournal {
    /// Opens the journal in a folder. A folder that is missing is made, on Unix for its owner alone (mode 0700).
    ///
    /// # Errors
    /// `Quota` when the disk is full. `Other` when the folder cannot be made, entered or locked; it names the file.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, StoreError> {
        let folder = Folder::new(folder.as_ref())?;
        // Now rather than with the first call: a place that cannot be locked must not be used at all.
        drop(folder.lock_shared()?);
        Ok(Self { folder, index: RefCell::default() })
    }

    /// The journal's file, after everything in it was taken into the index. `None` when there is no file yet, and
    /// the options do not say to make it.
    fn caught_up(&self, options: &OpenOptions) -> Result<Option<File>, StoreError> {
        let path = self.folder.at(JOURNAL);
        let mut index = self.index.borrow_mut();
        let mut file = match options.open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return if index.end == 0 { Ok(None) } else { Err(StoreError::Emptied) };
            }
            Err(error) => return Err(failed("open", &path)(error)),
        };
        let len = file.metadata().map_err(failed("read", &path))?.len();
        if len == 0 && index.end > 0 {
            return Err(StoreError::Emptied);
        }
        let is_same = match &index.mark {
            Some((at, mark)) => {
                bytes(&mut file, *at, mark.len() as u64).map_err(failed("read", &path))? == *mark
            }
            None => true,
        };
        if (len < index.end || !is_same)
            && !erase::is_taken_in(&mut index, &mut file).map_err(failed("read", &path))?
        {
            let path = path.display();
            let why =
                format!("{path} was replaced or cut while it was in use; start again to read what it has");
            return Err(StoreError::Damaged(why));
        }
        if len > index.end {
            let new = bytes(&mut file, index.end, len - index.end).map_err(failed("read", &path))?;
            index.extend(&new);
        }
        Ok(Some(file))
    }

    /// A stretch of the journal. Only under the lock.
    fn tail(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        let mut tail = Tail::default();
        let Some(mut file) = self.caught_up(OpenOptions::new().read(true))? else { return Ok(tail) };
        let index = self.index.borrow();
        let places = index.entries.range(from.min(until)..until);
        // In one piece: entries that follow each other stand behind each other, but for a few that came back late.
        let start = places.clone().map(|(_, place)| place.at).min().unwrap_or_default();
        let end = places.clone().map(|(_, place)| place.at + place.len as u64).max().unwrap_or_default();
        let path = self.folder.at(JOURNAL);
        let bytes = bytes(&mut file, start, end - start).map_err(failed("read", &path))?;
        for (&rev, place) in places {
            tail.head = rev;
            // Checked again: it may have been damaged since.
            let line = bytes.get((place.at - start) as usize..).and_then(|bytes| bytes.get(..place.len));
            let read = match &place.damage {
                Some(why) => Err(why.clone()),
                None => line::read::<Kept>(line.unwrap_or_default()),
            };
            match read {
                Ok(Kept { change }) if change.rev == rev => tail.changes.push(change),
                Ok(Kept { change }) => {
                    tail.damaged.push(Damage { rev, why: format!("it says it is change {}", change.rev) });
                }
                Err(why) => tail.damaged.push(Damage { rev, why }),
            }
        }
        Ok(tail)
    }

    /// Whether there are entries in the index and none on disk.
    fn is_emptied(&self) -> bool {
        matches!(self.caught_up(OpenOptions::new().read(true)), Err(StoreError::Emptied))
    }
}

/// Some bytes of a file; fewer when it ends before.
fn bytes(file: &mut File, at: u64, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at))?;
    file.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Puts lines at a place in a file, and nothing behind them.
fn put(file: &mut File, at: u64, lines: &str, durability: Durability) -> io::Result<()> {
    // Behind it is at most what a crash has left.
    file.set_len(at)?;
    file.seek(SeekFrom::Start(at))?;
    file.write_all(lines.as_bytes())?;
    match durability {
        Durability::Strict => file.sync_data(),
        Durability::Relaxed => Ok(()),
    }
}

#[async_trait(?Send)]
impl Journal for FileJournal {
    async fn load(&self) -> Result<Loaded, StoreError> {
        let _lock = self.folder.lock_shared()?;
        // One that cannot be read is as good as none, and said: the journal has everything.
        let unreadable = Snapshot { rev: 0, bytes: Vec::new() };
        let snapshot = match self.folder.read(SNAPSHOT) {
            Ok(found) => found.map(|bytes| Snapshot::from_bytes(bytes).unwrap_or(unreadable)),
            Err(_) => Some(unreadable),
        };
        let from = snapshot.as_ref().map_or(0, |snapshot| snapshot.rev).saturating_add(1);
        Ok(Loaded { snapshot, tail: self.tail(from, Rev::MAX)? })
    }

    async fn read(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        let _lock = self.folder.lock_shared()?;
        self.tail(from, until)
    }

    async fn by_key(&self, key: &CallKey) -> Result<Option<Change>, StoreError> {
        let _lock = self.folder.lock_shared()?;
        self.caught_up(OpenOptions::new().read(true))?;
        let found = self.index.borrow().keys.get(key).copied();
        let Some(rev) = found else { return Ok(None) };
        let Tail { mut changes, damaged, .. } = self.tail(rev, rev.saturating_add(1))?;
        match damaged.first() {
            Some(Damage { rev, why }) => {
                let path = self.folder.at(JOURNAL);
                Err(StoreError::Damaged(format!("change {rev} in {}: {why}", path.display())))
            }
            None => Ok(changes.pop()),
        }
    }

    async fn append(&self, changes: &[Rc<Change>], durability: Durability) -> Result<(), StoreError> {
        let mut lines = String::new();
        for (place, change) in changes.iter().enumerate() {
            line::write(&mut lines, &Written { more: changes.len() - 1 - place, change })?;
        }
        let _lock = self.folder.lock()?;
        let file = self.caught_up(OpenOptions::new().read(true).write(true).create(true))?;
        // There always is one, since it is made.
        let Some(mut file) = file else { return Err(StoreError::Emptied) };
        let mut index = self.index.borrow_mut();
        let (mut revs, mut keys) = (BTreeSet::new(), BTreeSet::new());
        for change in changes {
            let taken = index.entries.contains_key(&change.rev) || index.keys.contains_key(&change.key);
            if taken || !revs.insert(change.rev) || !keys.insert(&change.key) {
                return Err(StoreError::Conflict);
            }
        }
        let end = index.end;
        let path = self.folder.at(JOURNAL);
        if let Err(error) = put(&mut file, end, &lines, durability) {
            // Nobody has seen it yet. If it cannot be taken back either, the next one who comes does it, or finds it
            // whole: then the call finds its answer by its key.
            drop(file.set_len(end));
            return Err(failed("write", &path)(error));
        }
        index.extend(lines.as_bytes());
        if end == 0 {
            self.folder.sync("")?;
        }
        Ok(())
    }

    async fn erase(&self, tables: &[String], before: Rev) -> Result<(), StoreError> {
        let _lock = self.folder.lock()?;
        self.erase_in_lines(tables, before)
    }

    async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        let _lock = self.folder.lock()?;
        if self.is_emptied() {
            return Err(StoreError::Emptied);
        }
        if snapshot.rev < self.index.borrow().erased {
            return Ok(());
        }
        self.folder.replace(SNAPSHOT, &snapshot.bytes)
    }

    async fn write_back(&self, snapshot: &Snapshot, changes: &[Rc<Change>]) -> Result<bool, StoreError> {
        {
            let _lock = self.folder.lock()?;
            if !self.is_emptied() {
                return Ok(false);
            }
            self.folder.replace(SNAPSHOT, &snapshot.bytes)?;
            // From here on it is a new file.
            self.index.take();
        }
        self.append(changes, Durability::Strict).await.map(|()| true)
    }

    async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let _lock = self.folder.lock_shared()?;
        blobs::read(&self.folder, hash)
    }

    async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let _lock = self.folder.lock()?;
        blobs::write(&self.folder, hash, bytes)
    }

    async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let _lock = self.folder.lock_shared()?;
        blobs::names(&self.folder, prefix)
    }

    async fn delete_blob(&self, name: &str) -> Result<(), StoreError> {
        let _lock = self.folder.lock()?;
        blobs::delete(&self.folder, name)
    }

    async fn manifest(&self) -> Result<Option<Manifest>, StoreError> {
        let _lock = self.folder.lock_shared()?;
        copy::manifest(&self.folder)
    }

    async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError> {
        let _lock = self.folder.lock_shared()?;
        copy::read(&self.folder)
    }

    async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError> {
        let _lock = self.folder.lock()?;
        if !self.is_emptied() && manifest.rev < self.index.borrow().erased {
            // It has what is erased.
            return Ok(true);
        }
        copy::write(&self.folder, manifest, tail, snapshot).map(|()| true)
    }
}
