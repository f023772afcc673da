//! Base64 by RFC 4648, strict: for header values and cursors.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes with padding.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().enumerate().fold(0u32, |group, (i, &byte)| group | u32::from(byte) << (16 - 8 * i));
        for i in 0..4 {
            let symbol = ALPHABET[(group >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { char::from(symbol) } else { '=' });
        }
    }
    text
}

/// Decodes. None for a foreign symbol, missing or surplus padding, or bits that padding should have left
/// at zero: two texts never mean the same bytes.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.iter().rev().take_while(|&&symbol| symbol == b'=').count();
    if padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut group = 0u32;
    for (place, symbol) in text[..text.len() - padding].iter().enumerate() {
        let value = ALPHABET.iter().position(|known| known == symbol)?;
        group = group << 6 | u32::try_from(value).ok()?;
        if place % 4 == 3 {
            bytes.extend(&group.to_be_bytes()[1..]);
            group = 0;
        }
    }
    let (spare_bits, whole) = match padding {
        0 => return Some(bytes),
        1 => (2, 2),
        _ => (4, 1),
    };
    if group & ((1 << spare_bits) - 1) != 0 {
        return None;
    }
    let tail = (group >> spare_bits).to_be_bytes();
    bytes.extend(&tail[4 - whole..]);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn rfc_4648_vectors_both_ways() {
        let rows = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
            ("todo://ä", "dG9kbzovL8Ok"),
        ];
        for (plain, coded) in rows {
            assert_eq!(encode(plain.as_bytes()), coded);
            assert_eq!(decode(coded).as_deref(), Some(plain.as_bytes()), "{coded}");
        }
    }

    #[test]
    fn anything_loose_is_refused() {
        for text in [
            "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm9v=", "====", "Zm 9v", "Zm9v\n", "Zm-_", "Z=g=",
            "Zg==Zg==",
        ] {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }

    #[test]
    fn every_length_round_trips() {
        for length in 0..70u8 {
            let bytes: Vec<u8> = (0..length).map(|byte| byte.wrapping_mul(37)).collect();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }
}
