//! A journal that several hold is one: whoever is given journals of any kind needs no type for each.

use std::rc::Rc;

use async_trait::async_trait;

use crate::{
    CallKey, Change, Durability, Journal, Loaded, Manifest, Rev, SecondCopy, Snapshot, StoreError, Tail,
};

#[async_trait(?Send)]
impl Journal for Rc<dyn Journal> {
    async fn load(&self) -> Result<Loaded, StoreError> {
        (**self).load().await
    }

    async fn read(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        (**self).read(from, until).await
    }

    async fn by_key(&self, key: &CallKey) -> Result<Option<Change>, StoreError> {
        (**self).by_key(key).await
    }

    async fn append(&self, changes: &[Rc<Change>], durability: Durability) -> Result<(), StoreError> {
        (**self).append(changes, durability).await
    }

    async fn erase(&self, tables: &[String], before: Rev) -> Result<(), StoreError> {
        (**self).erase(tables, before).await
    }

    async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        (**self).put_snapshot(snapshot).await
    }

    async fn write_back(&self, snapshot: &Snapshot, changes: &[Rc<Change>]) -> Result<bool, StoreError> {
        (**self).write_back(snapshot, changes).await
    }

    async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        (**self).blob(hash).await
    }

    async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), StoreError> {
        (**self).put_blob(hash, bytes).await
    }

    async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        (**self).blob_names(prefix).await
    }

    async fn delete_blob(&self, name: &str) -> Result<(), StoreError> {
        (**self).delete_blob(name).await
    }

    async fn manifest(&self) -> Result<Option<Manifest>, StoreError> {
        (**self).manifest().await
    }

    async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError> {
        (**self).second_copy().await
    }

    fn has_second_copy(&self) -> bool {
        (**self).has_second_copy()
    }

    async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError> {
        (**self).put_second_copy(manifest, tail, snapshot).await
    }
}
