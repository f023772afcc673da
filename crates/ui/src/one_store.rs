//! A database of the page's own with one store in it, its records by their `id`. Opened when it is first needed, and again
//! where its connection was closed. `JsValue` ends with whoever uses it.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{IdbDatabase, IdbObjectStore, IdbObjectStoreParameters, IdbTransaction, IdbTransactionMode};

use crate::log::idb::{IdbError, finished};

/// The database.
pub struct OneStore {
    name: &'static str,
    store: &'static str,
    database: RefCell<Option<IdbDatabase>>,
}

impl OneStore {
    /// A database of this name with this store, not opened yet.
    #[must_use]
    pub fn new(name: &'static str, store: &'static str) -> Self {
        Self { name, store, database: RefCell::new(None) }
    }

    /// The store in a new transaction, on a new connection where the old one was closed.
    ///
    /// # Errors
    /// What IndexedDB could not do.
    pub async fn begin(
        &self,
        mode: IdbTransactionMode,
    ) -> Result<(IdbTransaction, IdbObjectStore), IdbError> {
        for may_reopen in [true, false] {
            let database = self.connection().await?;
            if let Ok(transaction) = database.transaction_with_str_and_mode(self.store, mode)
                && let Ok(store) = transaction.object_store(self.store)
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
        let request = factory.open_with_u32(self.name, 1).map_err(|_| IdbError::Unavailable)?;
        let (upgrading, store) = (request.clone(), self.store);
        let on_upgrade = Closure::once(move || {
            let parameters = IdbObjectStoreParameters::new();
            parameters.set_key_path(&"id".into());
            // A failure here aborts the upgrade, and the open request reports it.
            if let Some(database) = upgrading.result().ok().and_then(|it| it.dyn_into::<IdbDatabase>().ok()) {
                let _ = database.create_object_store_with_optional_parameters(store, &parameters);
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
