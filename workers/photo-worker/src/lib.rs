//! Looks at photos off the page, in a worker of its own that is loaded when the first photo comes: it keeps a file's bytes and a small
//! picture of it, reads what the camera wrote, and says what is on it. It knows no tools and no rows: the page commits what comes back. Photos
//! that leave are written here, too.
//!
//! Messages are objects with an `id` that the answer repeats, one at a time: start at [`job`]. Nothing here leaves the device; the nets are
//! fetched from the app's own origin when they are first needed.

mod export;
mod eyes;
mod job;
mod picture;
mod scope;
mod turn;
mod twins;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::spawn_local;
use web_sys::MessageEvent;

/// Begins to listen. The module calls it as it starts.
#[cfg_attr(not(test), wasm_bindgen::prelude::wasm_bindgen(start))]
pub fn start() {
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(|message: MessageEvent| {
        spawn_local(async move {
            let answer = job::answer(&message.data()).await;
            // A page that is gone hears nothing.
            drop(scope::scope().post_message(&answer));
        });
    });
    scope::scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // As long as this worker lives.
    on_message.forget();
    drop(scope::scope().post_message(&"ready".into()));
}
