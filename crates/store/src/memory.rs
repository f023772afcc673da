//! A journal in memory: the twin of the browser's, and the place to make it fail.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    future::poll_fn,
    rc::Rc,
    task::Poll,
};

use async_trait::async_trait;

use crate::{
    CallKey, Change, Damage, Durability, Journal, Loaded, Manifest, Rev, SecondCopy, Snapshot, StoreError,
    Tail,
};

/// A journal that keeps its entries as text, as a disk would. A clone is a second connection to the
/// same storage.
#[derive(Clone, Default)]
pub struct MemoryJournal {
    storage: Rc<RefCell<Storage>>,
}

#[derive(Default)]
struct Storage {
    entries: BTreeMap<Rev, String>,
    keys: BTreeMap<CallKey, Rev>,
    snapshot: Option<Snapshot>,
    blobs: BTreeMap<String, Vec<u8>>,
    second: Option<SecondCopy>,
    refuses_second: bool,
    /// The revision of the last erasure.
    erased: Rev,
    faults: VecDeque<Fault>,
    appends: Vec<(usize, Durability)>,
}

/// What goes wrong with an append.
enum Fault {
    Refuse(StoreError),
    LoseAnswer(StoreError),
}

impl MemoryJournal {
    /// An empty journal.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the next append fail and store nothing. Several calls make several appends fail.
    pub fn fail_next_append(&self, error: StoreError) {
        self.storage.borrow_mut().faults.push_back(Fault::Refuse(error));
    }

    /// Makes the next append store everything and fail all the same, as when the answer is lost.
    pub fn lose_next_answer(&self, error: StoreError) {
        self.storage.borrow_mut().faults.push_back(Fault::LoseAnswer(error));
    }

    /// How many changes each append so far stored, and how durably.
    #[must_use]
    pub fn appends(&self) -> Vec<(usize, Durability)> {
        self.storage.borrow().appends.clone()
    }

    /// Replaces the text of an entry.
    pub fn damage(&self, rev: Rev, text: &str) {
        self.storage.borrow_mut().entries.insert(rev, text.to_owned());
    }

    /// Takes entries away, as a database that lost its newest files would.
    pub fn lose(&self, revs: impl std::ops::RangeBounds<Rev>) {
        let mut storage = self.storage.borrow_mut();
        storage.entries.retain(|rev, _| !revs.contains(rev));
        let left: BTreeSet<Rev> = order::gather(storage.entries.keys().copied());
        storage.keys.retain(|_, rev| left.contains(rev));
    }

    /// Replaces the snapshot's bytes, or takes the snapshot away.
    pub fn set_snapshot(&self, snapshot: Option<Snapshot>) {
        self.storage.borrow_mut().snapshot = snapshot;
    }

    /// The snapshot as it is stored.
    #[must_use]
    pub fn snapshot(&self) -> Option<Snapshot> {
        self.storage.borrow().snapshot.clone()
    }

    /// Writes no second copy from now on, or does again, as a file system that cannot be reached.
    pub fn refuse_second_copy(&self, refuses: bool) {
        self.storage.borrow_mut().refuses_second = refuses;
    }

    /// Takes the second copy away.
    pub fn lose_second_copy(&self) {
        self.storage.borrow_mut().second = None;
    }
}

impl Storage {
    fn read(&self, from: Rev, until: Rev) -> Tail {
        let mut tail = Tail::default();
        for (rev, text) in self.entries.range(from.min(until)..until) {
            tail.head = *rev;
            match serde_json::from_str::<Change>(text) {
                Ok(change) if change.rev == *rev => tail.changes.push(change),
                Ok(change) => {
                    tail.damaged
                        .push(Damage { rev: *rev, why: format!("it says it is change {}", change.rev) });
                }
                Err(error) => tail.damaged.push(Damage { rev: *rev, why: error.to_string() }),
            }
        }
        tail
    }
}

/// Lets others run, as every real storage does: what is written as if a call were never interrupted
/// fails in tests and not at a person's.
async fn pause() {
    let mut again = true;
    poll_fn(|cx| {
        if std::mem::take(&mut again) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    })
    .await;
}

#[async_trait(?Send)]
impl Journal for MemoryJournal {
    async fn load(&self) -> Result<Loaded, StoreError> {
        pause().await;
        let storage = self.storage.borrow();
        let snapshot = storage.snapshot.clone();
        let from = snapshot.as_ref().map_or(0, |snapshot| snapshot.rev) + 1;
        Ok(Loaded { snapshot, tail: storage.read(from, Rev::MAX) })
    }

    async fn read(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        pause().await;
        Ok(self.storage.borrow().read(from, until))
    }

