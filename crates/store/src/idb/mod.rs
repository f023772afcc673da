//! The journal in the browser's IndexedDB, with its second copy in the origin private file system.
//!
//! Written on web-sys alone. rexie would only open the database and read from it, because it hides
//! its handle: it cannot ask for strict durability, its builder deletes every object store that a
//! new version does not list and panics inside the upgrade callback, it closes on `versionchange`
//! without telling, and it words every failure "idb error". A second connection beside it for the
//! writes would have to survive the first one's closing; one connection of our own is less.

mod blobs;
mod connection;
mod erase;
mod opfs;
mod schema;
mod spare;
mod wait;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use async_trait::async_trait;
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{IdbFactory, IdbKeyRange, IdbRequest, IdbTransaction, IdbTransactionMode};

use crate::open::both;
use crate::{
    CallKey, Change, Damage, Durability, Journal, Loaded, Manifest, Rev, SecondCopy, Snapshot, StoreError,
    Tail,
};
pub use blobs::OpfsBlobs;
use connection::{Connection, ConnectionError};
use opfs::Folder;
use schema::{BLOBS, JOURNAL, KEY_INDEX, SNAPSHOTS, STORES, StoreDef};
use wait::{Signal, pause};

/// The one snapshot's key.
const LATEST: &str = "latest";

/// The pauses before a database that cannot be opened is tried again, in milliseconds. The browser words a full disk, a
/// profile that is still locked and a virus scanner's hand on the files as it words files that are damaged for ever.
const RETRIES_MS: [i32; 3] = [200, 600, 1_200];

/// The pauses before a connection that is gone is opened again, in milliseconds.
const PAUSES_MS: [i32; 3] = [0, 50, 250];

/// A journal in IndexedDB. Every call is one transaction whose requests are issued in one burst, and
/// which is waited for as a whole: an await in between would let the browser end it, and only its
/// `complete` event says that something is stored.
///
/// A connection that the browser or another tab closed is opened again, three times in a call; when that does
/// not help the call fails.
pub struct IdbJournal {
    factory: IdbFactory,
    name: String,
    stores: &'static [StoreDef],
    connection: RefCell<Option<Rc<Connection>>>,
    /// The newest revision that was seen in it or stored; 0 before the first.
    head: Cell<Rev>,
    /// The database was deleted under us and nothing was written back yet. Nothing is read from it or added to it then:
    /// what is in memory must go back first.
    emptied: Cell<bool>,
    folder: Folder,
    /// Being read since we began to open; for the first who asks.
    manifest: Cell<Option<Signal<Option<Manifest>>>>,
}

impl IdbJournal {
    /// Opens the database of a name, or creates it. Waits three seconds for other tabs that hold an
    /// older version open, then fails with `Blocked`; a newer version on disk is `TooNew`. Where the browser
    /// cannot open any database of ours, it is another one in a place of its own.
    pub async fn open(name: &str) -> Result<Self, StoreError> {
        // The file system is slow to answer, and what it says may be older than the journal: so it is asked first.
        let manifest = Signal::new();
        let (folder, signal) = (Folder::new(name), manifest.clone());
        spawn_local(async move { drop(signal.send(folder.manifest().await)) });
        let opened = Self::open_where_it_is(name).await?;
        opened.manifest.set(Some(manifest));
        Ok(opened)
    }

    async fn open_where_it_is(name: &str) -> Result<Self, StoreError> {
        let opening = Self::open_in(factory()?, name, STORES);
        let (mut opened, spare) = both(Box::pin(opening), Box::pin(spare::in_use(name))).await;
        // Once it was needed it is the truth, even if the browser has found its way again. Whether it was has to be
        // known: what the old database holds then is older.
        if let Some(spare) = spare? {
            return Self::open_in(spare, name, STORES).await;
        }
        for pause_ms in RETRIES_MS {
            if !matches!(opened, Err(StoreError::Damaged(_))) {
                return opened;
            }
            pause(pause_ms).await;
            opened = Self::open_in(factory()?, name, STORES).await;
        }
        let Err(StoreError::Damaged(why)) = opened else { return opened };
        let Some(made) = spare::make(name).await? else { return Err(StoreError::Damaged(why)) };
        match Self::open_in(made, name, STORES).await {
            Ok(opened) => Ok(opened),
            // It is as bad there: then the next start shall ask the old one again.
            Err(StoreError::Damaged(_)) => {
                spare::unmake(name).await;
                Err(StoreError::Damaged(why))
            }
            // Another tab may be at work in it.
            Err(error) => Err(error),
        }
    }

