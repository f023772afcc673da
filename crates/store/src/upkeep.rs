//! What may happen after the answer is out: the snapshot, the second copy, and what an erasure has left to do.

use crate::{Change, Db, Journal, Rev, StoreError, db::manifest_of, snapshot::pack};

/// A snapshot is written when at least this many changes came after the last one.
const SNAPSHOT_EVERY: u64 = 64;

impl<J: Journal> Db<J> {
    /// Writes a snapshot when enough changes came after the last one; says whether it did. Losing it
    /// loses nothing, so call it after the answer is out.
    pub async fn snapshot_if_due(&self) -> Result<bool, StoreError> {
        let last = self.state.borrow().snapshot_rev;
        let due = self.weight_since(last) >= self.weight_of_a_snapshot() || self.is_before_erasures(last);
        if due {
            self.put_snapshot().await?;
        }
        Ok(due)
    }

    /// Everything that may happen after the answer: the snapshot when it is due, and the second copy
    /// (its manifest lags behind the journal until then). Calls meanwhile are folded into one.
    pub async fn upkeep(&self) -> Result<(), StoreError> {
        let _turn = self.upkeep.enter().await;
        self.finish_erasures().await?;
        self.snapshot_if_due().await?;
        if self.state.borrow().copied_rev == self.rev() {
            self.forget_old();
            return Ok(());
        }
        if !self.journal.has_second_copy() {
            self.forget_old();
            return Ok(());
        }
        self.copy_again(false).await?;
        self.forget_old();
        Ok(())
    }

    /// What it costs to fold the changes after a revision again: a change of many rows counts for several.
    fn weight_since(&self, rev: Rev) -> u64 {
        let state = self.state.borrow();
        let changes = state.changes.range(rev + 1..).map(|(_, change)| change.ops.len() as u64 / 16);
        changes.sum::<u64>() + state.rev.saturating_sub(rev)
    }

    /// The weight of changes at which a snapshot is written instead. It grows with the tables: all of them are written
    /// each time.
    fn weight_of_a_snapshot(&self) -> u64 {
        SNAPSHOT_EVERY.max(self.tables.borrow().count() / 256)
    }

    pub(crate) async fn put_snapshot(&self) -> Result<(), StoreError> {
        let snapshot = self.packed()?;
        self.journal.put_snapshot(&snapshot).await?;
        self.has_snapshot(snapshot.rev);
        Ok(())
    }

    /// Writes the second copy; `is_anew`: with a snapshot of now and nothing of what was there. Only in the turn of the upkeep.
    /// False, with nothing done, where there is no place for one.
    pub(crate) async fn copy_again(&self, is_anew: bool) -> Result<bool, StoreError> {
        let kept = self.state.borrow().copied_snapshot_rev;
        if self.rev() <= kept + self.weight_of_a_snapshot() {
            // Cheaper to read than all tables are to write.
            self.know_from(kept + 1).await?;
        }
        let is_anew = is_anew || self.is_before_erasures(kept);
        let fresh = is_anew || self.weight_since(kept) > self.weight_of_a_snapshot();
        let (manifest, tail, snapshot) = {
            let state = self.state.borrow();
            let tables = self.tables.borrow();
            // The copy has to stand alone: without all changes since its snapshot it needs a new one,
            // and a long tail would be written again with every change.
            let fresh = fresh || kept + 1 < state.known_from;
            let snapshot_rev = if fresh { state.rev } else { kept };
            let manifest = manifest_of(&state, &tables, snapshot_rev);
            let snapshot =
                if fresh { Some(pack(&tables, &manifest).map_err(StoreError::Other)?) } else { None };
            let tail: Vec<Change> =
                state.changes.range(snapshot_rev + 1..).map(|(_, change)| (**change).clone()).collect();
            (manifest, tail, snapshot)
        };
        if !self.journal.put_second_copy(&manifest, &tail, snapshot.as_ref()).await? {
            return Ok(false);
        }
        let mut state = self.state.borrow_mut();
        state.copied_rev = manifest.rev;
        state.copied_snapshot_rev = manifest.snapshot_rev;
        Ok(true)
    }

    pub(crate) fn has_snapshot(&self, rev: Rev) {
        let mut state = self.state.borrow_mut();
        state.snapshot_rev = state.snapshot_rev.max(rev);
    }
}
