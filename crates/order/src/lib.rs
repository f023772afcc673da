//! Sorting whose code is in a program once, whatever is sorted; and decimal numbers, read by little code ([`decimal`]).
//!
//! The standard library's sort is generic over the items and the comparison: each use is 3 to 5 kB of wasm. In the worker
//! that was 7 % of all code, for lists of a few dozen items. Here a list of places is sorted by one function,
//! [`places`], and what is made for each type only moves the items. `xtask tidy` holds the crates that reach a browser to it.
#![doc = include_str!("../README.md")]

mod decimal;

use std::cmp::Ordering;

pub use decimal::decimal;

/// Sorts in place, stable, from the least to the greatest.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts in place, stable, by what `key` says of an item; it is asked at each comparison.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts in place, stable: `compare` says how one item stands to another, as a total order.
///
/// With an order that is none the items are all still there, in some sequence; like the standard library's sort it
/// may panic instead.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = |one: usize, other: usize| compare(&items[one], &items[other]);
    for (to, from) in swaps(&mut places(items.len(), &order)) {
        items.swap(to, from);
    }
}

/// A collection of all that comes, added one by one.
///
/// For maps and sets of the standard library in place of `collect`, which sorts what it is given with code of
/// its own for each type.
pub fn gather<C: Default + Extend<T>, T>(all: impl IntoIterator<Item = T>) -> C {
    let mut gathered = C::default();
    gathered.extend(all);
    gathered
}

/// The places 0 to `count`, sorted: in front the place of the least item. The one copy of the sorting code.
#[inline(never)]
fn places(count: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| order(*one, *other));
    places
}

/// The swaps, in sequence, after which each place holds the item of the place named there. The list is used up.
#[inline(never)]
fn swaps(places: &mut [usize]) -> Vec<(usize, usize)> {
    let mut swaps = Vec::new();
    for start in 0..places.len() {
        let mut to = start;
        loop {
            let from = std::mem::replace(&mut places[to], to);
            if from == start {
                break;
            }
            swaps.push((to, from));
            to = from;
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(mut items: Vec<(u8, u32)>) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort_by_key(&mut items, |(key, _)| *key);
            prop_assert_eq!(&items, &expected);

            let mut expected = items.clone();
            expected.sort_by(|one, other| other.cmp(one));
            sort_by(&mut items, |one, other| other.cmp(one));
            prop_assert_eq!(&items, &expected);
        }

        #[test]
        fn nothing_is_lost_by_an_order_that_is_none(items: Vec<u8>, answers in prop::collection::vec(any::<bool>(), 1..50)) {
            let asked = std::cell::Cell::new(0);
            let sorted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut sorted = items.clone();
                sort_by(&mut sorted, |_, _| {
                    asked.set(asked.get() + 1);
                    if answers[asked.get() % answers.len()] { Ordering::Less } else { Ordering::Greater }
                });
                sorted
            }));
            if let Ok(mut sorted) = sorted {
                let mut expected = items;
                sorted.sort_unstable();
                expected.sort_unstable();
                prop_assert_eq!(sorted, expected);
            }
        }
    }
}
