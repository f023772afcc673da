//! A place beside the origin's databases, for when the browser can open none of them any more.
//!
//! Chromium keeps all databases of an origin in one folder. With its manifest gone the folder can neither be
//! opened nor deleted, today or ever: each request fails with `UnknownError`. A storage bucket has a folder of its
//! own. Browsers without buckets have no spare, and the error stands.

use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbFactory;

use super::connection::failure;
use super::wait::call_async;
use crate::StoreError;

/// The bucket's name. Who deletes everything deletes it too: like the database's, it begins with the app's.
fn bucket(database: &str) -> String {
    format!("{database}-spare")
}

/// The spare's databases, if it was ever needed.
///
/// # Errors
/// When the browser does not say: nobody may take the old database for the truth then.
pub(super) async fn in_use(database: &str) -> Result<Option<IdbFactory>, StoreError> {
    let Some(buckets) = buckets() else { return Ok(None) };
    let names = match call_async(&buckets, "keys", &[]).await {
        Ok(names) => names,
        // Where storage is blocked altogether there is none, and opening the database says so better.
        Err(error) if is_refused(&error) => return Ok(None),
        Err(error) => return Err(unknown(&error)),
    };
    let is_there =
        Array::from(&names).iter().any(|name| name.as_string().as_deref() == Some(&bucket(database)));
    if is_there { make(database).await } else { Ok(None) }
}

/// The spare's databases; from now on it is in use. `None` where the browser has no buckets.
///
/// # Errors
/// When the bucket cannot be opened.
pub(super) async fn make(database: &str) -> Result<Option<IdbFactory>, StoreError> {
    let Some(buckets) = buckets() else { return Ok(None) };
    let name = bucket(database).into();
    let bucket = call_async(&buckets, "open", &[name]).await.map_err(|error| unknown(&error))?;
    let factory = Reflect::get(&bucket, &"indexedDB".into()).map_err(|error| unknown(&error))?;
    Ok(factory.dyn_into().ok())
}

/// Takes the spare back: it was made and is of no use.
pub(super) async fn unmake(database: &str) {
    if let Some(buckets) = buckets() {
        // What is left of it is empty.
        drop(call_async(&buckets, "delete", &[bucket(database).into()]).await);
    }
}

/// The browser does not give storage to this page at all.
fn is_refused(error: &JsValue) -> bool {
    matches!(failure(error), StoreError::Unavailable(_))
}

fn unknown(error: &JsValue) -> StoreError {
    StoreError::Unavailable(format!("the browser does not say where the data is: {}", failure(error)))
}

/// The browser's buckets, where it has them.
fn buckets() -> Option<JsValue> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    Reflect::get(&navigator, &"storageBuckets".into()).ok().filter(JsValue::is_object)
}
