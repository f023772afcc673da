//! `fetch` as the codec's transport, and the browser's clock as its timer.

use async_trait::async_trait;
use futures::StreamExt;
use llm::{HttpRequest, HttpResponse, Timer, Transport, TransportError};
use web::http::{self, Answer, RequestBuilder, RequestCredentials, RequestRedirect};

use crate::clock;

/// Sends by `fetch`. The body streams; dropping it ends the request. No redirect is followed, since the key and the
/// conversation would go along; it is told as what it is.
pub struct FetchTransport;

/// The same to a server that is not trusted: nothing goes along but what is sent, no cookie and no referrer, and no
/// redirect is followed, since that would take the token elsewhere.
pub struct GuardedFetch;

#[async_trait(?Send)]
impl Transport for FetchTransport {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        // The gateway is this page's own server, and may ask for the sign-in that the page came with.
        let credentials = match request.url.contains("://") {
            true => RequestCredentials::Omit,
            false => RequestCredentials::SameOrigin,
        };
        let guarded = http::guarded(&request.url).redirect(RequestRedirect::Manual).credentials(credentials);
        send(request, guarded).await
    }
}

#[async_trait(?Send)]
impl Transport for GuardedFetch {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let guarded = http::guarded(&request.url).redirect(RequestRedirect::Error);
        send(request, guarded.credentials(RequestCredentials::Omit)).await
    }
}

async fn send(request: HttpRequest, guarded: RequestBuilder) -> Result<HttpResponse, TransportError> {
    match http::send(guarded, &request.method, request.headers, &request.body).await {
        Ok(Answer { status, headers, body }) => {
            let body = body.then(async |piece| match piece {
                Ok(bytes) => Ok(bytes),
                Err(words) => {
                    clock::sleep(clock::HELD_BACK_MS).await;
                    Err(TransportError::Cut(words))
                }
            });
            Ok(HttpResponse { status, headers, body: body.boxed_local() })
        }
        Err(words) => {
            clock::sleep(clock::HELD_BACK_MS).await;
            Err(TransportError::Unreachable(words))
        }
    }
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
