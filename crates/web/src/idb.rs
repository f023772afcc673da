//! The page's own databases in IndexedDB: each a list of stores, opened when it is first needed, and again where its
//! connection was closed under us. What is told as kept is on the disk. Why this is not `rexie`: ADR 0046.

use std::cell::RefCell;
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::LocalBoxFuture;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    DomException, Event, EventTarget, IdbDatabase, IdbKeyRange, IdbObjectStore, IdbObjectStoreParameters,
    IdbOpenDbRequest, IdbRequest, IdbTransaction,
};

use crate::listener::Listener;
use crate::lock::Lock;
use crate::names;
use crate::value::{self, text};

/// The version of every database. A new one comes with a new store, which is made where it is missing; none is ever dropped.
const VERSION: u32 = 1;

/// The database that is made and deleted for a new log, and the lock of who does it.
const LOG: &str = "satchel-log";

/// What IndexedDB could not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdbError {
    /// There is no IndexedDB here, or it may not be used.
    Unavailable,
    /// The key is there already.
    Taken,
    /// The connection was closed under us, and opening it again did not help.
    Closed,
    /// The device has no room left.
    Full,
    /// Anything else, by the exception's name.
    Other(String),
}

impl IdbError {
    fn of(error: &JsValue) -> Self {
        let name = error
            .dyn_ref::<DomException>()
            .map_or_else(|| text(error, "name").unwrap_or_default(), DomException::name);
        match name.as_str() {
            "ConstraintError" => Self::Taken,
            "InvalidStateError" => Self::Closed,
            "QuotaExceededError" => Self::Full,
            "SecurityError" => Self::Unavailable,
            _ => Self::Other(name),
        }
    }
}

