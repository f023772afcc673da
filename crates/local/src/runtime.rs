//! What the protocol and the tools need of the system: clock, zone, randomness, and a place to keep things.

use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use mcp::{RpcError, Runtime};
use store::Moment;
use tools::ByteStore;

use crate::AnyJournal;

/// The system's clock, in Unix milliseconds.
#[must_use]
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Now, in a zone by its name, or in the system's own.
#[must_use]
pub fn now(zone: Option<&str>) -> Moment {
    let at_ms = now_ms();
    let zone = zone.and_then(|name| TimeZone::get(name).ok()).unwrap_or_else(TimeZone::system);
    let offset_s = Timestamp::from_millisecond(at_ms).map_or(0, |at| zone.to_offset(at).seconds());
    Moment { at_ms, zone: zone.iana_name().unwrap_or("UTC").to_owned(), offset_s }
}

/// 128 random bits in hexadecimal.
///
/// # Panics
/// When the system has no randomness: nothing that follows would be safe.
#[must_use]
pub fn random() -> String {
    let mut bytes = [0u8; 16];
    if let Err(error) = getrandom::fill(&mut bytes) {
        panic!("the system gives no random numbers: {error}");
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The system's clock and randomness, and what keeps the to-dos. It runs on a thread with a `LocalSet`.
pub struct NativeRuntime {
    byte_store: ByteStore<AnyJournal>,
}

impl NativeRuntime {
    /// Keeps things beside these to-dos.
    #[must_use]
    pub fn over(byte_store: ByteStore<AnyJournal>) -> Self {
        Self { byte_store }
    }
}

#[async_trait(?Send)]
impl Runtime for NativeRuntime {
    fn now_ms(&self) -> i64 {
        now_ms()
    }

    fn timestamp(&self, at_ms: i64) -> String {
        Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH).to_string()
    }

    fn random(&self) -> String {
        random()
    }

    fn detach(&self, work: LocalBoxFuture<'static, ()>) {
        tokio::task::spawn_local(work);
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        self.byte_store.get(name).await
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.byte_store.put(name, bytes).await
    }

    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        self.byte_store.names(prefix).await
    }

    async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.byte_store.delete(name).await
    }
}
