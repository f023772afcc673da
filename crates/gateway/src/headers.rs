//! The headers every answer carries, so that a mistake in the page cannot reach further than the page.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

/// The fixed headers of every answer.
#[derive(Clone)]
pub(crate) struct Strict(Vec<(HeaderName, HeaderValue)>);

impl Strict {
    /// The headers, the policy widened by the origins that were configured (and checked there).
    pub(crate) fn new(connect_origins: &[String]) -> Self {
        let mut connect = "'self' http://127.0.0.1:* http://localhost:*".to_owned();
        for origin in connect_origins {
            connect.push(' ');
            connect.push_str(origin);
        }
        // A service worker has the policy of its own script's answer, so files carry it as well.
        let policy = format!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; \
             font-src 'self'; connect-src {connect}; worker-src 'self'; manifest-src 'self'; form-action 'none'; \
             base-uri 'none'; frame-ancestors 'none'"
        );
        // `tools` (WebMCP) is not named: our own page has it by default, and where the feature is still an
        // origin trial Chromium warns about the name.
        let permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
                           magnetometer=(), microphone=(self), midi=(), payment=(), serial=(), usb=()";
        let fixed = [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (HeaderName::from_static("permissions-policy"), permissions),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        ];
        let mut headers: Vec<_> =
            fixed.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.push((header::CONTENT_SECURITY_POLICY, policy));
        }
        Self(headers)
    }
}

/// Adds them to whatever comes back.
pub(crate) async fn add(State(strict): State<Strict>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in &strict.0 {
        response.headers_mut().insert(name.clone(), value.clone());
    }
    response
}
