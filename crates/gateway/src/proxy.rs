//! Whose request it is, where a proxy stands in front: `X-Forwarded-For` counts only as far as proxies that were named wrote it.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use ipnet::IpNet;
use serde::Deserialize;

/// A proxy that is trusted, as the configuration names it: an address, or a net of them (`10.0.0.0/8`) where proxies come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct TrustedProxy(IpNet);

impl TryFrom<String> for TrustedProxy {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let address = text.parse::<IpAddr>().map(IpNet::from);
        let net = address.or_else(|_| text.parse::<IpNet>());
        net.map(Self).map_err(|_| format!("“{text}” is neither an address nor a net such as 10.0.0.0/8"))
    }
}

impl TrustedProxy {
    fn is(self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

/// The client's address: the peer's, or where the peer is a trusted proxy the last address in `X-Forwarded-For` that is none of them.
pub(crate) fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[TrustedProxy]) -> IpAddr {
    let mut client = peer.to_canonical();
    let lists = headers.get_all("x-forwarded-for").iter().rev();
    // As bytes: what a client wrote into the front of a list may be no text, and must not hide what a proxy wrote behind it.
    let hops = lists.flat_map(|list| list.as_bytes().rsplit(|byte| *byte == b','));
    for hop in hops {
        // Whatever stands further to the left was written by somebody who is not trusted.
        if !trusted.iter().any(|proxy| proxy.is(client)) {
            break;
        }
        let Some(address) = address(hop) else { break };
        client = address.to_canonical();
    }
    client
}

/// The address of a hop. Some proxies write the port with it, and an address of IPv6 in brackets.
fn address(hop: &[u8]) -> Option<IpAddr> {
    let hop = std::str::from_utf8(hop).ok()?.trim();
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    bare.parse().ok().or_else(|| Some(hop.parse::<SocketAddr>().ok()?.ip()))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_what_trusted_proxies_wrote_counts() {
        let trusted = ["10.0.0.1", "10.0.0.2", "172.16.0.0/12"];
        let trusted = trusted.map(|proxy| TrustedProxy::try_from(proxy.to_owned()).unwrap());
        assert!(TrustedProxy::try_from("10.0.0.0/40".to_owned()).is_err());
        for (peer, lists, expected) in [
            ("10.0.0.1", &["192.0.2.7"][..], "192.0.2.7"),
            ("10.0.0.1", &["6.6.6.6, 192.0.2.7"], "192.0.2.7"),
            ("10.0.0.1", &["6.6.6.6", "192.0.2.7, 10.0.0.2"], "192.0.2.7"),
            ("::ffff:10.0.0.1", &["2001:db8::7"], "2001:db8::7"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["nobody"], "10.0.0.1"),
            ("10.0.0.1", &["10.0.0.2"], "10.0.0.2"),
            ("192.0.2.9", &["6.6.6.6"], "192.0.2.9"),
            ("172.18.0.3", &["6.6.6.6, 192.0.2.7"], "192.0.2.7"),
            // A client can write bytes that are no text; a proxy may write a port.
            ("10.0.0.1", &["\u{e4}, 192.0.2.7"], "192.0.2.7"),
            ("10.0.0.1", &["\u{e4}", "192.0.2.7, 10.0.0.2"], "192.0.2.7"),
            ("10.0.0.1", &["6.6.6.6, 192.0.2.7:5678"], "192.0.2.7"),
            ("10.0.0.1", &["6.6.6.6, [2001:db8::7]:5678, 10.0.0.2:443"], "2001:db8::7"),
            ("10.0.0.1", &["[2001:db8::7]"], "2001:db8::7"),
            ("10.0.0.1", &["192.0.2.7:port"], "10.0.0.1"),
        ] {
            let mut headers = HeaderMap::new();
            for list in lists {
                headers.append("x-forwarded-for", HeaderValue::from_bytes(list.as_bytes()).unwrap());
            }
            let client = client(peer.parse().unwrap(), &headers, &trusted);
            assert_eq!(client.to_string(), expected, "{peer} {lists:?}");
        }
    }
}
