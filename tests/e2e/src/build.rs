//! Builds of the app that a test makes from the one there is: the same files with another version in the worker's
//! script, and whatever else is to be different.

use std::fs;
use std::path::Path;

use crate::app::dist;

/// A copy of the built app that a test may change, served from one folder.
pub struct Build {
    folder: tempfile::TempDir,
    /// The worker's script as it was built.
    script: String,
}

impl Build {
    /// A copy without the compressed twins, which would still be the old build after a change.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the build");
        copy(&dist(), folder.path());
        let script = fs::read_to_string(folder.path().join("sw.js")).expect("the worker's script");
        Self { folder, script }
    }

    /// Where it is, to be served.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Adds a text to the end of one of its files, which the worker then takes as it is: what it compares a file with is
    /// that of the build.
    pub fn add_to(&mut self, file: &str, text: &str) {
        let path = self.folder.path().join(file);
        let before = fs::read_to_string(&path).expect("the file is text");
        fs::write(path, before + text).expect("the file is written");
        let named = format!("\"{file}\":\"");
        let start = self.script.find(&named).expect("the worker keeps the file") + named.len();
        let end = start + self.script[start..].find('"').expect("the end of its hash");
        self.script.replace_range(start..end, "");
        fs::write(self.folder.path().join("sw.js"), &self.script).expect("the worker's script is written");
    }

    /// Puts another text in place of one of its files, whose name begins so, which the worker then takes as it is.
    pub fn replace(&mut self, begins: &str, text: &str) {
        let names = fs::read_dir(self.folder.path()).expect("the build's folder");
        let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let file = names.into_iter().find(|name| name.starts_with(begins)).expect("the build has the file");
        fs::write(self.folder.path().join(&file), "").expect("the file is emptied");
        self.add_to(&file, text);
    }

    /// Turns it into another build of this name, with a text of the worker's script replaced by another for each
    /// pair. It begins with the script as it was built, so that a build can also be gone back to.
    pub fn becomes(&self, name: &str, changes: &[(&str, &str)]) {
        let start = self.script.find("const VERSION = \"").expect("a version") + "const VERSION = \"".len();
        let end = start + self.script[start..].find('"').expect("the version's end");
        let mut next = format!("{}{name}{}", &self.script[..start], &self.script[end..]);
        for (from, to) in changes {
            assert!(next.contains(from), "the worker's script says {from}");
            next = next.replace(from, to);
        }
        fs::write(self.folder.path().join("sw.js"), next).expect("the worker's script is written");
    }
}

impl Default for Build {
    fn default() -> Self {
        Self::new()
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the built app") {
        let entry = entry.expect("an entry");
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            fs::create_dir_all(&target).expect("a folder");
            copy(&source, &target);
        } else if !matches!(source.extension().and_then(|end| end.to_str()), Some("br" | "gz")) {
            fs::copy(source, target).expect("a file is copied");
        }
    }
}
