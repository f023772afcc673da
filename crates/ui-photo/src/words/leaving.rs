//! The words of what leaves.

use ui_kit::locale::number;

use super::coming::size;
use crate::room::Room;

/// Opens what is to be exported.
pub const EXPORT: &str = "Export…";
/// What that is about.
pub const EXPORT_WHAT: &str = "Export the chosen photos";
/// How large they are.
pub const EXPORT_SIZE: &str = "Size";
/// As they came.
pub const EXPORT_ORIGINALS: &str = "Originals";
/// Small ones.
pub const EXPORT_SMALL: &str = "Small: JPEG, 2048 pixels";
/// Where they were taken goes along.
pub const EXPORT_PLACES: &str = "With the places where they were taken (GPS)";
/// One file.
pub const EXPORT_ZIP: &str = "Save as a zip";
/// Many files.
pub const EXPORT_FOLDER: &str = "Save into a folder…";
/// It is under way.
pub const EXPORTING: &str = "Exporting";
/// The zip once more.
pub const EXPORT_AGAIN: &str = "Save the zip again";
/// What was not written.
pub const LEFT_OUT: &str = "Left out:";
/// Which originals are small, and why.
pub const MADE_SMALL: &str = "Made small, because the place cannot be taken out of these files. With places they are exported as they are:";
/// Why a photo is not written in this way.
const NOT_SO: &str =
    "Its place cannot be taken out of such a file, and this browser cannot show it. Export it with places.";
/// The browser has no files for us.
pub const NO_PRIVATE_FILES: &str =
    "This browser has no room of its own for a zip. Save into a folder, or use a window that is not private.";
/// The zip is there and cannot be had.
pub const NOT_HANDED_OVER: &str = "The zip cannot be read from this device. Try again.";
/// What writes broke.
pub const EXPORT_BROKE: &str = "Exporting broke off. Try again, with fewer photos if it happens again.";

/// Why a photo is not written, by the word of `photo_files`.
pub fn why_not(why: &str) -> &'static str {
    match why {
        "gone" => "It is not there any more.",
        "bin" => "It is in the bin.",
        "file" => "Its file is not on this device.",
        _ => NOT_SO,
    }
}

/// Why it went wrong, and what was written before.
pub fn with_written(why: String, written: usize) -> String {
    match written {
        0 => why,
        written => format!("{why} {} written before: what is in the folder stays.", super::count(written)),
    }
}

/// `Save 12 photos`.
pub fn save(count: usize, gps: bool) -> String {
    format!("Save {}{}", super::count(count), if gps { " with places" } else { "" })
}

/// `3 of 12 photos are written`.
pub fn exporting(done: usize, total: usize) -> String {
    format!("{} of {} written", number(done), super::count(total))
}

/// What came of an export.
pub fn exported(written: usize, is_zip: bool, is_stopped: bool) -> String {
    match (written, is_zip, is_stopped) {
        (0, ..) => "Nothing was exported.".to_owned(),
        (written, true, _) => format!("{} saved as a zip: look in your downloads.", super::count(written)),
        (_, false, true) => {
            format!("Stopped. {} written before: what is in the folder stays.", super::count(written))
        }
        (written, false, false) => format!("{} saved into the folder.", super::count(written)),
    }
}

/// Why it went wrong, and what to do.
pub fn not_exported(why: &str) -> String {
    let why = why.trim_end_matches('.');
    format!("Exporting stopped: {why}. Free some space on this device, or export fewer or smaller photos.")
}

/// There is not enough room, said before anything is written.
pub fn no_room_for_a_zip(room: Room) -> String {
    let (needed, free) = (size(room.needed), size(room.free));
    format!(
        "The zip needs {needed}, and this browser has room for {free}. Export fewer or small ones, or save into a folder."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_before_an_error_is_said() {
        assert_eq!(with_written("It broke.".into(), 0), "It broke.");
        assert_eq!(
            with_written("It broke.".into(), 1),
            "It broke. 1 photo written before: what is in the folder stays."
        );
        assert!(why_not("way").contains("with places") && why_not("bin").contains("bin"));
    }
}
