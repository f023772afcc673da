//! Who may use the API: the page this gateway serves, and programs on this machine; no other site.
//!
//! A foreign page can make the browser send requests here. It cannot hide its `Origin`, and a name it
//! points at this address (DNS rebinding) shows in `Host`.

use std::net::IpAddr;
use std::sync::Arc;

use crate::chat::ProviderError;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::api::refuse;

/// The hosts and origins that count as ours.
#[derive(Clone)]
pub(crate) struct Guard {
    /// Bound to more than this machine: then its other addresses are ours too, as addresses. Names
    /// must be configured.
    open_to_network: bool,
    public_origins: Arc<Vec<String>>,
}

impl Guard {
    pub(crate) fn new(bound_to: IpAddr, public_origins: &[String]) -> Self {
        Self { open_to_network: !bound_to.is_loopback(), public_origins: Arc::new(public_origins.to_vec()) }
    }

    /// Why a request is refused, or that it is not.
    fn check(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let Some(host) = text(header::HOST) else { return Err("A request needs a Host.") };
        if !self.is_our_host(host) {
            return Err("This host name is not served here. List it in `public_origins` if it should be.");
        }
        let foreign = "Requests from other sites are not served.";
        if let Some(origin) = text(header::ORIGIN) {
            let same =
                origin.split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host));
            if !same && !self.public_origins.iter().any(|public| public == origin) {
                return Err(foreign);
            }
        }
        // Requests without an Origin say at least from where they come.
        match headers.get("sec-fetch-site").map(|value| value.as_bytes()) {
            None | Some(b"same-origin" | b"none") => Ok(()),
            Some(_) => Err(foreign),
        }
    }

    fn is_our_host(&self, host: &str) -> bool {
        let public = |origin: &String| origin.split_once("://").is_some_and(|(_, name)| name == host);
        if self.public_origins.iter().any(public) {
            return true;
        }
        // Without the port; an IPv6 address stands in brackets.
        let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((address, _)) => address,
            None => host.split_once(':').map_or(host, |(name, _)| name),
        };
        match name.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || self.open_to_network,
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        }
    }
}

/// Refuses foreign requests before anything reads them.
pub(crate) async fn own_only(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(message) => refuse(
            &ProviderError {
                status: StatusCode::FORBIDDEN.as_u16(),
                kind: "forbidden",
                message: message.to_owned(),
                param: None,
            },
            None,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_origins_by_rows() {
        let loopback = "127.0.0.1".parse().unwrap();
        let everywhere = "0.0.0.0".parse().unwrap();
        // Bound to, host, origin, sec-fetch-site, served.
        let rows: &[(IpAddr, &str, &str, &str, bool)] = &[
            (loopback, "127.0.0.1:8080", "", "", true),
            (loopback, "localhost:8080", "", "", true),
            (loopback, "LOCALHOST", "", "", true),
            (loopback, "[::1]:8080", "", "", true),
            (loopback, "127.0.0.1:8080", "http://127.0.0.1:8080", "same-origin", true),
            (loopback, "satchel.example.org", "https://satchel.example.org", "same-origin", true),
            (loopback, "127.0.0.1:8080", "https://satchel.example.org", "", true),
            (loopback, "", "", "", false),
            (loopback, "evil.test:8080", "", "", false),
            (loopback, "evil.test:8080", "http://evil.test:8080", "same-origin", false),
            (loopback, "192.168.1.5:8080", "", "", false),
            (loopback, "127.0.0.1.evil.test", "", "", false),
            (loopback, "127.0.0.1:8080", "https://evil.test", "", false),
            (loopback, "127.0.0.1:8080", "http://localhost:3000", "", false),
            (loopback, "127.0.0.1:8080", "http://127.0.0.1:3000", "", false),
            (loopback, "127.0.0.1:8080", "null", "", false),
            (loopback, "127.0.0.1:8080", "", "cross-site", false),
            (loopback, "127.0.0.1:8080", "", "same-site", false),
            (loopback, "127.0.0.1:8080", "", "none", true),
            (everywhere, "192.168.1.5:8080", "http://192.168.1.5:8080", "same-origin", true),
            (everywhere, "evil.test:8080", "", "", false),
        ];
        for (bound_to, host, origin, site, served) in rows {
            let guard = Guard::new(*bound_to, &["https://satchel.example.org".to_owned()]);
            let mut headers = HeaderMap::new();
            for (name, value) in [("host", host), ("origin", origin), ("sec-fetch-site", site)] {
                if !value.is_empty() {
                    headers.insert(name, value.parse().unwrap());
                }
            }
            assert_eq!(guard.check(&headers).is_ok(), *served, "{bound_to} {host} {origin} {site}");
        }
    }
}
