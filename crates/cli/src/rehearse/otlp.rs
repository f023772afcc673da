//! Spans sent to a collector, by the gateway's exporter, in words of this command.

use std::time::Duration;

use anyhow::Context as _;
use gateway::OTLP_HEADERS;

/// How long is waited for a collector at the end.
const LAST: Duration = Duration::from_secs(20);

/// Sends spans.
pub struct Exporter(gateway::Exporter);

impl Exporter {
    /// An exporter to a collector. An address without a path is given the usual one.
    ///
    /// # Errors
    /// When it is no address of HTTP, or the headers are none.
    pub fn new(address: &str) -> anyhow::Result<Self> {
        let headers = std::env::var(OTLP_HEADERS).unwrap_or_default();
        let agent = concat!("satchel-rehearse/", env!("CARGO_PKG_VERSION"));
        Ok(Self(gateway::Exporter::new(address, &headers, agent).context("--otlp")?))
    }

    /// Sends a request's body, soon.
    pub fn send(&mut self, request: &str) {
        self.0.send(request);
    }

    /// Sends the rest. A sentence where not all of it came there.
    pub async fn end(self) -> Option<String> {
        let (lost, why) = self.0.end(LAST).await?;
        Some(format!("spans of {lost} or more conversations did not come to the collector: {why}"))
    }
}
