//! The browser's clock, zone and randomness, as plain values; and waiting: for a while, or for something but not for too long.

use std::pin::pin;

use futures::channel::oneshot;
use futures::future::{Either, LocalBoxFuture, select};
use js_sys::{Date, Intl, Object};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::value;

/// Milliseconds since 1970, UTC.
#[must_use]
pub fn now_ms() -> i64 {
    Date::now() as i64
}

/// Milliseconds since the page began, by a clock that no change of the time sets back (D-14).
#[must_use]
pub fn monotonic_ms() -> u64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0, |clock| clock.now().max(0.0) as u64)
}

/// The month on the wall: `2026-11`.
#[must_use]
pub fn civil_month() -> String {
    civil_now().chars().take(7).collect()
}

/// What the clock on the wall shows: `2026-11-21T22:30`.
#[must_use]
pub fn civil_now() -> String {
    civil(&Date::new_0())
}

/// The same with its distance from UTC: `2026-11-21T22:30+01:00`.
#[must_use]
pub fn civil_now_and_offset() -> String {
    let now = Date::new_0();
    // The browser counts what is to be added to get to UTC.
    let minutes = -(now.get_timezone_offset() as i64);
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.abs();
    format!("{}{sign}{:02}:{:02}", civil(&now), minutes / 60, minutes % 60)
}

/// Today's weekday in English.
#[must_use]
pub fn weekday() -> &'static str {
    const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    DAYS[Date::new_0().get_day() as usize % 7]
}

/// The IANA name of the zone the person is in; `UTC` where the browser does not say.
#[must_use]
pub fn zone() -> String {
    let options = Intl::DateTimeFormat::new(&js_sys::Array::new(), &Object::new()).resolved_options();
    value::text(&options, "timeZone").unwrap_or_else(|| "UTC".to_owned())
}

/// A new random id behind a prefix: `chat_7f0c…`.
#[must_use]
pub fn new_id(prefix: &str) -> String {
    format!("{prefix}_{}", random())
}

/// 24 random characters of `[0-9a-f]`.
#[must_use]
pub fn random() -> String {
    let mut bytes = [0_u8; 12];
    if !fill(&mut bytes) {
        bytes.iter_mut().for_each(|byte| *byte = (js_sys::Math::random() * 256.0) as u8);
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fills bytes with the browser's randomness; false where it has none.
pub fn fill(bytes: &mut [u8]) -> bool {
    // Not `randomUUID`: that one is missing where the page is not served securely.
    web_sys::window()
        .and_then(|window| window.crypto().ok())
        .is_some_and(|crypto| crypto.get_random_values_with_u8_array(bytes).is_ok())
}

/// The number of a day where the person is; the next day has the next number.
#[must_use]
pub fn local_day(at_ms: i64) -> i64 {
    let offset_ms = Date::new(&JsValue::from_f64(at_ms as f64)).get_timezone_offset() * 60_000.0;
    (at_ms - offset_ms as i64).div_euclid(86_400_000)
}

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

/// Waits this many milliseconds. Without timers nothing waits: going on at once is the lesser evil.
pub fn sleep(ms: u64) -> LocalBoxFuture<'static, ()> {
    Box::pin(async move {
        let (send, receive) = oneshot::channel::<()>();
        let callback = Closure::once(move || drop(send));
        let Some(window) = web_sys::window() else { return };
        let function = callback.as_ref().unchecked_ref();
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let timeout = window.set_timeout_with_callback_and_timeout_and_arguments_0(function, ms);
        let Ok(handle) = timeout else { return };
        let _timer = Timer { handle, _callback: callback };
        let _ = receive.await;
    })
}

/// What the future gives, if it does so within this many milliseconds; else it is dropped.
pub async fn within<F: Future>(ms: u64, future: F) -> Option<F::Output> {
    match select(pin!(future), pin!(sleep(ms))).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(((), _)) => None,
    }
}

/// What a clock on the wall shows at a moment: `2026-11-21T22:30`.
#[must_use]
pub fn civil_at(at_ms: i64) -> String {
    civil(&Date::new(&JsValue::from_f64(at_ms as f64)))
}

fn civil(date: &Date) -> String {
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date(),
        date.get_hours(),
        date.get_minutes()
    )
}
