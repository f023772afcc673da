//! A journal's objects: its snapshot and its bytes by name.
//!
//! A bucket has a subject for each object, by the whole name in Base64: which of them begin with a journal's name can only be found out by
//! going through those of all journals. So each name is said beside it, on a subject under the journal's.

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::object_store::{InfoErrorKind, ObjectStore};
use async_nats::jetstream::stream::{RawMessageErrorKind, Stream};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use bytes::Bytes;
use futures::TryStreamExt;
use store::{Snapshot, StoreError};
use tokio::sync::OnceCell;

use crate::space::Space;
use crate::wire;

/// How often an object is read again that was replaced meanwhile.
const TRIES: u32 = 5;

const SNAPSHOT: &str = "snapshot";
const BLOB: &str = "blob/";

/// The objects whose names begin with a journal's name.
pub struct Objects {
    space: Space,
    prefix: String,
    bucket: OnceCell<(ObjectStore, Stream)>,
    words: OnceCell<Stream>,
}

impl Objects {
    /// Those that begin so.
    pub fn new(space: &Space, prefix: String) -> Self {
        Self { space: space.clone(), prefix, bucket: OnceCell::new(), words: OnceCell::new() }
    }

    /// The bucket.
    async fn bucket(&self) -> Result<&ObjectStore, StoreError> {
        Ok(self.both().await?.0)
    }

    /// The bucket, and the stream that it is in.
    async fn both(&self) -> Result<(&ObjectStore, &Stream), StoreError> {
        let both = self.bucket.get_or_try_init(|| self.space.objects()).await?;
        Ok((&both.0, &both.1))
    }

