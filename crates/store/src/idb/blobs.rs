//! Bytes by their hash in the origin private file system: a file each.
//!
//! A file of a new name is filled and takes its hash for a name when it is whole. Workers and pages may write at the same
//! time: each fills a file of its own, and who is second finds the same bytes there.

use async_trait::async_trait;
use futures::{StreamExt, stream};
use js_sys::{Function, Object, Reflect, Uint8Array};
use sha2::{Digest, Sha256};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::File;

use super::connection::failure;
use super::opfs::Turn;
use super::wait::{call, call_async, pause};
use crate::StoreError;
use crate::blobs::{Blob, BlobHash, Blobs, ByteStream};

/// How much is read at once, in bytes.
const PIECE: f64 = 262_144.0;

/// How often a file is given its name, and how long is waited in between, in milliseconds.
const TRIES: u32 = 20;
const PAUSE_MS: i32 = 10;

/// What the names of files begin with that are being written and not whole yet. Chromium writes into a file beside it, whose name
/// begins like it.
const UNFINISHED: &str = ".new-";

/// What the names of empty files begin with that say that bytes were written again that were there.
const AGAIN: &str = ".again-";

/// Bytes in the origin private file system, beside the journal of one database.
pub struct OpfsBlobs {
    folder: String,
}

impl OpfsBlobs {
    /// The bytes beside the journal of `database`.
    #[must_use]
    pub fn beside(database: &str) -> Self {
        Self { folder: format!("satchel-{database}-blobs") }
    }

    /// The file of what is kept under a hash, as the browser has it: whoever hands it on reads none of it. None
    /// where nothing is kept.
    ///
    /// # Errors
    /// When the browser has no private files for us, or does not let us read them.
    pub async fn file(&self, hash: &BlobHash) -> Result<Option<File>, StoreError> {
        let folder = self.folder().await?;
        let Some(handle) = Self::handle(&folder, hash.as_str()).await? else { return Ok(None) };
        let file = call_async(&handle, "getFile", &[]).await.map_err(|error| failure(&error))?;
        Ok(Some(file.unchecked_into()))
    }

    /// Whether there is nothing at all: a look that makes nothing.
    ///
    /// # Errors
    /// When the browser has no private files for us, or does not let us read them.
    pub async fn is_empty(&self) -> Result<bool, StoreError> {
        match call_async(&Self::root().await?, "getDirectoryHandle", &[self.folder.as_str().into()]).await {
            Err(error) if is_not_found(&error) => Ok(true),
            Err(error) => Err(failure(&error)),
            Ok(folder) => {
                let names = call(&folder, "keys", &[]).map_err(|error| failure(&error))?;
                let first = call_async(&names, "next", &[]).await.map_err(|error| failure(&error))?;
                Ok(Reflect::get(&first, &"done".into()).is_ok_and(|done| done.is_truthy()))
            }
        }
    }

    async fn folder(&self) -> Result<JsValue, StoreError> {
        let root = Self::root().await?;
        call_async(&root, "getDirectoryHandle", &[self.folder.as_str().into(), to_create().into()])
            .await
            .map_err(|error| failure(&error))
    }

    /// The origin's private files.
    async fn root() -> Result<JsValue, StoreError> {
        let none = || StoreError::Unavailable("this browser has no private files for this app".to_owned());
        let storage = Reflect::get(&js_sys::global(), &"navigator".into())
            .and_then(|navigator| Reflect::get(&navigator, &"storage".into()))
            .ok()
            .filter(JsValue::is_object)
            .ok_or_else(none)?;
        call_async(&storage, "getDirectory", &[]).await.map_err(|_not_allowed| none())
    }

    /// The file of a name; none where there is none.
    async fn handle(folder: &JsValue, name: &str) -> Result<Option<JsValue>, StoreError> {
        match call_async(folder, "getFileHandle", &[name.into()]).await {
            Ok(handle) => Ok(Some(handle)),
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(failure(&error)),
        }
    }

