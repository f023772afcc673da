//! Which photos are the same one, and which of them to keep.
//!
//! Two photos are duplicates if they are the same bytes; or their perceptual hashes differ in at most 12 bits; or their features are less
//! than 0.10 apart and they were taken less than 10 seconds apart or their hashes differ in at most 22 bits. The two measures fail on
//! different edits (a crop, a blur), and neither alone is enough for a photo to be called superfluous.
//!
//! A group is a star: its centre is the best photo not yet in a group, and every other member is a duplicate *of the centre*. Chains ("a is
//! like b, b is like c") would make one group of a walk along a beach; here what is left when only the best is kept resembles all that goes.
//!
//! Every centre is compared with all that is not grouped yet: n²/2 comparisons of 64 bits at most, and memory for n photos. A tree of
//! distances (BK-tree) or buckets of bits would save nothing: at 22 of 64 bits every bucket is visited. `examples/costs.rs` measures it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::likeness::{PerceptualHash, feature_distance, product};
use crate::moment::Moment;

/// Hashes that differ in at most so many bits are of one picture.
pub const SAME_HASH: u32 = 12;

/// Hashes that differ in at most so many bits may be of one picture, if the features agree.
pub const NEAR_HASH: u32 = 22;

/// Features that are less apart than this are of one subject.
pub const SAME_FEATURES: f32 = 0.10;

/// Photos taken less than so many seconds apart are of one burst.
pub const BURST_SECONDS: i64 = 10;

/// What is known of a photo that may have duplicates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Candidate<'a> {
    /// A hash of the file's bytes, in whatever form; the same text is the same file. Empty where it is not known.
    pub content: &'a str,
    /// Of the upright picture.
    pub hash: Option<PerceptualHash>,
    /// The features of a net; empty where there are none.
    pub features: &'a [f32],
    /// When it was taken.
    pub taken: Option<Moment>,
    /// The quality's score, 0 to 100.
    pub score: u8,
    /// The variance of the Laplacian: which of a burst is sharper, where the scores are equal.
    pub laplacian: f32,
    /// Width × height of the original: of two equal ones the larger is kept.
    pub pixels: u64,
}

/// Why two photos are duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// The same bytes.
    SameFile,
    /// The same picture, saved, shrunk or toned anew.
    SamePicture,
    /// The same subject from the same place, in one burst or cropped.
    SameSubject,
}

/// Photos of which one is enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The one to keep: an index into what was given.
    pub best: usize,
    /// The others, in the order given, and why each is a duplicate of the best.
    pub others: Vec<(usize, Likeness)>,
}

/// Whether two photos are duplicates, and why.
#[must_use]
pub fn likeness(one: &Candidate<'_>, other: &Candidate<'_>) -> Option<Likeness> {
    if !one.content.is_empty() && one.content == other.content {
        return Some(Likeness::SameFile);
    }
    let bits = one.hash.zip(other.hash).map(|(one, other)| one.distance(other));
    let seconds = one.taken.zip(other.taken).map(|(one, other)| (one.seconds() - other.seconds()).abs());
    compared(bits, seconds, || feature_distance(one.features, other.features))
}

fn compared(bits: Option<u32>, seconds: Option<i64>, features: impl FnOnce() -> f32) -> Option<Likeness> {
    if bits.is_some_and(|bits| bits <= SAME_HASH) {
        return Some(Likeness::SamePicture);
    }
    let is_near =
        bits.is_some_and(|bits| bits <= NEAR_HASH) || seconds.is_some_and(|seconds| seconds < BURST_SECONDS);
    // Features are the dear part: they are only looked at where something else speaks for it.
    (is_near && features() < SAME_FEATURES).then_some(Likeness::SameSubject)
}

