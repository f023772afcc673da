//! Base64 by RFC 4648, strict: for header values and cursors.

use base64ct::{Base64, Encoding};

/// Encodes with padding.
pub fn encode(bytes: &[u8]) -> String {
    Base64::encode_string(bytes)
}

/// Decodes. None for a foreign symbol, missing or surplus padding, or bits that padding should have left
/// at zero: two texts never mean the same bytes.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    Base64::decode_vec(text).ok()
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
