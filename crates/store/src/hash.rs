//! Hashes: ids that a second run finds again, content addresses, and a checksum for snapshots.

use sha2::{Digest, Sha256};

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The SHA-256 of some bytes in lower-case hex: the name of a blob.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Sixteen characters (80 bits) that depend on every part, for ids and chains.
pub(crate) fn short_hash(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        // The length keeps ("ab", "c") and ("a", "bc") apart.
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let digest = hasher.finalize();
    digest
        .chunks(5)
        .take(2)
        .flat_map(|five| {
            let bits = five.iter().fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
            (0..8).rev().map(move |place| char::from(ALPHABET[(bits >> (place * 5)) as usize & 31]))
        })
        .collect()
}

/// A fast checksum against damage, not against malice: FNV-1a over words of eight bytes, because
/// SHA-256 of a megabyte costs more than parsing it.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0_u8; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(PRIME);
        hash ^= hash >> 29;
    }
    hash
}
