//! One connection to the database, its handlers, and its transactions.

use std::{cell::Cell, rc::Rc};

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    DomException, Event, IdbDatabase, IdbFactory, IdbObjectStore, IdbOpenDbRequest, IdbTransaction,
    IdbTransactionMode, IdbVersionChangeEvent,
};

use super::{
    schema::{StoreDef, upgrade, version},
    wait::{Signal, after_ms, call, call_async},
};
use crate::{Durability, StoreError};

/// How long other tabs get to let go of an older version.
const BLOCKED_MS: i32 = 3_000;

thread_local! {
    /// How many of our requests to open wait for another tab. The next one waits behind them, and the browser does
    /// not tell it why.
    static KEPT_WAITING: Cell<u32> = const { Cell::new(0) };
}

/// A request that waits for another tab, as long as it does.
struct KeptWaiting;

impl KeptWaiting {
    fn begin() -> Self {
        KEPT_WAITING.set(KEPT_WAITING.get() + 1);
        Self
    }
}

impl Drop for KeptWaiting {
    fn drop(&mut self) {
        KEPT_WAITING.set(KEPT_WAITING.get() - 1);
    }
}

/// Why something did not work, by what to do next.
#[derive(Debug)]
pub(super) enum ConnectionError {
    /// The connection is gone: open it again and try once more.
    Gone(String),
    /// Trying again changes nothing.
    Failed(StoreError),
}

/// An exception in our words.
pub(super) fn failure(error: &JsValue) -> StoreError {
    let Some(exception) = error.dyn_ref::<DomException>() else {
        return StoreError::Other(format!("{error:?}"));
    };
    let message = exception.message();
    match exception.name().as_str() {
        "QuotaExceededError" => StoreError::Quota,
        "ConstraintError" => StoreError::Conflict,
        "AbortError" => StoreError::Aborted(message),
        "NotFoundError" | "NotReadableError" | "DataError" => StoreError::Damaged(message),
        "SecurityError" | "NotAllowedError" => StoreError::Unavailable(message),
        name => StoreError::Other(format!("{name}: {message}")),
    }
}

impl From<JsValue> for ConnectionError {
    fn from(error: JsValue) -> Self {
        let name = error.dyn_ref::<DomException>().map(DomException::name).unwrap_or_default();
        match name.as_str() {
            // The handle is closing, or the backend behind it went away.
            "InvalidStateError" | "UnknownError" | "TransactionInactiveError" => {
                Self::Gone(format!("{name}: {}", failure(&error)))
            }
            _ => Self::Failed(failure(&error)),
        }
    }
}

impl From<StoreError> for ConnectionError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// An open database. Closes itself when another tab wants to upgrade, and when it is dropped.
pub(super) struct Connection {
    database: IdbDatabase,
    closed: Rc<Cell<bool>>,
    /// Alive as long as the database may call them.
    _handlers: [Closure<dyn FnMut(Event)>; 2],
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.database.set_onclose(None);
        self.database.set_onversionchange(None);
        self.database.close();
    }
}

impl Connection {
    /// Opens or upgrades a database, or creates it.
    pub async fn open(
        factory: &IdbFactory,
        name: &str,
        stores: &'static [StoreDef],
    ) -> Result<Self, StoreError> {
        let known = version(stores);
        let request = factory.open_with_u32(name, known).map_err(|error| failure(&error))?;
        let signal: Signal<Result<IdbDatabase, StoreError>> = Signal::new();
        let kept_waiting: Rc<Cell<Option<KeptWaiting>>> = Rc::default();
        let give_up_later = {
            let signal = signal.clone();
            move || after_ms(BLOCKED_MS, move || drop(signal.send(Err(StoreError::Blocked))))
        };
        if KEPT_WAITING.get() > 0 {
            give_up_later.clone()();
        }

        // Handlers of an open request outlive our patience: after `Blocked` the browser may still
        // open the database, and then it must be closed again. So they belong to JavaScript.
        let upgrading = {
            let request = request.clone();
            Closure::once_into_js(move |event: IdbVersionChangeEvent| {
                let database = request.result().ok().and_then(|database| database.dyn_into().ok());
                let upgraded = database
                    .is_some_and(|database| upgrade(&database, stores, event.old_version() as u32).is_ok());
                if let (false, Some(transaction)) = (upgraded, request.transaction()) {
                    // Leaves the database as it was; the request then fails with AbortError.
                    drop(transaction.abort());
                }
            })
        };
        request.set_onupgradeneeded(Some(upgrading.unchecked_ref()));
        let opened = {
            let (request, signal, kept_waiting) = (request.clone(), signal.clone(), kept_waiting.clone());
            Closure::once_into_js(move || {
                kept_waiting.take();
                let database = request.result().ok().and_then(|found| found.dyn_into::<IdbDatabase>().ok());
                let outcome = database.ok_or_else(|| StoreError::Other("no database was opened".to_owned()));
                if let Err(Ok(late)) = signal.send(outcome) {
                    late.close();
                }
            })
        };
        request.set_onsuccess(Some(opened.unchecked_ref()));
        let failed = {
            let (request, signal, kept_waiting) = (request.clone(), signal.clone(), kept_waiting.clone());
            Closure::once_into_js(move |event: Event| {
                kept_waiting.take();
                // Otherwise it bubbles up to the console as an uncaught error.
                event.prevent_default();
                drop(signal.send(Err(open_failure(&request, known))));
            })
        };
        request.set_onerror(Some(failed.unchecked_ref()));
        let blocked = Closure::once_into_js(move || {
            kept_waiting.set(Some(KeptWaiting::begin()));
            give_up_later();
        });
        request.set_onblocked(Some(blocked.unchecked_ref()));

        match signal.wait().await {
            Ok(database) => Ok(Self::new(database)),
            Err(StoreError::TooNew { known, .. }) => {
                Err(StoreError::TooNew { known, found: version_on_disk(factory, name).await })
            }
            Err(error) => Err(error),
        }
    }