/// A store of a database: its name, and the fields of a record that are its key, in their order.
pub type Store = (&'static str, &'static [&'static str]);

/// A database of the page's own.
pub struct Database {
    name: &'static str,
    stores: &'static [Store],
    connection: RefCell<Option<Rc<Connection>>>,
}

/// An open connection. It makes way for another tab that brings a newer version, or deletes everything.
struct Connection {
    database: IdbDatabase,
    _make_way: Listener,
}

impl Drop for Connection {
    fn drop(&mut self) {
        // What is under way is finished first.
        self.database.close();
    }
}

impl Database {
    /// A database of this name with these stores, not opened yet.
    #[must_use]
    pub const fn new(name: &'static str, stores: &'static [Store]) -> Self {
        Self { name, stores, connection: RefCell::new(None) }
    }

    /// Opens it, making its stores when it is new.
    ///
    /// # Errors
    /// What IndexedDB could not do.
    pub fn open(&self) -> LocalBoxFuture<'_, Result<(), IdbError>> {
        self.run("readonly", |_| Box::pin(async { Ok(()) }))
    }

    /// The record under a key.
    ///
    /// # Errors
    /// What IndexedDB could not do.
    pub fn get<'a>(
        &'a self,
        store: &'a str,
        key: &'a JsValue,
    ) -> LocalBoxFuture<'a, Result<Option<JsValue>, IdbError>> {
        self.run("readonly", move |transaction| {
            Box::pin(async move { found(&in_store(&transaction, store)?, key).await })
        })
    }

    /// The records of a store in the order of their keys: all, or those of a range.
    ///
    /// # Errors
    /// What IndexedDB could not do.
    pub fn all<'a>(
        &'a self,
        store: &'a str,
        range: Option<&'a Range>,
    ) -> LocalBoxFuture<'a, Result<Vec<JsValue>, IdbError>> {
        self.run("readonly", move |transaction| {
            Box::pin(async move {
                let store = in_store(&transaction, store)?;
                let request = range.map_or_else(|| store.get_all(), |range| store.get_all_with_key(&range.0));
                let request = request.map_err(closed)?;
                Ok(Array::from(&finished(&request).await?).to_vec())
            })
        })
    }

    /// Runs a write in one transaction and waits until it is kept, all of it or nothing.
    ///
    /// # Errors
    /// What IndexedDB could not do.
    pub fn write<'a>(
        &'a self,
        what: impl Fn(&Writing<'_>) -> Result<(), JsValue> + 'a,
    ) -> LocalBoxFuture<'a, Result<(), IdbError>> {
        self.written(Rc::new(what))
    }

    fn written<'a>(&'a self, what: Rc<Write<'a>>) -> LocalBoxFuture<'a, Result<(), IdbError>> {
        self.run("readwrite", move |transaction| {
            let what = Rc::clone(&what);
            Box::pin(async move {
                if what(&Writing(&transaction)).is_err() {
                    // Or what was asked before it failed would be kept.
                    let _ = transaction.abort();
                    return Err(IdbError::Closed);
                }
                // Said with the write, not when its answer is there: the page may be gone by then, and a write that nobody
                // committed goes with it.
                #[allow(deprecated, reason = "the binding's mark is older than the method in the standard")]
                let _ = transaction.commit();
                complete(&transaction).await
            })
        })
    }

    /// Puts in the place of the record under a key what `how` makes of it, in one transaction with reading it: two tabs lose
    /// nothing of each other's. Nothing changes where `how` refuses; the inner error is its.
    ///
    /// # Errors
    /// What IndexedDB could not do.
    pub async fn change<E>(
        &self,
        store: &str,
        key: &JsValue,
        how: impl Fn(Option<JsValue>) -> Result<JsValue, E>,
    ) -> Result<Result<(), E>, IdbError> {
        let refused = RefCell::new(None);
        let record = |found| match how(found) {
            Ok(record) => {
                refused.take();
                Some(record)
            }
            Err(error) => {
                refused.replace(Some(error));
                None
            }
        };
        self.changed(store, key, &record).await?;
        Ok(refused.take().map_or(Ok(()), Err))
    }

    fn changed<'a>(
        &'a self,
        store: &'a str,
        key: &'a JsValue,
        how: &'a dyn Fn(Option<JsValue>) -> Option<JsValue>,
    ) -> LocalBoxFuture<'a, Result<(), IdbError>> {
        self.run("readwrite", move |transaction| {
            Box::pin(async move {
                let store = in_store(&transaction, store)?;
                match how(found(&store, key).await?) {
                    Some(record) => store.put(&record).map_err(closed)?,
                    None => return Ok(()),
                };
                complete(&transaction).await
            })
        })
    }

    /// Runs a transaction over all stores; once more on a new connection where the old one was closed.
    ///
    /// Futures are behind a pointer here and above: their code is in the page once, and not in each place that waits for one.
    fn run<'a, T: 'a>(
        &'a self,
        mode: &'a str,
        what: impl Fn(IdbTransaction) -> LocalBoxFuture<'a, Result<T, IdbError>> + 'a,
    ) -> LocalBoxFuture<'a, Result<T, IdbError>> {
        Box::pin(async move {
            let mut is_again = false;
            loop {
                let done = match self.begun(mode).await {
                    // The connection lives as long as what is done on it.
                    Ok((_connection, transaction)) => what(transaction).await,
                    Err(error) => Err(error),
                };
                match done {
                    Err(IdbError::Closed) if !is_again => is_again = true,
                    done => return done,
                }
                self.connection.take();
            }
        })
    }

    fn begun<'a>(
        &'a self,
        mode: &'a str,
    ) -> LocalBoxFuture<'a, Result<(Rc<Connection>, IdbTransaction), IdbError>> {
        Box::pin(async move {
            let connection = self.connected().await?;
            let transaction = self.transaction(&connection.database, mode)?;
            Ok((connection, transaction))
        })
    }

    /// web-sys knows the option of durability behind an unstable flag only, so the method is called by its name.
    fn transaction(&self, database: &IdbDatabase, mode: &str) -> Result<IdbTransaction, IdbError> {
        let stores: Array = self.stores.iter().map(|(name, _)| JsValue::from_str(name)).collect();
        let options = value::object(&[("durability", "strict".into())]);
        value::call(database, "transaction", &[stores.into(), mode.into(), options.into()])
            .and_then(JsCast::dyn_into)
            .map_err(|error| IdbError::of(&error))
    }

    async fn connected(&self) -> Result<Rc<Connection>, IdbError> {
        if let Some(connection) = self.connection.borrow().clone() {
            return Ok(connection);
        }
        let factory = web_sys::window()
            .and_then(|window| window.indexed_db().ok().flatten())
            .ok_or(IdbError::Unavailable)?;
        let request =
            factory.open_with_u32(&names::of(self.name), VERSION).map_err(|error| IdbError::of(&error))?;
        let (upgrading, stores) = (request.clone(), self.stores);
        let on_upgrade = Listener::on(&request, "upgradeneeded", move |_: Event| upgrade(&upgrading, stores));
        let database: IdbDatabase =
            finished(&request).await?.dyn_into().map_err(|_| IdbError::Unavailable)?;
        drop(on_upgrade);
        let closing = database.clone();
        let make_way = Listener::on(&database, "versionchange", move |_: Event| closing.close());
        let connection = Rc::new(Connection { database, _make_way: make_way });
        self.connection.replace(Some(Rc::clone(&connection)));
        Ok(connection)
    }
}

/// What a write does, asked for twice where the connection was gone.
type Write<'a> = dyn Fn(&Writing<'_>) -> Result<(), JsValue> + 'a;

/// A write that is being made.
pub struct Writing<'a>(&'a IdbTransaction);

impl Writing<'_> {
    /// A store to write to.
    ///
    /// # Errors
    /// It is not there, or the transaction is over.
    pub fn to(&self, store: &str) -> Result<IdbObjectStore, JsValue> {
        self.0.object_store(store)
    }
}

