//! Bytes by their hash, as objects of a space.
//!
//! Whoever writes what is there already says so, and whoever collects says that it is about to: both under the same subject, each only over what
//! it has seen there. So one of the two is refused, and no bytes go that somebody counts on.

use std::time::Duration;

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{RawMessageErrorKind, Stream};
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
    /// What the subjects of their words begin with.
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

    fn subject(&self, hash: &BlobHash) -> String {
        format!("{}.{}.{hash}", self.space.words_root(), self.name)
    }

    /// Says a word in the place of another one, and gives its place; `None` where somebody else said something since.
    async fn say(&self, hash: &BlobHash, word: &'static str, over: u64) -> Result<Option<u64>, StoreError> {
        let message = PublishMessage::build().payload(word.into()).expected_last_subject_sequence(over);
        let answer = match self.space.context.send_publish(self.subject(hash), message).await {
            Ok(answer) => answer.await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(ack) => Ok(Some(ack.sequence)),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(None),
            Err(error) => Err(wire::failed("the words")(error)),
        }
    }

    /// The word that is said of them, and its place.
    async fn word(&self, words: &Stream, hash: &BlobHash) -> Result<(Bytes, u64), StoreError> {
        match words.get_last_raw_message_by_subject(&self.subject(hash)).await {
            Ok(word) => Ok((word.payload, word.sequence)),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok((Bytes::new(), 0)),
            Err(error) => Err(wire::failed("the words")(error)),
        }
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
            if self.say(&hash, AGAIN, revision).await?.is_some()
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
            self.say(hash, "", revision).await?;
            return Ok(false);
        }
        let Some(going) = self.say(hash, GOING, revision).await? else { return Ok(false) };
        self.objects.remove(hash.as_str()).await?;
        // Where somebody has lost patience with us meanwhile, their word stays.
        self.say(hash, "", going).await?;
        Ok(true)
    }

    async fn delete(&self, hash: &BlobHash) -> Result<(), StoreError> {
        self.objects.remove(hash.as_str()).await
    }

    async fn sweep(&self, _before_ms: i64) -> Result<usize, StoreError> {
        Ok(0)
    }
}