/// The groups of two or more, by the index of their best; photos without duplicates are in none.
#[must_use]
pub fn groups(photos: &[Candidate<'_>]) -> Vec<Group> {
    let mut order: Vec<usize> = (0..photos.len()).collect();
    // The best first. Equal in everything: the one given first, so that the same photos give the same groups.
    order.sort_by(|one, other| {
        let (one_photo, other_photo) = (&photos[*one], &photos[*other]);
        (other_photo.score.cmp(&one_photo.score))
            .then_with(|| other_photo.pixels.cmp(&one_photo.pixels))
            .then_with(|| other_photo.laplacian.total_cmp(&one_photo.laplacian))
            .then_with(|| one.cmp(other))
    });
    let lengths: Vec<Lengths> = photos.iter().map(|photo| Lengths::of(photo.features)).collect();
    let mut left: Vec<Compact> = compact(photos, &order);
    let mut groups = Vec::new();
    // What is left shrinks with each centre: the centre goes, and with it all its duplicates.
    let mut at = 0;
    while at < left.len() {
        let centre = left[at];
        let mut others = Vec::new();
        let mut kept = at + 1;
        for next in at + 1..left.len() {
            let other = left[next];
            match centre.likeness(&other, photos, &lengths) {
                Some(why) => others.push((other.photo, why)),
                None => {
                    left[kept] = other;
                    kept += 1;
                }
            }
        }
        left.truncate(kept);
        if !others.is_empty() {
            others.sort_by_key(|(photo, _)| *photo);
            groups.push(Group { best: centre.photo, others });
        }
        at += 1;
    }
    groups.sort_by_key(|group| group.best);
    groups
}

/// What millions of comparisons look at, next to each other in memory.
#[derive(Clone, Copy)]
struct Compact {
    hash: Option<PerceptualHash>,
    seconds: Option<i64>,
    /// The number of its content; 0 where that is not known.
    content: u32,
    photo: usize,
}

impl Compact {
    fn likeness(&self, other: &Self, photos: &[Candidate<'_>], lengths: &[Lengths]) -> Option<Likeness> {
        if self.content != 0 && self.content == other.content {
            return Some(Likeness::SameFile);
        }
        let bits = self.hash.zip(other.hash).map(|(one, other)| one.distance(other));
        let seconds = self.seconds.zip(other.seconds).map(|(one, other)| (one - other).abs());
        compared(bits, seconds, || {
            let (one, other_features) = (photos[self.photo].features, photos[other.photo].features);
            if lengths[self.photo].is_apart(lengths[other.photo], one, other_features) {
                return 1.0;
            }
            feature_distance(one, other_features)
        })
    }
}

/// The lengths of the halves of a list of features. With them, half of two lists shows of most that they are too far apart: the other
/// half can add at most the product of its lengths (Cauchy and Schwarz). Of 20,000 photos two million pairs get as far as their features.
#[derive(Clone, Copy)]
struct Lengths {
    whole: f32,
    second: f32,
}

impl Lengths {
    fn of(features: &[f32]) -> Self {
        let length = |part: &[f32]| product(part, part).sqrt();
        let second = length(&features[features.len() / 2..]);
        Self { whole: length(features), second }
    }

    /// Whether the first halves are enough to say no; where they are not, nothing is said.
    fn is_apart(self, other: Self, features: &[f32], others: &[f32]) -> bool {
        let half = features.len() / 2;
        if features.len() != others.len() {
            return true;
        }
        let most = product(&features[..half], &others[..half]) + self.second * other.second;
        // A little is left to rounding; a NaN is never less.
        most < (1.0 - SAME_FEATURES - 0.001) * self.whole * other.whole
    }
}

fn compact(photos: &[Candidate<'_>], order: &[usize]) -> Vec<Compact> {
    let mut contents = BTreeMap::new();
    let numbered = order.iter().map(|photo| {
        let candidate = &photos[*photo];
        let next = contents.len() as u32 + 1;
        let content =
            if candidate.content.is_empty() { 0 } else { *contents.entry(candidate.content).or_insert(next) };
        Compact {
            hash: candidate.hash,
            seconds: candidate.taken.map(Moment::seconds),
            content,
            photo: *photo,
        }
    });
    numbered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i8) -> Option<Moment> {
        Moment::new(2026, [5, 1, 12, 0, second])
    }

    /// A hash of so many bits.
    fn bits(count: u32) -> Option<PerceptualHash> {
        Some(PerceptualHash((1_u64 << count) - 1))
    }

    #[test]
    fn the_rule_is_a_table() {
        let same: &[f32] = &[1.0, 0.0];
        // cos = 0.95 and 0.8: distances of 0.05 and 0.2.
        let (near, far): (&[f32], &[f32]) = (&[0.95, 0.312_25], &[0.8, 0.6]);
        let whole =
            Candidate { content: "a", hash: bits(0), features: same, taken: at(0), ..Candidate::default() };
        for (other, why) in [
            (Candidate { content: "a", ..Candidate::default() }, Some(Likeness::SameFile)),
            (Candidate { content: "b", hash: bits(12), ..Candidate::default() }, Some(Likeness::SamePicture)),
            (Candidate { hash: bits(13), ..Candidate::default() }, None),
            (
                Candidate { hash: bits(22), features: near, ..Candidate::default() },
                Some(Likeness::SameSubject),
            ),
            (Candidate { hash: bits(23), features: near, ..Candidate::default() }, None),
            (Candidate { hash: bits(22), features: far, ..Candidate::default() }, None),
            (
                Candidate { hash: bits(40), features: near, taken: at(9), ..Candidate::default() },
                Some(Likeness::SameSubject),
            ),
            (Candidate { hash: bits(40), features: near, taken: at(10), ..Candidate::default() }, None),
            (Candidate { hash: bits(40), features: far, taken: at(1), ..Candidate::default() }, None),
            (Candidate { features: near, taken: at(3), ..Candidate::default() }, Some(Likeness::SameSubject)),
            (Candidate { taken: at(0), ..Candidate::default() }, None),
            (Candidate::default(), None),
        ] {
            assert_eq!(likeness(&whole, &other), why, "{other:?}");
            assert_eq!(likeness(&other, &whole), why, "{other:?}");
        }
        assert_eq!(likeness(&Candidate::default(), &Candidate::default()), None);
    }

    #[test]
    fn the_best_is_kept_and_chains_are_not() {
        // Each is 10 bits from the next: a chain of five, whose ends have nothing to do with each other.
        let chain: Vec<Candidate<'_>> = [(0, 50), (10, 60), (20, 90), (30, 60), (40, 50)]
            .map(|(count, score)| Candidate { hash: bits(count), score, ..Candidate::default() })
            .to_vec();
        let why = Likeness::SamePicture;
        assert_eq!(groups(&chain), [Group { best: 2, others: vec![(1, why), (3, why)] }]);
        let equal = Candidate { content: "x", score: 70, ..Candidate::default() };
        let sharper = Candidate { laplacian: 9.0, ..equal };
        let larger = Candidate { pixels: 12_000_000, ..equal };
        for (photos, best) in [
            ([equal, equal, equal], 0),
            ([equal, sharper, equal], 1),
            ([equal, sharper, larger], 2),
            ([Candidate { score: 71, ..equal }, sharper, larger], 0),
        ] {
            let found = groups(&photos);
            assert_eq!((found.len(), found[0].best, found[0].others.len()), (1, best, 2));
        }
        assert_eq!(groups(&[]), []);
        assert_eq!(groups(&[equal]), []);
    }
}
