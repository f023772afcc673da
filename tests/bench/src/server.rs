//! Serves the built app under `app/` and the contenders beside it, each in a folder of its own: one origin,
//! so that one page can call them all, and one service worker for each folder.

use std::path::Path;

use anyhow::Result;
use axum::Router;
use axum::extract::Request;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, Response};
use axum::routing::get;
use tower_http::services::ServeDir;

/// What the gateway sends, but that frames of the same origin are let in: the page reaches each worker's
/// scope through one.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; \
                      font-src 'self'; connect-src 'self' http://127.0.0.1:* http://localhost:*; worker-src 'self'; \
                      manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-src 'self'; frame-ancestors 'self'";

/// What the libraries for faces need on top: they make code of texts.
const LOOSE: &str =
    "default-src 'self' blob: data:; script-src 'self' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'";

/// A page with nothing in it.
const FRAME: &str = "<!doctype html><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\"><title>Frame</title><body></body>";

/// Serves until the program ends; gives the address, with a slash at the end.
///
/// # Errors
/// When there is no free port.
pub async fn start(dist: &Path, contenders: &Path) -> Result<String> {
    let files = |folder: &Path| ServeDir::new(folder).precompressed_br().precompressed_gzip();
    let app = Router::new()
        .route("/app/frame.html", get(frame))
        .route("/floor/frame.html", get(frame))
        .route("/peer/frame.html", get(frame))
        .nest_service("/app", files(dist))
        .fallback_service(files(contenders))
        .layer(from_fn(headers));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(url)
}

/// The gateway's headers, and what isolates the page from other origins: only then are its clocks fine.
async fn headers(request: Request, next: Next) -> Response {
    let forever = request.uri().path().contains("/app/ui-");
    let policy = if request.uri().path().starts_with("/photo/") { LOOSE } else { POLICY };
    let mut response = next.run(request).await;
    let keep = if forever { "public, max-age=31536000, immutable" } else { "no-cache" };
    for (name, value) in [
        (header::CACHE_CONTROL, keep),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn frame() -> Html<&'static str> {
    Html(FRAME)
}
