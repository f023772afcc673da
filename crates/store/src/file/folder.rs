//! A folder on disk: its lock, and files that are replaced as a whole.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use crate::StoreError;

/// The file that is locked. It stays empty, and stays: who deletes a lock lets two in.
const LOCK: &str = "lock";
/// A file that is being written and not there yet. One name is enough, under the lock.
const UNFINISHED: &str = ".new";

/// A folder that several processes share.
pub(super) struct Folder {
    path: PathBuf,
}

/// The folder's lock, until it is dropped.
pub(super) struct Lock(File);

impl Folder {
    /// A folder, made when it is first locked.
    pub fn new(path: &Path) -> Result<Self, StoreError> {
        // A host may change its working directory later.
        let path = std::path::absolute(path).map_err(failed("find", path))?;
        Ok(Self { path })
    }

    /// The path of a file inside.
    pub fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Waits until nobody else is inside, and keeps everybody out.
    pub fn lock(&self) -> Result<Lock, StoreError> {
        self.locked(File::lock)
    }

    /// Waits until nobody writes, and keeps writers out.
    pub fn lock_shared(&self) -> Result<Lock, StoreError> {
        self.locked(File::lock_shared)
    }

    fn locked(&self, lock: impl Fn(&File) -> io::Result<()>) -> Result<Lock, StoreError> {
        let path = self.at(LOCK);
        // Opened each time: after the folder was deleted and made anew, the old file would lock nobody out.
        let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = match open() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                system::make(&self.path).map_err(failed("create the folder", &self.path))?;
                open()
            }
            opened => opened,
        };
        let file = file.map_err(failed("open", &path))?;
        loop {
            match lock(&file) {
                Ok(()) => return Ok(Lock(file)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(failed("lock", &path)(error)),
            }
        }
    }

    /// The bytes of a file, if it is there.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.at(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("read", &path)(error)),
        }
    }

    /// Replaces a file: after a crash there is the old one or the new one, never a part.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.at(name);
        let parent = path.parent().unwrap_or(&self.path);
        system::make(parent).map_err(failed("create the folder", parent))?;
        let unfinished = parent.join(UNFINISHED);
        let written = File::create(&unfinished).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_data()
        });
        let replaced = written.and_then(|()| fs::rename(&unfinished, &path));
        replaced.map_err(|error| {
            // Half of it may be what has filled the disk.
            drop(fs::remove_file(&unfinished));
            failed("write", &path)(error)
        })
    }

    /// Removes a file, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        let path = self.at(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed("delete", &path)(error)),
            _ => Ok(()),
        }
    }

    /// Makes sure that the names of new files in a folder inside survive a power cut; `""` is the folder itself.
    pub fn sync(&self, inside: &str) -> Result<(), StoreError> {
        let path = self.at(inside);
        system::sync(&path).map_err(failed("flush the folder", &path))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file does it too, but on some systems only after a while.
        drop(self.0.unlock());
    }
}

/// Makes a folder and those above it, for its owner only.
pub(super) fn make(path: &Path) -> Result<(), StoreError> {
    system::make(path).map_err(failed("create the folder", path))
}

/// Turns what the system says into an error that names the file.
pub(super) fn failed(doing: &str, path: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Quota,
        _ => StoreError::Other(format!("cannot {doing} {}: {error}", path.display())),
    }
}

/// What is asked of a system of the Unix kind.
#[cfg(unix)]
mod system {
    use std::{
        fs::{DirBuilder, File},
        io,
        os::unix::fs::DirBuilderExt,
        path::Path,
    };

    /// Makes a folder and those above it, for its owner only. One that is there stays as it is.
    pub fn make(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    /// Flushes a folder's list of files.
    pub fn sync(path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }
}

/// The same, elsewhere.
#[cfg(not(unix))]
mod system {
    use std::{fs, io, path::Path};

    /// Makes a folder and those above it. Who may read it is inherited from the one above.
    pub fn make(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    /// Nothing: a folder cannot be flushed here, the file system keeps its lists in order by itself.
    pub fn sync(_: &Path) -> io::Result<()> {
        Ok(())
    }
}
