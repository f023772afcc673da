//! What happened in a play, as one hash: two machines that print the same one did the same, to the last character.

use std::fmt::Write as _;

use protocol::canonical_json;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Everything the driver did and was told, in order, with its time.
#[derive(Default)]
pub struct Events {
    whole: Sha256,
    lines: String,
}

impl Events {
    /// Adds an event: when (Unix milliseconds), what, and all there is to know about it.
    pub fn add(&mut self, at_ms: i64, what: &str, data: &Value) {
        let own = Sha256::digest(canonical_json(&json!([at_ms, what, data])));
        self.whole.update(own);
        let _ = writeln!(self.lines, "{} {at_ms} {what}", hex(&own[..4]));
    }

    /// The hash over all of them: SHA-256 over the hashes of the events, in hex.
    #[must_use]
    pub fn hash(&self) -> String {
        hex(&self.whole.clone().finalize())
    }

    /// A line for each event, with the beginning of its hash.
    #[must_use]
    pub fn lines(&self) -> String {
        self.lines.clone()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
