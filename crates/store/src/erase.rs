//! Erasing for good: every row of some tables, and every trace of them in what came before.
//!
//! An erasure is a change in the journal, without ops, that names the tables ([`Change::erases`]). Who folds it has none of
//! their rows left, whatever was before; a stage that was made before it and puts such a row is refused. What takes the
//! past out follows it, and can be repeated from its beginning, so that it may be killed at any step:
//!
//! 1. a mark under `kept/`, with the change that is to be appended;
//! 2. the change itself, and here the tables and the changes in memory;
//! 3. the journal's entries before it;
//! 4. the snapshot and the second copy, both made anew;
//! 5. the saved copies, each packed anew without the rows;
//! 6. the mark goes.
//!
//! Whoever opens the journal, or reads an erasure that another one has appended, looks for marks and goes on with what
//! is left. Until then they may read entries from the disk that still have everything: what comes into memory goes through
//! [`State::unerased`].

use std::{cell::Cell, mem, rc::Rc};

use crate::{
    Call, Change, CommitError, Committed, Db, Durability, Journal, Json, Moment, Rev, Saved, Snapshot, Stage,
    StoreError,
    db::State,
    hash::short_hash,
    snapshot::{pack, unpack},
};

/// What the names of the marks begin with: they are among what is kept beside the tables.
pub(crate) const MARKS: &str = "kept/erasing/";

/// How often an erasure that somebody has left is tried to be appended beside other writers.
const ATTEMPTS: u32 = 8;

impl State {
    /// Takes note of an erasure: nothing of what came before it is left in memory.
    pub fn learn_erasure(&mut self, change: &Change) {
        if change.erases.is_empty() || self.erasures.iter().any(|(rev, _)| *rev == change.rev) {
            return;
        }
        self.erasures.push((change.rev, change.erases.clone()));
        for earlier in self.changes.range_mut(..change.rev).map(|(_, change)| change) {
            if let Some(left) = earlier.without(&change.erases) {
                *earlier = Rc::new(left);
            }
        }
    }

    /// A change without what was erased after it.
    pub fn unerased(&self, mut change: Rc<Change>) -> Rc<Change> {
        let rev = change.rev;
        for (_, tables) in self.erasures.iter().filter(|(erased, _)| *erased > rev) {
            if let Some(left) = change.without(tables) {
                change = Rc::new(left);
            }
        }
        change
    }
}

impl<J: Journal> Db<J> {
    /// How many rows some tables have, those included that cannot be read.
    #[must_use]
    pub fn count_of(&self, tables: &[&str]) -> u64 {
        self.tables.borrow().count_of(&owned(tables))
    }

    /// A stage that erases some tables for good when it is committed ([`Db::erase`]). It has read them: where they change
    /// before, the commit is refused with `Conflict`, and what the reply says of them is counted anew.
    #[must_use]
    pub fn stage_erase(&self, call: &Call, tables: &[&str]) -> Stage {
        let mut stage = self.stage(call);
        stage.erases = owned(tables);
        stage.read_all(stage.erases.clone().into_iter());
        stage
    }

    /// Erases every row of some tables for good, and every trace of them: in the tables, in all changes of before (their ops
    /// go, and their replies), in the snapshot, the second copy and the saved copies. It returns when nothing is left. Keys,
    /// revisions and what other tables hold stay: a repeated call is answered, and other things are undone as before. The
    /// erasure itself cannot be undone.
    ///
    /// What a change that has no op on these tables says in its reply stays, and so do bytes beside the journal, which are
    /// collected when nothing names them ([`Db::collect_blobs`]).
    ///
    /// # Errors
    /// As [`Db::commit`]. `Store`: the erasure is perhaps decided and not finished; the same call again, the next upkeep and
    /// the next opening go on with it.
    pub async fn erase(
        &self,
        call: &Call,
        tables: &[&str],
        reply: impl Into<Json>,
    ) -> Result<Committed, CommitError> {
        self.commit(self.stage_erase(call, tables), reply, Durability::Strict).await
    }

    /// Goes on with erasures that somebody has begun, if there may be any; else it does nothing.
    ///
    /// # Errors
    /// When the journal fails: the rest stays to be done.
    pub async fn finish_erasing(&self) -> Result<(), StoreError> {
        if !self.unfinished.get() {
            return Ok(());
        }
        let _turn = self.upkeep.enter().await;
        self.finish_erasures().await
    }

    /// Before changes are appended: leaves a mark for each erasure among them, so that it is finished by somebody.
    pub(crate) async fn mark_erasures(&self, changes: &[Rc<Change>]) -> Result<(), StoreError> {
        for change in changes.iter().filter(|change| !change.erases.is_empty()) {
            let mark = serde_json::to_vec(&**change).map_err(|error| StoreError::Other(error.to_string()))?;
            let name = format!("{MARKS}{}", short_hash(&[change.key.0.as_bytes()]));
            // First: it may be there although the answer is lost.
            self.unfinished.set(true);
            self.journal.put_blob(&name, &mark).await?;
        }
        Ok(())
    }

    /// After a commit: what it erased is gone before anybody hears of it. So it is when the same call was made before.
    pub(crate) async fn erased(
        &self,
        outcome: Result<Committed, CommitError>,
    ) -> Result<Committed, CommitError> {
        let change = match &outcome {
            Ok(committed) => Some(&committed.change),
            Err(CommitError::Answered(change)) => Some(change),
            Err(_) => None,
        };
        if change.is_some_and(|change| !change.erases.is_empty()) {
            self.finish_erasing().await?;
        }
        outcome
    }

