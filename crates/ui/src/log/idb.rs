//! The little of IndexedDB the log needs, as futures. `JsValue` ends here.

use futures::channel::oneshot;
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    DomException, IdbDatabase, IdbObjectStoreParameters, IdbOpenDbRequest, IdbRequest, IdbTransaction,
};

/// The database.
const NAME: &str = "satchel-conversations";

/// Its version. A new one comes with its step in [`upgrade`]; no store is ever dropped.
const VERSION: u32 = 1;

/// Entries, by conversation and place.
pub const ENTRIES: &str = "entries";

/// What is known about each conversation beside its entries.
pub const CONVERSATIONS: &str = "conversations";

/// What IndexedDB could not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdbError {
    /// There is no IndexedDB here, or it may not be used.
    Unavailable,
    /// The key is there already.
    Taken,
    /// The connection was closed under us; opening it again may help.
    Closed,
    /// The device has no room left.
    Full,
    /// Anything else, by the exception's name.
    Other(String),
}

impl IdbError {
    fn of(value: &JsValue) -> Self {
        let name = value.dyn_ref::<DomException>().map_or_else(
            || Reflect::get(value, &"name".into()).ok().and_then(|name| name.as_string()).unwrap_or_default(),
            DomException::name,
        );
        match name.as_str() {
            "ConstraintError" => Self::Taken,
            "InvalidStateError" => Self::Closed,
            "QuotaExceededError" => Self::Full,
            "SecurityError" => Self::Unavailable,
            _ => Self::Other(name),
        }
    }
}

/// Opens the database, making its stores when it is new.
pub async fn open() -> Result<IdbDatabase, IdbError> {
    let factory = web_sys::window()
        .and_then(|window| window.indexed_db().ok().flatten())
        .ok_or(IdbError::Unavailable)?;
    let request = factory.open_with_u32(NAME, VERSION).map_err(|error| IdbError::of(&error))?;
    let upgrading = request.clone();
    let on_upgrade = Closure::once(move || upgrade(&upgrading));
    request.set_onupgradeneeded(Some(on_upgrade.as_ref().unchecked_ref()));
    let opened = finished(&request).await?;
    let database: IdbDatabase = opened.dyn_into().map_err(|_| IdbError::Unavailable)?;
    // Another tab brings a newer version: let it, and open again when we next need the database.
    let closing = database.clone();
    let on_version = Closure::<dyn FnMut()>::new(move || closing.close());
    database.set_onversionchange(Some(on_version.as_ref().unchecked_ref()));
    // One small listener per connection, for as long as the connection lives.
    on_version.forget();
    Ok(database)
}

fn upgrade(request: &IdbOpenDbRequest) {
    let Some(database) = request.result().ok().and_then(|result| result.dyn_into::<IdbDatabase>().ok())
    else {
        return;
    };
    let names = database.object_store_names();
    let has = |name: &str| (0..names.length()).any(|at| names.get(at).as_deref() == Some(name));
    // A failure here aborts the upgrade, and the open request reports it.
    if !has(ENTRIES) {
        let parameters = IdbObjectStoreParameters::new();
        parameters.set_key_path(&Array::of2(&"conversation".into(), &"seq".into()));
        let _ = database.create_object_store_with_optional_parameters(ENTRIES, &parameters);
    }
    if !has(CONVERSATIONS) {
        let parameters = IdbObjectStoreParameters::new();
        parameters.set_key_path(&"id".into());
        let _ = database.create_object_store_with_optional_parameters(CONVERSATIONS, &parameters);
    }
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Only to read.
    Read,
    /// Also to write.
    Write,
}

/// A transaction over both stores. Writes are on the disk when it is complete: web-sys knows the option
/// for that behind an unstable flag only, so the method is called by its name.
pub fn transaction(database: &IdbDatabase, mode: Mode) -> Result<IdbTransaction, IdbError> {
    let mode = match mode {
        Mode::Read => "readonly",
        Mode::Write => "readwrite",
    };
    let options = Object::new();
    let _ = Reflect::set(&options, &"durability".into(), &"strict".into());
    let method: Function = Reflect::get(database, &"transaction".into())
        .and_then(JsCast::dyn_into)
        .map_err(|error| IdbError::of(&error))?;
    let stores = Array::of2(&ENTRIES.into(), &CONVERSATIONS.into());
    method
        .call3(database, &stores, &mode.into(), &options)
        .and_then(JsCast::dyn_into)
        .map_err(|error| IdbError::of(&error))
}

/// A record: its keys as fields, the rest as JSON text.
pub fn record(keys: &[(&str, JsValue)], json: &str) -> JsValue {
    let object = Object::new();
    for (name, value) in keys {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    let _ = Reflect::set(&object, &"json".into(), &json.into());
    object.into()
}

/// The JSON text of a record.
pub fn json_of(record: &JsValue) -> Option<String> {
    Reflect::get(record, &"json".into()).ok()?.as_string()
}

/// Takes listeners off when it goes, also because nobody waits any more: a run that another tab took over is dropped
/// in the middle, and the database would call what is gone.
struct Listening<F: Fn()>(F);

impl<F: Fn()> Drop for Listening<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The result of a request.
pub async fn finished(request: &IdbRequest) -> Result<JsValue, IdbError> {
    let (send, receive) = oneshot::channel::<()>();
    let send = std::rc::Rc::new(std::cell::RefCell::new(Some(send)));
    let done = Closure::<dyn FnMut()>::new(move || {
        if let Some(send) = send.borrow_mut().take() {
            let _ = send.send(());
        }
    });
    request.set_onsuccess(Some(done.as_ref().unchecked_ref()));
    request.set_onerror(Some(done.as_ref().unchecked_ref()));
    let listening = Listening(|| {
        request.set_onsuccess(None);
        request.set_onerror(None);
    });
    let _ = receive.await;
    drop(listening);
    match request.error() {
        Ok(Some(error)) => Err(IdbError::of(&error)),
        Ok(None) | Err(_) => request.result().map_err(|error| IdbError::of(&error)),
    }
}

/// Waits until everything a transaction did is kept.
pub async fn complete(transaction: &IdbTransaction) -> Result<(), IdbError> {
    let (send, receive) = oneshot::channel::<bool>();
    let send = std::rc::Rc::new(std::cell::RefCell::new(Some(send)));
    let listener = |kept: bool| {
        let send = std::rc::Rc::clone(&send);
        Closure::<dyn FnMut()>::new(move || {
            if let Some(send) = send.borrow_mut().take() {
                let _ = send.send(kept);
            }
        })
    };
    let (on_complete, on_abort) = (listener(true), listener(false));
    transaction.set_oncomplete(Some(on_complete.as_ref().unchecked_ref()));
    transaction.set_onabort(Some(on_abort.as_ref().unchecked_ref()));
    let listening = Listening(|| {
        transaction.set_oncomplete(None);
        transaction.set_onabort(None);
    });
    let kept = receive.await.unwrap_or(false);
    drop(listening);
    if kept {
        return Ok(());
    }
    Err(transaction.error().map_or(IdbError::Closed, |error| IdbError::of(&error)))
}
