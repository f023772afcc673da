//! Giving room back: bytes that nothing names any more.

use std::collections::{BTreeMap, BTreeSet};

use super::{BlobHash, Blobs, ByteStream};
use crate::{Db, Journal, Note, Op, Rev, StoreError};

/// Where it is kept since when bytes are unneeded.
const MARKS: &str = "blobs/unneeded";

/// So long bytes have to be unneeded before they go: whoever writes some commits the row that names them after that.
const GRACE_MS: i64 = 60 * 60 * 1000;

/// So long nobody has touched what a write has left that was broken off: no file takes a day to write.
const BROKEN_OFF_MS: i64 = 24 * 60 * 60 * 1000;

/// Where it is kept when the last collection was.
const COLLECTED: &str = "blobs/collected";

/// So often a collection is worth its reading. Bytes go with the second one that finds them unneeded.
const EVERY_MS: i64 = GRACE_MS;

/// So long a deletion can be taken back with its bytes: as long as photos lie in their bin.
pub(crate) const UNDO_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// So many changes of the journal are looked at at once.
const STRETCH: u64 = 256;

/// What a collection did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// How many are kept because something names them.
    pub needed: usize,
    /// How many nothing names, and that stay for now.
    pub waiting: usize,
    /// Those that are gone.
    pub deleted: Vec<BlobHash>,
    /// How much is gone that was written in part: a tab was closed meanwhile, or a program ended.
    pub swept: usize,
}

