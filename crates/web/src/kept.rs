//! The files that the worker keeps for the page, in the browser's caches.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, CacheQueryOptions, CacheStorage, Response, ResponseInit};

/// Changes the text that is kept of an address, in every cache whose name begins with `names`. `change` gives the new text, or
/// none where the old one is right.
///
/// # Errors
/// What the browser says; what was changed before stays so.
pub async fn change(
    names: &str,
    address: &str,
    change: impl Fn(&str) -> Option<String>,
) -> Result<(), JsValue> {
    // A page that is no secure context has none.
    let Some(caches) = web_sys::window().and_then(|window| window.caches().ok()) else { return Ok(()) };
    for name in JsFuture::from(caches.keys()).await?.unchecked_into::<Array>().iter() {
        let Some(name) = name.as_string().filter(|name| name.starts_with(names)) else { continue };
        if let Some(found) = found(&caches, &name, address).await? {
            let text = JsFuture::from(found.text()?).await?.as_string().unwrap_or_default();
            if let Some(text) = change(&text) {
                let as_before = ResponseInit::new();
                as_before.set_headers(&found.headers());
                let new = Response::new_with_opt_str_and_init(Some(&text), &as_before)?;
                let cache: Cache = JsFuture::from(caches.open(&name)).await?.unchecked_into();
                JsFuture::from(cache.put_with_str(address, &new)).await?;
            }
        }
    }
    Ok(())
}

/// What a cache has of an address. It is not opened for that: a name that is gone meanwhile would be there again.
async fn found(caches: &CacheStorage, name: &str, address: &str) -> Result<Option<Response>, JsValue> {
    let only = CacheQueryOptions::new();
    only.set_cache_name(name);
    only.set_ignore_vary(true);
    Ok(JsFuture::from(caches.match_with_str_and_options(address, &only)).await?.dyn_into().ok())
}
