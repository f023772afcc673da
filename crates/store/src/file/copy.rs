//! The second copy: two files in a folder of their own.
//!
//! `snapshot.json` holds the packed tables; `manifest.jsonl` has one line that says what there should
//! be, and one line for each change since the snapshot. The snapshot is written first, so that at any
//! moment the two together hold everything up to the later of them. That holds for two processes as
//! well: neither puts something older in the place of what the other one wrote.

use std::{
    fs::File,
    io::{ErrorKind, Read},
};

use serde::{Deserialize, Serialize};

use super::{
    Kept,
    folder::{Folder, failed},
    index::Written,
    line,
};
use crate::{Change, Manifest, Rev, SecondCopy, Snapshot, StoreError};

/// What there should be, and the changes since the snapshot.
const MANIFEST: &str = "copy/manifest.jsonl";
/// The packed tables.
const SNAPSHOT: &str = "copy/snapshot.json";
/// No snapshot's header is longer, in bytes.
const LONGEST_HEADER: u64 = 128;

/// The first line.
#[derive(Serialize, Deserialize)]
struct First<M> {
    manifest: M,
}

/// The manifest alone; `None` when there is none that can be read.
pub(super) fn manifest(folder: &Folder) -> Result<Option<Manifest>, StoreError> {
    let Some(bytes) = folder.read(MANIFEST)? else { return Ok(None) };
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Ok(line::read::<First<Manifest>>(first).ok().map(|first| first.manifest))
}

/// Everything that can be read.
pub(super) fn read(folder: &Folder) -> Result<Option<SecondCopy>, StoreError> {
    let Some(bytes) = folder.read(MANIFEST)? else { return Ok(None) };
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let Ok(First { manifest }) = line::read(lines.next().unwrap_or_default()) else { return Ok(None) };
    let tail = lines.filter_map(|line| line::read::<Kept>(line).ok()).map(|kept| kept.change).collect();
    let snapshot = folder.read(SNAPSHOT)?.and_then(Snapshot::from_bytes);
    Ok(Some(SecondCopy { manifest, snapshot, tail }))
}

/// Replaces the manifest and the changes, and before them the snapshot, as far as they are not older
/// than what is there.
pub(super) fn write(
    folder: &Folder,
    manifest: &Manifest,
    tail: &[Change],
    snapshot: Option<&Snapshot>,
) -> Result<(), StoreError> {
    let there = self::manifest(folder)?;
    let is_another = there.as_ref().is_some_and(|there| there.epoch != manifest.epoch);
    let ours = there.filter(|_| !is_another);
    match snapshot {
        // The other process counts on its own snapshot: what it adds begins behind it.
        Some(snapshot) if ours.is_some() && snapshot_rev(folder)? > snapshot.rev => {}
        Some(snapshot) => folder.replace(SNAPSHOT, &snapshot.bytes)?,
        None if is_another => folder.remove(SNAPSHOT)?,
        None => {}
    }
    if ours.is_some_and(|ours| ours.rev > manifest.rev) {
        return Ok(());
    }
    let mut lines = String::new();
    line::write(&mut lines, &First { manifest })?;
    for change in tail {
        line::write(&mut lines, &Written { more: 0, change })?;
    }
    folder.replace(MANIFEST, lines.as_bytes())
}

/// The revision of the snapshot that is there; 0 when there is none.
fn snapshot_rev(folder: &Folder) -> Result<Rev, StoreError> {
    let path = folder.at(SNAPSHOT);
    let mut header = Vec::new();
    match File::open(&path).and_then(|file| file.take(LONGEST_HEADER).read_to_end(&mut header)) {
        Ok(_) => Ok(Snapshot::from_bytes(header).map_or(0, |snapshot| snapshot.rev)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        Err(error) => Err(failed("read", &path)(error)),
    }
}
