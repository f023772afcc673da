//! The files of a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a folder has.
#[derive(Debug, Default)]
pub struct Files {
    /// The files, in the order of their paths.
    pub paths: Vec<PathBuf>,
    /// What could not be looked into, and why, in a sentence.
    pub closed: Vec<(PathBuf, String)>,
}

/// The files of a folder and of those in it. What is hidden is passed over, and so are links to folders: they may lead round in a circle.
///
/// # Errors
/// When the folder itself cannot be looked into.
pub fn files_in(folder: &Path) -> io::Result<Files> {
    let Files { mut paths, mut closed } = Files::default();
    let mut waiting = list(folder)?;
    while let Some(path) = waiting.pop() {
        // Of a link itself, and not of what it leads to.
        let is_folder = fs::symlink_metadata(&path).map(|about| about.is_dir());
        match is_folder {
            Ok(true) => match list(&path) {
                Ok(more) => waiting.extend(more),
                Err(error) => closed.push((path, format!("The folder cannot be read: {error}."))),
            },
            // A pipe or a socket would be waited for.
            Ok(false) if fs::metadata(&path).is_ok_and(|about| about.is_file()) => paths.push(path),
            Ok(false) => {}
            Err(error) => closed.push((path, format!("It cannot be read: {error}."))),
        }
    }
    paths.sort_unstable();
    Ok(Files { paths, closed })
}

fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !is_hidden(&entry.file_name().to_string_lossy()) {
            paths.push(entry.path());
        }
    }
    Ok(paths)
}

/// What a folder has beside photos that nobody put there: `.DS_Store`, `Thumbs.db`.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
        || name.eq_ignore_ascii_case("thumbs.db")
        || name.eq_ignore_ascii_case("desktop.ini")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_passed_over() {
        for (name, expected) in [
            ("a.jpg", false),
            ("a.b.jpg", false),
            (".DS_Store", true),
            (".a.jpg", true),
            ("Thumbs.db", true),
            ("DESKTOP.INI", true),
        ] {
            assert_eq!(is_hidden(name), expected, "{name}");
        }
    }
}
