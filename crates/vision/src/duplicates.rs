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

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

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
    /// The others, the next best first, and why each is a duplicate of the best.
    pub others: Vec<(usize, Likeness)>,
}

/// Whether two photos are duplicates, and why.
#[must_use]
pub fn likeness(one: &Candidate<'_>, other: &Candidate<'_>) -> Option<Likeness> {
    likeness_with(one, other, feature_distance)
}

fn likeness_with(
    one: &Candidate<'_>,
    other: &Candidate<'_>,
    distance: impl FnOnce(&[f32], &[f32]) -> f32,
) -> Option<Likeness> {
    if !one.content.is_empty() && one.content == other.content {
        return Some(Likeness::SameFile);
    }
    let bits = one.hash.zip(other.hash).map(|(one, other)| one.distance(other));
    if bits.is_some_and(|bits| bits <= SAME_HASH) {
        return Some(Likeness::SamePicture);
    }
    let seconds = one.taken.zip(other.taken).map(|(one, other)| (one.seconds() - other.seconds()).abs());
    let is_near =
        bits.is_some_and(|bits| bits <= NEAR_HASH) || seconds.is_some_and(|seconds| seconds < BURST_SECONDS);
    // Features are the dear part: they are only looked at where something else speaks for it.
    (is_near && distance(one.features, other.features) < SAME_FEATURES).then_some(Likeness::SameSubject)
}

/// The groups of two or more, the group with the best photo first; photos without duplicates are in none.
#[must_use]
pub fn groups(photos: &[Candidate<'_>]) -> Vec<Group> {
    // Equal in everything: the one given first, so that the same photos give the same groups. A heap, because each kind of sort is
    // kilobytes of the worker (a rule of `xtask tidy`), and this crate uses none of ours.
    let order: BinaryHeap<_> = photos
        .iter()
        .enumerate()
        .map(|(at, photo)| {
            // The bits of positive numbers are in the order of the numbers.
            let laplacian = photo.laplacian.max(0.0).to_bits();
            (Reverse(photo.score), Reverse(photo.pixels), Reverse(laplacian), at)
        })
        .collect();
    let order: Vec<usize> = order.into_sorted_vec().into_iter().map(|(_, _, _, at)| at).collect();
    let lengths: Vec<Lengths> = photos.iter().map(|photo| Lengths::of(photo.features)).collect();
    let mut left: Vec<Compact> = compact(photos, &order);
    let mut groups = Vec::new();
    for at in 0..left.len() {
        let centre = left[at];
        if centre.content == Compact::GROUPED {
            continue;
        }
        let mut others = Vec::new();
        for other in &mut left[at + 1..] {
            if centre.is_near(other)
                && let Some(why) = centre.likeness(other, photos, &lengths)
            {
                others.push((other.photo as usize, why));
                other.leave();
            }
        }
        if !others.is_empty() {
            groups.push(Group { best: centre.photo as usize, others });
        }
    }
    groups
}

/// What a row keeps of a look at a photo, as the photos' tools give it out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Kept {
    /// The photo's id.
    pub id: String,
    /// Its perceptual hash in 16 hexadecimal digits; empty where it has none.
    #[serde(default)]
    pub look: String,
    /// Where its features are; empty where there are none.
    #[serde(default)]
    pub features: String,
    /// When it was taken.
    #[serde(default)]
    pub taken: Option<String>,
    /// The quality's score, 0 to 100.
    #[serde(default)]
    pub score: u8,
    /// Width × height of the original.
    #[serde(default)]
    pub pixels: u64,
}

/// The ids of each group of near-duplicates, the best first. `features` has those of each photo, in the same order; none for what is
/// missing.
#[must_use]
pub fn groups_of_ids(kept: &[Kept], features: &[Vec<f32>]) -> Vec<Vec<String>> {
    let candidates: Vec<Candidate<'_>> = kept
        .iter()
        .enumerate()
        .map(|(at, photo)| Candidate {
            content: &photo.id,
            hash: u64::from_str_radix(&photo.look, 16).ok().map(PerceptualHash),
            features: features.get(at).map_or(&[], Vec::as_slice),
            taken: photo.taken.as_deref().and_then(Moment::read),
            score: photo.score,
            laplacian: 0.0,
            pixels: photo.pixels,
        })
        .collect();
    let id = |at: usize| kept.get(at).map(|photo| photo.id.clone()).unwrap_or_default();
    let all = groups(&candidates).into_iter();
    all.map(|group| {
        std::iter::once(group.best).chain(group.others.iter().map(|(at, _)| *at)).map(id).collect()
    })
    .collect()
}

