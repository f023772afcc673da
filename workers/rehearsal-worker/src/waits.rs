//! Real time, where a model of the page takes part.

use agent::Clock;
use async_trait::async_trait;
use js_sys::{Date, Promise};
use wasm_bindgen_futures::JsFuture;

use crate::scope::scope;

/// The browser's clock.
pub struct SystemTime;

#[async_trait(?Send)]
impl Clock for SystemTime {
    #[expect(clippy::cast_possible_truncation, reason = "a browser's time is far below 2^53")]
    fn now_ms(&self) -> i64 {
        Date::now() as i64
    }

    async fn sleep(&self, ms: u64) {
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let mut waits = |done: js_sys::Function, _| {
            // Without a timer nobody would ever go on: then it is over at once.
            if scope().set_timeout_with_callback_and_timeout_and_arguments_0(&done, ms).is_err() {
                drop(done.call0(&wasm_bindgen::JsValue::UNDEFINED));
            }
        };
        drop(JsFuture::from(Promise::new(&mut waits)).await);
    }
}
