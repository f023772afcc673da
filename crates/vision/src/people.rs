//! People: faces grouped by whose they are, from their embeddings and from what a person said about them.
//!
//! Average-linkage clustering with constraints. Two faces of one photo are never one person; what a person said of
//! two faces holds against everything computed. It knows no names: a name belongs to faces, and who gives it says so
//! by [`Said::Same`]. Start at [`group`].
//!
//! Computed groups change as photos come: a face may move. What may not move must be said. So when a person gives a
//! group a name, or takes a face out of it, the caller says [`Said::Same`] of the faces that were in view, and
//! [`Said::Different`] of one of them and the face taken out, which then holds for all of them.

//!
//! As rows keep faces, it is [`regroup`]: embeddings as text ([`pack`]), faces by photo and number.

mod cluster;
mod join;
mod packed;
mod regroup;
mod said;

use std::cmp::Ordering;

use crate::nets::Embedding;

pub use packed::{pack, unpack};
pub use regroup::{FaceOf, Groups, Looks, SaidOf, Sighted, regroup};

/// Groups are joined while the mean distance between their faces is not above this.
///
/// Measured with this crate's landmarks and alignment by `examples/samples.rs`, on 413 faces of 58 people (61
/// photographed faces and copies of them turned by 15° and 30°, shrunk to 0.7 and 0.5, darkened to 0.3). On the half
/// of the people on which it was chosen 0.34 to 0.54 are equally good (B³ F 0.995); on the other half 0.50 has F
/// 0.993, on all together 0.994 with precision 1. It lies in the upper part of that range because photos of one
/// person differ more than copies do, and below 0.54 because there the precision of both halves together begins to
/// fall (0.964), which only a look at both shows. The mean of a face's embedding and its mirror image's, which costs
/// a second pass, was not better (0.996 at 0.50, 0.978 at 0.52). Different people of one photo were 0.475 apart and
/// more (313 pairs, median 0.708). Expect less on an album of hundreds of people, and let the person correct.
pub const SAME_PERSON: f32 = 0.50;

/// Faces narrower than this, in pixels of the picture that they were found on, are not compared: an embedding of so
/// few pixels says little. A person may still say whose they are.
pub const MIN_WIDTH: f32 = 40.0;

/// One face of one photo.
#[derive(Clone, Copy, Debug)]
pub struct Sighting<'a> {
    /// Which photo it is on: any number that two faces have in common when they are on one photo.
    pub photo: u64,
    /// How wide the box of the face is, in pixels ([`crate::nets::Face::width`]).
    pub width: f32,
    /// What [`crate::nets::FaceEmbedding`] made of it.
    pub embedding: &'a Embedding,
}

/// What a person said about two faces, which are indices into the list of [`group`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// They are one person's (must-link): also on one photo (a mirror, a collage), also when one is too narrow to be
    /// compared.
    Same(usize, usize),
    /// They are two people's (cannot-link).
    Different(usize, usize),
}

/// Whose each face is: for each the number of a person, or nothing for a face that is like no other or too narrow.
///
/// - People are numbered from 0 in the order of their first face. A number is good for this answer only.
/// - `said` is in the order in which it was said. Where two contradict each other, also by way of others ("A is B, B
///   is C, A is not C"), the later one holds and the earlier is left out. What is about one face alone, or a face
///   that is not there, is left out too.
/// - A face that is said to be somebody's brings all along that look like it, except what was said to be another's
///   and what is on a photo with that person already.
/// - The order of the faces changes nothing but the numbers.
///
/// Time is square in the number of faces: 5,000 take about 2 s natively. Memory is 4 bytes for each pair of faces
/// within a set that is connected by distances up to [`SAME_PERSON`]: 50 MB when all of 5,000 are one such set, which
/// photos of a few dozen people are not. Such a set of 30,000 and more would not fit into wasm's memory.
#[must_use]
pub fn group(faces: &[Sighting<'_>], said: &[Said]) -> Vec<Option<usize>> {
    group_at(faces, said, SAME_PERSON)
}

/// [`group`] with another threshold than [`SAME_PERSON`]: for measuring, and for a person who wants fewer or more groups.
#[must_use]
pub fn group_at(faces: &[Sighting<'_>], said: &[Said], threshold: f32) -> Vec<Option<usize>> {
    // One order for one set of faces: then sums round alike and ties fall alike, however the caller sorts.
    let mut order: Vec<usize> = (0..faces.len()).collect();
    order::sort_by(&mut order, |one, other| {
        let (one, other) = (&faces[*one], &faces[*other]);
        let mut numbers = one.embedding.iter().zip(other.embedding).map(|(one, other)| one.total_cmp(other));
        numbers
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
            .then(one.photo.cmp(&other.photo))
            .then(one.width.total_cmp(&other.width))
    });
    let mut place = vec![0; faces.len()];
    for (at, face) in order.iter().enumerate() {
        place[*face] = at;
    }
    let sorted: Vec<Sighting<'_>> = order.iter().map(|face| faces[*face]).collect();
    let known = said::Constraints::new(faces.len(), said, |face| place.get(face).copied());
    let clusters = cluster::clusters(&sorted, &known, threshold);
    let people = join::people(&sorted, &known, &clusters);
    numbered(&place.iter().map(|at| people[*at]).collect::<Vec<_>>())
}

/// Clusters of one face are nobody; the others are numbered in the order of their first face.
fn numbered(clusters: &[usize]) -> Vec<Option<usize>> {
    let mut sizes = vec![0usize; clusters.len()];
    for cluster in clusters {
        sizes[*cluster] += 1;
    }
    let mut numbers: Vec<Option<usize>> = vec![None; clusters.len()];
    let mut next = 0;
    clusters
        .iter()
        .map(|cluster| {
            if sizes[*cluster] < 2 {
                return None;
            }
            Some(*numbers[*cluster].get_or_insert_with(|| {
                next += 1;
                next - 1
            }))
        })
        .collect()
}

#[cfg(test)]
mod tests;
