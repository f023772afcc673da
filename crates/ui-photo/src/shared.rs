//! What another app shared and waits in a cache, into which the worker's script puts it (ADR 0067). Each file is let go by its own address, and
//! only once it is in, or the person discards it: what else waits there is not touched.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web::value::{call, called, part, text};
use web_sys::{File, FilePropertyBag};

/// What the cache's name begins with; `www/sw.js` names it, and `ui`'s `wipe` deletes it.
const SHARED: &str = "satchel-shared";

/// What waits under an address.
pub enum Waits {
    /// A file under its own name.
    File(File),
    /// Something that cannot be read.
    Unreadable,
    /// Nothing any more: another tab has brought it in or discarded it.
    Nothing,
}

/// The cache; none where nothing was shared. It is not made by the look.
async fn cache() -> Option<JsValue> {
    let caches = part(web_sys::window()?.as_ref(), "caches")?;
    let name = JsValue::from(format!("{SHARED} {}", web::page::home()));
    let is_there = called(&caches, "has", std::slice::from_ref(&name)).await.ok()?.is_truthy();
    if is_there { called(&caches, "open", &[name]).await.ok() } else { None }
}

/// The addresses of what waits.
pub async fn addresses() -> Vec<String> {
    let Some(cache) = cache().await else { return Vec::new() };
    let keys = called(&cache, "keys", &[]).await.ok().and_then(|keys| keys.dyn_into::<Array>().ok());
    keys.iter().flat_map(Array::iter).filter_map(|key| text(&key, "url")).collect()
}

/// What waits under an address.
pub async fn file(address: &str) -> Waits {
    let Some(cache) = cache().await else { return Waits::Nothing };
    match called(&cache, "match", &[address.into()]).await {
        Ok(kept) if kept.is_object() => named(&kept).await.map_or(Waits::Unreadable, Waits::File),
        Ok(_) => Waits::Nothing,
        Err(_) => Waits::Unreadable,
    }
}

async fn named(kept: &JsValue) -> Option<File> {
    let name = call(&part(kept, "headers")?, "get", &["x-name".into()]).ok()?.as_string()?;
    let name = js_sys::decode_uri_component(&name).ok()?;
    let blob = called(kept, "blob", &[]).await.ok()?;
    let about = FilePropertyBag::new();
    about.set_type(&text(&blob, "type").unwrap_or_default());
    File::new_with_blob_sequence_and_options(&Array::of1(&blob), &String::from(name), &about).ok()
}

/// What waited under an address waits no more. What cannot be deleted now is asked about again.
pub async fn let_go(address: Option<String>) {
    if let Some(address) = address
        && let Some(cache) = cache().await
    {
        drop(called(&cache, "delete", &[address.into()]).await);
    }
}