impl<J: Journal> Db<J> {
    /// Whether the last collection was long enough ago, an hour, that the next one is worth its reading.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn is_collection_due(&self, now_ms: i64) -> Result<bool, StoreError> {
        let last = self.kept(COLLECTED).await?;
        let last = last.and_then(|last| std::str::from_utf8(&last).ok()?.parse::<i64>().ok());
        // A clock that was set back begins anew.
        Ok(last.is_none_or(|last| last > now_ms || now_ms.saturating_sub(last) >= EVERY_MS))
    }

    /// Deletes the bytes that nothing needs ([`Self::collect_blobs`]) where that is due; what a deletion of the last 30 days
    /// had can come back. `None`: it is not due. For an upkeep that comes after every write.
    ///
    /// # Errors
    /// As [`Self::collect_blobs`]: then the next one is due in an hour all the same.
    pub async fn collect_blobs_if_due(
        &self,
        blobs: &impl Blobs,
        now_ms: i64,
    ) -> Result<Option<Collected>, StoreError> {
        if !self.is_collection_due(now_ms).await? {
            return Ok(None);
        }
        // Before: where something cannot be read, all would be read again after every write. And another instance that comes
        // to it meanwhile lets it be.
        self.keep_bytes(COLLECTED, now_ms.to_string().as_bytes()).await?;
        self.collect_blobs(blobs, now_ms, UNDO_MS).await.map(Some)
    }

    /// Deletes the bytes that no row names, no saved copy of the person's own, and no change or automatic copy of the last
    /// `undo_ms` milliseconds, which could be taken back. They go when they have been unneeded for an hour, seen by two
    /// collections. What was written in part goes after a day. `now_ms` is in milliseconds since 1970.
    ///
    /// # Errors
    /// When something cannot be read or is missing: then nobody knows what is needed, and nothing is deleted.
    pub async fn collect_blobs(
        &self,
        blobs: &impl Blobs,
        now_ms: i64,
        undo_ms: i64,
    ) -> Result<Collected, StoreError> {
        let swept = blobs.sweep(now_ms.saturating_sub(BROKEN_OFF_MS)).await?;
        let there = blobs.hashes().await?;
        let mut collected = Collected { swept, ..Collected::default() };
        if there.is_empty() {
            return Ok(collected);
        }
        // Before it is known what is needed: what is written and named meanwhile is none of these.
        let mut needed = self.named(now_ms.saturating_sub(undo_ms)).await?;
        let mut seen = self.rev();
        let marks = self.marks().await?;
        let mut waiting: BTreeMap<&str, i64> = BTreeMap::new();
        let mut gone = Vec::new();
        for hash in &there {
            if needed.contains(hash) {
                collected.needed += 1;
                continue;
            }
            // A clock that was set back begins anew.
            let since_ms =
                marks.get(hash.as_str()).copied().filter(|since| *since <= now_ms).unwrap_or(now_ms);
            if now_ms - since_ms >= GRACE_MS {
                gone.push(hash);
            } else {
                waiting.insert(hash.as_str(), since_ms);
            }
        }
        for hash in gone {
            // All of it takes a while, and others go on: a row may name them by now.
            self.name_since(&mut seen, &mut needed).await?;
            if needed.contains(hash) {
                collected.needed += 1;
                continue;
            }
            // Or somebody has written the same bytes anew, and is about to name them: with a database, then their mark is
            // gone, or without one, and the place of the bytes knows. Then the hour begins anew.
            let is_marked = self.marks().await?.contains_key(hash.as_str());
            if is_marked && blobs.collect(hash).await? {
                collected.deleted.push(hash.clone());
            } else {
                waiting.insert(hash.as_str(), now_ms);
            }
        }
        collected.waiting = waiting.len();
        self.keep_marks(&waiting).await?;
        Ok(collected)
    }

    /// Keeps bytes for a row that will name them: they are not collected for the next hour, also where they were there before
    /// and unneeded.
    ///
    /// # Errors
    /// As [`Blobs::write`]; [`StoreError::Conflict`] where they were collected at this very moment: write them again.
    pub async fn write_blob(&self, blobs: &impl Blobs, bytes: ByteStream) -> Result<BlobHash, StoreError> {
        let hash = blobs.write(bytes).await?;
        let mut marks = self.marks().await?;
        if marks.remove(hash.as_str()).is_some() {
            self.keep_marks(&marks).await?;
            blobs.read(&hash).await?.ok_or(StoreError::Conflict)?;
        }
        Ok(hash)
    }

    /// Since when which bytes are unneeded.
    async fn marks(&self) -> Result<BTreeMap<String, i64>, StoreError> {
        let marks = self
            .kept(MARKS)
            .await?
            .and_then(|marks| serde_json::from_str(std::str::from_utf8(&marks).ok()?).ok());
        Ok(marks.unwrap_or_default())
    }

    async fn keep_marks(&self, marks: &BTreeMap<impl serde::Serialize + Ord, i64>) -> Result<(), StoreError> {
        let marks = serde_json::to_vec(marks).map_err(|error| StoreError::Other(error.to_string()))?;
        self.keep_bytes(MARKS, &marks).await
    }

    /// Adds the hashes that were named by the changes after a revision, which is the last one then.
    async fn name_since(&self, seen: &mut Rev, needed: &mut BTreeSet<BlobHash>) -> Result<(), StoreError> {
        let rev = self.refresh().await?;
        if rev > *seen {
            for change in self.changes(*seen + 1).await? {
                for row in change.ops.iter().filter_map(|op| op.after.as_ref()) {
                    needed.extend(BlobHash::references_in(row.as_str()));
                }
            }
            *seen = rev;
        }
        Ok(())
    }

    /// All hashes that something names.
    async fn named(&self, since_ms: i64) -> Result<BTreeSet<BlobHash>, StoreError> {
        self.refresh().await?;
        let mut rows = String::new();
        self.tables.borrow().write_json(&mut rows).map_err(StoreError::Other)?;
        let mut named: BTreeSet<BlobHash> = order::gather(BlobHash::references_in(&rows));
        for saved in self.saved().await? {
            // What the app has put aside by itself keeps bytes as long as the change after it, and not for ever.
            if saved.automatic && saved.at_ms < since_ms {
                continue;
            }
            // Gone between the list and the look: then it needs nothing.
            let Some(view) = self.saved_view(&saved).await? else { continue };
            rows.clear();
            view.tables.borrow().write_json(&mut rows).map_err(StoreError::Other)?;
            named.extend(BlobHash::references_in(&rows));
        }
        let is_short = |note: &Note| matches!(note, Note::Missing { .. } | Note::Lost { .. });
        if self.state.borrow().report.notes.iter().any(is_short) {
            return Err(missing());
        }
        let mut until = self.rev() + 1;
        let (mut next, mut is_past) = (until, false);
        while until > 1 {
            let from = until.saturating_sub(STRETCH).max(1);
            let tail = self.journal.read(from, until).await?;
            if let Some(damaged) = tail.damaged.first() {
                let why =
                    format!("change {} cannot be read, and nobody knows which bytes it needs", damaged.rev);
                return Err(StoreError::Damaged(why));
            }
            for change in tail.changes.iter().rev() {
                // What comes before an old change is older. And a journal that was written back begins later than with its
                // first change: there is nothing before a gap then.
                if !is_past && change.rev + 1 < next {
                    return Err(missing());
                }
                next = change.rev;
                is_past |= change.at_ms < since_ms;
            }
            for change in tail.changes.iter().filter(|change| change.at_ms >= since_ms) {
                for Op { before, after, .. } in &change.ops {
                    for row in before.iter().chain(after) {
                        named.extend(BlobHash::references_in(row.as_str()));
                    }
                }
            }
            if !tail.changes.is_empty() && tail.changes.iter().all(|change| change.at_ms < since_ms) {
                break;
            }
            until = from;
        }
        Ok(named)
    }
}

/// Why nothing is collected where changes are not there.
fn missing() -> StoreError {
    StoreError::Damaged("changes are missing, and nobody knows which bytes they need".to_owned())
}