/// A range of keys that are lists.
pub struct Range(IdbKeyRange);

impl Range {
    /// The keys that begin with this text, followed by a number from one on.
    ///
    /// # Errors
    /// The browser takes no such keys.
    pub fn from(text: &str, number: u64) -> Result<Self, IdbError> {
        let key = |number: f64| Array::of2(&text.into(), &number.into());
        let range = IdbKeyRange::bound(&key(number as f64), &key(f64::INFINITY)).map_err(closed)?;
        Ok(Self(range))
    }

    /// For a store to delete.
    #[must_use]
    pub fn keys(&self) -> &JsValue {
        self.0.as_ref()
    }
}

fn upgrade(request: &IdbOpenDbRequest, stores: &[Store]) {
    let Some(database) = request.result().ok().and_then(|result| result.dyn_into::<IdbDatabase>().ok())
    else {
        return;
    };
    let names = database.object_store_names();
    let has = |name: &str| (0..names.length()).any(|at| names.get(at).as_deref() == Some(name));
    for (name, key) in stores.iter().filter(|(name, _)| !has(name)) {
        let parameters = IdbObjectStoreParameters::new();
        match key {
            [field] => parameters.set_key_path(&(*field).into()),
            fields => {
                parameters.set_key_path(&fields.iter().copied().map(JsValue::from_str).collect::<Array>())
            }
        }
        // A failure here aborts the upgrade, and the open request reports it.
        let _ = database.create_object_store_with_optional_parameters(name, &parameters);
    }
}

/// What fails at once, before anything was asked of the disk, fails on a connection that is gone.
fn closed(_: JsValue) -> IdbError {
    IdbError::Closed
}

fn in_store(transaction: &IdbTransaction, store: &str) -> Result<IdbObjectStore, IdbError> {
    transaction.object_store(store).map_err(closed)
}

/// Has the browser begin a new log of its databases, once in the life of a browser: the first page does it. Waits for its turn, so it
/// is for a task of its own.
///
/// Chromium appends to the log that it finds, one whose last record was cut off when it was killed or the power failed
/// included (google/leveldb#1287). What is written then can't be read at the start after, and it throws away everything that
/// the origin has in IndexedDB. A database that is deleted is compacted away, and that begins a new log. Other browsers keep
/// their databases otherwise: they have no `userAgentData`.
pub async fn begin_a_log() {
    let Some(window) = web_sys::window() else { return };
    if value::part(&window.navigator(), "userAgentData").is_none() {
        return;
    }
    // Given back by the browser when this page goes; nobody waits for it but the next page, which may do it once more.
    std::mem::forget(Lock::in_turn(LOG).await);
    let Ok(Some(factory)) = window.indexed_db() else { return };
    let name = names::of(LOG);
    let Ok(request) = factory.open_with_u32(&name, VERSION) else { return };
    // Nothing depends on it: where it fails, the browser has no databases to lose.
    if let Ok(made) = finished(&request).await
        && let Ok(made) = made.dyn_into::<IdbDatabase>()
    {
        made.close();
    }
    if let Ok(request) = factory.delete_database(&name) {
        let _ = finished(&request).await;
    }
}

async fn found(store: &IdbObjectStore, key: &JsValue) -> Result<Option<JsValue>, IdbError> {
    let record = finished(&store.get(key).map_err(closed)?).await?;
    Ok(Some(record).filter(JsValue::is_object))
}

/// The result of a request.
pub async fn finished(request: &IdbRequest) -> Result<JsValue, IdbError> {
    is_first(request, ["success", "error"]).await;
    match request.error() {
        Ok(Some(error)) => Err(IdbError::of(&error)),
        Ok(None) | Err(_) => request.result().map_err(|error| IdbError::of(&error)),
    }
}

/// Waits until everything a transaction did is kept.
async fn complete(transaction: &IdbTransaction) -> Result<(), IdbError> {
    if is_first(transaction, ["complete", "abort"]).await {
        return Ok(());
    }
    Err(transaction.error().map_or(IdbError::Closed, |error| IdbError::of(&error)))
}

/// Waits for one of two events, and says whether it was the first of them. Listeners go with the waiting, also because nobody
/// waits any more: a run that another tab took over is dropped in the middle, and the database would call what is gone.
async fn is_first(target: &EventTarget, [first, second]: [&'static str; 2]) -> bool {
    let (send, receive) = oneshot::channel();
    let send = Rc::new(RefCell::new(Some(send)));
    let listen = |name, is_first: bool| {
        let send = Rc::clone(&send);
        Listener::on(target, name, move |_: Event| {
            if let Some(send) = send.borrow_mut().take() {
                let _ = send.send(is_first);
            }
        })
    };
    let _listening = (listen(first, true), listen(second, false));
    receive.await.unwrap_or(false)
}
