//! What opens the relay: 256 random bits each. Kept as a hash only, compared in a time that tells nothing, never logged.

use sha2::{Digest, Sha256};

/// The hash of a secret.
#[derive(Clone, Copy)]
pub(super) struct Hashed([u8; 32]);

impl Hashed {
    /// A new secret as text, and its hash. None when the system has no randomness.
    pub(super) fn new() -> Option<(String, Self)> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).ok()?;
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hashed = Self::of(text.as_bytes());
        Some((text, hashed))
    }

    /// Whether this is the secret.
    pub(super) fn opens_to(&self, shown: &[u8]) -> bool {
        // All bytes, whichever differ.
        let other = Self::of(shown);
        self.0.iter().zip(other.0).fold(0, |different, (ours, theirs)| different | (ours ^ theirs)) == 0
    }

    fn of(text: &[u8]) -> Self {
        Self(Sha256::digest(text).into())
    }
}

#[cfg(test)]
mod tests {
    use super::Hashed;

    #[test]
    fn only_the_secret_opens() {
        let (text, hashed) = Hashed::new().unwrap();
        let (other, _) = Hashed::new().unwrap();
        assert_eq!((text.len(), text == other), (64, false));
        assert!(hashed.opens_to(text.as_bytes()));
        let nearly = format!("{}{}", &text[..63], if text.ends_with('0') { '1' } else { '0' });
        for wrong in ["", &text[..63], &nearly, &other, &text.to_uppercase().replace('0', "O")] {
            assert!(!hashed.opens_to(wrong.as_bytes()));
        }
    }
}
