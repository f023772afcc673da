//! The words of what comes in.

use ui_kit::locale::number;

use super::count;
use crate::room::Room;

/// What could not be taken.
pub const NOT_TAKEN: &str = "Not taken";
/// A folder had nothing for us.
pub const NO_PICTURES_IN_FOLDER: &str = "There is no picture in this folder.";
/// A folder cannot be read.
pub const FOLDER_UNREADABLE: &str = "The folder cannot be read.";
/// A file cannot be read.
pub const FILE_UNREADABLE: &str = "The file cannot be read.";
/// What was shared comes in.
pub const BRING_IN: &str = "Bring in";
/// What was shared does not.
pub const DISCARD: &str = "Discard";
/// What was shared cannot be read any more.
pub const SHARED_GONE: &str = "What was shared is not there any more.";
/// See [`shared`]: it cannot be read.
pub const SHARED_FILE: &str = "A shared file";
/// What was shared could not even be kept until the person says so.
pub const SHARED_LOST: &str =
    "What was shared could not be taken. Share fewer photos at once, or add them here.";
/// A photo that came in by a file of everything.
pub const NO_FILE: &str = "Its file isn’t on this device";
/// What makes it whole.
pub const NO_FILE_HINT: &str = "It came in by a file of everything, which has no pictures. Add the same file again to see it: stars, tags and albums stay.";

/// What a folder still had, where there is no room for more.
pub const REST_OF_FOLDER: &str = "The rest of the folder";

/// What another app gave: `3 photos were shared with this app.`
pub fn shared(count: usize) -> String {
    let (be, waits, them) =
        if count == 1 { ("was", "It waits", "it") } else { ("were", "They wait", "them") };
    format!(
        "{} {be} shared with this app. {waits} on this device until you bring {them} in or discard {them}.",
        super::count(count)
    )
}

/// Some of what another app gave could not be kept; `left` is how many, as the worker's script wrote it.
pub fn shared_left(left: &str) -> String {
    match left.parse::<usize>() {
        Ok(left) => format!(
            "{} more could not be taken: at most 500 photos and 1 GB wait here, each of at most 200 MB, and there must be room on this \
             device. Share them again once these are in.",
            number(left)
        ),
        Err(_) => SHARED_LOST.to_owned(),
    }
}

/// What was not tried any more.
pub fn the_rest(count: usize) -> String {
    format!("{} more", number(count))
}

/// Those that would be changed, too, and are not shown.
pub fn and_more(more: usize) -> String {
    format!("and {} more", number(more))
}

pub(super) fn size(bytes: f64) -> String {
    match bytes {
        bytes if bytes < 1e9 => format!("{:.0} MB", bytes / 1e6),
        bytes => format!("{:.1} GB", bytes / 1e9),
    }
}

/// There is not room for all: `They need about 3.2 GB, and 1.1 GB are free. Go on, and what fits comes in.`
pub fn no_room(room: Room) -> String {
    let (needed, free) = (size(room.needed), size(room.free));
    format!(
        "They need about {needed}, and {free} are free on this device. Go on, and what fits comes in; what came in stays."
    )
}

/// How far it is: `Looking at 34 of 300`.
pub fn looking_at(done: usize, total: usize) -> String {
    format!("Looking at {} of {}", number(done), number(total))
}

/// How quick it is and how long it takes: `3 a second, about 2 minutes left`.
pub fn pace(done: usize, left: usize, seconds: f64) -> String {
    // Of the first few nothing can be told.
    if done < 4 || seconds < 1.0 {
        return String::new();
    }
    let each = seconds / done as f64;
    let rate = if each <= 1.0 { format!("{:.0} a second", 1.0 / each) } else { format!("{each:.0} s each") };
    let left = left as f64 * each;
    let time = match left {
        left if left < 60.0 => "less than a minute left".to_owned(),
        left if left < 90.0 => "about a minute left".to_owned(),
        left => format!("about {:.0} minutes left", left / 60.0),
    };
    format!("{rate}, {time}")
}

/// What came of it: `Brought in 40 photos; 2 were there already, 1 was not taken.`
pub fn brought_in(new: usize, known: usize, failed: usize) -> String {
    let be = |count: usize| if count == 1 { "was" } else { "were" };
    let mut more = Vec::new();
    if known > 0 {
        more.push(format!("{} {} there already", number(known), be(known)));
    }
    if failed > 0 {
        more.push(format!("{} {} not taken", number(failed), be(failed)));
    }
    let more = if more.is_empty() { String::new() } else { format!("; {}", more.join(", ")) };
    match new {
        0 => format!("No new photos{more}."),
        new => format!("Brought in {}{more}.", count(new)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shared_and_what_of_it_is_lost_is_said() {
        assert_eq!(
            shared(1),
            "1 photo was shared with this app. It waits on this device until you bring it in or discard it."
        );
        assert_eq!(shared_left("all"), SHARED_LOST);
    }
}
