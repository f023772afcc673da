//! Names of files that every system takes, each once.

use std::collections::{HashMap, HashSet};

/// The longest name in bytes: every system takes 255, and some add a word of theirs.
const LONGEST: usize = 180;

/// The longest ending in bytes, without its dot: what is longer is none.
const LONGEST_ENDING: usize = 5;

/// What Windows takes for devices, whatever ends the name.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Endings of what Windows opens at the sight of it, or does something with: none is a picture's.
const UNSAFE: [&str; 3] = ["lnk", "scf", "url"];

/// Names that were given already: no two are the same, also where capitals do not count.
#[derive(Debug, Default)]
pub struct FileNames {
    given: HashSet<String>,
    /// The number that a name's next file gets.
    next: HashMap<String, usize>,
}

impl FileNames {
    /// A name for a file that was called `name`, which a stranger may have given it: without a folder, without what Windows refuses or what
    /// shows it as another one, and with a number where it is given already (`IMG_1 (2).jpg`). `ending`, where it is another than its own.
    pub fn take(&mut self, name: &str, ending: Option<&str>) -> String {
        let (stem, own) = parts(name);
        let ending = match ending {
            // A JPEG has two endings.
            Some("jpg") if ["jpg", "jpeg"].iter().any(|known| own.eq_ignore_ascii_case(known)) => own,
            Some(ending) => ending.to_owned(),
            None => own,
        };
        let dot = if ending.is_empty() { "" } else { "." };
        let first = format!("{stem}{dot}{ending}");
        let count = self.next.entry(first.to_lowercase()).or_insert(1);
        loop {
            let name = match *count {
                1 => first.clone(),
                number => format!("{stem} ({number}){dot}{ending}"),
            };
            *count += 1;
            // Another file may be called so by itself.
            if self.given.insert(name.to_lowercase()) {
                return name;
            }
        }
    }
}

/// What shapes letters and is none itself (category Cf of Unicode 16), beside what [`crate::exif::is_invisible`] has: browsers take none of
/// them in a file's name.
fn is_format(letter: char) -> bool {
    matches!(letter, '\u{600}'..='\u{605}' | '\u{6DD}' | '\u{70F}' | '\u{890}'..='\u{891}' | '\u{8E2}' | '\u{180E}' | '\u{206A}'..='\u{206F}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}')
}

/// The stem and the ending of a name, as every system takes them.
fn parts(name: &str) -> (String, String) {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = name
        .chars()
        .filter(|letter| !letter.is_control() && !crate::exif::is_invisible(*letter) && !is_format(*letter))
        // A browser takes no `~`: in names of eight letters it stands for others.
        .map(|letter| if "<>:\"|?*~".contains(letter) { '_' } else { letter })
        .collect();
    // Windows takes them off, and two names would be one; a dot at its start hides a file.
    let shown = shown.trim_end_matches(['.', ' ']).trim_start_matches(['.', ' ']);
    let is_ending = |end: &str| {
        (1..=LONGEST_ENDING).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let (stem, ending) = match shown.rsplit_once('.') {
        Some((stem, ending)) if is_ending(ending) => (stem.trim_end_matches(['.', ' ']), ending),
        _ => (shown, ""),
    };
    let mut end = stem.len().min(LONGEST);
    while !stem.is_char_boundary(end) {
        end -= 1;
    }
    let stem = stem[..end].trim_end_matches(['.', ' ']);
    let first = stem.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_numbered = |start: &str| {
        first
            .strip_prefix(start)
            .is_some_and(|rest| rest.chars().count() == 1 && !rest.chars().any(char::is_alphabetic))
    };
    let stem = match stem {
        "" => "photo".to_owned(),
        _ if DEVICES.contains(&&*first) || is_numbered("com") || is_numbered("lpt") => format!("_{stem}"),
        stem => stem.to_owned(),
    };
    let is_unsafe = UNSAFE.iter().any(|known| ending.eq_ignore_ascii_case(known));
    (stem, if is_unsafe { format!("{ending}_") } else { ending.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::FileNames;

    #[test]
    fn names_are_what_every_system_takes() {
        for (name, ending, expected) in [
            ("IMG_1.jpg", None, "IMG_1.jpg"),
            ("Žofie u moře.JPG", None, "Žofie u moře.JPG"),
            ("../../etc/passwd", None, "passwd"),
            ("C:\\Users\\Ada\\a.jpg", None, "a.jpg"),
            ("a:b?c*<d>|\"e\".jpg", None, "a_b_c__d___e_.jpg"),
            ("a. . .", None, "a"),
            ("trip .jpg", None, "trip.jpg"),
            (".hidden.jpg", None, "hidden.jpg"),
            ("con.jpg", None, "_con.jpg"),
            ("Com1.tar.jpg", None, "_Com1.tar.jpg"),
            ("command.jpg", None, "command.jpg"),
            ("a\n\u{202E}gpj.exe", None, "agpj.exe"),
            ("cat.LNK", None, "cat.LNK_"),
            ("cat.url", Some("jpg"), "cat.jpg"),
            ("cat.scf", None, "cat.scf_"),
            ("PROGRA~1.jpg", None, "PROGRA_1.jpg"),
            ("a\u{600}\u{180E}\u{206F}\u{1D173}b.jpg", None, "ab.jpg"),
            ("", None, "photo"),
            ("...", Some("jpg"), "photo.jpg"),
            ("a.heic", Some("jpg"), "a.jpg"),
            ("a.JPEG", Some("jpg"), "a.JPEG"),
            ("a trip to the sea. It was nice", Some("jpg"), "a trip to the sea. It was nice.jpg"),
        ] {
            assert_eq!(FileNames::default().take(name, ending), expected, "{name:?}");
        }
        let long = FileNames::default().take(&format!("{}.jpg", "é".repeat(300)), None);
        assert!(long.len() < 255 && long.ends_with("é.jpg"), "{long}");
    }

    #[test]
    fn no_two_are_the_same() {
        let mut names = FileNames::default();
        let taken = ["IMG_1.jpg", "img_1.JPG", "IMG_1 (2).jpg", "x/IMG_1.jpg", "IMG_1.png"]
            .map(|name| names.take(name, None));
        assert_eq!(taken, ["IMG_1.jpg", "img_1 (2).JPG", "IMG_1 (2) (2).jpg", "IMG_1 (3).jpg", "IMG_1.png"]);
    }
}
