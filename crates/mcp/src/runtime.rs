//! What a server needs of the program around it, for everything that outlives one request.

use async_trait::async_trait;
use futures::future::LocalBoxFuture;

use crate::rpc::RpcError;

/// Time, randomness, work in the background, and a place for what must outlive this process: sessions, tasks and the
/// key of sealed states. A worker is stopped when it is idle, so none of that may live in memory alone.
#[async_trait(?Send)]
pub trait Runtime {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> i64;

    /// A time as RFC 3339 in UTC, of milliseconds since 1970.
    fn timestamp(&self, at_ms: i64) -> String;

    /// At least 128 bits that nobody can guess, as visible ASCII without spaces.
    fn random(&self) -> String;

    /// Runs work to its end, whether or not anybody waits for it.
    fn detach(&self, work: LocalBoxFuture<'static, ()>);

    /// What is kept under a name.
    ///
    /// # Errors
    /// When the place cannot be read.
    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError>;

    /// Keeps bytes under a name in place of what was there. On disk when this returns.
    ///
    /// # Errors
    /// When the place cannot be written.
    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError>;

    /// The names that begin with a prefix.
    ///
    /// # Errors
    /// When the place cannot be read.
    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError>;

    /// Forgets what is kept under a name; no error when there is nothing.
    ///
    /// # Errors
    /// When the place cannot be written.
    async fn delete(&self, name: &str) -> Result<(), RpcError>;
}
