//! A journal's objects: its snapshot and its bytes by name.

use async_nats::jetstream::object_store::{InfoErrorKind, ObjectStore};
use async_nats::jetstream::stream::{RawMessageErrorKind, Stream};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
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
}

impl Objects {
    /// Those that begin so.
    pub fn new(space: &Space, prefix: String) -> Self {
        Self { space: space.clone(), prefix, bucket: OnceCell::new() }
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

    /// Puts an object in the place of what is there under the name.
    pub async fn replace(&self, name: &str, mut bytes: &[u8]) -> Result<(), StoreError> {
        let name = format!("{}{name}", self.prefix);
        let put = self.bucket().await?.put(name.as_str(), &mut bytes).await;
        put.map(drop).map_err(|error| {
            if wire::is_full(&error) { StoreError::Quota } else { wire::failed("an object")(error) }
        })
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
        if !self.is_there(name).await? {
            return Ok(());
        }
        let bucket = self.bucket().await?;
        bucket.delete(format!("{}{name}", self.prefix)).await.map_err(wire::failed("an object"))
    }

    /// The names of objects that begin so, in order.
    pub async fn names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let (bucket, stream) = self.both().await?;
        let info = stream.cached_info();
        let root = info.config.subjects.iter().find_map(|subject| subject.strip_suffix("M.>"));
        let root = format!("{}M.", root.unwrap_or_default());
        let mut subjects =
            stream.info_with_subjects(format!("{root}>")).await.map_err(wire::failed("the objects"))?;
        let mut names = Vec::new();
        while let Some((subject, _)) = subjects.try_next().await.map_err(wire::failed("the objects"))? {
            let encoded = subject.strip_prefix(&root).and_then(|text| URL_SAFE.decode(text).ok());
            let Some(name) = encoded.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
            let Some(name) = name.strip_prefix(&self.prefix).filter(|name| name.starts_with(prefix)) else {
                continue;
            };
            // What was taken away leaves a word that it was.
            if self.is_there_in(bucket, name).await? {
                names.push(name.to_owned());
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
