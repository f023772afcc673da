//! The device's clipboard.

use wasm_bindgen_futures::JsFuture;

/// Puts a text on the clipboard; false where there is none.
pub async fn copy(text: &str) -> bool {
    // Where the page is not served securely there is no clipboard at all.
    let window = web_sys::window().filter(|window| window.is_secure_context());
    match window {
        Some(window) => JsFuture::from(window.navigator().clipboard().write_text(text)).await.is_ok(),
        None => false,
    }
}