    async fn by_key(&self, key: &CallKey) -> Result<Option<Change>, StoreError> {
        pause().await;
        let storage = self.storage.borrow();
        let entry = storage.keys.get(key).and_then(|rev| storage.entries.get(rev));
        entry
            .map(|text| serde_json::from_str(text))
            .transpose()
            .map_err(|error| StoreError::Damaged(error.to_string()))
    }

    async fn append(&self, changes: &[Rc<Change>], durability: Durability) -> Result<(), StoreError> {
        pause().await;
        let mut storage = self.storage.borrow_mut();
        let fault = storage.faults.pop_front();
        if let Some(Fault::Refuse(error)) = fault {
            return Err(error);
        }
        let mut entries = BTreeMap::new();
        let mut keys = BTreeMap::new();
        for change in changes {
            let text =
                serde_json::to_string(&**change).map_err(|error| StoreError::Other(error.to_string()))?;
            let taken = storage.entries.contains_key(&change.rev) || storage.keys.contains_key(&change.key);
            if taken
                || entries.insert(change.rev, text).is_some()
                || keys.insert(change.key.clone(), change.rev).is_some()
            {
                return Err(StoreError::Conflict);
            }
        }
        // `append` of a map is as long as the map: a journal of many thousands would slow down with every change.
        storage.entries.extend(entries);
        storage.keys.extend(keys);
        let erased = changes.iter().filter(|change| !change.erases.is_empty()).map(|change| change.rev).max();
        storage.erased = storage.erased.max(erased.unwrap_or_default());
        storage.appends.push((changes.len(), durability));
        match fault {
            Some(Fault::LoseAnswer(error)) => Err(error),
            Some(Fault::Refuse(_)) | None => Ok(()),
        }
    }

    async fn erase(&self, tables: &[String], before: Rev) -> Result<(), StoreError> {
        pause().await;
        for (rev, text) in self.storage.borrow_mut().entries.range_mut(..before) {
            match serde_json::from_str::<Change>(text) {
                Ok(change) if change.rev == *rev => {
                    if let Some(left) = change.without(tables) {
                        *text = serde_json::to_string(&left)
                            .map_err(|error| StoreError::Other(error.to_string()))?;
                    }
                }
                Ok(_) | Err(_) => text.clear(),
            }
        }
        Ok(())
    }

    async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        pause().await;
        let mut storage = self.storage.borrow_mut();
        if snapshot.rev >= storage.erased {
            storage.snapshot = Some(snapshot.clone());
        }
        Ok(())
    }

    async fn write_back(&self, snapshot: &Snapshot, changes: &[Rc<Change>]) -> Result<bool, StoreError> {
        if !self.storage.borrow().entries.is_empty() {
            return Ok(false);
        }
        self.put_snapshot(snapshot).await?;
        self.append(changes, Durability::Strict).await.map(|()| true)
    }

    async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        pause().await;
        Ok(self.storage.borrow().blobs.get(hash).cloned())
    }

    async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), StoreError> {
        pause().await;
        self.storage.borrow_mut().blobs.insert(hash.to_owned(), bytes.to_vec());
        Ok(())
    }

    async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        pause().await;
        let storage = self.storage.borrow();
        Ok(storage.blobs.keys().filter(|name| name.starts_with(prefix)).cloned().collect())
    }

    async fn delete_blob(&self, name: &str) -> Result<(), StoreError> {
        pause().await;
        self.storage.borrow_mut().blobs.remove(name);
        Ok(())
    }

    async fn manifest(&self) -> Result<Option<Manifest>, StoreError> {
        pause().await;
        Ok(self.storage.borrow().second.as_ref().map(|second| second.manifest.clone()))
    }

    async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError> {
        pause().await;
        Ok(self.storage.borrow().second.clone())
    }

    async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError> {
        pause().await;
        let mut storage = self.storage.borrow_mut();
        if storage.refuses_second {
            return Ok(false);
        }
        // As the others do: nothing older in the place of what another one wrote.
        let there = storage.second.take().filter(|there| there.manifest.epoch == manifest.epoch);
        let kept = there.as_ref().and_then(|there| there.snapshot.clone());
        let newer = kept.filter(|kept| snapshot.is_none_or(|snapshot| kept.rev > snapshot.rev));
        let snapshot = newer.or_else(|| snapshot.cloned());
        storage.second = Some(match there.filter(|there| there.manifest.rev > manifest.rev) {
            Some(there) => SecondCopy { snapshot, ..there },
            None => SecondCopy { manifest: manifest.clone(), snapshot, tail: tail.to_vec() },
        });
        Ok(true)
    }
}
