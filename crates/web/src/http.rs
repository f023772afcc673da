//! HTTP by `fetch`, through `gloo-net`: a request that ends when its answer is dropped, and the answer's body as it comes.

use futures::StreamExt;
use futures::stream::{LocalBoxStream, Stream};
use gloo_net::Error;
use gloo_net::http::{Headers, Method};
pub use gloo_net::http::{RequestBuilder, Response};
use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStream, ReadableStreamDefaultReader, ResponseType};
pub use web_sys::{ReferrerPolicy, RequestCache, RequestCredentials, RequestMode, RequestRedirect};

use crate::value;

/// What stands for the status of a redirect that was not followed: the browser does not say which it was.
const REDIRECTED: u16 = 302;

/// The names and values of headers.
pub type Pairs = Vec<(String, String)>;

/// For a request without headers of its own.
pub const NO_HEADERS: [(&str, &str); 0] = [];

/// An answer.
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// The headers that script may see.
    pub headers: Pairs,
    /// Its body, piece by piece; the error of a piece says why there are no more. Dropping it ends the request.
    pub body: LocalBoxStream<'static, Result<Vec<u8>, String>>,
}

/// A request of which nothing of the page goes along, and of whose answer nothing is kept.
#[must_use]
pub fn guarded(url: &str) -> RequestBuilder {
    RequestBuilder::new(url).referrer_policy(ReferrerPolicy::NoReferrer).cache(RequestCache::NoStore)
}

/// A request under way; dropping it ends the request.
struct Running(AbortController);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Sends a request and gives the answer's body as it comes.
///
/// # Errors
/// Why nothing answered, in the browser's words.
pub async fn send(
    request: RequestBuilder,
    method: &str,
    headers: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    body: &[u8],
) -> Result<Answer, String> {
    let running = Running(AbortController::new().map_err(|error| value::words(&error))?);
    let request = request.abort_signal(Some(&running.0.signal()));
    let response = answered(request, method, headers, body).await?;
    let is_redirect = response.type_() == ResponseType::Opaqueredirect;
    let body = futures::stream::iter(response.body().map(pieces)).flatten().map(move |piece| {
        // The request lives as long as the stream of its body does.
        let _ = &running;
        piece.map(|bytes| Uint8Array::new(&bytes).to_vec()).map_err(|error| value::words(&error))
    });
    Ok(Answer {
        status: if is_redirect { REDIRECTED } else { response.status() },
        headers: readable(&response),
        body: body.boxed_local(),
    })
}

/// The answer to a request that goes on when nobody waits any more. A GET takes no body, not even an empty one.
///
/// # Errors
/// Why nothing answered, in the browser's words.
pub async fn answered(
    request: RequestBuilder,
    method: &str,
    headers: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    body: &[u8],
) -> Result<Response, String> {
    let method = Method::from_bytes(method.as_bytes()).map_err(|error| error.to_string())?;
    // Not by gloo's `append`: it throws at what is no header, such as a key with a letter too many.
    let sent = web_sys::Headers::new().map_err(|error| value::words(&error))?;
    for (name, value) in headers {
        sent.append(name.as_ref(), value.as_ref()).map_err(|error| value::words(&error))?;
    }
    let request = request.method(method).headers(Headers::from_raw(sent));
    let request = if body.is_empty() { request.build() } else { request.body(Uint8Array::from(body)) };
    request.map_err(words)?.send().await.map_err(words)
}

/// What comes out of a stream of the browser, up to its end or its failure.
pub fn pieces(stream: ReadableStream) -> impl Stream<Item = Result<JsValue, JsValue>> {
    let reader: Option<ReadableStreamDefaultReader> = stream.get_reader().dyn_into().ok();
    futures::stream::unfold(reader, async |reader| {
        let reader = reader?;
        match JsFuture::from(reader.read()).await {
            Ok(part) if value::part(&part, "done").is_some_and(|done| done.is_truthy()) => None,
            Ok(part) => Some((Ok(value::part(&part, "value").unwrap_or_default()), Some(reader))),
            Err(error) => Some((Err(error), None)),
        }
    })
}

/// The headers of an answer that script may see.
#[must_use]
pub fn readable(response: &Response) -> Pairs {
    response.headers().entries().collect()
}

/// The whole of an answer's body as text.
///
/// # Errors
/// Why it broke off.
pub async fn text(response: &Response) -> Result<String, String> {
    response.text().await.map_err(words)
}

/// The text of a file of the app's own; none where it cannot be had.
pub async fn text_at(address: &str) -> Option<String> {
    let response = RequestBuilder::new(address).send().await.ok()?;
    if response.ok() { response.text().await.ok() } else { None }
}

fn words(error: Error) -> String {
    match error {
        Error::JsError(error) => error.message,
        other => other.to_string(),
    }
}
