//! Where sealed keys are kept: one small database, apart from the conversations, so that no export or
//! copy of those ever holds a key. `JsValue` ends here.

use std::cell::RefCell;

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    CryptoKey, IdbDatabase, IdbObjectStore, IdbObjectStoreParameters, IdbTransaction, IdbTransactionMode,
};

use super::KeyError;
use crate::log::idb::{IdbError, complete, finished};

/// The database.
const NAME: &str = "satchel-keys";

/// Its only store: the master under its own name, each sealed key under its origin.
const STORE: &str = "keys";

/// The master's record. It is no origin.
const MASTER: &str = "master";

/// A sealed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Used once.
    pub nonce: Vec<u8>,
    /// The sealed bytes with their tag.
    pub data: Vec<u8>,
}

/// What seals the keys.
pub enum Master {
    /// A key the browser made and keeps to itself.
    Device(CryptoKey),
    /// One that a passphrase gives.
    Phrase {
        /// Random, so that equal passphrases give different keys.
        salt: Vec<u8>,
        /// Rounds of PBKDF2.
        rounds: u32,
        /// Opens only with the right one.
        check: Sealed,
    },
}

/// The database, opened when it is first needed.
#[derive(Default)]
pub struct KeyShelf {
    database: RefCell<Option<IdbDatabase>>,
}

impl KeyShelf {
    /// Whether anything can be kept.
    pub async fn is_there(&self) -> bool {
        self.connection().await.is_ok()
    }

    /// The master, if there is one.
    pub async fn master(&self) -> Result<Option<Master>, KeyError> {
        Ok(self.read(MASTER).await?.as_ref().and_then(master_of))
    }

    /// The sealed key of an origin.
    pub async fn sealed(&self, origin: &str) -> Result<Option<Sealed>, KeyError> {
        Ok(self.read(origin).await?.as_ref().and_then(sealed_of))
    }

    /// All sealed keys with their origins.
    pub async fn all(&self) -> Result<Vec<(String, Sealed)>, KeyError> {
        let read = async {
            let (_, store) = self.store(IdbTransactionMode::Readonly).await?;
            finished(&store.get_all().map_err(|_| IdbError::Closed)?).await
        };
        let records = Array::from(&read.await.map_err(words)?);
        let keys = records.iter().filter_map(|record| {
            let id = field(&record, "id")?.as_string().filter(|id| id != MASTER)?;
            Some((id, sealed_of(&record)?))
        });
        Ok(keys.collect())
    }

    /// Keeps a new master where there is none; false when another tab was quicker.
    pub async fn begin(&self, key: &CryptoKey) -> Result<bool, KeyError> {
        let record = record(MASTER, &[("key", key.into())]);
        let write = async {
            let (_, store) = self.store(IdbTransactionMode::Readwrite).await?;
            finished(&store.add(&record).map_err(|_| IdbError::Closed)?).await
        };
        match write.await {
            Ok(_) => Ok(true),
            Err(IdbError::Taken) => Ok(false),
            Err(error) => Err(words(error)),
        }
    }

    /// Keeps sealed keys, and the master they belong to where it is another: all of it or nothing.
    pub async fn put(&self, master: Option<&Master>, keys: &[(String, Sealed)]) -> Result<(), KeyError> {
        let mut records: Vec<JsValue> =
            keys.iter().map(|(origin, sealed)| record(origin, &sealed_fields(sealed))).collect();
        records.extend(master.map(master_record));
        self.write(|store| records.iter().try_for_each(|record| store.put(record).map(drop))).await
    }

    /// Forgets the key of an origin.
    pub async fn remove(&self, origin: &str) -> Result<(), KeyError> {
        self.write(|store| store.delete(&origin.into()).map(drop)).await
    }

    /// Forgets everything.
    pub async fn clear(&self) -> Result<(), KeyError> {
        self.write(|store| store.clear().map(drop)).await
    }

    async fn read(&self, id: &str) -> Result<Option<JsValue>, KeyError> {
        let read = async {
            let (_, store) = self.store(IdbTransactionMode::Readonly).await?;
            finished(&store.get(&id.into()).map_err(|_| IdbError::Closed)?).await
        };
        read.await.map(|record| record.is_object().then_some(record)).map_err(words)
    }

