//! The request as any MCP client would make it: the last resort, since it is the slowest way.

use js_sys::Array;
use mcp::Headers;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, Response};

use super::wait::sleep;
use super::{DoorReply, REVIVE_MS, words};

/// How often fetch is tried: the browser starts a stopped worker again once for a request, not twice.
const FETCHES: u32 = 4;

/// Posts to the endpoint beside this page, and again where nothing came back.
pub(super) async fn until_answered(headers: &Headers, body: &str) -> Result<DoorReply, String> {
    let mut answer = exchange(headers, body).await;
    for _ in 1..FETCHES {
        if answer.is_ok() {
            break;
        }
        sleep(REVIVE_MS).await;
        answer = exchange(headers, body).await;
    }
    answer.map_err(|error| words(&error))
}

async fn exchange(headers: &Headers, body: &str) -> Result<DoorReply, JsValue> {
    let sent = web_sys::Headers::new()?;
    for (name, value) in headers.iter() {
        sent.append(name, value)?;
    }
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_headers(&sent);
    init.set_body(&body.into());
    let window = web_sys::window().ok_or("there is no window")?;
    let response: Response =
        JsFuture::from(window.fetch_with_str_and_init("api/mcp", &init)).await?.unchecked_into();
    let text = JsFuture::from(response.text()?).await?;
    // A `Headers` of the browser is an iterable of pairs.
    let received = Array::from(&response.headers())
        .iter()
        .filter_map(|pair| {
            let pair = Array::from(&pair);
            Some((pair.get(0).as_string()?, pair.get(1).as_string()?))
        })
        .collect();
    Ok(DoorReply { status: response.status(), headers: received, body: text.as_string().unwrap_or_default() })
}
