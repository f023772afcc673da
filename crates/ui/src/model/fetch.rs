//! `fetch` as the codec's transport, and the browser's clock as its timer.

use async_trait::async_trait;
use futures::StreamExt;
use js_sys::{Array, Reflect, Uint8Array};
use llm::{HttpRequest, HttpResponse, Timer, Transport, TransportError};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, RequestInit, Response};

use crate::clock;

/// Sends by `fetch`. The body streams; dropping it ends the request. No redirect is followed, since the key and the
/// conversation would go along; it is told as what it is.
pub struct FetchTransport;

/// The same to a server that is not trusted: nothing goes along but what is sent, no cookie and no referrer, and no
/// redirect is followed, since that would take the token elsewhere.
pub struct GuardedFetch;

/// A request under way; dropping it ends the request.
struct Running(AbortController);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[async_trait(?Send)]
impl Transport for FetchTransport {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        // The gateway is this page's own server, and may ask for the sign-in that the page came with.
        let credentials = if request.url.contains("://") { "omit" } else { "same-origin" };
        let init = guarded(&[("redirect", "manual"), ("credentials", credentials)]);
        send(request, init).await
    }
}

#[async_trait(?Send)]
impl Transport for GuardedFetch {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        send(request, guarded(&[("redirect", "error"), ("credentials", "omit")])).await
    }
}

/// Nothing of the page goes along, and nothing is kept of the answer; the rest as it is said.
fn guarded(guards: &[(&str, &str)]) -> RequestInit {
    let init = RequestInit::new();
    for (name, value) in [("referrerPolicy", "no-referrer"), ("cache", "no-store")].iter().chain(guards) {
        let _ = Reflect::set(&init, &(*name).into(), &(*value).into());
    }
    init
}

/// What stands for the status of a redirect that was not followed: the browser does not say which it was.
const REDIRECTED: u16 = 302;

/// How long a failure is held back, in milliseconds. A page that is being left hears its requests fail before it is gone: told
/// at once, that would be kept as the end of a run which the next page is to go on with.
const HELD_BACK_MS: u64 = 600;

async fn send(request: HttpRequest, init: RequestInit) -> Result<HttpResponse, TransportError> {
    let unreachable = |error: JsValue| TransportError::Unreachable(words(&error));
    let running = Running(AbortController::new().map_err(unreachable)?);
    let headers = Headers::new().map_err(unreachable)?;
    for (name, value) in &request.headers {
        headers.append(name, value).map_err(unreachable)?;
    }
    init.set_method(&request.method);
    init.set_headers(&headers);
    // A GET takes no body, not even an empty one.
    if !request.body.is_empty() {
        init.set_body(&Uint8Array::from(request.body.as_slice()));
    }
    init.set_signal(Some(&running.0.signal()));
    let window = web_sys::window().ok_or_else(|| TransportError::Unreachable(String::new()))?;
    let response = JsFuture::from(window.fetch_with_str_and_init(&request.url, &init)).await;
    if response.is_err() {
        clock::sleep(HELD_BACK_MS).await;
    }
    let response: Response = response.and_then(JsCast::dyn_into).map_err(unreachable)?;
    let kind = Reflect::get(&response, &"type".into()).ok().and_then(|kind| kind.as_string());
    let is_redirect = kind.as_deref() == Some("opaqueredirect");
    let status = if is_redirect { REDIRECTED } else { response.status() };
    let headers = readable(&response.headers());
    let reader: Option<ReadableStreamDefaultReader> =
        response.body().and_then(|body| body.get_reader().dyn_into().ok());
    let body = futures::stream::unfold(reader, move |reader| {
        // The request lives as long as the stream of its body does.
        let alive = &running;
        let _ = alive;
        async move {
            let reader = reader?;
            match JsFuture::from(reader.read()).await {
                Ok(part) => {
                    let done = Reflect::get(&part, &"done".into()).is_ok_and(|done| done.is_truthy());
                    if done {
                        return None;
                    }
                    let bytes = Reflect::get(&part, &"value".into())
                        .ok()
                        .and_then(|value| value.dyn_into::<Uint8Array>().ok())
                        .map(|bytes| bytes.to_vec())
                        .unwrap_or_default();
                    Some((Ok(bytes), Some(reader)))
                }
                Err(error) => {
                    clock::sleep(HELD_BACK_MS).await;
                    Some((Err(TransportError::Cut(words(&error))), None))
                }
            }
        }
    })
    .boxed_local();
    Ok(HttpResponse { status, headers, body })
}

/// The headers script may see, as plain pairs.
fn readable(headers: &Headers) -> llm::Headers {
    let pairs: Vec<JsValue> = headers.entries().into_iter().filter_map(Result::ok).collect();
    pairs
        .iter()
        .filter_map(|pair| {
            let pair: &Array = pair.dyn_ref()?;
            Some((pair.get(0).as_string()?, pair.get(1).as_string()?))
        })
        .collect()
}

fn words(error: &JsValue) -> String {
    Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string()).unwrap_or_default()
}

/// The browser's clock and chance.
pub struct BrowserTimer;

#[async_trait(?Send)]
impl Timer for BrowserTimer {
    fn now_ms(&self) -> i64 {
        clock::now_ms()
    }

    fn jitter(&self) -> f64 {
        js_sys::Math::random()
    }

    async fn sleep(&self, ms: u64) {
        clock::sleep(ms).await;
    }
}