    fn new(database: IdbDatabase) -> Self {
        let closed = Rc::new(Cell::new(false));
        let on_close = {
            let closed = closed.clone();
            Closure::<dyn FnMut(Event)>::new(move |_| closed.set(true))
        };
        let on_version_change = {
            let (closed, database) = (closed.clone(), database.clone());
            Closure::<dyn FnMut(Event)>::new(move |_| {
                // Another tab upgrades or deletes: holding on would block it for ever.
                closed.set(true);
                database.close();
            })
        };
        database.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        database.set_onversionchange(Some(on_version_change.as_ref().unchecked_ref()));
        Self { database, closed, _handlers: [on_close, on_version_change] }
    }

    /// Whether the database has none of these stores: somebody else made it, or the browser lost what was in it.
    pub fn has_none_of(&self, stores: &[StoreDef]) -> bool {
        let names = self.database.object_store_names();
        !stores.iter().any(|store| names.contains(store.name))
    }

    /// Whether the browser or another tab closed this connection.
    pub fn is_closed(&self) -> bool {
        self.closed.get()
    }

    /// Begins a transaction over some stores.
    pub fn begin(
        &self,
        stores: &[&'static str],
        mode: IdbTransactionMode,
        durability: Durability,
    ) -> Result<Transaction, ConnectionError> {
        let options = Object::new();
        let durability = match durability {
            Durability::Strict => "strict",
            Durability::Relaxed => "relaxed",
        };
        Reflect::set(&options, &"durability".into(), &durability.into())?;
        let stores: JsValue = stores.iter().map(|store| JsValue::from(*store)).collect::<Array>().into();
        // By name, because web-sys keeps the options behind its flag for unstable interfaces.
        let begun = call(&self.database, "transaction", &[stores, mode.into(), options.into()])?;
        let inner: IdbTransaction = begun.dyn_into()?;
        Ok(Transaction::new(inner))
    }
}

/// The version of a database as the browser lists it; 0 where it does not.
async fn version_on_disk(factory: &IdbFactory, name: &str) -> u32 {
    let listed = call_async(factory, "databases", &[]).await.unwrap_or(JsValue::UNDEFINED);
    let field =
        |entry: &JsValue, field: &str| Reflect::get(entry, &field.into()).unwrap_or(JsValue::UNDEFINED);
    let databases = listed.dyn_into::<Array>().unwrap_or_default();
    let found = databases.iter().find(|entry| field(entry, "name").as_string().as_deref() == Some(name));
    found.and_then(|entry| field(&entry, "version").as_f64()).unwrap_or_default() as u32
}

/// Deletes a database. Our own connections let go of it by themselves.
pub(super) async fn delete(factory: &IdbFactory, name: &str) -> Result<(), StoreError> {
    let request = factory.delete_database(name).map_err(|error| failure(&error))?;
    let signal: Signal<Result<(), StoreError>> = Signal::new();
    let done = {
        let signal = signal.clone();
        Closure::once_into_js(move || drop(signal.send(Ok(()))))
    };
    request.set_onsuccess(Some(done.unchecked_ref()));
    let failed = {
        let (request, signal) = (request.clone(), signal.clone());
        Closure::once_into_js(move || drop(signal.send(Err(open_failure(&request, 0)))))
    };
    request.set_onerror(Some(failed.unchecked_ref()));
    signal.wait().await
}

/// Why an open request failed.
fn open_failure(request: &IdbOpenDbRequest, known: u32) -> StoreError {
    match request.error() {
        Ok(Some(error)) if error.name() == "VersionError" => StoreError::TooNew { known, found: 0 },
        // Chromium's word for files that it can neither read nor put away.
        Ok(Some(error)) if error.name() == "UnknownError" => StoreError::Damaged(error.message()),
        Ok(Some(error)) => failure(&error),
        Ok(None) | Err(_) => StoreError::Other("the database could not be opened".to_owned()),
    }
}

/// A transaction, with its handlers in place from the start.
pub(super) struct Transaction {
    inner: IdbTransaction,
    signal: Signal<Result<(), ConnectionError>>,
    /// Alive as long as the transaction may call them.
    _handlers: [Closure<dyn FnMut(Event)>; 3],
}

impl Drop for Transaction {
    fn drop(&mut self) {
        self.inner.set_oncomplete(None);
        self.inner.set_onabort(None);
        self.inner.set_onerror(None);
    }
}

impl Transaction {
    fn new(inner: IdbTransaction) -> Self {
        let signal: Signal<Result<(), ConnectionError>> = Signal::new();
        let on_complete = {
            let signal = signal.clone();
            Closure::<dyn FnMut(Event)>::new(move |_| drop(signal.send(Ok(()))))
        };
        let on_abort = {
            let (signal, transaction) = (signal.clone(), inner.clone());
            Closure::<dyn FnMut(Event)>::new(move |event: Event| {
                // Otherwise it bubbles up to the database and on to the console.
                event.stop_propagation();
                let trouble = match transaction.error() {
                    Some(error) => ConnectionError::from(JsValue::from(error)),
                    // Nothing of ours aborts: the browser closed the connection.
                    None => {
                        ConnectionError::Gone("the connection was closed in the middle of a write".to_owned())
                    }
                };
                drop(signal.send(Err(trouble)));
            })
        };
        let on_error = Closure::<dyn FnMut(Event)>::new(move |event: Event| event.stop_propagation());
        inner.set_oncomplete(Some(on_complete.as_ref().unchecked_ref()));
        inner.set_onabort(Some(on_abort.as_ref().unchecked_ref()));
        inner.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Self { inner, signal, _handlers: [on_complete, on_abort, on_error] }
    }

