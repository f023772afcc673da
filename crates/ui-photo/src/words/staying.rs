//! The words of photos that stay in their folders.

include!(concat!(env!("OUT_DIR"), "/staying.rs"));

/// `Trip: sea/cat.jpg`; without the folder's name where nobody knows it any more.
pub fn left_in(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { in_folder(folder, path) }
}

/// In which folders we may not read now: `The browser asks again before this app may read the folder “Trip”, where 12 photos are.`
pub fn folders_closed(folders: &[String], photos: usize) -> String {
    let names: Vec<String> = folders.iter().map(|name| ui_kit::words::quoted(name)).collect();
    folders_not_allowed(folders.len(), &names.join(", "), photos)
}
