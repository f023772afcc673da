//! The words of photos that stay in their folders.

use super::count;

/// What becomes of the originals of a folder.
pub const FOLDER_WAYS: &str = "What becomes of the originals";
/// They are copied.
pub const FOLDER_COPY: &str = "Keep a copy in this app";
/// What that means.
pub const FOLDER_COPY_MEANS: &str =
    "It takes as much room again, and is there whatever becomes of the folder.";
/// They are not.
pub const FOLDER_LEAVE: &str = "Leave the originals where they are";
/// What that means.
pub const FOLDER_LEAVE_MEANS: &str = "They take no more room, but the folder has to stay where it is, and the browser may ask you again \
     whether this app may read it.";
/// Opens the browser's chooser of folders.
pub const CHOOSE_FOLDER: &str = "Choose the folder…";
/// Has the browser ask again.
pub const ALLOW_AGAIN: &str = "Allow again";
/// Where a photo's file is.
pub const ORIGINAL: &str = "Left in";
/// A folder's handle cannot be kept.
pub const FOLDER_NOT_KEPT: &str =
    "This browser does not keep which folder it was. Choose “Keep a copy in this app” instead.";
/// The browser wants to be told again that we may read there.
pub const FOLDER_NOT_ALLOWED: &str =
    "Its folder cannot be read before you allow it again: the browser asks for that.";
/// A place in a folder that this browser has no handle of.
pub const FOLDER_UNKNOWN: &str = "This photo’s file is in a folder that this browser does not know. Add the folder again, and it is found.";
/// The file is gone.
pub const LEFT_GONE: &str = "This photo’s file is no longer in the folder. Put it back, or add the folder where it is now. What was seen of \
     the photo stays.";
/// The file has other bytes.
pub const LEFT_CHANGED: &str = "This photo’s file was changed in its folder. What was seen of the photo stays; add the folder again, and \
     what is there now comes in as well.";
/// The file is there and cannot be read.
pub const LEFT_UNREADABLE: &str =
    "This photo’s file cannot be read now. It may be on a disk that is not there.";
/// Asks whether the bin is to be emptied, where files of the person's own are named in it.
pub const EMPTY_BIN_SURE_LEFT: &str =
    "Delete them for good? Files that were left in their folders stay there.";

/// `Trip: sea/cat.jpg`; without the folder's name where nobody knows it any more.
pub fn left_in(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}: {path}") }
}

/// In which folders we may not read now: `The browser asks again before this app may read the folder “Trip”, where 12 photos are.`
pub fn folders_closed(folders: &[String], photos: usize) -> String {
    let names: Vec<String> = folders.iter().map(|name| format!("“{name}”")).collect();
    let noun = if names.len() == 1 { "folder" } else { "folders" };
    let be = if photos == 1 { "is" } else { "are" };
    format!(
        "The browser asks again before this app may read the {noun} {}, where {} {be}. Until then they are seen small, and what needs their \
         files waits.",
        names.join(", "),
        count(photos)
    )
}
