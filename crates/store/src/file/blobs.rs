//! Bytes by name, a file each.
//!
//! A name may hold anything: it becomes a file name that every system takes, tells `A` from `a`
//! where the system does not, and leads to no other folder. What is too long for that is named by
//! its hash, and says its name in its first line.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, ErrorKind},
};

use super::folder::{Folder, failed};
use crate::{StoreError, content_hash};

/// The folder they are in.
const BLOBS: &str = "blobs";
/// A file that is named by its blob's name. A prefix, because some systems take `nul` for a device.
const BY_NAME: &str = "n-";
/// A file that is named by the hash of its blob's name.
const BY_HASH: &str = "h-";
/// In bytes. The usual limit is 255, less where a file system encrypts names.
const LONGEST_FILE_NAME: usize = 140;

/// The bytes of a name, if they are there.
pub(super) fn read(folder: &Folder, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let file = file_name(name);
    let bytes = folder.read(&format!("{BLOBS}/{file}"))?;
    match bytes {
        Some(bytes) if file.starts_with(BY_HASH) => {
            let end = bytes.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
            let content = end.and_then(|end| bytes.get(end..));
            let content = content.ok_or_else(|| {
                StoreError::Damaged(format!("{} has no name", folder.at(BLOBS).join(&file).display()))
            })?;
            Ok(Some(content.to_vec()))
        }
        bytes => Ok(bytes),
    }
}

/// Keeps bytes under a name, and makes sure that they survive a power cut: the change that will name them may be
/// one that has to.
pub(super) fn write(folder: &Folder, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    let file = file_name(name);
    let path = format!("{BLOBS}/{file}");
    if file.starts_with(BY_HASH) {
        let mut named = serde_json::to_vec(name).map_err(|error| StoreError::Other(error.to_string()))?;
        named.push(b'\n');
        named.extend_from_slice(bytes);
        folder.replace(&path, &named)?;
    } else {
        folder.replace(&path, bytes)?;
    }
    folder.sync(BLOBS)?;
    folder.sync("")
}

/// The names that begin with a prefix, in order.
pub(super) fn names(folder: &Folder, prefix: &str) -> Result<Vec<String>, StoreError> {
    let path = folder.at(BLOBS);
    let files = match fs::read_dir(&path) {
        Ok(files) => files,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed("list", &path)(error)),
    };
    let mut names = Vec::new();
    for file in files {
        let file = file.map_err(failed("list", &path))?.file_name();
        // Whatever is not named as we name files is not ours.
        let Some(file) = file.to_str() else { continue };
        let name = match file.strip_prefix(BY_NAME) {
            Some(encoded) => decode(encoded),
            None if file.starts_with(BY_HASH) => first_line(folder, file)?,
            None => None,
        };
        names.extend(name.filter(|name| name.starts_with(prefix) && file_name(name) == file));
    }
    names.sort_unstable();
    Ok(names)
}

/// Forgets the bytes of a name.
pub(super) fn delete(folder: &Folder, name: &str) -> Result<(), StoreError> {
    folder.remove(&format!("{BLOBS}/{}", file_name(name)))
}

/// The file of a name.
fn file_name(name: &str) -> String {
    let mut file = BY_NAME.to_owned();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => file.push(char::from(byte)),
            _ => file.push_str(&format!("%{byte:02x}")),
        }
    }
    if file.len() <= LONGEST_FILE_NAME { file } else { format!("{BY_HASH}{}", content_hash(name.as_bytes())) }
}

/// The name that [`file_name`] made this of.
fn decode(encoded: &str) -> Option<String> {
    let mut parts = encoded.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, plain) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(plain.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The name in the first line of a file, if it has one.
fn first_line(folder: &Folder, file: &str) -> Result<Option<String>, StoreError> {
    let path = folder.at(BLOBS).join(file);
    let mut line = Vec::new();
    let read = File::open(&path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut line));
    read.map_err(failed("read", &path))?;
    Ok(serde_json::from_slice(&line).ok())
}
