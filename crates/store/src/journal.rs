//! The port to whatever keeps the journal.

use std::rc::Rc;

use async_trait::async_trait;

use crate::{CallKey, Change, Manifest, Rev, SecondCopy, Snapshot, StoreError};

/// How much a write must survive before it counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Handed to the operating system: survives a crash of the browser, not of the machine.
    Relaxed,
    /// Flushed to disk. For everything a person did.
    Strict,
}

/// A journal entry that is there and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its place in the journal.
    pub rev: Rev,
    /// What is wrong with it.
    pub why: String,
}

/// A stretch of the journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tail {
    /// The entries that can be read, in the order of `rev`.
    pub changes: Vec<Change>,
    /// The entries that cannot.
    pub damaged: Vec<Damage>,
    /// The last revision of the stretch, readable or not; 0 when it is empty.
    pub head: Rev,
}

/// What a database starts from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loaded {
    /// The last snapshot, not yet checked.
    pub snapshot: Option<Snapshot>,
    /// The journal since the snapshot. What is before it is read when somebody asks.
    pub tail: Tail,
}

/// How many earlier entries are read at once when repeated calls or undo ask for them.
pub const RECENT: u64 = 64;

/// Where changes are kept. Only [`crate::Db`] calls it, one write at a time.
#[async_trait(?Send)]
pub trait Journal {
    /// The last snapshot and the journal since then.
    async fn load(&self) -> Result<Loaded, StoreError>;

    /// All entries with `rev` at or after `from`, and before `until`.
    async fn read(&self, from: Rev, until: Rev) -> Result<Tail, StoreError>;

    /// The entry with a key, if there is one.
    async fn by_key(&self, key: &CallKey) -> Result<Option<Change>, StoreError>;

    /// Adds entries, all or none. `Conflict` when one of the revisions or keys is taken. When this
    /// returns `Ok` the entries are as durable as asked for.
    async fn append(&self, changes: &[Rc<Change>], durability: Durability) -> Result<(), StoreError>;

    /// Takes out of all entries before a revision what they say of some tables ([`Change::without`]), and out of those that
    /// cannot be read their whole text: they stay unreadable, under their revision and, as far as it can be told, their
    /// key. It goes on beside other writers and loses nothing of theirs. Where it fails or is killed some of it may be done:
    /// done again it does the rest.
    async fn erase(&self, tables: &[String], before: Rev) -> Result<(), StoreError>;

    /// Replaces the snapshot. It is a cache: losing it loses nothing. One of before the last erasure that was appended is
    /// passed over: it has what is erased.
    async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError>;

    /// Fills a journal that was emptied under a running app: the snapshot, which has everything, and the changes that are
    /// still in memory, whose keys answer repeated calls. Only where it is empty: false, with nothing written, where
    /// somebody else has filled it meanwhile, and then what is there is to be read.
    async fn write_back(&self, snapshot: &Snapshot, changes: &[Rc<Change>]) -> Result<bool, StoreError>;

    /// The bytes of a name (a content hash, or a saved copy's), if they are there.
    async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Keeps bytes under a name. Writing them twice is no error.
    async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), StoreError>;

    /// The names of all kept bytes that begin with a prefix, in order.
    async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError>;

    /// Forgets kept bytes; no error when there are none of that name.
    async fn delete_blob(&self, name: &str) -> Result<(), StoreError>;

    /// What the second copy says there should be; `None` where there is no second copy.
    async fn manifest(&self) -> Result<Option<Manifest>, StoreError>;

    /// The whole second copy; `None` where there is none or it cannot be read.
    async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError>;

    /// Whether there is a place for a second copy. Asked before all of it is put together.
    fn has_second_copy(&self) -> bool {
        true
    }

    /// Replaces the second copy's manifest and tail, and its snapshot when one is given, as far as they are not older than
    /// what is there. False, with nothing done, where there is no place for a second copy.
    async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError>;
}
