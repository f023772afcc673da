//! The webhook over HTTP: what is known of a client elsewhere.
//!
//! An address comes from whoever starts the command, and whom it is asked about from a scenario's file. So nothing in it may choose the
//! host, a private address is asked only where its host was allowed by name, and what was checked is what is connected to.

use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use async_trait::async_trait;
use futures::StreamExt as _;
use rehearsal::Webhook;
use rehearsal::webhook::{Fetch, Fetched, LARGEST, NotFetched, is_private};
use reqwest::Url;
use tokio::runtime::Runtime;

use super::messages::WebhookSetUp;

/// What in an address stands for whom it is asked about.
const CLIENT_ID: &str = "{client_id}";

/// A webhook.
pub struct OverHttp {
    set_up: WebhookSetUp,
    /// Where time is simulated nothing waits: an answer is there when it was asked for. Then this one is waited with.
    waits: Option<Rc<Runtime>>,
}

impl OverHttp {
    /// A webhook at an address.
    ///
    /// # Errors
    /// When it is no address of HTTP, or whom it is asked about would choose the host.
    pub fn new(set_up: WebhookSetUp, waits: Option<Rc<Runtime>>) -> anyhow::Result<Self> {
        let hook = Self { set_up, waits };
        let (one, other) = (hook.url("a")?, hook.url("b")?);
        let place = |url: &Url| (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port());
        if place(&one) != place(&other) || !one.username().is_empty() || one.password().is_some() {
            bail!("--webhook: {CLIENT_ID} stands in the path or the query, and no user before the host");
        }
        if !matches!(one.scheme(), "http" | "https") || one.host().is_none() {
            bail!("--webhook is an address that begins with https:// or http://");
        }
        Ok(hook)
    }

    fn url(&self, client_id: &str) -> anyhow::Result<Url> {
        // Two dots are no name: they would lead out of the folder, however they are written.
        if matches!(client_id, "" | "." | "..") {
            bail!("the client_id “{client_id}” cannot stand in an address");
        }
        let encoded = percent_encoded(client_id);
        let address = &self.set_up.url;
        let has_place = address.contains(CLIENT_ID);
        let mut url = Url::parse(&address.replace(CLIENT_ID, &encoded)).context("--webhook is no address")?;
        if !has_place {
            url.query_pairs_mut().append_pair("client_id", client_id);
        }
        Ok(url)
    }

