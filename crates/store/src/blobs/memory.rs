//! Bytes in memory: for tests, rehearsals, and a host that keeps nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use async_trait::async_trait;
use futures::{StreamExt, stream};

use super::{Blob, BlobHash, Blobs, ByteStream};
use crate::{StoreError, content_hash};

/// Bytes in memory. A clone is another way to the same.
#[derive(Clone, Default)]
pub struct MemoryBlobs(Rc<RefCell<BTreeMap<BlobHash, Kept>>>);

/// Bytes, and whether they were written again since a collection asked.
struct Kept {
    bytes: Vec<u8>,
    is_again: bool,
}

impl MemoryBlobs {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait(?Send)]
impl Blobs for MemoryBlobs {
    async fn read(&self, hash: &BlobHash) -> Result<Option<Blob>, StoreError> {
        let found = self.0.borrow().get(hash).map(|kept| kept.bytes.clone());
        Ok(found
            .map(|bytes| Blob { len: bytes.len() as u64, bytes: stream::iter([Ok(bytes)]).boxed_local() }))
    }

    async fn write(&self, mut bytes: ByteStream) -> Result<BlobHash, StoreError> {
        let mut all = Vec::new();
        while let Some(piece) = bytes.next().await {
            all.extend(piece?);
        }
        let digits = content_hash(&all);
        let hash =
            BlobHash::parse(&digits).ok_or_else(|| StoreError::Other("a hash has 64 digits".into()))?;
        let mut kept = self.0.borrow_mut();
        match kept.get_mut(&hash) {
            Some(there) => there.is_again = true,
            None => drop(kept.insert(hash.clone(), Kept { bytes: all, is_again: false })),
        }
        Ok(hash)
    }

    async fn hashes(&self) -> Result<Vec<BlobHash>, StoreError> {
        Ok(self.0.borrow().keys().cloned().collect())
    }

    async fn collect(&self, hash: &BlobHash) -> Result<bool, StoreError> {
        let mut kept = self.0.borrow_mut();
        let is_again = kept.get_mut(hash).is_some_and(|kept| std::mem::take(&mut kept.is_again));
        if !is_again {
            kept.remove(hash);
        }
        Ok(!is_again)
    }

    async fn delete(&self, hash: &BlobHash) -> Result<(), StoreError> {
        self.0.borrow_mut().remove(hash);
        Ok(())
    }

    async fn sweep(&self, _before_ms: i64) -> Result<usize, StoreError> {
        // Half of it goes with whoever wrote it.
        Ok(0)
    }
}