    /// Deletes the database of a name, and leaves its second copy: what a browser does that clears or
    /// loses it. Open connections to it are closed.
    pub async fn delete_database(name: &str) -> Result<(), StoreError> {
        connection::delete(&factory()?, name).await
    }

    /// Opens a database of a factory (a storage bucket has its own) with a list of stores.
    async fn open_in(
        factory: IdbFactory,
        name: &str,
        stores: &'static [StoreDef],
    ) -> Result<Self, StoreError> {
        let mut connection = Connection::open(&factory, name, stores).await?;
        if connection.has_none_of(stores) {
            // It has a version but nothing of ours, and no upgrade would make it: there is nothing to lose in it.
            drop(connection);
            connection::delete(&factory, name).await?;
            connection = Connection::open(&factory, name, stores).await?;
        }
        Ok(Self {
            factory,
            name: name.to_owned(),
            stores,
            connection: RefCell::new(Some(Rc::new(connection))),
            head: Cell::new(0),
            emptied: Cell::new(false),
            folder: Folder::new(name),
            manifest: Cell::new(None),
        })
    }

    /// Does something with the connection; when the connection turns out to be gone, again with a new one, after a
    /// pause from the second time on: a browser that finds files damaged closes all connections to the origin's
    /// databases, ours for the sake of another as well.
    async fn with<T>(
        &self,
        work: impl AsyncFn(&Connection) -> Result<T, ConnectionError>,
    ) -> Result<T, StoreError> {
        let mut pauses = PAUSES_MS.into_iter();
        loop {
            let gone = match self.connected().await {
                Ok(connection) => match work(&connection).await {
                    Ok(done) => return Ok(done),
                    Err(ConnectionError::Failed(error)) => return Err(error),
                    Err(ConnectionError::Gone(why)) => {
                        self.let_go(&connection);
                        why
                    }
                },
                Err(ConnectionError::Failed(error)) => return Err(error),
                Err(ConnectionError::Gone(why)) => why,
            };
            match pauses.next() {
                Some(pause_ms) => pause(pause_ms).await,
                None => return Err(StoreError::Unavailable(gone)),
            }
        }
    }

    /// The connection there is, or a new one.
    async fn connected(&self) -> Result<Rc<Connection>, ConnectionError> {
        let current = self.connection.borrow().clone().filter(|connection| !connection.is_closed());
        if let Some(current) = current {
            return Ok(current);
        }
        let connection = Rc::new(Connection::open(&self.factory, &self.name, self.stores).await?);
        // Somebody may have deleted it under us. Whether it was there when we came says nothing: another request of
        // ours that was under way, or one that the deletion broke off, may have made it anew.
        if !self.holds_head(&connection).await? {
            self.emptied.set(true);
        }
        *self.connection.borrow_mut() = Some(connection.clone());
        self.ensure_whole()?;
        Ok(connection)
    }

    /// Forgets a connection that is gone, unless somebody has opened the next one meanwhile.
    fn let_go(&self, gone: &Rc<Connection>) {
        let mut current = self.connection.borrow_mut();
        if current.as_ref().is_some_and(|current| Rc::ptr_eq(current, gone)) {
            *current = None;
        }
    }

    /// Whether what was stored is still there: the newest change, or a snapshot in its place.
    async fn holds_head(&self, connection: &Connection) -> Result<bool, ConnectionError> {
        let head = self.head.get();
        if head == 0 {
            return Ok(true);
        }
        let transaction =
            connection.begin(&[SNAPSHOTS, JOURNAL], IdbTransactionMode::Readonly, Durability::Relaxed)?;
        let snapshot = transaction.store(SNAPSHOTS)?.get(&LATEST.into())?;
        let change = transaction.store(JOURNAL)?.count_with_key(&(head as f64).into())?;
        transaction.done().await?;
        let is_newer = snapshot_of(snapshot.result()?).is_some_and(|snapshot| snapshot.rev >= head);
        Ok(is_newer || change.result()?.as_f64() > Some(0.0))
    }