    /// The bytes of an object, whole; `None` where it is not there. Piece by piece from the leader, without a consumer: a server has
    /// only so many of them, and each outlives its reader for a while.
    pub async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let (bucket, stream) = self.both().await?;
        // Replaced while it was read, its pieces are gone: then there is another one.
        for _ in 0..TRIES {
            let info = match bucket.info(format!("{}{name}", self.prefix)).await {
                Ok(info) if info.deleted => return Ok(None),
                Ok(info) => info,
                Err(error) if error.kind() == InfoErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(wire::failed("an object")(error)),
            };
            let subject = format!("$O.{}.C.{}", info.bucket, info.nuid);
            let mut bytes = Vec::with_capacity(info.size);
            let mut at = 1;
            while bytes.len() < info.size {
                match stream.raw_message_builder().sequence(at).next_by_subject(subject.as_str()).send().await
                {
                    Ok(piece) => {
                        at = piece.sequence + 1;
                        bytes.extend_from_slice(&piece.payload);
                    }
                    Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => break,
                    Err(error) => return Err(wire::failed("an object")(error)),
                }
            }
            if bytes.len() == info.size {
                return Ok(Some(bytes));
            }
        }
        Err(StoreError::Damaged(format!("a part of the object {}{name} is not there", self.prefix)))
    }

    /// The subject that a name is said on; with `*` for a name, all of them.
    fn word(&self, name: &str) -> String {
        let name = if name == "*" { name.to_owned() } else { URL_SAFE.encode(name) };
        format!("{}.names.{}{name}", self.space.words_root(), self.prefix.replace('/', "."))
    }

    /// The stream that names are said in.
    async fn words(&self) -> Result<&Stream, StoreError> {
        self.words.get_or_try_init(|| self.space.words()).await
    }

    /// Says a name. Once more where the stream of words has gone.
    async fn say(&self, name: &str) -> Result<(), StoreError> {
        self.words().await?;
        let mut is_again = false;
        loop {
            let said = match self.space.context.publish(self.word(name), Bytes::new()).await {
                Ok(answer) => answer.await,
                Err(error) => Err(error),
            };
            match said {
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == PublishErrorKind::StreamNotFound && !is_again => {
                    is_again = true;
                    self.space.words().await?;
                }
                Err(error) if wire::is_full(&error) => return Err(StoreError::Quota),
                Err(error) => return Err(wire::failed("the name of an object")(error)),
            }
        }
    }

    /// Puts an object in the place of what is there under the name.
    pub async fn replace(&self, name: &str, mut bytes: &[u8]) -> Result<(), StoreError> {
        // Before it is there, so that nothing is there that nobody knows of; and after it, for somebody who took away another one meanwhile.
        self.say(name).await?;
        let put = self.bucket().await?.put(format!("{}{name}", self.prefix).as_str(), &mut bytes).await;
        put.map(drop).map_err(|error| {
            if wire::is_full(&error) { StoreError::Quota } else { wire::failed("an object")(error) }
        })?;
        self.say(name).await
    }

    /// Whether there is an object of this name.
    pub async fn is_there(&self, name: &str) -> Result<bool, StoreError> {
        self.is_there_in(self.bucket().await?, name).await
    }

    async fn is_there_in(&self, bucket: &ObjectStore, name: &str) -> Result<bool, StoreError> {
        match bucket.info(format!("{}{name}", self.prefix)).await {
            Ok(info) => Ok(!info.deleted),
            Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(false),
            Err(error) => Err(wire::failed("an object")(error)),
        }
    }

    /// Takes an object away; no error where there is none.
    pub async fn remove(&self, name: &str) -> Result<(), StoreError> {
        let (words, word) = (self.words().await?, self.word(name));
        let said = match words.get_last_raw_message_by_subject(&word).await {
            Ok(said) => Some(said.sequence),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => None,
            Err(error) if wire::is_gone(&error.kind()) => None,
            Err(error) => return Err(wire::failed("the name of an object")(error)),
        };
        if self.is_there(name).await? {
            let bucket = self.bucket().await?;
            bucket.delete(format!("{}{name}", self.prefix)).await.map_err(wire::failed("an object"))?;
        }
        // Not what somebody says since who puts another one in its place.
        let Some(said) = said else { return Ok(()) };
        let taken = words.purge().sequence(said + 1).filter(word).await;
        taken.map(drop).map_err(wire::failed("the name of an object"))
    }

    /// The names of objects that begin so, in order.
    pub async fn names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let (bucket, all) = (self.bucket().await?, self.word("*"));
        let root = all.trim_end_matches('*');
        let said = match self.words().await?.info_with_subjects(&all).await {
            Ok(said) => said,
            // Where the words are gone they are made again with the next one that is said.
            Err(error) if wire::is_no_stream(&error) => return Ok(Vec::new()),
            Err(error) => return Err(wire::failed("the names of objects")(error)),
        };
        let mut said = std::pin::pin!(said);
        let mut names = Vec::new();
        while let Some((subject, _)) = said.try_next().await.map_err(wire::failed("the names of objects"))? {
            let encoded = subject.strip_prefix(root).and_then(|text| URL_SAFE.decode(text).ok());
            let Some(name) = encoded.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
            // What was taken away, or never came, may leave a word that it was.
            if name.starts_with(prefix) && self.is_there_in(bucket, &name).await? {
                names.push(name);
            }
        }
        order::sort(&mut names);
        Ok(names)
    }

    /// The snapshot. One that cannot be read is as good as none, and said: the journal has everything.
    pub async fn snapshot(&self) -> Result<Option<Snapshot>, StoreError> {
        let unreadable = Snapshot { rev: 0, bytes: Vec::new() };
        let bytes = self.read(SNAPSHOT).await?;
        Ok(bytes.map(|bytes| Snapshot::from_bytes(bytes).unwrap_or(unreadable)))
    }

    /// Replaces the snapshot.
    pub async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        self.replace(SNAPSHOT, &snapshot.bytes).await
    }

    /// Takes the snapshot away.
    pub async fn forget_snapshot(&self) -> Result<(), StoreError> {
        self.remove(SNAPSHOT).await
    }

    /// The bytes of a name.
    pub async fn blob(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&format!("{BLOB}{name}")).await
    }

    /// Keeps bytes under a name.
    pub async fn put_blob(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.replace(&format!("{BLOB}{name}"), bytes).await
    }

    /// The names of kept bytes that begin so.
    pub async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let mut names = self.names(&format!("{BLOB}{prefix}")).await?;
        names.iter_mut().for_each(|name| drop(name.drain(..BLOB.len())));
        Ok(names)
    }

    /// Forgets kept bytes.
    pub async fn delete_blob(&self, name: &str) -> Result<(), StoreError> {
        self.remove(&format!("{BLOB}{name}")).await
    }
}
