//! Saved copies of the tables: what a person goes back to when a bulk change was a mistake.
//!
//! The journal can take everything back as well. A saved copy does not need it: it stands alone, is
//! checked when it is read, and is found even where journal entries are damaged. Each is one blob whose
//! name says everything about it, so there is no list of them that could be lost or written by two
//! tabs at once.

use std::{cell::RefCell, rc::Rc};

use crate::{
    Call, Db, Journal, Rev, Snapshot, Stage, StoreError, View,
    db::manifest_of,
    hash::short_hash,
    snapshot::{pack, unpack},
};

/// How many copies of the person's own are kept; the oldest go first.
const KEPT: usize = 10;
/// How many of those are kept that the app took by itself. They push out none of the person's.
const KEPT_AUTOMATIC: usize = 5;
/// How many bytes all copies together may take, but for the newest one of each kind.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A copy of the tables that was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Names it; the same for the same call.
    pub id: String,
    /// In a person's words.
    pub name: String,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at_ms: i64,
    /// The revision it holds.
    pub rev: Rev,
    /// How many rows it holds.
    pub count: u64,
    /// How many bytes it takes.
    pub bytes: u64,
    /// Whether the app took it by itself, before a bulk change.
    pub automatic: bool,
}

/// A copy that was made and not yet put aside: a preview drops it.
pub struct Copied {
    /// What it will be listed as.
    pub saved: Saved,
    /// None when it was put aside before.
    bytes: Option<Vec<u8>>,
}

impl Saved {
    /// What the names of all copies begin with.
    pub(crate) const PREFIX: &str = "saved/";

    pub(crate) fn blob_name(&self) -> String {
        let Self { id, name, at_ms, rev, count, bytes, automatic } = self;
        let kind = if *automatic { 'a' } else { 'm' };
        format!("{}{rev:012}/{at_ms:014}/{count}/{bytes}/{kind}/{id}/{name}", Self::PREFIX)
    }

    pub(crate) fn from_blob_name(blob: &str) -> Option<Self> {
        let mut parts = blob.strip_prefix(Self::PREFIX)?.splitn(7, '/');
        let mut part = || parts.next();
        Some(Self {
            rev: part()?.parse().ok()?,
            at_ms: part()?.parse().ok()?,
            count: part()?.parse().ok()?,
            bytes: part()?.parse().ok()?,
            automatic: part()? == "a",
            id: part()?.to_owned(),
            name: part()?.to_owned(),
        })
    }
}

impl<J: Journal> Db<J> {
    /// Copies the tables as they are now. The same call made twice finds the copy it has put aside.
    pub async fn copy(&self, call: &Call, name: &str, automatic: bool) -> Result<Copied, StoreError> {
        let id = short_hash(&[call.key.0.as_bytes()]);
        if let Some(saved) = self.saved().await?.into_iter().find(|saved| saved.id == id) {
            return Ok(Copied { saved, bytes: None });
        }
        let (snapshot, count) = {
            let state = self.state.borrow();
            let tables = self.tables.borrow();
            let manifest = manifest_of(&state, &tables, state.rev);
            (pack(&tables, &manifest).map_err(StoreError::Other)?, manifest.count)
        };
        let Snapshot { rev, bytes } = snapshot;
        let saved = Saved {
            id,
            name: name.to_owned(),
            at_ms: call.moment.at_ms,
            rev,
            count,
            bytes: bytes.len() as u64,
            automatic,
        };
        Ok(Copied { saved, bytes: Some(bytes) })
    }

    /// Puts a copy aside. The oldest ones of its kind go when there are more than ten of the person's own or five automatic
    /// ones; where all take too many bytes, the automatic ones before the person's.
    pub async fn keep(&self, copied: Copied) -> Result<Saved, StoreError> {
        let Copied { mut saved, bytes } = copied;
        let Some(mut bytes) = bytes else { return Ok(saved) };
        // What was erased since it was made, here or by another one, must not come back with it; nor what is erased while
        // it is written.
        self.refresh().await?;
        if let Some(left) = self.packed_unerased(&saved, bytes.clone()).map_err(StoreError::Other)? {
            (saved, bytes) = left;
        }
        self.journal.put_blob(&saved.blob_name(), &bytes).await?;
        self.refresh().await?;
        let saved = self.saved_unerased(saved).await?;
        let (automatic, own): (Vec<_>, Vec<_>) =
            self.saved().await?.into_iter().partition(|saved| saved.automatic);
        let mut total = 0;
        for (kept, copies) in [(KEPT, own), (KEPT_AUTOMATIC, automatic)] {
            for (place, old) in copies.into_iter().enumerate() {
                total += old.bytes;
                if place >= kept || (place > 0 && total > MOST_BYTES) {
                    self.journal.delete_blob(&old.blob_name()).await?;
                }
            }
        }
        Ok(saved)
    }

    /// All copies, the newest first.
    pub async fn saved(&self) -> Result<Vec<Saved>, StoreError> {
        let names = self.journal.blob_names(Saved::PREFIX).await?;
        Ok(names.iter().rev().filter_map(|name| Saved::from_blob_name(name)).collect())
    }

    /// The tables of a copy. `Damaged` when it is there and cannot be read.
    pub async fn saved_view(&self, saved: &Saved) -> Result<Option<View>, StoreError> {
        let Some(bytes) = self.journal.blob(&saved.blob_name()).await? else { return Ok(None) };
        let unpacked = unpack(&Snapshot { rev: saved.rev, bytes }, self.schema())
            .map_err(|why| StoreError::Damaged(format!("the saved copy cannot be read ({why})")))?;
        Ok(Some(View { tables: Rc::new(RefCell::new(unpacked.tables)) }))
    }

    /// A stage after which the tables are as a view has them.
    #[must_use]
    pub fn stage_like(&self, call: &Call, view: &View) -> Stage {
        let mut stage = self.stage(call);
        let wanted = view.tables.borrow();
        let differences = {
            let tables = self.tables.borrow();
            stage.read_all(tables.names().into_iter());
            tables.differences(&wanted)
        };
        for (table, id) in differences {
            match wanted.value(&table, &id) {
                Ok(value) => stage.set_value(&table, &id, value),
                Err(why) => stage.fault = Some(format!("{table} {id}: {why}")),
            }
        }
        stage
    }
}
