//! Photos leave: into a zip in the browser's own files, or into a folder that the person chose. One at a time, so that no more than one is in
//! memory, and the page can say how far it is and stop by ending this worker.

use std::cell::RefCell;
use std::io::{self, Seek, SeekFrom, Write};

use serde::Deserialize;
use serde_json::{Value, json};
use store::OpfsBlobs;
use vision::export::{FileNames, Pack, without_places};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, DomException, File, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetFileOptions,
    FileSystemReadWriteOptions, FileSystemSyncAccessHandle, FileSystemWritableFileStream,
};

use crate::job::{kept, whole_left};
use crate::picture;
use crate::scope::{bytes, words};

/// How much of an original is read at once, in bytes.
const PIECE: f64 = 1_048_576.0;

/// It cannot be shown.
const NOT_SMALL: &str = "This browser cannot show it, so it cannot be made small.";

/// How many names are tried where a folder has files of the same name already.
const MOST_NAMES: usize = 10_000;

thread_local! {
    static EXPORT: RefCell<Option<Export>> = const { RefCell::new(None) };
}

/// What is written to, and the names that were given.
struct Export {
    into: Into,
    names: FileNames,
}

enum Into {
    Zip(Box<Pack<Disk>>),
    Folder(FileSystemDirectoryHandle),
}

