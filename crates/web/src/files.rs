//! Files on this device, as the browser lets a page have them: one to save, one the person picked.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlInputElement, Url};

use crate::clock;

/// The largest file that is read, in bytes: far above any conversation, far below what hurts.
const MAX_BYTES: f64 = 64.0 * 1024.0 * 1024.0;

/// How long a saved file's data is held for the browser, in milliseconds.
const HOLD_MS: u64 = 10_000;

/// Gives the person a file to save. False, and nothing happens, where the browser offers no files.
pub fn save(name: &str, media_type: &str, text: &str) -> bool {
    let Some(document) = crate::page::document() else { return false };
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options);
    let url = blob.and_then(|blob| Url::create_object_url_with_blob(&blob));
    let link = document.create_element("a").map(JsCast::dyn_into::<HtmlAnchorElement>);
    if let (Ok(url), Ok(Ok(link))) = (url, link) {
        link.set_href(&url);
        link.set_download(name);
        link.click();
        spawn_local(async move {
            // The download takes its own hold on the data, a little later.
            clock::sleep(HOLD_MS).await;
            let _ = Url::revoke_object_url(&url);
        });
        return true;
    }
    false
}

/// The text of the file a person picked, and makes the input ready for the same file again. None when they picked
/// none, or one that is no text of a sensible size.
pub async fn picked(input: &HtmlInputElement) -> Option<String> {
    let file = input.files().and_then(|files| files.get(0))?;
    let text = if file.size() <= MAX_BYTES { JsFuture::from(file.text()).await.ok() } else { None };
    input.set_value("");
    text?.as_string()
}
