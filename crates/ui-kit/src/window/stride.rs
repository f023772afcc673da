//! Which rows are in the page next, on the way to those that should be. Pure.

use std::ops::Range;

/// The rows in the page after this step: all of `seen`, what of `near` is there already, and at most so many more of
/// `near`, on the side where more of them are missing. Where nothing can be seen, `near` is filled from the side that is
/// closer: its end when the list is `above` the viewport.
#[must_use]
pub fn towards(
    near: &Range<usize>,
    seen: &Range<usize>,
    there: &Range<usize>,
    above: bool,
    most: usize,
) -> Range<usize> {
    let edge = if above { near.end } else { near.start };
    let mut next = if seen.is_empty() { edge..edge } else { seen.clone() };
    let kept = there.start.max(near.start)..there.end.min(near.end);
    if !kept.is_empty() && kept.start <= next.end && next.start <= kept.end {
        next = kept.start.min(next.start)..kept.end.max(next.end);
    }
    let (before, after) = (next.start.saturating_sub(near.start), near.end.saturating_sub(next.end));
    if after >= before {
        next.end += after.min(most);
    } else {
        next.start -= before.min(most);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::towards;

    #[test]
    fn what_is_seen_comes_at_once_and_the_rest_in_steps() {
        let rows = [
            // A jump: nothing of what was there is of use.
            (40..80, 52..64, 0..20, 0, 52..64),
            // The side with more missing goes first.
            (40..80, 52..64, 52..64, 4, 52..68),
            (40..80, 52..64, 52..80, 4, 48..80),
            // One row down: what is there stays, what is out of reach goes.
            (44..84, 56..68, 40..80, 0, 44..80),
            (44..84, 56..68, 44..80, 4, 44..84),
            (44..84, 56..68, 44..84, 4, 44..84),
            // The end of the list.
            (90..100, 96..100, 96..100, 8, 90..100),
        ];
        for (near, seen, there, most, expected) in rows {
            assert_eq!(towards(&near, &seen, &there, true, most), expected, "{near:?} {seen:?} {there:?}");
        }
    }

    #[test]
    fn a_list_out_of_sight_is_filled_from_the_side_that_is_closer() {
        assert_eq!(towards(&(0..12), &(0..0), &(0..0), false, 4), 0..4);
        assert_eq!(towards(&(0..12), &(0..0), &(0..4), false, 4), 0..8);
        assert_eq!(towards(&(88..100), &(0..0), &(0..0), true, 4), 96..100);
        assert_eq!(towards(&(88..100), &(0..0), &(96..100), true, 4), 92..100);
        assert_eq!(towards(&(0..0), &(0..0), &(4..8), false, 4), 0..0, "far away");
    }

    #[test]
    fn every_step_comes_closer() {
        for seen in [0..0, 12..20] {
            let (mut there, mut steps) = (200..300, 0);
            while there != (0..40) {
                there = towards(&(0..40), &seen, &there, false, 4);
                steps += 1;
                assert!(steps <= 11, "{there:?}");
            }
        }
    }
}
