//! The words of what leaves.

use super::coming::size;
use crate::room::Room;

include!(concat!(env!("OUT_DIR"), "/leaving.rs"));

/// Why a photo is not written, by the word of `photo_files`.
pub fn why_not(why: &str) -> &'static str {
    match why {
        "gone" => left_out_gone(),
        "bin" => left_out_bin(),
        "file" => left_out_file(),
        _ => left_out_way(),
    }
}

/// Why it went wrong, and what was written before.
pub fn with_written(why: String, written: usize) -> String {
    match written {
        0 => why,
        written => broke_after(&why, written),
    }
}

/// `Save 12 photos`.
pub fn save_so_many(count: usize, gps: bool) -> String {
    if gps { save_found_with_places(count) } else { save_found(count) }
}

/// What came of an export.
pub fn exported(written: usize, is_zip: bool, is_stopped: bool) -> String {
    match (written, is_zip, is_stopped) {
        (0, ..) => nothing_exported().to_owned(),
        (written, true, _) => saved_as_zip(written),
        (written, false, true) => stopped_before(written),
        (written, false, false) => saved_into_folder(written),
    }
}

/// Why it went wrong, and what to do.
pub fn not_exported(why: &str) -> String {
    exporting_stopped(why.trim_end_matches('.'))
}

/// There is not enough room, said before anything is written.
pub fn no_room_for_a_zip(room: Room) -> String {
    too_little_room_for_zip(&size(room.needed), &size(room.free))
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
