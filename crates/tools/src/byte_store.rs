//! What the protocol has to remember, kept beside the to-dos.

use std::rc::Rc;

use mcp::RpcError;
use store::{Db, Journal};

use crate::error::internal;

/// A place for bytes by name, in the database of the tools: for the runtime of a server over it (`mcp::Runtime`).
pub struct ByteStore<J> {
    db: Rc<Db<J>>,
}

impl<J: Journal> ByteStore<J> {
    pub(crate) fn new(db: Rc<Db<J>>) -> Self {
        Self { db }
    }

    /// What is kept under a name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        self.db.kept(name).await.map_err(|error| internal(&error))
    }

    /// Keeps bytes under a name.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.db.keep_bytes(name, bytes).await.map_err(|error| internal(&error))
    }

    /// The names that begin with a prefix.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        self.db.kept_names(prefix).await.map_err(|error| internal(&error))
    }

    /// Forgets what is kept under a name.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.db.forget_bytes(name).await.map_err(|error| internal(&error))
    }

    /// What may happen while nobody calls, as [`crate::ToolServer::upkeep`].
    ///
    /// # Errors
    /// When the journal fails. Nothing is lost by it.
    pub async fn upkeep(&self) -> Result<(), RpcError> {
        self.db.upkeep().await.map_err(|error| internal(&error))
    }
}
