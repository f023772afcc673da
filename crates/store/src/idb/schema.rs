//! The object stores, once, with the version each came with. Nothing is ever deleted by an upgrade.

use wasm_bindgen::JsValue;
use web_sys::{IdbDatabase, IdbIndexParameters, IdbObjectStoreParameters};

/// The changes, by `rev`.
pub(super) const JOURNAL: &str = "journal";
/// The journal's unique index on the idempotency key.
pub(super) const KEY_INDEX: &str = "key";
/// The packed tables.
pub(super) const SNAPSHOTS: &str = "snapshots";
/// Bytes by content hash.
pub(super) const BLOBS: &str = "blobs";

/// An object store and its indexes.
pub(super) struct StoreDef {
    /// Its name.
    pub name: &'static str,
    /// The field that is the key; without one the key is given beside the value.
    pub key_path: Option<&'static str>,
    /// Fields with a unique index of the same name.
    pub unique: &'static [&'static str],
    /// The database version it came with. A new store takes the next number; that is the whole
    /// migration, because what is inside the stores has versions of its own.
    pub since: u32,
}

/// All object stores there are.
pub(super) const STORES: &[StoreDef] = &[
    StoreDef { name: JOURNAL, key_path: Some("rev"), unique: &[KEY_INDEX], since: 1 },
    StoreDef { name: SNAPSHOTS, key_path: None, unique: &[], since: 1 },
    StoreDef { name: BLOBS, key_path: None, unique: &[], since: 1 },
];

/// The database version of a list of stores.
pub(super) fn version(stores: &[StoreDef]) -> u32 {
    stores.iter().map(|store| store.since).max().unwrap_or(1)
}

/// Creates the stores that came after a version. Runs inside the upgrade's transaction: an error
/// aborts it and leaves the database as it was.
pub(super) fn upgrade(database: &IdbDatabase, stores: &[StoreDef], from: u32) -> Result<(), JsValue> {
    for def in stores.iter().filter(|store| store.since > from) {
        let parameters = IdbObjectStoreParameters::new();
        if let Some(key_path) = def.key_path {
            parameters.set_key_path(&key_path.into());
        }
        let store = database.create_object_store_with_optional_parameters(def.name, &parameters)?;
        for field in def.unique {
            let parameters = IdbIndexParameters::new();
            parameters.set_unique(true);
            store.create_index_with_str_and_optional_parameters(field, field, &parameters)?;
        }
    }
    Ok(())
}
