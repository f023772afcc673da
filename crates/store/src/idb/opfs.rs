//! The second copy: two files in the origin private file system, outside the database's own files.
//!
//! `snapshot` holds the packed tables; `manifest` holds one line that says what there should be, and
//! one line for each change since the snapshot. The snapshot is written first, so that at any moment
//! the two together hold everything up to the later of them. Where the file system is missing there
//! is no second copy, and that is no error.

use js_sys::{Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};

use super::{
    connection::failure,
    wait::{Signal, after_ms, call, call_async},
};
use crate::{Change, Manifest, Rev, SecondCopy, Snapshot, StoreError};

const MANIFEST: &str = "manifest";
const SNAPSHOT: &str = "snapshot";

/// Nobody is waited for longer than this: who holds the lock may hang.
const LONGEST_TURN_MS: i32 = 10_000;

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
        from_line(bytes.split(|byte| *byte == b'\n').next()?)
    }

    /// Everything that can be read.
    pub async fn read(&self) -> Option<SecondCopy> {
        let bytes = self.file(MANIFEST).await?;
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let manifest = from_line(lines.next()?)?;
        let tail = lines.filter_map(from_line::<Change>).collect();
        let snapshot = self.file(SNAPSHOT).await.and_then(Snapshot::from_bytes);
        Some(SecondCopy { manifest, snapshot, tail })
    }

    /// Replaces the manifest and the changes, and before them the snapshot, as far as they are not older than what is
    /// there: worker and page may both write, one after the other by a lock. False where there is no such file system,
    /// and so no copy.
    pub async fn write(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError> {
        let Some(folder) = self.folder(true).await else { return Ok(false) };
        let _turn = Turn::take(&self.name).await;
        let there = self.manifest().await;
        let is_another = there.as_ref().is_some_and(|there| there.epoch != manifest.epoch);
        let ours = there.filter(|_| !is_another);
        let written = match snapshot {
            // The other one counts on its own snapshot: what it adds begins behind it.
            Some(snapshot) if ours.is_some() && self.snapshot_rev().await > snapshot.rev => Ok(true),
            Some(snapshot) => replace(&folder, SNAPSHOT, &snapshot.bytes).await,
            None if is_another => {
                call_async(&folder, "removeEntry", &[SNAPSHOT.into()]).await.map(|_| true).or(Ok(true))
            }
            None => Ok(true),
        };
        if !written.map_err(|error| failure(&error))? {
            return Ok(false);
        }
        if ours.is_some_and(|ours| ours.rev > manifest.rev) {
            return Ok(true);
        }
        let mut bytes = to_line(manifest)?;
        for change in tail {
            bytes.extend(to_line(change)?);
        }
        replace(&folder, MANIFEST, &bytes).await.map_err(|error| failure(&error))
    }

    /// The revision of the snapshot that is there; 0 when there is none.
    async fn snapshot_rev(&self) -> Rev {
        self.file(SNAPSHOT).await.and_then(Snapshot::from_bytes).map_or(0, |snapshot| snapshot.rev)
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

/// Whether files can be written here at all: not where only a dedicated worker can (Safari before 26).
pub(super) fn can_be_written() -> bool {
    let prototype = Reflect::get(&js_sys::global(), &"FileSystemFileHandle".into())
        .and_then(|class| Reflect::get(&class, &"prototype".into()));
    prototype.is_ok_and(|prototype| {
        prototype.is_object() && Reflect::has(&prototype, &"createWritable".into()).unwrap_or_default()
    })
}

/// Read as text, as everything else is: a second reader of bytes would be code of its own in every start.
fn from_line<T: serde::de::DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_str(std::str::from_utf8(line).ok()?).ok()
}

fn to_line<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, StoreError> {
    let mut line = serde_json::to_vec(value).map_err(|error| StoreError::Other(error.to_string()))?;
    line.push(b'\n');
    Ok(line)
}

/// A turn at a folder, over all tabs and workers of the origin; given back when it is dropped. Where there are no locks, or
/// the lock does not come, it is nobody's: a copy that is written without it is better than none.
pub(super) struct Turn {
    release: Option<Function>,
}

impl Turn {
    pub async fn take(name: &str) -> Self {
        let locks = Reflect::get(&js_sys::global(), &"navigator".into())
            .and_then(|navigator| Reflect::get(&navigator, &"locks".into()));
        let Some(locks) = locks.ok().filter(JsValue::is_object) else { return Self { release: None } };
        let mut release = None;
        // The lock is held until this is resolved.
        let held = Promise::new(&mut |resolve, _| release = Some(resolve));
        let granted = Signal::new();
        let (is_granted, is_late) = (granted.clone(), granted.clone());
        let on_grant = Closure::once_into_js(move |_: JsValue| {
            is_granted.send(()).ok();
            held
        });
        if call(&locks, "request", &[format!("{name}-copy").into(), on_grant]).is_err() {
            return Self { release: None };
        }
        after_ms(LONGEST_TURN_MS, move || {
            is_late.send(()).ok();
        });
        granted.wait().await;
        Self { release }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            drop(release.call0(&JsValue::UNDEFINED));
        }
    }
}

/// Replaces a file as a whole: what was written becomes visible when the stream is closed. False, with nothing done,
/// where files can only be written by a dedicated worker (Safari before 26).
async fn replace(folder: &JsValue, name: &str, bytes: &[u8]) -> Result<bool, JsValue> {
    let options = Object::new();
    Reflect::set(&options, &"create".into(), &true.into())?;
    let handle = call_async(folder, "getFileHandle", &[name.into(), options.into()]).await?;
    if !Reflect::has(&handle, &"createWritable".into())? {
        return Ok(false);
    }
    let stream = call_async(&handle, "createWritable", &[]).await?;
    let written = call_async(&stream, "write", &[Uint8Array::from(bytes).unchecked_into()]).await;
    if let Err(error) = written {
        // An open stream would lock the file.
        drop(call(&stream, "abort", &[]));
        return Err(error);
    }
    call_async(&stream, "close", &[]).await.map(|_| true)
}
