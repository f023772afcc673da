//! What `www/sw.js` and a page call.

use js_sys::Promise;
use mcp::{Headers, HttpIn};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::{future_to_promise, spawn_local};
use web_sys::MessagePort;

use crate::{calls, pictures, ports, server};

/// What page and worker agreed to say to each other; the page's transport has the same number. It goes up when
/// the frames of the port or their meaning change.
pub const TRANSPORT_VERSION: u32 = 4;

/// Answers one HTTP request. The promise gives `{status, headers_json, body}`, and with `events` the body as it comes
/// ([`stream::EventStream`]); it is never rejected: what goes wrong is an answer too, even a panic.
#[wasm_bindgen]
pub fn handle(method: String, headers_json: &str, body: String) -> Promise {
    let headers: Headers = serde_json::from_str(headers_json).unwrap_or_default();
    let request = HttpIn { method, headers, body: body.into_bytes() };
    Promise::new(&mut |resolve, _reject| {
        let request = request.clone();
        calls::start(request, move |reply| {
            let _ = resolve.call1(&JsValue::UNDEFINED, &reply.to_js("headers_json"));
        });
    })
}

/// Answers an image of a page with the picture of a hash. The promise gives a `Response`: 404 where there is no such picture.
#[wasm_bindgen]
pub fn picture(hash: String) -> Promise {
    future_to_promise(async move { pictures::answer(&hash).await.map(JsValue::from) })
}

/// Begins to open the database, before anybody has called.
#[wasm_bindgen]
pub fn warm() {
    spawn_local(server::warm());
}

/// Lets go of what is in memory; the next call reads the database again. For a page that is about to delete
/// it: what is remembered here would be written back.
#[wasm_bindgen]
pub fn forget() {
    server::forget();
}

/// Serves a page on its port, if it was built for the same version of the transport.
#[wasm_bindgen]
pub fn open_port(version: u32, port: MessagePort) {
    ports::open(version, port);
}
