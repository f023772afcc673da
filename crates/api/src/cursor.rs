//! The ids of events: places in a session's log. They outlive the process that gave them, so that a client which lost its
//! connection goes on where it was, also after the server was killed.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// A place in a session's events: everything up to it was read.
///
/// As text `12.3`, or `12.0.57-9f3a2c1d00aa51e4` within a text: so many bytes of it were read, and this is their hash. A server
/// that was killed in the middle of an answer asks the model again, and what comes then may begin otherwise: the hash tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The entry's place in the log.
    pub seq: u64,
    /// The event among those of the entry; 0 is its text.
    pub part: u32,
    /// How much of the text was read.
    pub text: Option<Prefix>,
}

/// The beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    /// Its bytes.
    pub bytes: usize,
    /// Its hash.
    pub hash: u64,
}

impl Prefix {
    /// All of a text.
    pub(crate) fn of(text: &str) -> Self {
        Hashed::of(text).prefix()
    }

    /// What comes after it in a text that begins with it; none where the text begins otherwise.
    pub(crate) fn rest_of<'a>(&self, text: &'a str) -> Option<&'a str> {
        let (read, rest) = text.split_at_checked(self.bytes)?;
        (Self::of(read) == *self).then_some(rest)
    }
}

#[cfg(test)]
thread_local! {
    static HASHED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How many bytes were hashed on this thread so far: a measure of work that is no clock.
#[cfg(test)]
pub(crate) fn hashed_bytes() -> u64 {
    HASHED.get()
}

/// A text that grows, as its hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hashed {
    bytes: usize,
    hash: Sha256,
}

impl Hashed {
    /// A text as it is so far.
    pub(crate) fn of(text: &str) -> Self {
        let mut hashed = Self::default();
        hashed.add(text);
        hashed
    }

    /// It goes on with this.
    pub(crate) fn add(&mut self, text: &str) {
        #[cfg(test)]
        HASHED.set(HASHED.get() + text.len() as u64);
        self.hash.update(text.as_bytes());
        self.bytes = self.bytes.saturating_add(text.len());
    }

    /// How many bytes of it there are.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All of it so far.
    pub(crate) fn prefix(&self) -> Prefix {
        let hash = self.hash.clone().finalize();
        let head = hash.iter().take(8).fold(0, |sum, byte| (sum << 8) | u64::from(*byte));
        Prefix { bytes: self.bytes, hash: head }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.seq, self.part)?;
        match self.text {
            Some(Prefix { bytes, hash }) => write!(f, ".{bytes}-{hash:016x}"),
            None => Ok(()),
        }
    }
}

/// A text is no id of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotAnId;

impl FromStr for Cursor {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        // Signs that a number's own reader would take are none of ours.
        let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
        let mut pieces = text.splitn(3, '.');
        let (seq, part) = pieces.next().zip(pieces.next()).ok_or(NotAnId)?;
        if !number(seq) || !number(part) {
            return Err(NotAnId);
        }
        let text = match pieces.next() {
            None => None,
            Some(read) => {
                let (bytes, hash) = read.split_once('-').ok_or(NotAnId)?;
                if !number(bytes) || hash.len() != 16 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Err(NotAnId);
                }
                let bytes = bytes.parse().map_err(|_too_large| NotAnId)?;
                let hash = u64::from_str_radix(hash, 16).map_err(|_no_number| NotAnId)?;
                Some(Prefix { bytes, hash })
            }
        };
        let seq = seq.parse().map_err(|_too_large| NotAnId)?;
        let part = part.parse().map_err(|_too_large| NotAnId)?;
        Ok(Self { seq, part, text })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_id_is_read_as_it_is_written(seq: u64, part: u32, text: Option<String>) {
            let cursor = Cursor { seq, part, text: text.as_deref().map(Prefix::of) };
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }

        #[test]
        fn any_text_is_an_id_or_none(text: String) {
            if let Ok(cursor) = text.parse::<Cursor>() {
                prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
            }
        }

        #[test]
        fn a_text_goes_on_where_it_was_read_to(text: String, other: String) {
            for (at, _) in text.char_indices() {
                prop_assert_eq!(Prefix::of(&text[..at]).rest_of(&text), Some(&text[at..]));
            }
            if !other.starts_with(&text) {
                prop_assert_eq!(Prefix::of(&text).rest_of(&other), None);
            }
        }
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for text in [
            "", "1", "1.", ".1", "+1.0", "1.0.", "1.0.5", "1.0.5-xyz", "1.0.-1-0000000000000000",
            "99999999999999999999.0", "1.0.5-0000000000000000.1",
        ] {
            assert_eq!(text.parse::<Cursor>(), Err(NotAnId), "{text}");
        }
    }
}
