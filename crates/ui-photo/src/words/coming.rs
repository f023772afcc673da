//! The words of what comes in.

use super::with_tenth;
use crate::room::Room;

include!(concat!(env!("OUT_DIR"), "/coming.rs"));

/// Some of what another app gave could not be kept; `left` is how many, as the worker's script wrote it.
pub fn shared_left(left: &str) -> String {
    match left.parse() {
        Ok(left) => shared_left_behind(left),
        Err(_) => shared_lost().to_owned(),
    }
}

pub(super) fn size(bytes: f64) -> String {
    match bytes {
        bytes if bytes < 1e9 => megabytes(&format!("{:.0}", bytes / 1e6)),
        bytes => gigabytes(&with_tenth(bytes / 1e9)),
    }
}

/// There is not room for all: `They need about 3.2 GB, and 1.1 GB are free. Go on, and what fits comes in.`
pub fn no_room(room: Room) -> String {
    too_little_room(&size(room.needed), &size(room.free))
}

/// How quick it is and how long it takes: `3 a second, about 2 minutes left`.
pub fn pace(done: usize, left: usize, seconds: f64) -> String {
    // Of the first few nothing can be told.
    if done < 4 || seconds < 1.0 {
        return String::new();
    }
    let each = seconds / done as f64;
    let rate = if each <= 1.0 {
        so_many_a_second(&format!("{:.0}", 1.0 / each))
    } else {
        seconds_each(&format!("{each:.0}"))
    };
    let time = match left as f64 * each {
        left if left < 60.0 => seconds_left().to_owned(),
        left if left < 90.0 => minute_left().to_owned(),
        left => minutes_left(&format!("{:.0}", left / 60.0)),
    };
    pace_and_left(&rate, &time)
}

/// What came of it: `Brought in 40 photos; 2 were there already, 1 was not taken.`
pub fn brought_in(new: usize, known: usize, failed: usize) -> String {
    let known = (known > 0).then(|| there_already(known));
    let failed = (failed > 0).then(|| and_not_taken(failed));
    let others: Vec<String> = known.into_iter().chain(failed).collect();
    if others.is_empty() { all_brought_in(new) } else { some_brought_in(new, &others.join(", ")) }
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
        assert_eq!(shared_left("all"), shared_lost());
    }
}
