//! Whose a request to a model is: an address, or the name of a token. Limits and quotas are counted by that.
//!
//! A token stands nowhere but with whoever has it: `satchel.toml` has its SHA-256, since that file is shared and checked in.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, header};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::chat::ProviderError;
use crate::{Limits, Quotas};

/// Where a client of Anthropic's wire says its key.
const API_KEY: &str = "x-api-key";

/// The first bits of an address of IPv6 that are one client: a home or a machine has all that begin with them.
const NET_OF_A_CLIENT: u8 = 64;

/// Somebody who is known by a token: the hash of it, and what they may otherwise than everybody. What is not set is as everybody's.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// The SHA-256 of the token, 64 hexadecimal digits.
    #[serde(deserialize_with = "hash")]
    pub sha256: [u8; 32],
    /// Model requests in any minute.
    pub requests_per_minute: Option<u32>,
    /// Model requests in any hour.
    pub requests_per_hour: Option<u32>,
    /// Streams at the same time.
    pub concurrent_streams: Option<u32>,
    /// Tokens of requests and answers in a day.
    pub tokens_per_day: Option<u64>,
    /// The same in a month.
    pub tokens_per_month: Option<u64>,
    /// US dollars in a day.
    pub dollars_per_day: Option<f64>,
    /// The same in a month.
    pub dollars_per_month: Option<f64>,
}

fn hash<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
    let text = String::deserialize(deserializer)?;
    let pair = |at: usize| u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..32).map(pair).collect();
    let is_hash = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    bytes.filter(|_| is_hash).and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
        serde::de::Error::custom(
            "`sha256` is the SHA-256 of a token, 64 hexadecimal digits, and not the token",
        )
    })
}

/// Whose a request is, and what they may.
#[derive(Debug, Default)]
pub(crate) struct Who {
    /// What is counted under: an address, a net, or `token` and a name.
    pub(crate) name: String,
    /// Whether that is a token's.
    pub(crate) is_named: bool,
    pub(crate) limits: Limits,
    pub(crate) quotas: Quotas,
}

/// All who are known by a token, and what everybody else may.
pub(crate) struct Known {
    limits: Limits,
    quotas: Quotas,
    by_hash: BTreeMap<[u8; 32], Arc<Who>>,
    tokens_only: bool,
}

impl Known {
    pub(crate) fn new(
        limits: Limits,
        quotas: Quotas,
        tokens: &BTreeMap<String, Token>,
        tokens_only: bool,
    ) -> Self {
        let who = |(name, token): (&String, &Token)| {
            let limits = Limits {
                requests_per_minute: token.requests_per_minute.unwrap_or(limits.requests_per_minute),
                requests_per_hour: token.requests_per_hour.unwrap_or(limits.requests_per_hour),
                concurrent_streams: token.concurrent_streams.unwrap_or(limits.concurrent_streams),
                body_bytes: limits.body_bytes,
            };
            let quotas = Quotas {
                tokens_per_day: token.tokens_per_day.or(quotas.tokens_per_day),
                tokens_per_month: token.tokens_per_month.or(quotas.tokens_per_month),
                dollars_per_day: token.dollars_per_day.or(quotas.dollars_per_day),
                dollars_per_month: token.dollars_per_month.or(quotas.dollars_per_month),
            };
            (token.sha256, Arc::new(Who { name: format!("token {name}"), is_named: true, limits, quotas }))
        };
        Self { limits, quotas, by_hash: tokens.iter().map(who).collect(), tokens_only }
    }

    /// Whether anybody has a quota.
    pub(crate) fn has_quotas(&self) -> bool {
        self.quotas.any() || self.by_hash.values().any(|who| who.quotas.any())
    }

    /// Whoever has this address and says no token.
    pub(crate) fn at(&self, address: IpAddr) -> Arc<Who> {
        let name = match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => match ipnet::Ipv6Net::new(address, NET_OF_A_CLIENT) {
                // This machine has one address, and others beside it are not it.
                Ok(net) if !address.is_loopback() => net.trunc().to_string(),
                _ => address.to_string(),
            },
        };
        Arc::new(Who { name, is_named: false, limits: self.limits, quotas: self.quotas })
    }

    /// Whose a request is, by its token; where it has none, by the address. Nobody where it has one that is not known, or has to have one.
    /// Where no tokens are known none is looked for: a page may send a key that is another one's.
    pub(crate) fn who(&self, address: IpAddr, headers: &HeaderMap) -> Option<Arc<Who>> {
        match said(headers).filter(|_| !self.by_hash.is_empty()) {
            // By its hash: how long a comparison takes tells nothing of the token.
            Some(token) => self.by_hash.get(&<[u8; 32]>::from(Sha256::digest(token))).cloned(),
            None => (!self.tokens_only).then(|| self.at(address)),
        }
    }
}

