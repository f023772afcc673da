//! Opening: snapshot, tail, and what to do when they do not fit together.

use std::{collections::BTreeMap, future::poll_fn, pin::Pin, rc::Rc, task::Poll};

use crate::{
    Change, Db, Durability, Journal, Loaded, Manifest, Note, Rev, Schema, SecondCopy, Snapshot, Source,
    StoreError,
    db::{State, manifest_of},
    erase::MARKS,
    journal::Tail,
    snapshot::{Unpacked, pack, unpack},
    tables::Tables,
};

/// A snapshot (or nothing) and the entries at hand, to be folded.
struct Parts {
    base: Option<Unpacked>,
    changes: BTreeMap<Rev, Change>,
    head: Rev,
}

impl Parts {
    fn base_rev(&self) -> Rev {
        self.base.as_ref().map_or(0, |base| base.manifest.rev)
    }

    /// The last revision that is known to exist.
    fn head(&self) -> Rev {
        self.head.max(self.base_rev())
    }

    /// The stretches between the snapshot and the end that no readable entry covers.
    fn gaps(&self) -> Vec<(Rev, Rev)> {
        self.gaps_beside(Vec::new())
    }

    /// The same, with some more revisions taken as covered.
    fn gaps_beside(&self, others: Vec<Rev>) -> Vec<(Rev, Rev)> {
        let mut next = self.base_rev() + 1;
        let mut covered = others;
        covered.extend(self.changes.range(next..).map(|(rev, _)| *rev).chain([self.head() + 1]));
        covered.retain(|rev| *rev >= next);
        order::sort(&mut covered);
        covered.dedup();
        let mut gaps = Vec::new();
        for rev in covered {
            if rev > next {
                gaps.push((next, rev - 1));
            }
            next = rev + 1;
        }
        gaps
    }
}

impl<J: Journal> Db<J> {
    /// Reads the journal and folds its tables. What is damaged is skipped or restored from the second
    /// copy, and said in [`Db::report`]; an error means that the storage itself cannot be used.
    pub async fn open(journal: J, schema: Schema) -> Result<Self, StoreError> {
        let mut notes = Vec::new();
        // Side by side, because a worker that wakes up is waited for. The marks after the journal: what it has of an
        // erasure whose mark is not there is finished.
        let others = both(journal.manifest(), journal.blob_names(MARKS));
        let (loaded, (expected, marks)) = both(journal.load(), Box::pin(others)).await;
        let mut unfinished = marks.map_or(true, |marks| !marks.is_empty());
        let Loaded { snapshot, tail } = loaded?;
        let mut parts = base(&journal, &schema, snapshot, tail, &mut notes).await?;
        // The copy is an extra: when it cannot be read the database is no worse than without it.
        let expected = expected.unwrap_or_default();
        let is_behind = |parts: &Parts| expected.as_ref().is_some_and(|expected| expected.rev > parts.head());
        if is_behind(&parts) {
            // Another process may have written between the two looks. The copy comes after the journal, so what it knows of
            // is there now, or lost.
            notes.clear();
            let Loaded { snapshot, tail } = journal.load().await?;
            unfinished = true;
            parts = base(&journal, &schema, snapshot, tail, &mut notes).await?;
        }
        let behind = is_behind(&parts);
        let mut restored = false;
        if behind || !parts.gaps().is_empty() {
            let copy = journal.second_copy().await.unwrap_or_default();
            restored = copy.is_some_and(|copy| merge(&mut parts, copy, &schema));
        }
        // What the copy has brought back was not skipped after all.
        let base_rev = parts.base_rev();
        notes.retain(|note| match note {
            Note::ChangeUnreadable { rev, .. } => *rev > base_rev && !parts.changes.contains_key(rev),
            _ => true,
        });
        let unreadable = notes.iter().filter_map(|note| match note {
            Note::ChangeUnreadable { rev, .. } => Some(*rev),
            _ => None,
        });
        let gaps = parts.gaps_beside(unreadable.collect());
        notes.extend(gaps.into_iter().map(|(from, to)| Note::Missing { from, to }));
        if let Some(expected) = &expected
            && expected.rev > parts.head()
        {
            notes.push(Note::Lost { expected: expected.rev, found: parts.head() });
            // A revision is never used twice: later writes start after the lost ones.
            parts.head = expected.rev;
        }
        let db = Self::folded(journal, schema, parts, notes, expected.as_ref());
        if restored {
            db.keep_restored().await?;
        }
        db.unfinished.set(unfinished);
        // Where that fails everything else goes on, and the next upkeep tries again.
        drop(db.finish_erasing().await);
        Ok(db)
    }

