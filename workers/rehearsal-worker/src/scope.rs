//! The worker's own global object.

use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

use crate::message::ToPage;

/// It.
pub fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Says something to the page. One that is gone hears nothing.
pub fn tell(what: &ToPage) {
    if let Ok(text) = serde_json::to_string(what) {
        drop(scope().post_message(&text.into()));
    }
}
