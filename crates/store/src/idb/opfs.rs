//! The second copy: two files in the origin private file system, outside the database's own files.
//!
//! `snapshot` holds the packed tables; `manifest` holds one line that says what there should be, and
//! one line for each change since the snapshot. The snapshot is written first, so that at any moment
//! the two together hold everything up to the later of them. Where the file system is missing there
//! is no second copy, and that is no error.

use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use super::{
    connection::failure,
    wait::{call, call_async},
};
use crate::{Change, Manifest, SecondCopy, Snapshot, StoreError};

const MANIFEST: &str = "manifest";
const SNAPSHOT: &str = "snapshot";

/// The folder of one database.
pub(super) struct Folder {
    name: String,
}

impl Folder {
    pub fn new(database: &str) -> Self {
        Self { name: format!("satchel-{database}") }
    }

    /// The manifest alone.
    pub async fn manifest(&self) -> Option<Manifest> {
        let bytes = self.file(MANIFEST).await?;
        serde_json::from_slice(bytes.split(|byte| *byte == b'\n').next()?).ok()
    }

    /// Everything that can be read.
    pub async fn read(&self) -> Option<SecondCopy> {
        let bytes = self.file(MANIFEST).await?;
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let manifest = serde_json::from_slice(lines.next()?).ok()?;
        let tail = lines.filter_map(|line| serde_json::from_slice::<Change>(line).ok()).collect();
        let snapshot = self.file(SNAPSHOT).await.and_then(Snapshot::from_bytes);
        Some(SecondCopy { manifest, snapshot, tail })
    }

    /// Replaces the manifest and the changes, and before them the snapshot.
    pub async fn write(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<(), StoreError> {
        let Some(folder) = self.folder(true).await else { return Ok(()) };
        if let Some(snapshot) = snapshot {
            replace(&folder, SNAPSHOT, &snapshot.bytes).await.map_err(|error| failure(&error))?;
        }
        let mut bytes = to_line(manifest)?;
        for change in tail {
            bytes.extend(to_line(change)?);
        }
        replace(&folder, MANIFEST, &bytes).await.map_err(|error| failure(&error))
    }

    /// The folder's handle; `None` when there is no such file system, or no folder and none is to be made.
    async fn folder(&self, create: bool) -> Option<JsValue> {
        let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
        let storage = Reflect::get(&navigator, &"storage".into()).ok()?;
        let root = call_async(&storage, "getDirectory", &[]).await.ok()?;
        let options = Object::new();
        Reflect::set(&options, &"create".into(), &create.into()).ok()?;
        call_async(&root, "getDirectoryHandle", &[self.name.as_str().into(), options.into()]).await.ok()
    }

    async fn file(&self, name: &str) -> Option<Vec<u8>> {
        let folder = self.folder(false).await?;
        let handle = call_async(&folder, "getFileHandle", &[name.into()]).await.ok()?;
        let file = call_async(&handle, "getFile", &[]).await.ok()?;
        let buffer = call_async(&file, "arrayBuffer", &[]).await.ok()?;
        Some(Uint8Array::new(&buffer).to_vec())
    }
}

fn to_line<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, StoreError> {
    let mut line = serde_json::to_vec(value).map_err(|error| StoreError::Other(error.to_string()))?;
    line.push(b'\n');
    Ok(line)
}

/// Replaces a file as a whole: what was written becomes visible when the stream is closed. Does
/// nothing where files can only be written by a dedicated worker (Safari before 26).
async fn replace(folder: &JsValue, name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let options = Object::new();
    Reflect::set(&options, &"create".into(), &true.into())?;
    let handle = call_async(folder, "getFileHandle", &[name.into(), options.into()]).await?;
    if !Reflect::has(&handle, &"createWritable".into())? {
        return Ok(());
    }
    let stream = call_async(&handle, "createWritable", &[]).await?;
    let written = call_async(&stream, "write", &[Uint8Array::from(bytes).unchecked_into()]).await;
    if let Err(error) = written {
        // An open stream would lock the file.
        drop(call(&stream, "abort", &[]));
        return Err(error);
    }
    call_async(&stream, "close", &[]).await.map(drop)
}