    /// Fails while what is in memory has to go back first.
    fn ensure_whole(&self) -> Result<(), StoreError> {
        if self.emptied.get() { Err(StoreError::Emptied) } else { Ok(()) }
    }

    fn saw(&self, head: Rev) {
        self.head.set(self.head.get().max(head));
    }
}

/// The browser's IndexedDB.
fn factory() -> Result<IdbFactory, StoreError> {
    let factory = Reflect::get(&js_sys::global(), &"indexedDB".into());
    let factory = factory.ok().and_then(|factory| factory.dyn_into::<IdbFactory>().ok());
    factory.ok_or_else(|| StoreError::Unavailable("this browser has no IndexedDB".to_owned()))
}

/// A change as a JavaScript object: the two keys beside the text of it all.
fn to_entry(change: &Change) -> Result<JsValue, StoreError> {
    let body = serde_json::to_string(change).map_err(|error| StoreError::Other(error.to_string()))?;
    let entry = Object::new();
    let fields = [
        ("rev", JsValue::from(change.rev as f64)),
        ("key", change.key.0.as_str().into()),
        ("body", body.into()),
    ];
    for (name, value) in fields {
        Reflect::set(&entry, &name.into(), &value).map_err(|error| connection::failure(&error))?;
    }
    Ok(entry.into())
}

