//! Where a file was left, as a photo's row has it: `folder:`, the key of the folder's handle, and the path in that folder (ADR 0068). A row may
//! come from an import that somebody else wrote: what is not written exactly so is no place, and nothing is read there.

/// What each place begins with.
const SCHEME: &str = "folder:";

/// How many characters of `[0-9a-f]` a key has: nobody guesses one.
const KEY_DIGITS: usize = 24;

/// A place that was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The key of the folder's handle.
    pub key: &'a str,
    /// The folders on the way, from the one that was chosen on.
    pub folders: Vec<&'a str>,
    /// The file's name.
    pub name: &'a str,
}

impl<'a> Place<'a> {
    /// The place that a text names; none where it is written in any other way.
    pub fn read(text: &'a str) -> Option<Self> {
        let (key, path) = text.strip_prefix(SCHEME)?.split_once('/')?;
        let is_key =
            key.len() == KEY_DIGITS && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let mut folders: Vec<&str> = path.split('/').collect();
        if !is_key || !folders.iter().all(|segment| is_segment(segment)) {
            return None;
        }
        let name = folders.pop()?;
        Some(Self { key, folders, name })
    }

    /// The path in the folder, for a person.
    pub fn path(&self) -> String {
        self.folders.iter().chain([&self.name]).copied().collect::<Vec<_>>().join("/")
    }
}

/// The place of a file, as a row keeps it; none where a name in it is none that could be read again.
pub fn written(key: &str, folders: &[String], name: &str) -> Option<String> {
    let path = folders.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("/");
    let place = format!("{SCHEME}{key}/{path}");
    let is_read_as = Place::read(&place).is_some_and(|read| read.name == name && read.folders == folders);
    is_read_as.then_some(place)
}

/// Whether a text is the name of one thing in a folder, and no way out of it. A browser refuses the others as well; a backslash parts names on
/// some systems.
fn is_segment(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(['/', '\\', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0123456789abcdef01234567";

    #[test]
    fn what_is_written_is_read_again() {
        let folders = ["Käse & sea".to_owned(), ".hidden".to_owned()];
        let place = written(KEY, &folders, "a..b.jpg").unwrap();
        assert_eq!(place, format!("folder:{KEY}/Käse & sea/.hidden/a..b.jpg"));
        let read = Place::read(&place).unwrap();
        assert_eq!((read.key, &*read.path()), (KEY, "Käse & sea/.hidden/a..b.jpg"));
        assert_eq!(Place::read(&written(KEY, &[], "a.jpg").unwrap()).unwrap().folders, [""; 0]);
    }

    #[test]
    fn no_way_leads_out_of_the_folder() {
        for path in [
            "", "/", "/a.jpg", "a//b.jpg", "a/", "..", "../a.jpg", "a/../b.jpg", "./a.jpg", "a/.",
            "..\\a.jpg", "a\0.jpg",
        ] {
            assert_eq!(Place::read(&format!("folder:{KEY}/{path}")), None, "{path:?}");
        }
        for name in ["", "..", "a/b.jpg", "..\\b.jpg"] {
            assert_eq!(written(KEY, &[], name), None, "{name:?}");
            assert_eq!(written(KEY, &[name.to_owned()], "a.jpg"), None, "{name:?}");
        }
    }

    #[test]
    fn what_is_no_key_of_ours_is_no_place() {
        for text in [
            "/home/ada/a.jpg", "blob:0123", "folder:", "folder:a.jpg", "folder:/a.jpg", "folder:../a.jpg",
            "folder:0123456789ABCDEF01234567/a.jpg", "folder:0123456789abcdef0123456/a.jpg",
            "file:0123456789abcdef01234567/a.jpg",
        ] {
            assert_eq!(Place::read(text), None, "{text}");
        }
    }
}
