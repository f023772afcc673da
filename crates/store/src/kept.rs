//! Bytes that are kept beside the tables and are no part of them: what a program needs to remember between its starts.
//! They are not in the journal, not in a copy, and not in an export.

use crate::{Db, Journal, StoreError};

/// What their names begin with, so that they meet no other bytes.
const PREFIX: &str = "kept/";

impl<J: Journal> Db<J> {
    /// The bytes that are kept under a name.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn kept(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.journal.blob(&format!("{PREFIX}{name}")).await
    }

    /// Keeps bytes under a name, in place of what was there.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn keep_bytes(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.journal.put_blob(&format!("{PREFIX}{name}"), bytes).await
    }

    /// The names that begin with a prefix, in order.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn kept_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let names = self.journal.blob_names(&format!("{PREFIX}{prefix}")).await?;
        Ok(names.into_iter().filter_map(|name| Some(name.strip_prefix(PREFIX)?.to_owned())).collect())
    }

    /// Forgets what is kept under a name; no error when there is nothing.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn forget_bytes(&self, name: &str) -> Result<(), StoreError> {
        self.journal.delete_blob(&format!("{PREFIX}{name}")).await
    }
}
