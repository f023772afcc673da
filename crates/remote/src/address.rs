//! An address over HTTP, as far as this crate needs to take one apart. The page normalises what a person typed with
//! the browser's own parser before it comes here; a whole parser would bring its tables of names into the page.

/// An absolute `http` or `https` address without a user and without a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    origin: String,
    path: String,
}

impl Address {
    /// Takes an address apart; none when it is no such address.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain || !matches!(scheme.as_str(), "http" | "https") {
            return None;
        }
        let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        if authority.is_empty() || authority.contains(['@', '\\']) {
            return None;
        }
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        Some(Self { origin: format!("{scheme}://{}", authority.to_ascii_lowercase()), path })
    }

    /// Scheme, host and port: `https://tools.example:8443`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The path alone, from its first slash on.
    #[must_use]
    pub fn path(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    /// Whether what is sent there can be read on the way: not over TLS, and not on this device.
    #[must_use]
    pub fn is_in_the_open(&self) -> bool {
        let Some(host) = self.origin.strip_prefix("http://") else { return false };
        let name = match host.strip_prefix('[') {
            Some(v6) => v6.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let is_loopback =
            name.starts_with("127.") && name.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit());
        let is_here = name == "localhost" || name.ends_with(".localhost") || name == "::1" || is_loopback;
        !is_here
    }

    /// The address as text, query included, as requests are sent to it.
    #[must_use]
    pub fn href(&self) -> String {
        format!("{}{}", self.origin, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn an_address_is_taken_apart() {
        let rows = [
            ("https://tools.example/mcp", Some(("https://tools.example", "/mcp", false))),
            ("HTTPS://Tools.Example:8443/a/b?c=d#e", Some(("https://tools.example:8443", "/a/b", false))),
            ("http://tools.example", Some(("http://tools.example", "/", true))),
            ("http://127.0.0.1:9000/mcp", Some(("http://127.0.0.1:9000", "/mcp", false))),
            ("http://localhost?x", Some(("http://localhost", "/", false))),
            ("http://[::1]:8000/mcp", Some(("http://[::1]:8000", "/mcp", false))),
            ("http://127.0.0.1.evil.example/mcp", Some(("http://127.0.0.1.evil.example", "/mcp", true))),
            ("http://127.evil.example/mcp", Some(("http://127.evil.example", "/mcp", true))),
            ("https://user@tools.example/", None),
            ("https://tools.example\\@evil.example/", None),
            ("https:///mcp", None),
            ("ftp://tools.example/", None),
            ("javascript:alert(1)", None),
            ("https://tools.example/ mcp", None),
            ("tools.example/mcp", None),
            ("", None),
        ];
        for (text, expected) in rows {
            let address = Address::parse(text);
            let found = address.as_ref().map(|one| (one.origin(), one.path(), one.is_in_the_open()));
            assert_eq!(found, expected, "{text}");
        }
    }
}