    async fn write(&self, what: impl Fn(&IdbObjectStore) -> Result<(), JsValue>) -> Result<(), KeyError> {
        let written = async {
            let (transaction, store) = self.store(IdbTransactionMode::Readwrite).await?;
            what(&store).map_err(|_| IdbError::Closed)?;
            complete(&transaction).await
        };
        written.await.map_err(words)
    }

    /// The store in a new transaction, on a new connection where the old one was closed.
    async fn store(&self, mode: IdbTransactionMode) -> Result<(IdbTransaction, IdbObjectStore), IdbError> {
        for may_reopen in [true, false] {
            let database = self.connection().await?;
            if let Ok(transaction) = database.transaction_with_str_and_mode(STORE, mode)
                && let Ok(store) = transaction.object_store(STORE)
            {
                return Ok((transaction, store));
            }
            if may_reopen {
                self.database.take();
            }
        }
        Err(IdbError::Closed)
    }

    async fn connection(&self) -> Result<IdbDatabase, IdbError> {
        if let Some(database) = self.database.borrow().clone() {
            return Ok(database);
        }
        let factory = web_sys::window()
            .and_then(|window| window.indexed_db().ok().flatten())
            .ok_or(IdbError::Unavailable)?;
        let request = factory.open_with_u32(NAME, 1).map_err(|_| IdbError::Unavailable)?;
        let upgrading = request.clone();
        let on_upgrade = Closure::once(move || {
            let parameters = IdbObjectStoreParameters::new();
            parameters.set_key_path(&"id".into());
            // A failure here aborts the upgrade, and the open request reports it.
            if let Some(database) = upgrading.result().ok().and_then(|it| it.dyn_into::<IdbDatabase>().ok()) {
                let _ = database.create_object_store_with_optional_parameters(STORE, &parameters);
            }
        });
        request.set_onupgradeneeded(Some(on_upgrade.as_ref().unchecked_ref()));
        let database: IdbDatabase =
            finished(&request).await?.dyn_into().map_err(|_| IdbError::Unavailable)?;
        // Another tab deletes everything: it must not wait for us.
        let closing = database.clone();
        let on_version = Closure::<dyn FnMut()>::new(move || closing.close());
        database.set_onversionchange(Some(on_version.as_ref().unchecked_ref()));
        // One small listener per connection, for as long as the connection lives.
        on_version.forget();
        self.database.replace(Some(database.clone()));
        Ok(database)
    }
}

fn words(error: IdbError) -> KeyError {
    KeyError::Storage(match error {
        IdbError::Unavailable => "there is none here".to_owned(),
        IdbError::Taken => "it was written meanwhile".to_owned(),
        IdbError::Full => "it is full".to_owned(),
        IdbError::Closed => "it was closed".to_owned(),
        IdbError::Other(name) => name,
    })
}

fn record(id: &str, fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    let _ = Reflect::set(&object, &"id".into(), &id.into());
    for (name, value) in fields {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

fn master_record(master: &Master) -> JsValue {
    match master {
        Master::Device(key) => record(MASTER, &[("key", key.into())]),
        Master::Phrase { salt, rounds, check } => {
            let mut fields = sealed_fields(check).to_vec();
            fields.push(("salt", Uint8Array::from(salt.as_slice()).into()));
            fields.push(("rounds", (*rounds).into()));
            record(MASTER, &fields)
        }
    }
}

fn master_of(record: &JsValue) -> Option<Master> {
    if let Some(key) = field(record, "key") {
        return key.dyn_into().ok().map(Master::Device);
    }
    Some(Master::Phrase {
        salt: bytes(record, "salt")?,
        rounds: field(record, "rounds")?.as_f64()? as u32,
        check: sealed_of(record)?,
    })
}

fn sealed_fields(sealed: &Sealed) -> [(&'static str, JsValue); 2] {
    [
        ("nonce", Uint8Array::from(sealed.nonce.as_slice()).into()),
        ("data", Uint8Array::from(sealed.data.as_slice()).into()),
    ]
}

fn sealed_of(record: &JsValue) -> Option<Sealed> {
    Some(Sealed { nonce: bytes(record, "nonce")?, data: bytes(record, "data")? })
}

fn field(record: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(record, &name.into()).ok().filter(|value| !value.is_undefined())
}

fn bytes(record: &JsValue, name: &str) -> Option<Vec<u8>> {
    Some(field(record, name)?.dyn_into::<Uint8Array>().ok()?.to_vec())
}
