//! The worker's module, held compiled while the worker sleeps.
//!
//! A browser stops a worker after half a minute without work, and compiles its functions one by one when it wakes:
//! most of what a person then waits for. Chromium shares compiled code within a process, and a page and its worker are
//! in one. So the page holds the same module: what a worker has once run stays compiled as long as a page is open.
//! Elsewhere it costs one compilation in the background.

use std::cell::RefCell;
use std::rc::Weak;

use js_sys::WebAssembly;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web::clock::sleep;

use super::Inner;

/// After so much time the app has started, and nobody waits for us.
const LATER_MS: u64 = 2_000;

const MODULE: &str = "service-worker_bg.wasm";

thread_local! {
    static HELD: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// Has the worker in control keep the parts of the page that it does not have yet, and compiles its module, in place of what
/// is held. Nothing depends on it: where it fails nothing is held, and the next page asks again. A worker that is about
/// to go is left alone: the next one has all of its own.
pub(super) async fn hold(transport: Weak<Inner>) {
    sleep(LATER_MS).await;
    let Some(window) = web_sys::window() else { return };
    if let Some(transport) = transport.upgrade()
        && let Some(workers) = &transport.workers
        && workers.is_in_control()
        && !workers.is_replaced()
    {
        workers.fetch_the_rest();
    }
    let compiled = WebAssembly::compile_streaming(&window.fetch_with_str(MODULE));
    HELD.replace(JsFuture::from(compiled).await.ok());
}
