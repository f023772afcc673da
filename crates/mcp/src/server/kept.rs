//! Ids of what is kept between requests: they begin with the time, so that what is old is found by its name alone.

use crate::runtime::Runtime;

/// An id that nobody can guess.
pub(super) fn new_id(runtime: &dyn Runtime) -> String {
    format!("{:012x}-{}", runtime.now_ms().max(0), runtime.random())
}

/// When it was made, in milliseconds since 1970; 0 for what is no id of ours.
pub(super) fn made_ms(id: &str) -> i64 {
    id.split_once('-').and_then(|(time, _)| i64::from_str_radix(time, 16).ok()).unwrap_or_default()
}

/// The ids, of names with this prefix, that have to go: those made before a time, and the oldest where one more would be
/// more than `most`.
pub(super) fn surplus(names: Vec<String>, prefix: &str, most: usize, before_ms: i64) -> Vec<String> {
    let mut ids: Vec<String> = Vec::with_capacity(names.len());
    for id in names.iter().filter_map(|name| name.strip_prefix(prefix)) {
        // Few, and in order as they come from most places.
        ids.insert(ids.partition_point(|known| known.as_str() < id), id.to_owned());
    }
    let too_many = (ids.len() + 1).saturating_sub(most);
    let too_old = ids.partition_point(|id| made_ms(id) < before_ms);
    ids.truncate(too_many.max(too_old));
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_by_their_names() {
        let names = |times: &[i64]| times.iter().map(|time| format!("x-{time:012x}-abc")).collect::<Vec<_>>();
        let gone = |times: &[i64], most, before| {
            surplus(names(times), "x-", most, before).iter().map(|id| made_ms(id)).collect::<Vec<_>>()
        };
        assert_eq!(gone(&[30, 10, 20], 4, 0), [0; 0]);
        assert_eq!(gone(&[30, 10, 20], 3, 0), [10]);
        assert_eq!(gone(&[30, 10, 20], 9, 25), [10, 20]);
        assert_eq!(gone(&[30, 10, 20], 2, 15), [10, 20]);
        assert_eq!(made_ms("nonsense"), 0);
        assert_eq!(surplus(vec!["x-nonsense".into()], "x-", 9, 1), ["nonsense"]);
    }
}