    async fn get(&self, client_id: &str) -> Result<Fetched, NotFetched> {
        let never = |why: String| NotFetched { why, may_come: false };
        let later = |why: String| NotFetched { why, may_come: true };
        let url = self.url(client_id).map_err(|wrong| never(format!("{wrong:#}")))?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let addresses = self.addresses(&url, &host).await?;
        // Already installed by somebody else in this process is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder()
            .user_agent(concat!("satchel-rehearse/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            // What was checked is what is asked: the name is not looked up a second time.
            .resolve_to_addrs(&host, &addresses)
            .build()
            .map_err(|error| never(format!("no HTTP client: {error}")))?;
        // Without its address: what stands in there may be private.
        let lost = |error: reqwest::Error| {
            let mut why = error.without_url().to_string();
            if why.is_empty() {
                why = "it cannot be reached".to_owned();
            }
            later(format!("the webhook: {why}"))
        };
        let response = client.get(url).header("accept", "application/json").send().await.map_err(lost)?;
        let status = response.status().as_u16();
        let content_type = response.headers().get("content-type");
        let content_type = content_type.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let content_type: String = content_type.chars().filter(char::is_ascii_graphic).take(80).collect();
        let (mut body, mut chunks) = (Vec::new(), response.bytes_stream());
        while body.len() <= LARGEST
            && let Some(chunk) = chunks.next().await
        {
            let chunk = chunk.map_err(lost)?;
            body.extend_from_slice(
                chunk.get(..(LARGEST + 1 - body.len()).min(chunk.len())).unwrap_or_default(),
            );
        }
        Ok(Fetched { status, content_type, body })
    }

    /// The addresses of the host, none of them private unless the host was allowed.
    async fn addresses(&self, url: &Url, host: &str) -> Result<Vec<SocketAddr>, NotFetched> {
        let port = url.port_or_known_default().unwrap_or(443);
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let found: Vec<SocketAddr> = match bare.parse::<IpAddr>() {
            Ok(address) => vec![SocketAddr::new(address, port)],
            Err(_) => {
                let looked_up = tokio::net::lookup_host((bare, port)).await;
                looked_up
                    .map_err(|_no_name| NotFetched {
                        why: format!("the webhook's host {host} has no address"),
                        may_come: true,
                    })?
                    .collect()
            }
        };
        let is_allowed = self
            .set_up
            .allowed
            .iter()
            .any(|name| name.eq_ignore_ascii_case(host) || name.eq_ignore_ascii_case(bare));
        if !is_allowed && let Some(private) = found.iter().find(|found| is_private(found.ip())) {
            let why = format!(
                "the webhook's host {host} has the private address {}: it is asked with --allow-host {bare}",
                private.ip()
            );
            return Err(NotFetched { why, may_come: false });
        }
        Ok(found)
    }
}

#[async_trait(?Send)]
impl Fetch for OverHttp {
    async fn fetch(&self, client_id: &str) -> Result<Fetched, NotFetched> {
        let limit = Duration::from_millis(self.set_up.timeout_ms);
        let asked = async {
            tokio::time::timeout(limit, self.get(client_id)).await.unwrap_or_else(|_late| {
                let why = format!("the webhook did not answer within {} s", limit.as_secs_f64());
                Err(NotFetched { why, may_come: true })
            })
        };
        match &self.waits {
            Some(runtime) => runtime.block_on(asked),
            None => asked.await,
        }
    }

    fn timeout_ms(&self) -> u64 {
        // It says so itself, a little before.
        self.set_up.timeout_ms.saturating_add(1_000)
    }

    async fn pause(&self, _clock: &dyn agent::Clock, ms: u64) {
        // Made within the runtime that waits for it.
        let pause = async { tokio::time::sleep(Duration::from_millis(ms)).await };
        match &self.waits {
            Some(runtime) => runtime.block_on(pause),
            None => pause.await,
        }
    }
}

impl Webhook for OverHttp {
    fn address(&self) -> &str {
        &self.set_up.url
    }
}

fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(url: &str) -> anyhow::Result<OverHttp> {
        let set_up = WebhookSetUp { url: url.to_owned(), allowed: vec![], timeout_ms: 1_000 };
        OverHttp::new(set_up, None)
    }

    #[test]
    fn whom_it_is_asked_about_stands_in_the_path_and_leads_nowhere_else() {
        let made = hook("https://crm.example/clients/{client_id}/all?x=1").unwrap();
        let url = |id: &str| made.url(id).map(String::from);
        assert_eq!(url("c-1").unwrap(), "https://crm.example/clients/c-1/all?x=1");
        assert_eq!(
            url("../admin?a=1#x y").unwrap(),
            "https://crm.example/clients/..%2Fadmin%3Fa%3D1%23x%20y/all?x=1"
        );
        assert!(url("..").is_err() && url(".").is_err() && url("").is_err());
        assert_eq!(
            String::from(hook("https://a.b/").unwrap().url("é").unwrap()),
            "https://a.b/?client_id=%C3%A9"
        );
        for wrong in
            ["https://{client_id}.example/", "ftp://a.b/", "nothing", "https://me:key@a.b/", "http://"]
        {
            assert!(hook(wrong).is_err(), "{wrong}");
        }
    }

    #[tokio::test]
    async fn private_addresses_are_refused_however_they_are_written() {
        for url in [
            "http://127.0.0.1:1/", "http://2130706433/", "http://0x7f.1/", "http://[::1]/",
            "http://localhost/",
        ] {
            let refused = hook(url).unwrap().fetch("c").await.unwrap_err();
            assert!(refused.why.contains("private address") && !refused.may_come, "{url}: {refused:?}");
        }
    }
}
