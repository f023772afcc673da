//! The server without a worker: its own module, loaded here, one call at a time over all tabs.

use futures::lock::Mutex;
use js_sys::{Function, Promise};
use mcp::Headers;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web::clock::within;
use web::lock::Lock;
use web::{page, value};
use web_sys::Url;

use super::{TRANSPORT_VERSION, TransportReply, words};
use crate::i18n;

/// The lock that makes the pages without a worker take turns.
const LOCK: &str = "satchel-server";

// `import()` is syntax and not a function, so it has no binding elsewhere. This becomes a module file of
// the same origin, which a strict content policy allows.
#[wasm_bindgen(inline_js = "export const load_module = (url) => import(url);")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn load_module(url: &str) -> Result<Promise, JsValue>;
}

/// The worker's module, once it was needed.
#[derive(Default)]
pub(super) struct InPage {
    handle: Mutex<Option<Function>>,
}

impl InPage {
    /// Answers a request in this page, when no other tab is at it, within this time.
    pub(super) async fn call(
        &self,
        headers: &Headers,
        body: &str,
        ms: u64,
    ) -> Result<TransportReply, String> {
        let answer = within(ms, self.take_turn(headers, body)).await;
        answer.unwrap_or_else(|| Err(i18n::other_tab_is_busy().into()))
    }

    /// Loads the module, if that is possible within this time.
    pub(super) async fn load(&self, ms: u64) -> bool {
        within(ms, self.handle()).await.is_some_and(|loaded| loaded.is_ok())
    }

    /// Whether the module is here and was started.
    pub(super) fn is_loaded(&self) -> bool {
        self.handle.try_lock().is_some_and(|handle| handle.is_some())
    }

    async fn take_turn(&self, headers: &Headers, body: &str) -> Result<TransportReply, String> {
        let _lock = Lock::in_turn(LOCK).await;
        self.answer(headers, body).await.map_err(|error| words(&error))
    }

    async fn answer(&self, headers: &Headers, body: &str) -> Result<TransportReply, JsValue> {
        let handle = self.handle().await?;
        let headers = headers.clone().with("satchel-version", &TRANSPORT_VERSION.to_string());
        let headers = serde_json::to_string(&headers).map_err(|error| error.to_string())?;
        let reply = handle.call3(&JsValue::UNDEFINED, &"POST".into(), &headers.into(), &body.into())?;
        let reply = JsFuture::from(reply.dyn_into::<Promise>()?).await?;
        let text = |field: &str| value::text(&reply, field).unwrap_or_default();
        Ok(TransportReply {
            status: value::number(&reply, "status").unwrap_or_default() as u16,
            headers: serde_json::from_str(&text("headers_json")).unwrap_or_default(),
            body: text("body"),
        })
    }

    /// The module's `handle`, loaded and started the first time.
    async fn handle(&self) -> Result<Function, JsValue> {
        let mut slot = self.handle.lock().await;
        if let Some(handle) = &*slot {
            return Ok(handle.clone());
        }
        let url = Url::new_with_base("service-worker.js", &page::base())?.href();
        let module = JsFuture::from(load_module(&url)?).await?;
        value::called(&module, "default", &[]).await?;
        let handle = value::method(&module, "handle").ok_or("it has no handle")?;
        Ok(slot.insert(handle).clone())
    }
}
