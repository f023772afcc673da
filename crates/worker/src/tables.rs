//! Files of the app that a part of the server reads: tables.

use js_sys::{Function, JsString, Promise, Reflect, Uint8Array};
use mcp::NotLoaded;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// The bytes of a file of the app, by its path in the app's folder: `tables/cities.bin`. Of a worker it is what its script keeps
/// (`table` in `www/sw.js`), since its own requests do not pass its handler; a page that has the server in it asks the network, which is
/// the browser's cache or a worker.
///
/// It is asked for at once, and not when it is waited for.
///
/// # Errors
/// When there is no such file, or neither a cache nor the network has it now.
pub fn table(path: &str) -> impl Future<Output = Result<Vec<u8>, NotLoaded>> + use<> {
    let (path, asked) = (path.to_owned(), asked(path));
    async move {
        bytes(asked).await.map_err(|reason| {
            web_sys::console::warn_2(&format!("{path} could not be had").into(), &reason);
            NotLoaded
        })
    }
}

fn asked(path: &str) -> Result<JsFuture, JsValue> {
    let global = js_sys::global();
    let function = |name: &str| Reflect::get(&global, &name.into())?.dyn_into::<Function>();
    let ask = function("table").or_else(|_| function("fetch"))?;
    Ok(ask.call1(&global, &JsString::from(path))?.dyn_into::<Promise>()?.into())
}

async fn bytes(asked: Result<JsFuture, JsValue>) -> Result<Vec<u8>, JsValue> {
    let response = asked?.await?.dyn_into::<Response>()?;
    if !response.ok() {
        return Err(response.status().into());
    }
    let buffer = JsFuture::from(response.array_buffer()?).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}
