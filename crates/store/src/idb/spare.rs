//! A place beside the origin's databases, for when the browser can open none of them any more.
//!
//! Chromium keeps all databases of an origin in one folder. With its manifest gone the folder can neither be
//! opened nor deleted, today or ever: each request fails with `UnknownError`. A storage bucket has a folder of its
//! own. Browsers without buckets have no spare, and the error stands.

use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbFactory;

use super::wait::call_async;

/// The bucket. Who deletes everything deletes it too.
const BUCKET: &str = "satchel-spare";

/// The spare's databases, if it was ever needed.
pub(super) async fn in_use() -> Option<IdbFactory> {
    let buckets = buckets()?;
    let names: Array = call_async(&buckets, "keys", &[]).await.ok()?.dyn_into().ok()?;
    if names.iter().any(|name| name.as_string().as_deref() == Some(BUCKET)) { make().await } else { None }
}

/// The spare's databases; from now on it is in use.
pub(super) async fn make() -> Option<IdbFactory> {
    let bucket = call_async(&buckets()?, "open", &[BUCKET.into()]).await.ok()?;
    Reflect::get(&bucket, &"indexedDB".into()).ok()?.dyn_into().ok()
}

/// The browser's buckets, where it has them.
fn buckets() -> Option<JsValue> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    Reflect::get(&navigator, &"storageBuckets".into()).ok().filter(JsValue::is_object)
}