    /// The names of all files there.
    async fn names(folder: &JsValue) -> Result<Vec<String>, StoreError> {
        let keys = call(folder, "keys", &[]).map_err(|error| failure(&error))?;
        let mut names = Vec::new();
        loop {
            let next = call_async(&keys, "next", &[]).await.map_err(|error| failure(&error))?;
            let part = |name: &str| Reflect::get(&next, &name.into()).unwrap_or(JsValue::UNDEFINED);
            if part("done").is_truthy() {
                return Ok(names);
            }
            names.extend(part("value").as_string());
        }
    }

    /// When a file was last touched, in milliseconds since 1970; none where it is gone.
    async fn touched_ms(folder: &JsValue, name: &str) -> Option<f64> {
        let handle = Self::handle(folder, name).await.ok()??;
        let file = call_async(&handle, "getFile", &[]).await.ok()?;
        Reflect::get(&file, &"lastModified".into()).ok()?.as_f64()
    }

    /// Fills a new file; says the hash of what is in it.
    async fn fill(handle: &JsValue, mut bytes: ByteStream) -> Result<BlobHash, StoreError> {
        let can_write = Reflect::has(handle, &"createWritable".into()).unwrap_or_default();
        if !can_write {
            let why = "this browser lets only a worker of its own write files: keep pictures in a newer one";
            return Err(StoreError::Unavailable(why.to_owned()));
        }
        let stream = call_async(handle, "createWritable", &[]).await.map_err(|error| failure(&error))?;
        let mut hasher = Sha256::new();
        let mut written = Ok(());
        while let Some(piece) = bytes.next().await {
            written = match piece {
                Err(error) => Err(error),
                Ok(piece) => {
                    hasher.update(&piece);
                    let piece = Uint8Array::from(piece.as_slice());
                    let writing = call_async(&stream, "write", &[piece.unchecked_into()]).await;
                    writing.map(drop).map_err(|error| failure(&error))
                }
            };
            if written.is_err() {
                break;
            }
        }
        if let Err(error) = written {
            // An open stream would lock the file.
            drop(call(&stream, "abort", &[]));
            return Err(error);
        }
        call_async(&stream, "close", &[]).await.map_err(|error| failure(&error))?;
        let digits: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        BlobHash::parse(&digits).ok_or_else(|| StoreError::Other("a hash has 64 digits".to_owned()))
    }

    /// Gives a filled file its hash for a name. In turn with a collection: between its look and its deletion nobody finds
    /// bytes there that are gone a moment later.
    async fn rename(&self, folder: &JsValue, from: &JsValue, hash: &BlobHash) -> Result<(), StoreError> {
        let _turn = Turn::take(&self.folder).await;
        let mut refused = None;
        for _ in 0..TRIES {
            if Self::handle(folder, hash.as_str()).await?.is_some() {
                // The same bytes: it was whole when it got its name. A collection hears of it by an empty file; to write
                // the bytes anew would break off whoever reads them.
                let again = again(hash);
                // Made anew: how old it is says how long ago that was.
                drop(call_async(folder, "removeEntry", &[again.as_str().into()]).await);
                return call_async(folder, "getFileHandle", &[again.into(), to_create().into()])
                    .await
                    .map(drop)
                    .map_err(|error| failure(&error));
            }
            match call_async(from, "move", &[hash.as_str().into()]).await {
                Ok(_) => return Ok(()),
                Err(error) => refused = Some(failure(&error)),
            }
            // Somebody else gives theirs the same name at this moment.
            pause(PAUSE_MS).await;
        }
        Err(refused.unwrap_or(StoreError::Conflict))
    }
}

