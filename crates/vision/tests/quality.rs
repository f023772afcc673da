//! Quality against pictures whose faults are known, because they were made.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod support;

use support::{NAMES, blurred, moved, noisy, picture, tiles, toned};
use vision::measure::measures;
use vision::pixels::{Picture, Region};
use vision::quality::{Reason, quality, sharpness};

/// Each worse than the one before it.
fn worse(picture: &Picture) -> [(&'static str, Vec<Picture>); 4] {
    [
        ("out of focus", [0.7, 1.2, 2.0, 4.0].map(|spread| blurred(picture, spread)).to_vec()),
        ("moved", [3.0, 6.0, 12.0].map(|length| moved(picture, length, 30.0)).to_vec()),
        ("dark", [0.75, 0.5, 0.3, 0.15].map(|share| toned(picture, |value| value * share)).to_vec()),
        ("noisy", [4.0, 8.0, 16.0, 32.0].map(|spread| noisy(picture, spread, 7)).to_vec()),
    ]
}

/// By two points it may: noise lifts a measure of sharpness before it counts as noise, and fine gravel is noise to every measure of noise,
/// until a slight blur takes it away.
#[test]
fn a_fault_that_grows_never_raises_the_score() {
    for name in NAMES {
        let picture = picture(name);
        let first = quality(&picture, &[]).score;
        for (fault, pictures) in worse(&picture) {
            // The telescope's sky is black before anybody darkens it.
            if (name, fault) == ("hubble", "dark") {
                continue;
            }
            let scores: Vec<u8> = pictures.iter().map(|picture| quality(picture, &[]).score).collect();
            println!("{name:10} {fault:12} {first:3} {scores:3?}");
            let is_falling =
                std::iter::once(&first).chain(&scores).is_sorted_by(|before, after| *before + 2 >= **after);
            assert!(is_falling, "{name}, {fault}: {first}, {scores:?}");
            assert!(
                scores.last().is_some_and(|last| *last + 10 <= first),
                "{name}, {fault}: {first}, {scores:?}"
            );
        }
    }
}

/// The share of pairs of one of each that are in the right order; a tie is half a pair.
fn area_under_curve(high: &[f32], low: &[f32]) -> f64 {
    let pairs = high.iter().flat_map(|high| low.iter().map(move |low| (high, low)));
    let right: f64 = pairs
        .map(|(high, low)| {
            if high > low {
                1.0
            } else if high < low {
                0.0
            } else {
                0.5
            }
        })
        .sum();
    right / (high.len() * low.len()) as f64
}

#[test]
fn sharp_pictures_are_told_from_moved_ones_whatever_they_show() {
    let sharp: Vec<Picture> = NAMES.iter().flat_map(|name| tiles(&picture(name), 2, 2)).collect();
    let (mut moved_ones, mut blurred_ones) = (Vec::new(), Vec::new());
    for (at, picture) in sharp.iter().enumerate() {
        for length in [6.0, 10.0, 16.0] {
            moved_ones.push(moved(picture, length, (at * 37 % 180) as f64));
        }
        blurred_ones.extend([1.5, 2.5].map(|spread| blurred(picture, spread)));
    }
    let scores = |pictures: &[Picture]| {
        pictures.iter().map(|picture| sharpness(&measures(picture))).collect::<Vec<_>>()
    };
    let sharp_scores = scores(&sharp);
    let against_moved = area_under_curve(&sharp_scores, &scores(&moved_ones));
    let against_blurred = area_under_curve(&sharp_scores, &scores(&blurred_ones));
    println!("AUC sharp against moved {against_moved:.4}, against out of focus {against_blurred:.4}");
    assert!(against_moved >= 0.97, "{against_moved}");
    assert!(against_blurred >= 0.97, "{against_blurred}");
}

#[test]
fn a_blur_is_called_by_its_kind() {
    let is = |picture: &Picture, reason| quality(picture, &[]).reasons.contains(&reason);
    let all: Vec<Picture> = NAMES.iter().map(|name| picture(name)).collect();
    let count = |edit: &dyn Fn(&Picture) -> Picture, reason| {
        all.iter().filter(|picture| is(&edit(picture), reason)).count()
    };
    let moved_right = count(&|picture| moved(picture, 14.0, 10.0), Reason::BlurredByMovement);
    let blurred_right = count(&|picture| blurred(picture, 3.0), Reason::OutOfFocus);
    println!("of 8: moved {moved_right}, out of focus {blurred_right}");
    assert!(moved_right >= 6 && blurred_right >= 7, "{moved_right} {blurred_right}");
}

#[test]
fn a_face_in_focus_counts_more_than_what_is_behind_it() {
    let picture = picture("astronaut");
    let face = Region::of_pixels([170.0, 60.0, 110.0, 140.0], [512, 512]);
    let soft = blurred(&picture, 3.0);
    let mut portrait = soft.clone();
    for y in 40..220 {
        let row = (y * 512 + 150) * 3..(y * 512 + 300) * 3;
        portrait.rgb[row.clone()].copy_from_slice(&picture.rgb[row]);
    }
    let [without, with, blurred_face] =
        [quality(&portrait, &[]), quality(&portrait, &[face]), quality(&soft, &[face])];
    assert!(with.score > without.score && with.score > blurred_face.score + 20, "{with:?} {without:?}");
    assert!(with.reasons.contains(&Reason::FaceInFocus), "{:?}", with.reasons);
    assert!(blurred_face.reasons.contains(&Reason::OutOfFocus), "{:?}", blurred_face.reasons);
}