    /// The same as [`Self::finish_erasing`], in the turn of the upkeep.
    pub(crate) async fn finish_erasures(&self) -> Result<(), StoreError> {
        // A mark that is left from here on sets it again.
        if !self.unfinished.replace(false) {
            return Ok(());
        }
        let again = SetAgain(&self.unfinished);
        let marks = self.journal.blob_names(MARKS).await?;
        for mark in &marks {
            // Another one may have finished meanwhile.
            let Some(bytes) = self.journal.blob(mark).await? else { continue };
            // A mark that is not one decides nothing.
            let Some(begun) = read(&bytes) else { continue };
            let decided = self.decided(&begun).await?;
            self.state.borrow_mut().learn_erasure(&decided);
            self.journal.erase(&decided.erases, decided.rev).await?;
        }
        if !marks.is_empty() {
            // It may be in the journal and not here yet: then the tables still have everything.
            self.refresh().await?;
            self.put_snapshot().await?;
            self.erase_in_saved().await?;
            if self.journal.has_second_copy() && !self.copy_again(true).await? && self.was_copied().await? {
                let why = "the second copy on this device cannot be written just now, and still has what is to be erased";
                return Err(StoreError::Unavailable(why.to_owned()));
            }
        }
        for mark in &marks {
            self.journal.delete_blob(mark).await?;
        }
        mem::forget(again);
        Ok(())
    }

    /// Whether there is a second copy, as far as can be told: where none was ever written, none has anything.
    async fn was_copied(&self) -> Result<bool, StoreError> {
        let is_known = self.copied_rev() > 0;
        Ok(is_known || self.journal.manifest().await?.is_some())
    }

    /// The erasure that a mark announces, as it is in the journal: appended now, where whoever began was killed before that.
    async fn decided(&self, begun: &Change) -> Result<Rc<Change>, StoreError> {
        for _ in 0..ATTEMPTS {
            if let Some(change) = self.by_key(&begun.key).await? {
                return Ok(change);
            }
            let call = Call {
                key: begun.key.clone(),
                tool: begun.tool.clone(),
                moment: Moment { at_ms: begun.at_ms, zone: "UTC".to_owned(), offset_s: 0 },
                body_hash: begun.body_hash.clone(),
                instance: begun.instance.clone(),
            };
            let mut stage = self.stage(&call);
            stage.erases.clone_from(&begun.erases);
            match self.commit_only(stage, begun.reply.clone(), Durability::Strict).await {
                Ok(committed) => return Ok(committed.change),
                Err(CommitError::Answered(change)) => return Ok(change),
                Err(CommitError::Conflict) => {}
                Err(CommitError::Store(error)) => return Err(error),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Packs the saved copies of before an erasure anew, without what it erased. One that cannot be read is deleted: nobody
    /// can say that it has none of it, and nobody can go back to it.
    async fn erase_in_saved(&self) -> Result<(), StoreError> {
        for name in self.journal.blob_names(Saved::PREFIX).await? {
            match Saved::from_blob_name(&name) {
                Some(saved) => {
                    self.saved_unerased(saved).await?;
                }
                None => self.journal.delete_blob(&name).await?,
            }
        }
        Ok(())
    }

    /// Replaces a saved copy by one without what was erased after it, where it has any of that.
    pub(crate) async fn saved_unerased(&self, saved: Saved) -> Result<Saved, StoreError> {
        if !self.is_before_erasures(saved.rev) {
            return Ok(saved);
        }
        let name = saved.blob_name();
        let Some(bytes) = self.journal.blob(&name).await? else { return Ok(saved) };
        match self.packed_unerased(&saved, bytes) {
            Ok(None) => Ok(saved),
            Ok(Some((left, bytes))) => {
                // The new one first: killed in between, both are there, and this is done again.
                self.journal.put_blob(&left.blob_name(), &bytes).await?;
                self.journal.delete_blob(&name).await?;
                Ok(left)
            }
            Err(_) => {
                self.journal.delete_blob(&name).await?;
                Ok(saved)
            }
        }
    }

    /// Whether something was erased after what was made at a revision, as far as this instance knows.
    pub(crate) fn is_before_erasures(&self, made: Rev) -> bool {
        self.state.borrow().erasures.iter().any(|(rev, _)| *rev > made)
    }

    /// A saved copy's bytes without what was erased after it. `None`: it has nothing of it.
    pub(crate) fn packed_unerased(
        &self,
        saved: &Saved,
        bytes: Vec<u8>,
    ) -> Result<Option<(Saved, Vec<u8>)>, String> {
        let erased: Vec<String> = {
            let state = self.state.borrow();
            let later = state.erasures.iter().filter(|(rev, _)| *rev > saved.rev);
            later.flat_map(|(_, tables)| tables.iter().cloned()).collect()
        };
        if erased.is_empty() {
            return Ok(None);
        }
        let mut unpacked = unpack(&Snapshot { rev: saved.rev, bytes }, self.schema())?;
        if unpacked.tables.count_of(&erased) == 0 {
            return Ok(None);
        }
        unpacked.tables.erase(&erased);
        unpacked.manifest.count = unpacked.tables.count();
        let Snapshot { bytes, .. } = pack(&unpacked.tables, &unpacked.manifest)?;
        let left = Saved { count: unpacked.manifest.count, bytes: bytes.len() as u64, ..saved.clone() };
        Ok(Some((left, bytes)))
    }
}

/// Sets a flag again when it is dropped: in an error, and where a future is given up in the middle.
struct SetAgain<'a>(&'a Cell<bool>);

impl Drop for SetAgain<'_> {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

fn owned(tables: &[&str]) -> Vec<String> {
    tables.iter().map(|table| (*table).to_owned()).collect()
}

/// Read as text, as everything else is.
fn read(mark: &[u8]) -> Option<Change> {
    serde_json::from_str(std::str::from_utf8(mark).ok()?).ok()
}
