//! Texts that go through a client and come back: sealed, so that what comes back is what went out.
//!
//! `payload.mac`, both Base64: the payload is JSON, the MAC is HMAC-SHA256 over it. Bound to one request by a digest of
//! its method, name and arguments, and good for ten minutes (2026-07-28, basic/patterns/mrtr, security).

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Sha256;

use crate::base64;

/// So long a person may take to answer.
const GOOD_FOR_MS: i64 = 10 * 60 * 1_000;

#[derive(Serialize, Deserialize)]
struct Payload {
    /// What the request was, as a digest.
    of: String,
    /// When it is good no longer, in milliseconds since 1970.
    until_ms: i64,
    /// Different every time, so that two rounds never look the same.
    once: String,
    state: Value,
}

fn mac(key: &[u8]) -> Hmac<Sha256> {
    // HMAC takes keys of every length.
    Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()))
}

/// Seals a state for the request with this digest.
pub(crate) fn seal(key: &[u8], of: &str, now_ms: i64, once: String, state: Value) -> String {
    let payload = Payload { of: of.to_owned(), until_ms: now_ms + GOOD_FOR_MS, once, state };
    let payload = serde_json::to_vec(&payload).unwrap_or_default();
    let tag = mac(key).chain_update(&payload).finalize().into_bytes();
    format!("{}.{}", base64::encode(&payload), base64::encode(&tag))
}

/// Opens what [`seal`] made for the same request.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn open(key: &[u8], of: &str, now_ms: i64, sealed: &str) -> Result<Value, &'static str> {
    const FORGED: &str = "`requestState` is not one that this server gave out";
    let (payload, tag) = sealed.split_once('.').ok_or(FORGED)?;
    let (payload, tag) = base64::decode(payload).zip(base64::decode(tag)).ok_or(FORGED)?;
    mac(key).chain_update(&payload).verify_slice(&tag).map_err(|_wrong| FORGED)?;
    let payload: Payload = serde_json::from_slice(&payload).map_err(|_not_json| FORGED)?;
    if payload.of != of {
        return Err("`requestState` belongs to another request");
    }
    if payload.until_ms < now_ms {
        return Err("`requestState` is too old: ask again from the start");
    }
    Ok(payload.state)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_was_sealed_for_this_request_opens_and_only_for_a_while() {
        let sealed = seal(b"key", "a", 1_000, "1".into(), json!({"round": 2}));
        assert_eq!(open(b"key", "a", 2_000, &sealed), Ok(json!({"round": 2})));
        assert_ne!(sealed, seal(b"key", "a", 1_000, "2".into(), json!({"round": 2})));
        assert!(open(b"other", "a", 2_000, &sealed).is_err());
        assert!(open(b"key", "b", 2_000, &sealed).unwrap_err().contains("another request"));
        assert!(open(b"key", "a", 1_001 + GOOD_FOR_MS, &sealed).unwrap_err().contains("too old"));
        for bent in [format!("{sealed}-TAMPERED"), sealed[1..].to_owned(), String::new(), ".".into()] {
            assert!(open(b"key", "a", 2_000, &bent).is_err(), "{bent}");
        }
        // Every byte counts.
        for at in 0..sealed.len() {
            let mut bent = sealed.clone().into_bytes();
            bent[at] = if bent[at] == b'A' { b'B' } else { b'A' };
            let bent = String::from_utf8(bent).unwrap();
            assert!(open(b"key", "a", 2_000, &bent).is_err(), "{at}");
        }
    }
}
