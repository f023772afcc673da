//! The second copy: two objects, which outlive the stream.
//!
//! One has the packed tables; the other says in its first line what there should be, and has a line for each change since. The
//! snapshot is written first, so that at any moment the two together hold everything up to the later of them.

use serde::{Deserialize, Serialize};
use store::{Change, Manifest, SecondCopy, Snapshot, StoreError};

use crate::objects::Objects;

const MANIFEST: &str = "copy/manifest";
const SNAPSHOT: &str = "copy/snapshot";

#[derive(Serialize, Deserialize)]
struct First<M> {
    manifest: M,
}

#[derive(Deserialize)]
struct Read {
    manifest: Manifest,
}

impl Objects {
    /// The manifest alone; `None` when there is none that can be read.
    pub async fn manifest(&self) -> Result<Option<Manifest>, StoreError> {
        let bytes = self.read(MANIFEST).await?.unwrap_or_default();
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok(serde_json::from_slice::<Read>(first).ok().map(|first| first.manifest))
    }

    /// Everything that can be read.
    pub async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError> {
        let bytes = self.read(MANIFEST).await?.unwrap_or_default();
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let Ok(Read { manifest }) = serde_json::from_slice(lines.next().unwrap_or_default()) else {
            return Ok(None);
        };
        let tail = lines.filter_map(|line| serde_json::from_slice::<Change>(line).ok()).collect();
        let snapshot = self.read(SNAPSHOT).await?.and_then(Snapshot::from_bytes);
        Ok(Some(SecondCopy { manifest, snapshot, tail }))
    }

    /// Replaces the manifest and the changes, and before them the snapshot, as far as they are not older than what is there.
    pub async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<(), StoreError> {
        let there = self.manifest().await?;
        let is_another = there.as_ref().is_some_and(|there| there.epoch != manifest.epoch);
        let ours = there.filter(|_| !is_another);
        match snapshot {
            // The other program counts on its own snapshot: what it adds begins behind it.
            Some(snapshot) if ours.is_some() && self.copied_rev().await? > snapshot.rev => {}
            Some(snapshot) => self.replace(SNAPSHOT, &snapshot.bytes).await?,
            None if is_another => self.remove(SNAPSHOT).await?,
            None => {}
        }
        if ours.is_some_and(|ours| ours.rev > manifest.rev) {
            return Ok(());
        }
        let words = |error: serde_json::Error| StoreError::Other(error.to_string());
        let mut lines = serde_json::to_string(&First { manifest }).map_err(words)?;
        for change in tail {
            lines.push('\n');
            lines.push_str(&serde_json::to_string(change).map_err(words)?);
        }
        self.replace(MANIFEST, lines.as_bytes()).await
    }

    /// The revision of the snapshot that is there; 0 when there is none.
    async fn copied_rev(&self) -> Result<u64, StoreError> {
        let bytes = self.read(SNAPSHOT).await?;
        Ok(bytes.and_then(Snapshot::from_bytes).map_or(0, |snapshot| snapshot.rev))
    }
}