/// What millions of comparisons look at, next to each other in memory, and without a branch for what is missing.
#[derive(Clone, Copy)]
struct Compact {
    hash: u64,
    seconds: i64,
    /// The number of its content; where that is not known, a number of its own.
    content: u32,
    photo: u32,
    /// Added to the bits in which hashes differ: 64 where there is no hash.
    lacks_hash: u32,
    /// Added to the seconds between two photos: [`BURST_SECONDS`] where there is no date.
    lacks_date: u32,
}

impl Compact {
    /// The content of what is in a group: no centre has it.
    const GROUPED: u32 = u32::MAX;

    /// Makes it like nothing any more, which costs the others less than a question whether it is still there.
    fn leave(&mut self) {
        (self.content, self.lacks_hash, self.lacks_date) = (Self::GROUPED, 64, BURST_SECONDS as u32);
    }

    /// Whether anything but features speaks for a duplicate.
    fn is_near(&self, other: &Self) -> bool {
        let bits = (self.hash ^ other.hash).count_ones() + self.lacks_hash + other.lacks_hash;
        let lacks = u64::from(self.lacks_date) + u64::from(other.lacks_date);
        let seconds = self.seconds.abs_diff(other.seconds) + lacks;
        (bits <= NEAR_HASH) | (seconds < BURST_SECONDS.unsigned_abs()) | (self.content == other.content)
    }

    fn likeness(&self, other: &Self, photos: &[Candidate<'_>], lengths: &[Lengths]) -> Option<Likeness> {
        let (one, another) = (self.photo as usize, other.photo as usize);
        likeness_with(&photos[one], &photos[another], |features, others| {
            if lengths[one].is_apart(lengths[another], features, others) {
                return 1.0;
            }
            feature_distance(features, others)
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
    let numbered = order.iter().enumerate().map(|(at, photo)| {
        let candidate = &photos[*photo];
        let own = at as u32;
        Compact {
            hash: candidate.hash.map_or(0, |hash| hash.0),
            seconds: candidate.taken.map_or(0, Moment::seconds),
            content: if candidate.content.is_empty() {
                own
            } else {
                *contents.entry(candidate.content).or_insert(own)
            },
            photo: *photo as u32,
            lacks_hash: if candidate.hash.is_some() { 0 } else { 64 },
            lacks_date: if candidate.taken.is_some() { 0 } else { BURST_SECONDS as u32 },
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
    fn what_was_kept_of_looks_is_grouped_by_id() {
        let kept = |id: &str, look: &str, score: u8| Kept {
            id: id.into(),
            look: look.into(),
            score,
            ..Kept::default()
        };
        let photos = [
            kept("a", "00000000000000ff", 10),
            kept("b", "ffffffff00000000", 90),
            kept("c", "000000000000000f", 50),
            kept("d", "", 99),
        ];
        assert_eq!(groups_of_ids(&photos, &[]), [["c", "a"]]);
        let read: Kept = serde_json::from_str(r#"{"id":"a"}"#).unwrap();
        assert_eq!(read, Kept { id: "a".into(), ..Kept::default() });
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

    #[test]
    fn groups_are_made_by_the_rule() {
        // Few bits and few seconds, so that everything occurs: with and without hash, date, content and features.
        let features: Vec<Vec<f32>> = (0..7).map(|turn| vec![1.0, turn as f32 * 0.2, 0.3, 0.1]).collect();
        let photos: Vec<Candidate<'_>> = (0..400_usize)
            .map(|at| Candidate {
                content: ["", "a", "", "", "b", "", "", "c"][at * 7 / 3 % 8],
                hash: (at % 5 != 0).then(|| PerceptualHash((1_u64 << (at * 31 % 60)) - 1)),
                features: if at % 3 == 0 { &[] } else { &features[at % 7] },
                taken: if at % 4 == 0 { None } else { at_second(at * 13 % 59) },
                score: (at * 17 % 101) as u8,
                ..Candidate::default()
            })
            .collect();
        let mut left: Vec<usize> = (0..photos.len()).collect();
        left.sort_by_key(|photo| (Reverse(photos[*photo].score), *photo));
        let mut expected = Vec::new();
        while let Some(best) = left.first().copied() {
            let others: Vec<_> = left[1..]
                .iter()
                .filter_map(|other| Some((*other, likeness(&photos[best], &photos[*other])?)))
                .collect();
            left.retain(|photo| *photo != best && others.iter().all(|(other, _)| other != photo));
            if !others.is_empty() {
                expected.push(Group { best, others });
            }
        }
        assert!(expected.len() > 5);
        assert_eq!(groups(&photos), expected);
    }

    fn at_second(second: usize) -> Option<Moment> {
        at(second as i8)
    }
}
