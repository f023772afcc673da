//! The browser's clock, zone and randomness, as plain values.

use js_sys::{Date, Intl, Object, Reflect};
use wasm_bindgen::JsValue;

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
    Reflect::get(&options, &JsValue::from_str("timeZone"))
        .ok()
        .and_then(|zone| zone.as_string())
        .unwrap_or_else(|| "UTC".to_owned())
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
    // Not `randomUUID`: that one is missing where the page is not served securely.
    let filled = web_sys::window()
        .and_then(|window| window.crypto().ok())
        .is_some_and(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).is_ok());
    if !filled {
        bytes.iter_mut().for_each(|byte| *byte = (js_sys::Math::random() * 256.0) as u8);
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A time of day as the browser's language writes it, for an entry of a list.
#[must_use]
pub fn ago(at_ms: i64) -> String {
    let now_ms = now_ms();
    let minutes = (now_ms - at_ms).max(0) / 60_000;
    crate::i18n::ago(minutes, local_day(now_ms) - local_day(at_ms))
}

/// The number of a day where the person is; the next day has the next number.
#[must_use]
pub fn local_day(at_ms: i64) -> i64 {
    let offset_ms = Date::new(&JsValue::from_f64(at_ms as f64)).get_timezone_offset() * 60_000.0;
    (at_ms - offset_ms as i64).div_euclid(86_400_000)
}

/// What a tool says it did, with its date in words.
#[must_use]
pub fn summary(said: &str) -> String {
    crate::i18n::summary_in_words(said, &civil_now())
}

/// A moment as people say it: `Today, 14:05`.
#[must_use]
pub fn said(at_ms: i64) -> String {
    crate::i18n::due_label(&civil(&Date::new(&JsValue::from_f64(at_ms as f64))), &civil_now())
}

/// Waits.
pub async fn sleep(ms: u64) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let started = web_sys::window().and_then(|window| {
            window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms).ok()
        });
        if started.is_none() {
            // Without timers nothing waits; going on at once is the lesser evil.
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
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
