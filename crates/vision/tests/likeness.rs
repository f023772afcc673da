//! Nine edits of free pictures against pictures of something else: how often the hash finds a copy, and how often it finds one where there
//! is none.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod support;

use support::{NAMES, edits, picture, tiles};
use vision::duplicates::{NEAR_HASH, SAME_HASH};
use vision::likeness::{ColourHistogram, PerceptualHash};
use vision::pixels::Picture;

/// Whole pictures and parts of them that do not overlap.
fn photos() -> Vec<Picture> {
    let parts = |name: &&str| {
        let whole = picture(name);
        let mut all = tiles(&whole, 2, 2);
        all.push(whole);
        all
    };
    NAMES.iter().flat_map(parts).collect()
}

#[test]
fn copies_are_found_and_others_are_not() {
    let photos = photos();
    let hashes: Vec<PerceptualHash> = photos.iter().map(|photo| PerceptualHash::of(photo).unwrap()).collect();
    let edited: Vec<_> = photos.iter().map(edits).collect();
    for edit in 0..9 {
        let name = edited[0][edit].0;
        let distances: Vec<u32> = edited
            .iter()
            .zip(&hashes)
            .map(|(edits, hash)| PerceptualHash::of(&edits[edit].1).unwrap().distance(*hash))
            .collect();
        let recall = |most: u32| {
            distances.iter().filter(|distance| **distance <= most).count() as f64 / distances.len() as f64
        };
        let colours: f32 = edited
            .iter()
            .zip(&photos)
            .map(|(edits, photo)| ColourHistogram::of(&edits[edit].1).distance(&ColourHistogram::of(photo)))
            .sum::<f32>()
            / photos.len() as f32;
        // The rest is what features are for: a hash sees where things are.
        let is_for_hash = !name.starts_with("cropped") && !name.starts_with("shifted");
        assert!(!is_for_hash || recall(SAME_HASH) >= 0.95, "{name}: {}", recall(SAME_HASH));
        println!(
            "{name:14} ≤ {SAME_HASH}: {:.2}, ≤ 18: {:.2}, ≤ {NEAR_HASH}: {:.2}; colours {colours:.2} apart",
            recall(SAME_HASH),
            recall(18),
            recall(NEAR_HASH)
        );
    }
    let mut false_pairs = [0; 3];
    let mut pairs = 0;
    for (at, one) in hashes.iter().enumerate() {
        for other in &hashes[..at] {
            pairs += 1;
            for (count, most) in false_pairs.iter_mut().zip([SAME_HASH, 18, NEAR_HASH]) {
                *count += usize::from(one.distance(*other) <= most);
            }
        }
    }
    assert_eq!(false_pairs[0], 0);
    println!("false pairs of {pairs}: ≤ {SAME_HASH}, 18, {NEAR_HASH}: {false_pairs:?}");
}
