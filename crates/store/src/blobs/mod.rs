//! Bytes beside the journal, named by their content: pictures, thumbnails, vectors.
//!
//! They never go through the journal. Whoever adds some writes them first, and then commits the row that names them, by
//! [`BlobHash::reference`]. They are outside of undo: a row comes back, and its bytes are still there, because nothing is
//! collected that a row, a saved copy or a change that can be undone names ([`crate::Db::collect_blobs`]).

mod collect;
mod memory;

use std::fmt;

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::LocalBoxStream;

pub use collect::Collected;
pub(crate) use collect::UNDO_MS;
pub use memory::MemoryBlobs;

use crate::StoreError;

/// How a reference begins.
const SCHEME: &str = "blob:";

/// How long a hash is, in hexadecimal digits.
const DIGITS: usize = 64;

/// The SHA-256 of some bytes, in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobHash(String);

impl BlobHash {
    /// A hash from its 64 digits; none for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == DIGITS && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How a row names it: `blob:` and the digits, as a text by itself or in a longer one.
    #[must_use]
    pub fn reference(&self) -> String {
        format!("{SCHEME}{}", self.0)
    }

    /// The hashes that a text refers to.
    pub fn references_in(text: &str) -> impl Iterator<Item = Self> {
        let ends = text.match_indices(SCHEME).map(|(at, _)| at + SCHEME.len());
        ends.filter_map(|from| Self::parse(text.get(from..from + DIGITS)?))
    }
}

impl fmt::Display for BlobHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Bytes as they come, in pieces of any size.
pub type ByteStream = LocalBoxStream<'static, Result<Vec<u8>, StoreError>>;

/// What is kept under a hash.
pub struct Blob {
    /// How many bytes there are.
    pub len: u64,
    /// The bytes. They are read as they are asked for.
    pub bytes: ByteStream,
}

/// All bytes that a reference (`blob:` and a hash) names; none where they are not there or cannot be read, or it is no reference.
pub async fn whole(blobs: &impl Blobs, reference: &str) -> Option<Vec<u8>> {
    let hash = BlobHash::parse(reference.strip_prefix(SCHEME)?)?;
    let mut blob = blobs.read(&hash).await.ok()??;
    let mut bytes = Vec::new();
    while let Some(piece) = blob.bytes.next().await {
        bytes.extend(piece.ok()?);
    }
    Some(bytes)
}

/// Where bytes are kept. What is there under a hash has that hash: it is whole, or not there.
#[async_trait(?Send)]
pub trait Blobs {
    /// What is kept under a hash, if anything is.
    async fn read(&self, hash: &BlobHash) -> Result<Option<Blob>, StoreError>;

    /// Keeps bytes, and says their hash when they are as safe as the place can make them. Bytes that are there already stay.
    /// Where the stream or the place fails, nothing is kept.
    async fn write(&self, bytes: ByteStream) -> Result<BlobHash, StoreError>;

    /// The hashes of all that is kept, in order.
    async fn hashes(&self) -> Result<Vec<BlobHash>, StoreError>;

    /// Forgets bytes that nothing names, and says whether it did: not where somebody has written them again, while they were
    /// there, since this was last asked of them. Whoever writes is about to name them, and may be in a program without a
    /// database (a worker that looks at photos), which can tell a collection nothing but by this.
    async fn collect(&self, hash: &BlobHash) -> Result<bool, StoreError>;

    /// Forgets bytes; no error when they are not there.
    async fn delete(&self, hash: &BlobHash) -> Result<(), StoreError>;

    /// Forgets what writes have left that never came to their end, because their tab or their program was ended, and that nobody has
    /// touched since `before_ms` (since 1970), and word that bytes were written again, which is of no use by then; says how many there
    /// were. What somebody still writes stays.
    async fn sweep(&self, before_ms: i64) -> Result<usize, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::BlobHash;

    #[test]
    fn a_hash_is_sixty_four_digits_and_found_in_any_text() {
        let digits = crate::content_hash(b"a");
        let hash = BlobHash::parse(&digits).unwrap();
        for wrong in ["", "abc", &digits[1..], &digits.to_uppercase(), &format!("{digits}0"), &"é".repeat(32)]
        {
            assert_eq!(BlobHash::parse(wrong), None, "{wrong}");
        }
        let other = BlobHash::parse(&crate::content_hash(b"b")).unwrap();
        let text = format!(
            "{{\"a\":\"{}\",\"b\":[\"{} and\"],\"c\":\"blob:no\"}}blob:",
            hash.reference(),
            other.reference()
        );
        assert_eq!(BlobHash::references_in(&text).collect::<Vec<_>>(), [hash, other]);
    }
}
