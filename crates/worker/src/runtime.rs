//! What the protocol needs of the browser.

use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use js_sys::Date;
use mcp::{RpcError, Runtime};
use store::IdbJournal;
use tools::ByteStore;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use crate::browser;

/// The browser's clock, randomness and tasks; what is kept, is kept in the tools' database.
pub(crate) struct WorkerRuntime(pub ByteStore<IdbJournal>);

#[async_trait(?Send)]
impl Runtime for WorkerRuntime {
    fn now_ms(&self) -> i64 {
        Date::now() as i64
    }

    fn timestamp(&self, at_ms: i64) -> String {
        Date::new(&JsValue::from_f64(at_ms as f64)).to_iso_string().into()
    }

    fn random(&self) -> String {
        browser::random_id()
    }

    fn detach(&self, work: LocalBoxFuture<'static, ()>) {
        spawn_local(work);
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        self.0.get(name).await
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.0.put(name, bytes).await
    }

    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        self.0.names(prefix).await
    }

    async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.0.delete(name).await
    }
}
