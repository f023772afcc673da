//! Where sealed keys are kept: one small database, apart from the conversations, so that no export or
//! copy of those ever holds a key. `JsValue` ends here.

use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use web::idb::{Database, IdbError, Writing};
use web::value::{number, object, part, text};
use web_sys::{CryptoKey, IdbObjectStore};

use super::KeyError;
use crate::i18n;

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
pub struct KeyStore {
    database: Database,
}

impl Default for KeyStore {
    fn default() -> Self {
        Self { database: Database::new(NAME, &[(STORE, &["id"])]) }
    }
}

impl KeyStore {
    /// Whether anything can be kept.
    pub async fn is_there(&self) -> bool {
        self.database.open().await.is_ok()
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
        let records = self.database.all(STORE, None).await.map_err(words)?;
        let keys = records.iter().filter_map(|record| {
            let id = text(record, "id").filter(|id| id != MASTER)?;
            Some((id, sealed_of(record)?))
        });
        Ok(keys.collect())
    }

    /// Keeps a new master where there is none; false when another tab was quicker.
    pub async fn begin(&self, key: &CryptoKey) -> Result<bool, KeyError> {
        let record = record(MASTER, &[("key", key.into())]);
        match self.database.write(|writing| writing.to(STORE)?.add(&record).map(drop)).await {
            Ok(()) => Ok(true),
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
        self.database.get(STORE, &id.into()).await.map_err(words)
    }

    async fn write(&self, what: impl Fn(&IdbObjectStore) -> Result<(), JsValue>) -> Result<(), KeyError> {
        self.database.write(|writing: &Writing<'_>| what(&writing.to(STORE)?)).await.map_err(words)
    }
}

fn words(error: IdbError) -> KeyError {
    KeyError::Storage(match error {
        IdbError::Unavailable => i18n::key_storage_missing().to_owned(),
        IdbError::Taken => i18n::key_storage_taken().to_owned(),
        IdbError::Full => i18n::key_storage_full().to_owned(),
        IdbError::Closed => i18n::key_storage_closed().to_owned(),
        IdbError::Other(name) => name,
    })
}

fn record(id: &str, parts: &[(&str, JsValue)]) -> JsValue {
    object(&[&[("id", id.into())], parts].concat()).into()
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
    if let Some(key) = part(record, "key") {
        return key.dyn_into().ok().map(Master::Device);
    }
    Some(Master::Phrase {
        salt: bytes(record, "salt")?,
        rounds: number(record, "rounds")? as u32,
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

fn bytes(record: &JsValue, name: &str) -> Option<Vec<u8>> {
    Some(part(record, name)?.dyn_into::<Uint8Array>().ok()?.to_vec())
}