/// A file that is to be written, as `photo_files` tells it.
#[derive(Deserialize)]
struct ToFile {
    id: String,
    name: String,
    /// Empty for one that was left in a folder: its file comes with the message.
    #[serde(default)]
    hash: String,
    taken: Option<String>,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Way {
    Whole,
    Clean,
    Small,
}

/// Begins an export into an empty file of the browser's own, as a zip, or into a folder.
///
/// # Errors
/// When it cannot be written to.
pub async fn begin(into: JsValue) -> Result<Value, String> {
    let into = match into.dyn_into::<FileSystemFileHandle>() {
        Ok(file) => {
            let opened = JsFuture::from(file.create_sync_access_handle()).await;
            let handle: FileSystemSyncAccessHandle = opened.map_err(|error| words(&error))?.unchecked_into();
            Into::Zip(Box::new(Pack::new(Disk { handle, at: 0, end: 0 })))
        }
        Err(folder) => Into::Folder(folder.unchecked_into()),
    };
    EXPORT.set(Some(Export { into, names: FileNames::default() }));
    Ok(json!({ "begun": true }))
}

/// Writes one photo, and says under which name, or why it is left out: that stops nothing. `left` is the file of one that was left in a
/// folder.
///
/// # Errors
/// When nothing more can be written.
pub async fn add(item: &str, left: Option<File>, blobs: &OpfsBlobs) -> Result<Value, String> {
    let item: ToFile = serde_json::from_str(item).map_err(|error| error.to_string())?;
    let mut export = EXPORT.take().ok_or("No export was begun.")?;
    let added = export.add(&item, left, blobs).await;
    EXPORT.set(Some(export));
    added
}

/// Ends it: the zip is whole then.
///
/// # Errors
/// When nothing more can be written.
pub fn end() -> Result<Value, String> {
    if let Some(Export { into: Into::Zip(pack), .. }) = EXPORT.take() {
        let mut disk = pack.end().map_err(|error| error.to_string())?;
        disk.flush().map_err(|error| error.to_string())?;
    }
    Ok(json!({ "ended": true }))
}

/// Lets go of what was begun, and of its file: the page removes that next.
pub fn drop_it() -> Value {
    EXPORT.set(None);
    json!({ "dropped": true })
}

/// What is written of a photo.
enum Content {
    /// A file as it is, which is not read whole.
    File(File),
    Bytes(Vec<u8>),
}

impl Export {
    async fn add(&mut self, item: &ToFile, left: Option<File>, blobs: &OpfsBlobs) -> Result<Value, String> {
        let (content, is_small) = match content(item, left, blobs).await {
            Ok(content) => content,
            Err(why) => return Ok(json!({ "left_out": why })),
        };
        let ending = is_small.then_some("jpg");
        match &mut self.into {
            Into::Zip(pack) => {
                let name = self.names.take(&item.name, ending);
                pack.begin(&name, item.taken.as_deref()).map_err(|error| error.to_string())?;
                if let Err(why) = fill(pack, &content).await? {
                    pack.take_back().map_err(|error| error.to_string())?;
                    return Ok(json!({ "left_out": why }));
                }
                Ok(json!({ "written": name, "small": is_small }))
            }
            Into::Folder(folder) => {
                for _ in 0..MOST_NAMES {
                    let name = self.names.take(&item.name, ending);
                    // What is there is never written over.
                    let is_free = match is_free(folder, &name).await {
                        Ok(is_free) => is_free,
                        Err(error) => return of_one(&error),
                    };
                    if is_free {
                        let written = put(folder, &name, content).await;
                        let told = |()| Ok(json!({ "written": name, "small": is_small }));
                        return written.map_or_else(|error| of_one(&error), told);
                    }
                }
                Ok(json!({ "left_out": "The folder has too many files of this name." }))
            }
        }
    }
}

/// Writes a file into the zip. The inner error says why it could not be read, the outer one why it could not be written.
async fn fill(pack: &mut Pack<Disk>, content: &Content) -> Result<Result<(), String>, String> {
    let file = match content {
        Content::Bytes(all) => return pack.write(all).map(Ok).map_err(|error| error.to_string()),
        Content::File(file) => file,
    };
    let (mut from, size) = (0.0, file.size());
    while from < size {
        let until = f64::min(from + PIECE, size);
        let piece = file.slice_with_f64_and_f64(from, until).map(|piece| piece.array_buffer());
        let piece = match piece {
            Ok(buffer) => bytes(buffer).await,
            Err(_) => None,
        };
        let Some(piece) = piece else { return Ok(Err(UNREADABLE.to_owned())) };
        pack.write(&piece).map_err(|error| error.to_string())?;
        from = until;
    }
    Ok(Ok(()))
}

/// What is written of a photo, and whether that is a small JPEG instead of its file.
///
/// # Errors
/// Why it cannot be had, in a sentence.
async fn content(item: &ToFile, left: Option<File>, blobs: &OpfsBlobs) -> Result<(Content, bool), String> {
    let (file, all) = match left {
        // Read whole: it leaves only with the bytes that came in.
        Some(file) => {
            let all = whole_left(&file, &item.id).await?;
            if item.way == Way::Whole {
                return Ok((Content::Bytes(all), false));
            }
            (file, all)
        }
        None => {
            let file = kept(&item.hash, blobs).await?;
            if item.way == Way::Whole {
                return Ok((Content::File(file), false));
            }
            let all = bytes(file.array_buffer()).await.ok_or(UNREADABLE)?;
            (file, all)
        }
    };
    if item.way == Way::Clean
        && let Some(clean) = without_places(&all)
    {
        return Ok((Content::Bytes(clean), false));
    }
    // A damaged file: what can be seen of it leaves, and nothing else.
    let blob: &Blob = &file;
    let head = picture::Head::of(&all).ok_or(NOT_SMALL)?;
    drop(all);
    match picture::small(blob, head).await {
        Ok(small) => Ok((Content::Bytes(small), true)),
        Err(picture::Trouble::ForGood(_) | picture::Trouble::Hangs) => Err(NOT_SMALL.to_owned()),
        Err(picture::Trouble::Now(why)) => Err(why),
    }
}

/// What comes of an error at one file: it is left out where the others may go well all the same.
///
/// # Errors
/// When nothing more can be written.
fn of_one(error: &JsValue) -> Result<Value, String> {
    let name = error.dyn_ref::<DomException>().map(DomException::name);
    if error.is_instance_of::<js_sys::TypeError>() {
        // What the browser says of a name that it takes for none.
        return Ok(json!({ "left_out": "This browser refuses its name." }));
    }
    match name.as_deref() {
        Some("NotReadableError") => Ok(json!({ "left_out": UNREADABLE })),
        _ => Err(words(error)),
    }
}

async fn is_free(folder: &FileSystemDirectoryHandle, name: &str) -> Result<bool, JsValue> {
    match JsFuture::from(folder.get_file_handle(name)).await {
        Ok(_) => Ok(false),
        Err(error) => match error.dyn_ref::<DomException>().map(DomException::name).as_deref() {
            Some("NotFoundError") => Ok(true),
            // A folder has that name.
            Some("TypeMismatchError") => Ok(false),
            _ => Err(error),
        },
    }
}

/// Writes a new file. What was begun and could not be written whole is taken away again.
async fn put(folder: &FileSystemDirectoryHandle, name: &str, content: Content) -> Result<(), JsValue> {
    let options = FileSystemGetFileOptions::new();
    options.set_create(true);
    let written = async {
        let made = JsFuture::from(folder.get_file_handle_with_options(name, &options)).await?;
        let made: FileSystemFileHandle = made.unchecked_into();
        let stream = JsFuture::from(made.create_writable()).await?;
        let stream: FileSystemWritableFileStream = stream.unchecked_into();
        let writing = match &content {
            Content::File(file) => stream.write_with_blob(file)?,
            Content::Bytes(all) => {
                stream.write_with_js_u8_array(&js_sys::Uint8Array::from(all.as_slice()))?
            }
        };
        JsFuture::from(writing).await?;
        JsFuture::from(stream.close()).await
    };
    let written = written.await;
    if written.is_err() {
        // It may not be there.
        drop(JsFuture::from(folder.remove_entry(name)).await);
    }
    written.map(drop)
}

const UNREADABLE: &str = "Its file on this device cannot be read.";

/// A file of the browser's own, written at once.
struct Disk {
    handle: FileSystemSyncAccessHandle,
    /// Where the next byte goes.
    at: u64,
    end: u64,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let options = FileSystemReadWriteOptions::new();
        options.set_at(self.at as f64);
        let written = self.handle.write_with_u8_array_and_options(bytes, &options);
        let written = written.map_err(|error| io::Error::other(words(&error)))? as usize;
        self.at += written as u64;
        self.end = self.end.max(self.at);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.handle.flush().map_err(|error| io::Error::other(words(&error)))
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The page reads the file next.
        self.handle.close();
    }
}
