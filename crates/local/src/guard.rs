//! Who is looked at at all. A page on another site can send requests to this machine, and make its own name mean this machine's
//! address. So before anything is read, `Host` must name this server and `Origin`, where there is one, an origin that may call it.

use axum::http::{HeaderMap, header};
use std::net::IpAddr;

/// The hosts and origins that a server on this machine admits.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    /// Host names it is called by, beside `localhost` and addresses of this machine.
    pub hosts: Vec<String>,
    /// Origins whose pages may call, like `https://app.example`.
    pub origins: Vec<String>,
    /// Pages of this machine may call too, on whatever port they are.
    pub admits_own_pages: bool,
    /// It is bound to more than this machine: its other addresses are ours too, as addresses.
    pub is_open: bool,
}

impl Guard {
    /// Whether a request with these headers may be looked at. Without an `Origin` it comes from a program and no page.
    #[must_use]
    pub fn admits(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|value| value.to_str().ok());
        let is_alone = hosts.next().is_none();
        let origin = headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or_default());
        let may_call = |origin: &str| self.is_known(origin);
        is_alone && host.is_some_and(|host| self.is_ours(host)) && origin.is_none_or(may_call)
    }

    fn is_known(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let is_own = |host| name_of(host).is_some_and(is_this_machine);
        self.origins.iter().any(|known| known == origin) || self.admits_own_pages && host.is_some_and(is_own)
    }

    fn is_ours(&self, host: &str) -> bool {
        let Some(name) = name_of(host) else { return false };
        let is_it = |ours: &String| ours.eq_ignore_ascii_case(name);
        is_this_machine(name)
            || self.is_open && name.parse::<IpAddr>().is_ok()
            || self.hosts.iter().any(is_it)
    }
}

/// `localhost`, or an address that does not leave this machine.
fn is_this_machine(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A host without its port; an IPv6 address stands in brackets.
fn name_of(host: &str) -> Option<&str> {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) => {
            (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)).then_some(address)
        }
        None => match host.split_once(':') {
            Some((name, port)) => is_port(port).then_some(name),
            None => Some(host),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in [(header::HOST, host), (header::ORIGIN, origin)] {
            if !value.is_empty() {
                headers.insert(name, value.parse().unwrap());
            }
        }
        headers
    }

    fn guard() -> Guard {
        let (hosts, origins) = (vec!["api.example".to_owned()], vec!["https://good.example".to_owned()]);
        Guard { hosts, origins, ..Guard::default() }
    }

    #[test]
    fn hosts_and_origins_by_rows() {
        let (here, everywhere) = (false, true);
        for (is_open, host, origin, expected) in [
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
            let guard = Guard { is_open, ..guard() };
            assert_eq!(guard.admits(&headers(host, origin)), expected, "{host} {origin}");
        }
    }

    #[test]
    fn pages_of_this_machine_where_they_may() {
        let guard = Guard { admits_own_pages: true, ..guard() };
        for (origin, expected) in [
            ("http://localhost:5173", true),
            ("https://127.0.0.1", true),
            ("http://[::1]:9", true),
            ("https://good.example", true),
            ("null", false),
            ("http://evil.example.com", false),
            ("http://localhost.evil.example", false),
            ("http://api.example", false),
            ("file://localhost", false),
        ] {
            assert_eq!(guard.admits(&headers("localhost", origin)), expected, "{origin}");
        }
    }

    #[test]
    fn two_hosts_are_none() {
        let mut headers = headers("localhost", "");
        headers.append(header::HOST, "localhost".parse().unwrap());
        assert!(!Guard::default().admits(&headers));
    }
}