    /// One of the stores this transaction is over.
    pub fn store(&self, name: &str) -> Result<IdbObjectStore, ConnectionError> {
        Ok(self.inner.object_store(name)?)
    }

    /// The browser's own handle, for what is done in the middle of it.
    pub fn parts(&self) -> IdbTransaction {
        self.inner.clone()
    }

    /// Waits until a transaction is complete whose requests make further requests: it must not be told to commit.
    pub async fn settled(&self) -> Result<(), ConnectionError> {
        self.signal.wait().await
    }

    /// Waits until the transaction is complete, not only its requests: only then is it stored.
    pub async fn done(&self) -> Result<(), ConnectionError> {
        // Saves the round trip in which the browser waits for more requests. Where it is missing or too
        // late the transaction commits by itself. Not for a read: Chromium then says that the transaction
        // is complete before it has brought a large result (seen with 3 MB).
        if self.inner.mode() != Ok(IdbTransactionMode::Readonly) {
            drop(call(&self.inner, "commit", &[]));
        }
        self.settled().await
    }
}

/// What only tests do to a connection.
#[cfg(test)]
mod rough {
    use super::{Connection, Reflect, Transaction};

    impl Connection {
        /// Closes the handle without telling anybody, as a browser that clears its data does.
        pub(crate) fn pull_the_plug(&self) {
            self.database.close();
        }

        /// Holds on, whatever others need.
        pub(crate) fn ignore_others(&self) {
            self.database.set_onversionchange(None);
        }

        /// The object stores there are, sorted.
        pub(crate) fn store_names(&self) -> Vec<String> {
            let names = self.database.object_store_names();
            (0..names.length()).filter_map(|place| names.get(place)).collect()
        }
    }

    impl Transaction {
        /// The durability that the browser understood.
        pub(crate) fn durability(&self) -> String {
            let durability = Reflect::get(&self.inner, &"durability".into());
            durability.ok().and_then(|durability| durability.as_string()).unwrap_or_default()
        }
    }
}
