//! Waiting in the page: for a while, or for something but not for too long.

use std::future::Future;
use std::pin::pin;

use futures::channel::oneshot;
use futures::future::{Either, select};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

/// A timer of the browser, cleared when nobody waits for it any more.
struct Timer {
    handle: i32,
    _callback: Closure<dyn FnMut()>,
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            window.clear_timeout_with_handle(self.handle);
        }
    }
}

/// Waits this many milliseconds.
pub(super) async fn sleep(ms: i32) {
    let (send, receive) = oneshot::channel::<()>();
    let callback = Closure::once(move || drop(send));
    let Some(window) = web_sys::window() else { return };
    let timeout =
        window.set_timeout_with_callback_and_timeout_and_arguments_0(callback.as_ref().unchecked_ref(), ms);
    let Ok(handle) = timeout else { return };
    let _timer = Timer { handle, _callback: callback };
    let _ = receive.await;
}

/// What the future gives, if it does so within this many milliseconds; else it is dropped.
pub(super) async fn within<F: Future>(ms: i32, future: F) -> Option<F::Output> {
    match select(pin!(future), pin!(sleep(ms))).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(((), _)) => None,
    }
}
