//! What an endpoint's address says of the model behind it.

use std::net::IpAddr;

use crate::ollama::{OLLAMA_WINDOW, is_ollama};

/// The window that a provider's model is taken to have, in tokens, where nobody said.
pub const PROVIDER_WINDOW: u64 = 128_000;

/// The same of a model on this machine, whose window takes memory.
const LOCAL_WINDOW: u64 = 16_000;

/// A careful guess of the window of a model at this address, in tokens.
#[must_use]
pub fn assumed_window(url: &str) -> u64 {
    if is_ollama(url) {
        OLLAMA_WINDOW
    } else if is_local(url) {
        LOCAL_WINDOW
    } else {
        PROVIDER_WINDOW
    }
}

/// Whether an address is on this device, where no network is needed to reach it.
#[must_use]
pub fn is_local(url: &str) -> bool {
    let host = host(url);
    // By its number, and not by how it begins: a name may begin with one.
    let is_loopback = host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    host == "localhost" || host.ends_with(".localhost") || is_loopback
}

/// The host of an address, without its port.
pub(crate) fn host(url: &str) -> &str {
    let host = authority(url);
    match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

/// The host of an address and its port.
pub(crate) fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}
