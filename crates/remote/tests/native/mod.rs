//! The crate's ports on a native machine, for its tests and for the program the official suite drives: HTTP by reqwest
//! without redirects, the system's clock, and a body that is read as it comes.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use llm::{HttpRequest, HttpResponse, Timer, Transport, TransportError};

/// HTTP as a page does it, but for redirects, which are answers here.
pub struct Http(reqwest::Client);

impl Http {
    /// A client of its own.
    pub fn new() -> Result<Self, reqwest::Error> {
        // Whoever installed one before is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        // Everything is on this machine and without TLS; the system's certificates take longer to read than a test.
        client.tls_certs_only([]).build().map(Self)
    }

    /// The `Location` that an address answers with.
    #[allow(dead_code, reason = "each test binary uses a part of it")]
    pub async fn location(&self, url: &str) -> Option<String> {
        let response = self.0.get(url).send().await.ok()?;
        Some(response.headers().get("location")?.to_str().ok()?.to_owned())
    }
}

#[async_trait(?Send)]
impl Transport for Http {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        terminal::Http::over(self.0.clone()).send(request).await
    }
}

/// The system's clock.
#[allow(dead_code, reason = "each test binary uses a part of it")]
pub struct Clock;

#[async_trait(?Send)]
impl Timer for Clock {
    fn now_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}