#[async_trait(?Send)]
impl Blobs for OpfsBlobs {
    async fn read(&self, hash: &BlobHash) -> Result<Option<Blob>, StoreError> {
        let Some(file) = self.file(hash).await? else { return Ok(None) };
        let size =
            Reflect::get(&file, &"size".into()).ok().and_then(|size| size.as_f64()).unwrap_or_default();
        let pieces = stream::unfold((file, 0.0), move |(file, from)| async move {
            if from >= size {
                return None;
            }
            let until = f64::min(from + PIECE, size);
            let piece = async {
                let piece = call(&file, "slice", &[from.into(), until.into()])?;
                call_async(&piece, "arrayBuffer", &[]).await
            };
            match piece.await {
                Ok(buffer) => Some((Ok(Uint8Array::new(&buffer).to_vec()), (file, until))),
                Err(error) => Some((Err(failure(&error)), (file, size))),
            }
        });
        Ok(Some(Blob { len: size as u64, bytes: pieces.boxed_local() }))
    }

    async fn write(&self, bytes: ByteStream) -> Result<BlobHash, StoreError> {
        let folder = self.folder().await?;
        let name = format!("{UNFINISHED}{}", unique()?);
        let handle = call_async(&folder, "getFileHandle", &[name.as_str().into(), to_create().into()])
            .await
            .map_err(|error| failure(&error))?;
        let kept = match Self::fill(&handle, bytes).await {
            Ok(hash) => self.rename(&folder, &handle, &hash).await.map(|()| hash),
            Err(error) => Err(error),
        };
        // What is left under the first name is nobody's.
        drop(call_async(&folder, "removeEntry", &[name.as_str().into()]).await);
        kept
    }

    async fn hashes(&self) -> Result<Vec<BlobHash>, StoreError> {
        let names = Self::names(&self.folder().await?).await?;
        let mut hashes: Vec<BlobHash> = order::gather(names.iter().filter_map(|name| BlobHash::parse(name)));
        order::sort(&mut hashes);
        Ok(hashes)
    }

    async fn collect(&self, hash: &BlobHash) -> Result<bool, StoreError> {
        let folder = self.folder().await?;
        let _turn = Turn::take(&self.folder).await;
        match call_async(&folder, "removeEntry", &[again(hash).into()]).await {
            Ok(_) => return Ok(false),
            Err(error) if is_not_found(&error) => {}
            Err(error) => return Err(failure(&error)),
        }
        self.delete(hash).await.map(|()| true)
    }

    async fn delete(&self, hash: &BlobHash) -> Result<(), StoreError> {
        let folder = self.folder().await?;
        match call_async(&folder, "removeEntry", &[hash.as_str().into()]).await {
            Err(error) if !is_not_found(&error) => Err(failure(&error)),
            _ => Ok(()),
        }
    }

    async fn sweep(&self, before_ms: i64) -> Result<usize, StoreError> {
        let folder = self.folder().await?;
        let mut swept = 0;
        let is_left = |name: &&String| [UNFINISHED, AGAIN].iter().any(|start| name.starts_with(start));
        for name in Self::names(&folder).await?.iter().filter(is_left) {
            let is_old =
                Self::touched_ms(&folder, name).await.is_some_and(|touched| (touched as i64) < before_ms);
            // One that somebody writes cannot be removed.
            let is_gone = is_old && call_async(&folder, "removeEntry", &[name.as_str().into()]).await.is_ok();
            swept += usize::from(is_gone);
        }
        Ok(swept)
    }
}

/// What says that bytes were written again that were there: an empty file.
fn again(hash: &BlobHash) -> String {
    format!("{AGAIN}{hash}")
}

fn to_create() -> Object {
    let options = Object::new();
    // A plain object takes every member.
    drop(Reflect::set(&options, &"create".into(), &true.into()));
    options
}

fn is_not_found(error: &JsValue) -> bool {
    error.dyn_ref::<web_sys::DomException>().is_some_and(|error| error.name() == "NotFoundError")
}

/// A name that nobody else takes.
fn unique() -> Result<String, StoreError> {
    let crypto = Reflect::get(&js_sys::global(), &"crypto".into());
    let uuid = crypto.and_then(|crypto| {
        let make = Reflect::get(&crypto, &"randomUUID".into())?;
        make.dyn_into::<Function>()?.call0(&crypto)
    });
    uuid.ok().and_then(|uuid| uuid.as_string()).ok_or_else(|| {
        StoreError::Unavailable("this page is not served securely: it has no names for files".to_owned())
    })
}