    /// Folds the parts into a database.
    fn folded(
        journal: J,
        schema: Schema,
        parts: Parts,
        notes: Vec<Note>,
        expected: Option<&Manifest>,
    ) -> Self {
        let head = parts.head();
        let Parts { base, changes, .. } = parts;
        let mut state = State::default();
        state.report.notes = notes;
        let mut tables = match base {
            None => Tables::new(schema.clone()),
            Some(base) => {
                state.rev = base.manifest.rev;
                state.snapshot_rev = base.manifest.rev;
                state.epoch = base.manifest.epoch;
                state.hash = base.manifest.hash;
                state.report.notes.extend(base.notes);
                base.tables
            }
        };
        let snapshot_rev = state.rev;
        state.known_from = snapshot_rev + 1;
        let mut differs = None;
        for (rev, change) in changes {
            if rev <= snapshot_rev {
                state.remember(Rc::new(change));
                continue;
            }
            state.report.notes.extend(tables.apply(&change));
            if !change.erases.is_empty() {
                // What was compared before it was perhaps compared with what is erased by now.
                differs = None;
            }
            state.push(Rc::new(change));
            if expected.is_some_and(|it| it.rev == rev && it.epoch == state.epoch && it.hash != state.hash) {
                differs = Some(rev);
            }
        }
        // The entries before the snapshot count as known as far as they go back without a gap.
        while state.known_from > 1 && state.changes.contains_key(&(state.known_from - 1)) {
            state.known_from -= 1;
        }
        state.rev = head;
        if let Some(rev) = differs
            && state.report.notes.is_empty()
        {
            state.report.notes.push(Note::Differs { rev });
        }
        if let Some(expected) = expected
            && expected.epoch == state.epoch
            && expected.rev <= state.rev
        {
            state.copied_rev = expected.rev;
            state.copied_snapshot_rev = expected.snapshot_rev;
        }
        Self::assemble(journal, schema, tables, state)
    }

    /// Everything there is now, as a snapshot.
    pub(crate) fn packed(&self) -> Result<Snapshot, StoreError> {
        let state = self.state.borrow();
        let tables = self.tables.borrow();
        pack(&tables, &manifest_of(&state, &tables, state.rev)).map_err(StoreError::Other)
    }

    /// Writes what came from the second copy back to the journal, so that the next start finds it.
    async fn keep_restored(&self) -> Result<(), StoreError> {
        let snapshot = self.packed()?;
        let changes: Vec<Rc<Change>> = self.state.borrow().changes.values().cloned().collect();
        // The snapshot first: with it alone everything is there.
        self.journal.put_snapshot(&snapshot).await?;
        for change in changes {
            match self.journal.append(std::slice::from_ref(&change), Durability::Relaxed).await {
                Ok(()) | Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        }
        let count = self.tables.borrow().count();
        let mut state = self.state.borrow_mut();
        state.snapshot_rev = snapshot.rev;
        let rev = state.rev;
        state.report.notes.push(Note::Restored { rev, count, from: Source::SecondCopy });
        Ok(())
    }
}

/// Two things at the same time.
pub(crate) async fn both<A, B>(
    mut one: Pin<Box<dyn Future<Output = A> + '_>>,
    mut two: Pin<Box<dyn Future<Output = B> + '_>>,
) -> (A, B) {
    let (mut first, mut second) = (None, None);
    poll_fn(move |cx| {
        if first.is_none()
            && let Poll::Ready(done) = one.as_mut().poll(cx)
        {
            first = Some(done);
        }
        if second.is_none()
            && let Poll::Ready(done) = two.as_mut().poll(cx)
        {
            second = Some(done);
        }
        match (first.take(), second.take()) {
            (Some(one), Some(two)) => Poll::Ready((one, two)),
            (one, two) => {
                (first, second) = (one, two);
                Poll::Pending
            }
        }
    })
    .await
}

/// The snapshot if it can be read, else the whole journal.
async fn base<J: Journal>(
    journal: &J,
    schema: &Schema,
    snapshot: Option<Snapshot>,
    mut tail: Tail,
    notes: &mut Vec<Note>,
) -> Result<Parts, StoreError> {
    let base = match snapshot.map(|snapshot| unpack(&snapshot, schema)) {
        None => None,
        Some(Ok(base)) => Some(base),
        Some(Err(why)) => {
            notes.push(Note::SnapshotUnreadable { why });
            tail = journal.read(1, Rev::MAX).await?;
            None
        }
    };
    for damage in tail.damaged {
        notes.push(Note::ChangeUnreadable { rev: damage.rev, why: damage.why });
    }
    let mut changes = BTreeMap::new();
    for change in tail.changes {
        changes.insert(change.rev, change);
    }
    Ok(Parts { base, changes, head: tail.head })
}

/// Fills the parts from the second copy. Says whether that brought anything.
fn merge(parts: &mut Parts, copy: SecondCopy, schema: &Schema) -> bool {
    let SecondCopy { manifest, snapshot, tail } = copy;
    // Of a journal that this one has replaced: its changes have the same numbers and are others.
    if parts.base.as_ref().is_some_and(|base| base.manifest.epoch != manifest.epoch) {
        return false;
    }
    let mut brought = false;
    let theirs = snapshot.and_then(|snapshot| unpack(&snapshot, schema).ok());
    let theirs = theirs.filter(|theirs| theirs.manifest.epoch == manifest.epoch);
    if let Some(theirs) = theirs
        && theirs.manifest.rev > parts.base_rev()
        && parts.gaps().iter().any(|(from, _)| *from <= theirs.manifest.rev)
            | (theirs.manifest.rev > parts.head())
    {
        parts.base = Some(theirs);
        brought = true;
    }
    let start = parts.base_rev();
    for change in tail {
        if change.rev > start && !parts.changes.contains_key(&change.rev) {
            parts.changes.insert(change.rev, change);
            brought = true;
        }
    }
    let last = parts.changes.keys().next_back().copied().unwrap_or_default();
    parts.head = parts.head.max(last.min(manifest.rev));
    brought
}
