//! Bytes in a folder on disk: a file each, by its hash.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use futures::{StreamExt, stream};
use sha2::{Digest, Sha256};

use super::folder::{Folder, Lock, failed, make};
use crate::StoreError;
use crate::blobs::{Blob, BlobHash, Blobs, ByteStream};

/// How much is read at once, in bytes.
const PIECE: usize = 256 * 1024;

/// What the names of files begin with that are being written and not whole yet.
const UNFINISHED: &str = ".new-";

/// What the names of empty files begin with that say that bytes were written again that were there.
const AGAIN: &str = ".again-";

/// Bytes in a folder, which is made when something is first written. Several processes may share it.
pub struct FolderBlobs {
    path: PathBuf,
}

impl FolderBlobs {
    /// The bytes beside a journal in `folder`.
    #[must_use]
    pub fn beside(folder: &Path) -> Self {
        Self { path: folder.join("bytes") }
    }

    fn at(&self, hash: &BlobHash) -> PathBuf {
        self.path.join(hash.as_str())
    }

    /// Says that bytes were written again that were there: an empty file.
    fn again(&self, hash: &BlobHash) -> PathBuf {
        self.path.join(format!("{AGAIN}{hash}"))
    }

    /// Nobody else gives bytes their name, or takes them away, until it is dropped.
    fn lock(&self) -> Result<Lock, StoreError> {
        Folder::new(&self.path)?.lock()
    }

    /// Writes into a file of its own: under its hash it is there when it is whole.
    async fn fill(mut bytes: ByteStream, file: &mut File, path: &Path) -> Result<BlobHash, StoreError> {
        let mut hasher = Sha256::new();
        while let Some(piece) = bytes.next().await {
            let piece = piece?;
            hasher.update(&piece);
            file.write_all(&piece).map_err(failed("write", path))?;
        }
        // Before a row names it, it has to survive a power cut.
        file.sync_all().map_err(failed("write", path))?;
        let digits: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        BlobHash::parse(&digits).ok_or_else(|| StoreError::Other("a hash has 64 digits".to_owned()))
    }
}

#[async_trait(?Send)]
impl Blobs for FolderBlobs {
    async fn read(&self, hash: &BlobHash) -> Result<Option<Blob>, StoreError> {
        let path = self.at(hash);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("read", &path)(error)),
        };
        let len = file.metadata().map_err(failed("read", &path))?.len();
        let pieces = stream::unfold(Some((file, path)), |state| async {
            let (mut file, path) = state?;
            let mut piece = vec![0; PIECE];
            match file.read(&mut piece) {
                Ok(0) => None,
                Ok(read) => {
                    piece.truncate(read);
                    Some((Ok(piece), Some((file, path))))
                }
                Err(error) => Some((Err(failed("read", &path)(error)), None)),
            }
        });
        Ok(Some(Blob { len, bytes: pieces.boxed_local() }))
    }

    async fn write(&self, bytes: ByteStream) -> Result<BlobHash, StoreError> {
        make(&self.path)?;
        // A name of its own: the first number that nobody else is writing to.
        let (mut file, path) = (0..u64::MAX)
            .find_map(|number| {
                let path = self.path.join(format!("{UNFINISHED}{}-{number}", std::process::id()));
                match File::create_new(&path) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
                    created => Some(created.map(|file| (file, path.clone())).map_err(failed("write", &path))),
                }
            })
            .ok_or_else(|| StoreError::Other("there is no name left for new bytes".into()))??;
        let filled = Self::fill(bytes, &mut file, &path).await;
        drop(file);
        let kept = filled.and_then(|hash| {
            let to = self.at(&hash);
            let _lock = self.lock()?;
            if to.exists() {
                let again = self.again(&hash);
                File::create(&again).map_err(failed("write", &again))?;
            }
            fs::rename(&path, &to).map_err(failed("write", &to))?;
            Ok(hash)
        });
        if kept.is_err() {
            // What is left of it is nobody's.
            drop(fs::remove_file(&path));
        }
        kept
    }

    async fn hashes(&self) -> Result<Vec<BlobHash>, StoreError> {
        let files = match fs::read_dir(&self.path) {
            Ok(files) => files,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("list", &self.path)(error)),
        };
        let mut hashes = Vec::new();
        for file in files {
            let name = file.map_err(failed("list", &self.path))?.file_name();
            hashes.extend(name.to_str().and_then(BlobHash::parse));
        }
        hashes.sort_unstable();
        Ok(hashes)
    }

    async fn collect(&self, hash: &BlobHash) -> Result<bool, StoreError> {
        let _lock = self.lock()?;
        let again = self.again(hash);
        match fs::remove_file(&again) {
            Ok(()) => return Ok(false),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed("delete", &again)(error)),
        }
        self.delete(hash).await.map(|()| true)
    }

    async fn delete(&self, hash: &BlobHash) -> Result<(), StoreError> {
        let path = self.at(hash);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed("delete", &path)(error)),
            _ => Ok(()),
        }
    }

    async fn sweep(&self, before_ms: i64) -> Result<usize, StoreError> {
        let files = match fs::read_dir(&self.path) {
            Ok(files) => files,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(failed("list", &self.path)(error)),
        };
        let mut swept = 0;
        for file in files {
            let file = file.map_err(failed("list", &self.path))?;
            let is_left = |name: &str| [UNFINISHED, AGAIN].iter().any(|start| name.starts_with(start));
            if !file.file_name().to_str().is_some_and(is_left) {
                continue;
            }
            // One that is gone meanwhile was somebody's, who came to an end with it.
            let Ok(touched) = file.metadata().and_then(|metadata| metadata.modified()) else { continue };
            // A clock that stood before 1970 says nothing.
            let Ok(touched) = touched.duration_since(std::time::UNIX_EPOCH) else { continue };
            let is_old = i64::try_from(touched.as_millis()).is_ok_and(|touched_ms| touched_ms < before_ms);
            swept += usize::from(is_old && fs::remove_file(file.path()).is_ok());
        }
        Ok(swept)
    }
}
