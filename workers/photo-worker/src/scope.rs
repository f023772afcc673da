//! The worker's own global object, and what is asked of it.

use js_sys::{Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DedicatedWorkerGlobalScope, Response};

/// The global object.
pub fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// A file of the app's beside this worker's script; none where it cannot be had now.
pub async fn file(name: &str) -> Option<Vec<u8>> {
    let base = scope().location().href();
    let folder = base.rsplit_once('/').map_or("", |(folder, _)| folder);
    let response = JsFuture::from(scope().fetch_with_str(&format!("{folder}/{name}"))).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    bytes(response.array_buffer().ok()?).await
}

/// The bytes of a promised buffer; none where it breaks.
pub async fn bytes(buffer: Promise) -> Option<Vec<u8>> {
    Some(Uint8Array::new(&JsFuture::from(buffer).await.ok()?).to_vec())
}

/// The SHA-256 of some bytes by the browser, in lower-case hexadecimal digits.
pub async fn sha256(bytes: &[u8]) -> Option<String> {
    let subtle = scope().crypto().ok()?.subtle();
    let digest = subtle.digest_with_str_and_u8_array("SHA-256", bytes).ok()?;
    Some(self::bytes(digest).await?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A member of an object; nothing where there is none.
pub fn member(of: &JsValue, name: &str) -> Option<JsValue> {
    let value = Reflect::get(of, &name.into()).ok()?;
    (!value.is_undefined() && !value.is_null()).then_some(value)
}

/// A plain object with these members.
pub fn object(members: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in members {
        // A plain object takes every member.
        drop(Reflect::set(&object, &(*name).into(), value));
    }
    object
}

/// Waits.
pub async fn pause(ms: i32) {
    let pause = Promise::new(&mut |go_on, _| {
        // Without a clock nobody waits.
        if scope().set_timeout_with_callback_and_timeout_and_arguments_0(&go_on, ms).is_err() {
            drop(go_on.call0(&JsValue::NULL));
        }
    });
    drop(JsFuture::from(pause).await);
}

/// What went wrong in the browser, in its own words.
pub fn words(error: &JsValue) -> String {
    let said = error.dyn_ref::<Object>().and_then(|error| member(error, "message"));
    said.and_then(|said| said.as_string()).unwrap_or_else(|| "the browser does not say why".to_owned())
}