/// A change from its JavaScript object, and its revision as far as that can be read.
fn from_entry(entry: &JsValue) -> Result<Change, Damage> {
    let field = |name: &str| Reflect::get(entry, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let rev = field("rev").as_f64().unwrap_or_default() as Rev;
    let damage = |why: String| Damage { rev, why };
    let body = field("body").as_string().ok_or_else(|| damage("it has no text".to_owned()))?;
    let change: Change = serde_json::from_str(&body).map_err(|error| damage(error.to_string()))?;
    if change.rev == rev { Ok(change) } else { Err(damage(format!("it says it is change {}", change.rev))) }
}

/// A stretch of the journal from its JavaScript objects.
fn tail_of(entries: &Array) -> Tail {
    let mut tail = Tail::default();
    for entry in entries.iter() {
        match from_entry(&entry) {
            Ok(change) => {
                tail.head = change.rev;
                tail.changes.push(change);
            }
            Err(damage) => {
                tail.head = damage.rev;
                tail.damaged.push(damage);
            }
        }
    }
    tail
}

/// The snapshot from what its store gave. One that is not even bytes is as good as none: the journal has everything.
fn snapshot_of(found: JsValue) -> Option<Snapshot> {
    let bytes = found.dyn_into::<Uint8Array>().ok()?.to_vec();
    Some(Snapshot::from_bytes(bytes).unwrap_or(Snapshot { rev: 0, bytes: Vec::new() }))
}

/// Adds entries to the journal, within a transaction.
fn add_to(transaction: &IdbTransaction, entries: &[JsValue]) -> Result<(), ConnectionError> {
    let store = transaction.object_store(JOURNAL)?;
    for entry in entries {
        store.add(entry)?;
    }
    Ok(())
}

/// Puts a snapshot in the place of the one there is, within a transaction.
fn replace_in(transaction: &IdbTransaction, snapshot: &Snapshot) -> Result<(), ConnectionError> {
    let bytes = JsValue::from(Uint8Array::from(snapshot.bytes.as_slice()));
    transaction.object_store(SNAPSHOTS)?.put_with_key(&bytes, &LATEST.into())?;
    Ok(())
}

/// The revisions from one up to, and without, another.
fn revs(from: Rev, until: Rev) -> Result<IdbKeyRange, JsValue> {
    let (from, until) = ((from as f64).into(), (until as f64).into());
    IdbKeyRange::bound_with_lower_open_and_upper_open(&from, &until, false, true)
}

#[async_trait(?Send)]
impl Journal for IdbJournal {
    async fn load(&self) -> Result<Loaded, StoreError> {
        let loaded = self
            .with(async |connection| {
                let transaction = connection.begin(
                    &[SNAPSHOTS, JOURNAL],
                    IdbTransactionMode::Readonly,
                    Durability::Relaxed,
                )?;
                let request = transaction.store(SNAPSHOTS)?.get(&LATEST.into())?;
                // Where the journal goes on is in the snapshot. Asked for in the same transaction: a second one would be
                // another way to the browser's process, and the worker is waited for.
                let journal = transaction.store(JOURNAL)?;
                let found: Rc<RefCell<Option<(Option<Snapshot>, IdbRequest)>>> = Rc::default();
                let on_snapshot = {
                    let (request, found) = (request.clone(), found.clone());
                    Closure::once(move || {
                        let snapshot = request.result().ok().and_then(snapshot_of);
                        let rev = snapshot.as_ref().map_or(0, |snapshot| snapshot.rev);
                        let range = revs(rev + 1, Rev::MAX);
                        let asked = range.and_then(|range| journal.get_all_with_key(&range));
                        *found.borrow_mut() = asked.ok().map(|tail| (snapshot, tail));
                    })
                };
                request.set_onsuccess(Some(on_snapshot.as_ref().unchecked_ref()));
                let done = transaction.done().await;
                request.set_onsuccess(None);
                done?;
                let Some((snapshot, tail)) = found.take() else {
                    return Err(ConnectionError::Gone(
                        "the connection was closed in the middle of a read".to_owned(),
                    ));
                };
                Ok(Loaded { snapshot, tail: tail_of(&Array::from(&tail.result()?)) })
            })
            .await?;
        self.saw(loaded.tail.head.max(loaded.snapshot.as_ref().map_or(0, |snapshot| snapshot.rev)));
        Ok(loaded)
    }

    async fn read(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        if from >= until {
            return Ok(Tail::default());
        }
        self.ensure_whole()?;
        let entries = self
            .with(async |connection| {
                let transaction =
                    connection.begin(&[JOURNAL], IdbTransactionMode::Readonly, Durability::Relaxed)?;
                let range: JsValue = revs(from, until)?.into();
                let request = transaction.store(JOURNAL)?.get_all_with_key(&range)?;
                transaction.done().await?;
                Ok(Array::from(&request.result()?))
            })
            .await?;
        let tail = tail_of(&entries);
        self.saw(tail.head);
        Ok(tail)
    }

    async fn by_key(&self, key: &CallKey) -> Result<Option<Change>, StoreError> {
        let entry = self
            .with(async |connection| {
                let transaction =
                    connection.begin(&[JOURNAL], IdbTransactionMode::Readonly, Durability::Relaxed)?;
                let request = transaction.store(JOURNAL)?.index(KEY_INDEX)?.get(&key.0.as_str().into())?;
                transaction.done().await?;
                Ok(request.result()?)
            })
            .await?;
        if entry.is_undefined() {
            return Ok(None);
        }
        from_entry(&entry).map(Some).map_err(|damage| StoreError::Damaged(damage.why))
    }

    async fn append(&self, changes: &[Rc<Change>], durability: Durability) -> Result<(), StoreError> {
        let entries = changes.iter().map(|change| to_entry(change)).collect::<Result<Vec<_>, _>>()?;
        self.with(async |connection| {
            // Also after waiting for the connection: a read beside us may have found it out.
            self.ensure_whole()?;
            let stores = erase::stores_of(changes);
            let transaction = connection.begin(stores, IdbTransactionMode::Readwrite, durability)?;
            add_to(&transaction.parts(), &entries)?;
            erase::note_in(&transaction.parts(), changes)?;
            transaction.done().await
        })
        .await?;
        self.saw(changes.last().map_or(0, |change| change.rev));
        Ok(())
    }

    async fn erase(&self, tables: &[String], before: Rev) -> Result<(), StoreError> {
        self.with(async |connection| {
            self.ensure_whole()?;
            erase::entries(connection, tables, before).await
        })
        .await
    }

    async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        self.with(async |connection| {
            self.ensure_whole()?;
            erase::put_snapshot(connection, snapshot).await
        })
        .await?;
        self.saw(snapshot.rev);
        Ok(())
    }

    async fn write_back(&self, snapshot: &Snapshot, changes: &[Rc<Change>]) -> Result<bool, StoreError> {
        let entries = changes.iter().map(|change| to_entry(change)).collect::<Result<Vec<_>, _>>()?;
        let write = || {
            self.with(async |connection| {
                let stores = [SNAPSHOTS, JOURNAL];
                let transaction =
                    connection.begin(&stores, IdbTransactionMode::Readwrite, Durability::Strict)?;
                // Another instance may have been quicker, or this one, when the answer to a first attempt was lost: what
                // is there by now must not be mixed with what we have. Asked for in the same transaction, so that
                // nobody comes in between.
                let count = transaction.store(JOURNAL)?.count()?;
                let filled: Rc<RefCell<Option<Result<bool, ConnectionError>>>> = Rc::default();
                let on_count = {
                    let (count, filled, snapshot) = (count.clone(), filled.clone(), snapshot.clone());
                    let (entries, parts) = (entries.clone(), transaction.parts());
                    let changes = changes.to_vec();
                    Closure::once(move || {
                        let is_empty = count.result().ok().and_then(|count| count.as_f64()) == Some(0.0);
                        let fill = || {
                            replace_in(&parts, &snapshot)?;
                            add_to(&parts, &entries)?;
                            erase::note_in(&parts, &changes)
                        };
                        *filled.borrow_mut() = Some(if is_empty { fill().map(|()| true) } else { Ok(false) });
                    })
                };
                count.set_onsuccess(Some(on_count.as_ref().unchecked_ref()));
                let done = transaction.settled().await;
                count.set_onsuccess(None);
                done?;
                filled.take().unwrap_or_else(|| {
                    Err(ConnectionError::Gone(
                        "the connection was closed in the middle of a write".to_owned(),
                    ))
                })
            })
        };
        let filled = match write().await {
            // Deleted once more, and open again now.
            Err(StoreError::Emptied) => write().await?,
            filled => filled?,
        };
        if filled {
            self.saw(snapshot.rev);
        }
        self.emptied.set(false);
        Ok(filled)
    }

    async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self
            .with(async |connection| {
                let transaction =
                    connection.begin(&[BLOBS], IdbTransactionMode::Readonly, Durability::Relaxed)?;
                let request = transaction.store(BLOBS)?.get(&hash.into())?;
                transaction.done().await?;
                Ok(request.result()?)
            })
            .await?;
        if found.is_undefined() {
            return Ok(None);
        }
        match found.dyn_into::<Uint8Array>() {
            Ok(bytes) => Ok(Some(bytes.to_vec())),
            Err(_) => Err(StoreError::Damaged(format!("the blob {hash} is not bytes"))),
        }
    }

    async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let bytes = JsValue::from(Uint8Array::from(bytes));
        self.with(async |connection| {
            // Strict, because the change that will name it may be.
            let transaction =
                connection.begin(&[BLOBS], IdbTransactionMode::Readwrite, Durability::Strict)?;
            transaction.store(BLOBS)?.put_with_key(&bytes, &hash.into())?;
            transaction.done().await
        })
        .await
    }

    async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let names = self
            .with(async |connection| {
                // No text that begins with the prefix comes after the prefix and the last character.
                let last = format!("{prefix}\u{ffff}");
                let range = IdbKeyRange::bound(&prefix.into(), &last.as_str().into())?;
                let transaction =
                    connection.begin(&[BLOBS], IdbTransactionMode::Readonly, Durability::Relaxed)?;
                let request = transaction.store(BLOBS)?.get_all_keys_with_key(&range)?;
                transaction.done().await?;
                Ok(Array::from(&request.result()?))
            })
            .await?;
        Ok(names.iter().filter_map(|name| name.as_string()).collect())
    }

    async fn delete_blob(&self, name: &str) -> Result<(), StoreError> {
        self.with(async |connection| {
            let transaction =
                connection.begin(&[BLOBS], IdbTransactionMode::Readwrite, Durability::Relaxed)?;
            transaction.store(BLOBS)?.delete(&name.into())?;
            transaction.done().await
        })
        .await
    }

    async fn manifest(&self) -> Result<Option<Manifest>, StoreError> {
        match self.manifest.take() {
            Some(early) => Ok(early.wait().await),
            None => Ok(self.folder.manifest().await),
        }
    }

    async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError> {
        Ok(self.folder.read().await)
    }

    fn has_second_copy(&self) -> bool {
        opfs::can_be_written()
    }

    async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError> {
        self.folder.write(manifest, tail, snapshot).await
    }
}

#[cfg(test)]
mod tests;
