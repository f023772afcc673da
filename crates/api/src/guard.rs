//! Who is looked at at all. A page on another site can send requests to this machine, and make its own name mean this machine's
//! address. So before anything is read, `Host` must name this server and `Origin`, where there is one, an origin that was named.

use axum::http::{HeaderMap, header};
use std::net::{IpAddr, SocketAddr};

/// The hosts and origins that are admitted.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Bound to more than this machine: then its other addresses are ours too, as addresses.
    is_open: bool,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Guard {
    /// A guard of a server on this address, which is also called by these host names, and whose answers pages of these origins
    /// may read.
    pub(crate) fn new(address: SocketAddr, hosts: &[String], origins: &[String]) -> Self {
        Self { is_open: !address.ip().is_loopback(), hosts: hosts.to_vec(), origins: origins.to_vec() }
    }

    /// Whether a request with these headers may be looked at.
    pub(crate) fn admits(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|value| value.to_str().ok());
        let is_alone = hosts.next().is_none();
        let origin = headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or_default());
        let is_known = |origin: &str| self.origins.iter().any(|known| known == origin);
        is_alone && host.is_some_and(|host| self.is_ours(host)) && origin.is_none_or(is_known)
    }

    fn is_ours(&self, host: &str) -> bool {
        // Without the port; an IPv6 address stands in brackets.
        let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((address, port)) if is_port(port) => address,
            Some(_) => return false,
            None => match host.split_once(':') {
                Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
                Some(_) => return false,
                None => host,
            },
        };
        match name.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || self.is_open,
            Err(_) => {
                let is_it = |ours: &String| ours.eq_ignore_ascii_case(name);
                name.eq_ignore_ascii_case("localhost") || self.hosts.iter().any(is_it)
            }
        }
    }
}

fn is_port(rest: &str) -> bool {
    rest.is_empty()
        || rest.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_origins_by_rows() {
        let (here, everywhere) = ("127.0.0.1:1", "0.0.0.0:1");
        for (address, host, origin, expected) in [
            (here, "localhost:8080", "", true),
            (here, "127.0.0.1", "", true),
            (here, "[::1]:9", "", true),
            (here, "LOCALHOST", "", true),
            (here, "api.example", "", true),
            (here, "localhost", "https://good.example", true),
            (here, "", "", false),
            (here, "evil.example", "", false),
            (here, "localhost.evil.example", "", false),
            (here, "localhost:80:80", "", false),
            (here, "[::1]evil", "", false),
            (here, "192.168.1.5", "", false),
            (here, "localhost", "null", false),
            // Another program's page on this machine is not ours.
            (here, "localhost:8091", "http://localhost:8091", false),
            (here, "localhost", "http://evil.example", false),
            (everywhere, "192.168.1.5:8091", "", true),
            (everywhere, "evil.example", "", false),
        ] {
            let address = address.parse().unwrap();
            let guard =
                Guard::new(address, &["api.example".to_owned()], &["https://good.example".to_owned()]);
            let mut headers = HeaderMap::new();
            for (name, value) in [(header::HOST, host), (header::ORIGIN, origin)] {
                if !value.is_empty() {
                    headers.insert(name, value.parse().unwrap());
                }
            }
            assert_eq!(guard.admits(&headers), expected, "{host} {origin}");
        }
    }

    #[test]
    fn two_hosts_are_none() {
        let guard = Guard::new("127.0.0.1:1".parse().unwrap(), &[], &[]);
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, "localhost".parse().unwrap());
        headers.append(header::HOST, "localhost".parse().unwrap());
        assert!(!guard.admits(&headers));
    }
}
