//! A journal's objects: its snapshot and its bytes by name.

use async_nats::jetstream::object_store::{GetErrorKind, InfoErrorKind, ObjectStore};
use futures::TryStreamExt;
use store::{Snapshot, StoreError};
use tokio::io::AsyncReadExt;
use tokio::sync::OnceCell;

use crate::space::Space;
use crate::wire;

const SNAPSHOT: &str = "snapshot";
const BLOB: &str = "blob/";

/// The objects whose names begin with a journal's name.
pub struct Objects {
    space: Space,
    prefix: String,
    bucket: OnceCell<ObjectStore>,
}

impl Objects {
    /// Those that begin so.
    pub fn new(space: &Space, prefix: String) -> Self {
        Self { space: space.clone(), prefix, bucket: OnceCell::new() }
    }

    /// The bucket.
    pub async fn bucket(&self) -> Result<&ObjectStore, StoreError> {
        self.bucket.get_or_try_init(|| self.space.objects()).await
    }

    /// The bytes of an object, whole; `None` where it is not there.
    pub async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let name = format!("{}{name}", self.prefix);
        let bucket = self.bucket().await?;
        // Replaced while it was read, its pieces are gone: then there is another one.
        for is_last in [false, false, true] {
            let mut object = match bucket.get(name.as_str()).await {
                Ok(object) => object,
                Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
                Err(error) if is_last => return Err(wire::failed("an object")(error)),
                Err(_) => continue,
            };
            let mut bytes = Vec::new();
            match object.read_to_end(&mut bytes).await {
                Ok(_) => return Ok(Some(bytes)),
                Err(error) if is_last => return Err(wire::failed("an object")(error)),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Puts an object in the place of what is there under the name.
    pub async fn replace(&self, name: &str, mut bytes: &[u8]) -> Result<(), StoreError> {
        let name = format!("{}{name}", self.prefix);
        let put = self.bucket().await?.put(name.as_str(), &mut bytes).await;
        put.map(drop).map_err(|error| if wire::is_full(&error) { StoreError::Quota } else { wire::failed("an object")(error) })
    }

    /// Whether there is an object of this name.
    pub async fn is_there(&self, name: &str) -> Result<bool, StoreError> {
        match self.bucket().await?.info(format!("{}{name}", self.prefix)).await {
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
        let all = self.bucket().await?.list().await.map_err(wire::failed("the objects"))?;
        let mut names: Vec<String> = all
            .try_filter_map(|info| async move { Ok((!info.deleted).then_some(info.name)) })
            .try_collect()
            .await
            .map_err(wire::failed("the objects"))?;
        names.retain(|name| name.strip_prefix(&self.prefix).is_some_and(|name| name.starts_with(prefix)));
        names.iter_mut().for_each(|name| drop(name.drain(..self.prefix.len())));
        names.sort_unstable();
        names.dedup();
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
