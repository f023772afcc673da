//! Bytes by their hash, as objects of a space.
//!
//! Whoever writes what is there already says so, and whoever collects says that it is about to: both in the same key, each only over what
//! it has seen there. So one of the two is refused, and no bytes go that somebody counts on.

use std::time::Duration;

use async_nats::jetstream::kv;
use async_trait::async_trait;
use bytes::Bytes;
use futures::{StreamExt, stream};
use store::{Blob, BlobHash, Blobs, ByteStream, StoreError, content_hash};

use crate::objects::Objects;
use crate::space::Space;
use crate::wire;

/// Somebody has written them again.
const AGAIN: &str = "again";
/// Somebody takes them away.
const GOING: &str = "going";

/// How long somebody may take to take them away; longer, and it died of it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes in a [`Space`], under a prefix of their own.
pub struct JetStreamBlobs {
    space: Space,
    objects: Objects,
    /// What the keys of their words begin with.
    name: String,
}

impl JetStreamBlobs {
    /// The bytes of this name: letters, digits, `-` and `_`.
    #[must_use]
    pub fn new(space: &Space, name: &str) -> Self {
        Self {
            space: space.clone(),
            objects: Objects::new(space, format!("bytes/{name}/")),
            name: name.to_owned(),
        }
    }

    fn key(&self, hash: &BlobHash) -> String {
        format!("{}.{hash}", self.name)
    }

    /// Says a word in the place of another one, at a revision, and gives the one it has; `None` where somebody else said something since.
    async fn say(
        &self,
        words: &kv::Store,
        hash: &BlobHash,
        word: &'static str,
        over: u64,
    ) -> Result<Option<u64>, StoreError> {
        match words.update(self.key(hash), Bytes::from_static(word.as_bytes()), over).await {
            Ok(revision) => Ok(Some(revision)),
            Err(error) if error.kind() == kv::UpdateErrorKind::WrongLastRevision => Ok(None),
            Err(error) => Err(wire::failed("the bytes")(error)),
        }
    }

    /// The word that is said of them, and its revision.
    async fn word(&self, words: &kv::Store, hash: &BlobHash) -> Result<(String, u64), StoreError> {
        let entry = words.entry(self.key(hash)).await.map_err(wire::failed("the bytes"))?;
        Ok(entry.map_or((String::new(), 0), |entry| match entry.operation {
            kv::Operation::Put => (String::from_utf8_lossy(&entry.value).into_owned(), entry.revision),
            _ => (String::new(), entry.revision),
        }))
    }
}

#[async_trait(?Send)]
impl Blobs for JetStreamBlobs {
    async fn read(&self, hash: &BlobHash) -> Result<Option<Blob>, StoreError> {
        let bytes =
            self.objects.read(hash.as_str()).await?.filter(|bytes| content_hash(bytes) == hash.as_str());
        Ok(bytes
            .map(|bytes| Blob { len: bytes.len() as u64, bytes: stream::iter([Ok(bytes)]).boxed_local() }))
    }

    async fn write(&self, mut bytes: ByteStream) -> Result<BlobHash, StoreError> {
        let mut all = Vec::new();
        while let Some(piece) = bytes.next().await {
            all.extend(piece?);
        }
        let hash = BlobHash::parse(&content_hash(&all))
            .ok_or_else(|| StoreError::Other("a hash has 64 digits".into()))?;
        let words = self.space.words().await?;
        let started = tokio::time::Instant::now();
        loop {
            let is_new = !self.objects.is_there(hash.as_str()).await?;
            if is_new {
                self.objects.replace(hash.as_str(), &all).await?;
            }
            let (word, revision) = self.word(&words, &hash).await?;
            if word == GOING && started.elapsed() < PATIENCE {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
            if is_new && word != GOING {
                return Ok(hash);
            }
            // Over what a collection has seen: from here on it is refused. And bytes that went before are written again.
            if self.say(&words, &hash, AGAIN, revision).await?.is_some()
                && self.objects.is_there(hash.as_str()).await?
            {
                return Ok(hash);
            }
        }
    }

    async fn hashes(&self) -> Result<Vec<BlobHash>, StoreError> {
        Ok(self.objects.names("").await?.iter().filter_map(|name| BlobHash::parse(name)).collect())
    }

    async fn collect(&self, hash: &BlobHash) -> Result<bool, StoreError> {
        let words = self.space.words().await?;
        let (word, revision) = self.word(&words, hash).await?;
        if word == AGAIN {
            // Heard, once.
            self.say(&words, hash, "", revision).await?;
            return Ok(false);
        }
        let Some(going) = self.say(&words, hash, GOING, revision).await? else { return Ok(false) };
        self.objects.remove(hash.as_str()).await?;
        // Where somebody has lost patience with us meanwhile, their word stays.
        drop(words.purge_expect_revision(self.key(hash), Some(going)).await);
        Ok(true)
    }

    async fn delete(&self, hash: &BlobHash) -> Result<(), StoreError> {
        self.objects.remove(hash.as_str()).await
    }

    async fn sweep(&self, _before_ms: i64) -> Result<usize, StoreError> {
        Ok(0)
    }
}