/// The token that a request says.
fn said(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    bearer.or_else(|| headers.get(API_KEY)?.to_str().ok()).filter(|token| !token.is_empty())
}

/// A request whose token is not known, or that has none and needs one.
pub(crate) fn unknown() -> ProviderError {
    ProviderError {
        status: 401,
        kind: "invalid_api_key",
        message: "This gateway wants a token that it knows: `Authorization: Bearer …`.".into(),
        param: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of `anna's token`.
    fn anna() -> String {
        let hash = Sha256::digest("anna's-token");
        hash.iter().map(|byte| format!("{byte:02X}")).collect()
    }

    fn known(tokens_only: bool) -> Known {
        let token =
            toml::from_str(&format!("sha256 = \"{}\"\nrequests_per_minute = 7\ntokens_per_day = 9", anna()));
        let tokens = BTreeMap::from([("anna".to_owned(), token.unwrap())]);
        let quotas = Quotas { tokens_per_day: Some(1), dollars_per_day: Some(2.0), ..Quotas::default() };
        Known::new(Limits::default(), quotas, &tokens, tokens_only)
    }

    #[test]
    fn who_a_request_is_of_by_rows() {
        // The header, its value, the address; who it is, where others need no token and where all do.
        for (name, value, address, open, closed) in [
            ("accept", "x", "192.0.2.7", Some("192.0.2.7"), None),
            ("accept", "x", "2001:db8:1:2:3::4", Some("2001:db8:1:2::/64"), None),
            ("accept", "x", "::1", Some("::1"), None),
            ("authorization", "Bearer anna's-token", "192.0.2.7", Some("token anna"), Some("token anna")),
            ("authorization", "bearer  anna's-token ", "192.0.2.7", Some("token anna"), Some("token anna")),
            ("x-api-key", "anna's-token", "192.0.2.7", Some("token anna"), Some("token anna")),
            ("authorization", "Bearer another", "192.0.2.7", None, None),
            ("x-api-key", "another", "192.0.2.7", None, None),
            ("authorization", "Basic YTpi", "192.0.2.7", Some("192.0.2.7"), None),
            ("authorization", "Bearer ", "192.0.2.7", Some("192.0.2.7"), None),
        ] {
            let headers =
                HeaderMap::from_iter([(header::HeaderName::from_static(name), value.parse().unwrap())]);
            for (tokens_only, expected) in [(false, open), (true, closed)] {
                let who = known(tokens_only).who(address.parse().unwrap(), &headers);
                assert_eq!(who.as_ref().map(|who| who.name.as_str()), expected, "{name}: {value} {address}");
            }
        }
        // A key that was meant for somebody else, where no tokens are known.
        let nobody = Known::new(Limits::default(), Quotas::default(), &BTreeMap::new(), false);
        let headers = HeaderMap::from_iter([(header::AUTHORIZATION, "Bearer sk-1".parse().unwrap())]);
        assert_eq!(nobody.who("192.0.2.7".parse().unwrap(), &headers).unwrap().name, "192.0.2.7");
    }

    #[test]
    fn what_a_token_does_not_say_is_as_everybody_s() {
        let headers = HeaderMap::from_iter([(header::AUTHORIZATION, "Bearer anna's-token".parse().unwrap())]);
        let who = known(false).who("192.0.2.7".parse().unwrap(), &headers).unwrap();
        assert_eq!(who.limits, Limits { requests_per_minute: 7, ..Limits::default() });
        let quotas = Quotas { tokens_per_day: Some(9), dollars_per_day: Some(2.0), ..Quotas::default() };
        assert_eq!(who.quotas, quotas);
        for wrong in ["", "anna's-token", &anna()[1..], &"g".repeat(64)] {
            let error = toml::from_str::<Token>(&format!("sha256 = \"{wrong}\"")).unwrap_err();
            assert!(error.to_string().contains("64 hexadecimal digits"), "{error}");
        }
    }
}
